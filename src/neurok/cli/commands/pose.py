"""`neurok pose`: moves an object by its generalised coordinates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro

from neurok.cli.report import VIDEOS, print_table, print_written, write, write_json
from neurok.errors import InputError
from neurok.export import check_usd
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

ANGLES = {"rad": 1.0, "deg": np.pi / 180}
LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}
MAX_FRAMES = 1_000_000
MAX_BYTES = 4 << 30  # largest array of positions


@dataclass(frozen=True)
class Pose:
    """Move an object by its joints, latent coordinates or elastic modes, and write the pose or the motion.

    Joints come from the file, or they are found. Other meshes move by latent coordinates or
    elastic modes. Without --set, --random or --trajectory each coordinate is swept through its range in turn.

    Examples:
      neurok pose cabinet.urdf --set door_hinge=80deg upper_slide=20cm -o open.glb
      neurok pose cabinet.urdf -o sweep.glb --preview sweep.png
      neurok pose plush.glb --kinematics elastic --random 5 --seed 3 -o wobble.mp4
      neurok pose arm.xml --trajectory joints.csv -o arm.usdc
    """

    file: tyro.conf.Positional[Path]
    """A mesh or robot description."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """.glb .usdc .npz .ply .obj .mp4 .webp .png. Without it the coordinates are listed."""
    kinematics: Literal["auto", "joints", "latent", "elastic"] = "auto"
    """auto: joints of the file, else joints that are found, else the latent space or elastic modes."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the learned space, in place of the shipped ones."""
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """One pose by coordinate names; values in rad and file units, or with deg, m, cm, mm."""
    random: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """N smooth random motions within the limits, in sequence."""
    trajectory: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """A .csv, .json or .npz with a column per coordinate, and a time column or one row per frame."""
    modes: int = 8
    """Number of elastic modes."""
    seconds: float = 2.0
    """Duration of each sweep or random motion in s."""
    fps: float = 30.0
    """Frames per second."""
    seed: int = 0
    """Random seed; the same seed gives the same file."""
    preview: Annotated[Path | None, tyro.conf.arg(metavar="PNG")] = None
    """Also draw a contact sheet of the motion."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write coordinates and outputs as JSON; '-' prints it."""

    def run(self) -> int:
        self._check()
        from neurok.pipelines.choose import choose_kinematics

        shape = load_shape(self.file, up=self.up, unit=self.unit, repair=self.repair)
        choice = choose_kinematics(shape, self.kinematics, modes=self.modes, seed=self.seed, model=self.model)
        kinematics = choice.kinematics
        quiet = self.json == "-"
        if not quiet:
            print(choice.line)
        item = self._move(kinematics)
        written = write(item, self.output) if self.output else []
        if self.preview:
            written.append(_preview(item, self.preview))
        if not self.output and not quiet:
            _list_coordinates(kinematics)
        if not quiet:
            print_written(written)
        write_json(
            {
                "coordinates": list(kinematics.names),
                "rest": kinematics.rest.tolist(),
                "limits": [[_plain(x) for x in pair] for pair in kinematics.limits.tolist()],
                "outputs": [str(p) for p in written],
            },
            self.json,
        )
        return 0

    def _check(self) -> None:
        chosen = [
            name
            for name, on in (
                ("--set", self.set),
                ("--random", self.random),
                ("--trajectory", self.trajectory),
            )
            if on
        ]
        if self.output:
            check_usd(self.output)
        if len(chosen) > 1:
            raise InputError(self.file, f"{' and '.join(chosen)} exclude each other", "Keep one of them")
        if not (self.seconds > 0 and self.fps > 0 and 1 <= self.seconds * self.fps <= MAX_FRAMES):
            raise InputError(
                self.file,
                f"{self.seconds:g} s at {self.fps:g} fps is no number of frames from 1 to {MAX_FRAMES:,}",
                "Give other --seconds or --fps",
            )
        if self.modes < 1 or self.random < 0:
            raise InputError(self.file, "--modes and --random are counts", "Give a positive number")
        if not 0 <= self.seed < 2**32:
            raise InputError(self.file, f"the seed is {self.seed}", "Give a number from 0 to 4294967295")
        if self.preview:
            from neurok.rendering.pictures import check_suffix

            check_suffix(self.preview)
        if self.set and self.output and self.output.suffix.lower() in VIDEOS:
            raise InputError(
                self.output, "--set gives one pose, not a video", "Write a .png or .glb, or use --trajectory"
            )

    def _move(self, kinematics):
        import torch

        from neurok.kinematics import animate, sweep
        from neurok.kinematics.trajectories import load_trajectory, random_sweep

        if self.set:
            q = parse_pose(self.set, kinematics, self.file)
            return kinematics.shape.moved(kinematics.positions(q).numpy())
        if self.trajectory:
            q = load_trajectory(self.trajectory, kinematics, self.fps)
            _check_size(kinematics, len(q), self.trajectory)
            return animate(kinematics, q, self.fps, self.trajectory.stem)
        frames = max(2, round(self.seconds * self.fps))
        _check_size(kinematics, frames * (self.random or max(1, len(kinematics.names))), self.file)
        if self.random:
            sweeps = [random_sweep(kinematics, frames, seed=self.seed + 1000 * k) for k in range(self.random)]
            return animate(kinematics, torch.cat(sweeps), self.fps, "random")
        return animate(kinematics, sweep(kinematics, frames), self.fps, "sweep")


command = Pose


def _check_size(kinematics, frames: int, source: Path) -> None:
    """Rejects a motion whose positions exceed MAX_BYTES, before it is computed."""
    vertices = len(kinematics.shape.vertices)
    size = frames * vertices * 3 * 4
    if size > MAX_BYTES:
        raise InputError(
            source,
            f"{frames:,} frames of {vertices:,} vertices need {size / 2**30:.0f} GiB",
            "Give fewer seconds, a lower --fps or a decimated shape",
        )


def parse_pose(assignments: tuple[str, ...], kinematics, source: Path):
    """Coordinates q with the named values set and the others at rest."""
    q = kinematics.rest.clone()
    for text in assignments:
        name, value, unit = _split(text, source)
        if name not in kinematics.names:
            known = ", ".join(kinematics.names[:12]) or "none: nothing in it moves"
            raise InputError(source, f"has no coordinate {name!r}", f"There are: {known}")
        index = kinematics.names.index(name)
        value *= _factor(unit, name, kinematics, source)
        low, high = kinematics.limits[index].tolist()
        if not low - 1e-9 <= value <= high + 1e-9:
            raise InputError(
                source,
                f"{name} = {value:.4g} is outside its range {low:.4g} … {high:.4g}",
                "Choose a value inside",
            )
        q[index] = value
    return q


def _split(text: str, source: Path) -> tuple[str, float, str]:
    """Name, value and unit of "door_hinge=80deg"; the name may contain an equals sign."""
    fix = "Write NAME=VALUE, as in door_hinge=80deg or drawer=20cm"
    match = re.fullmatch(r"(.+)=\s*([-+0-9.eE]+)\s*([a-z]*)", text)
    if not match or match[3] not in ("", *ANGLES, *LENGTHS):
        raise InputError(source, f"cannot read {text!r}", fix)
    try:
        return match[1], float(match[2]), match[3]
    except ValueError:
        raise InputError(source, f"{match[2]!r} is not a number", fix) from None


def _factor(unit: str, name: str, kinematics, source: Path) -> float:
    """Factor from a unit to the coordinate's own: radians, or units of the file."""
    if not unit:
        return 1.0

    quantity = kinematics.quantity(name)
    if unit in {"angle": ANGLES, "length": LENGTHS}.get(quantity, ()):
        return ANGLES[unit] if quantity == "angle" else LENGTHS[unit] / kinematics.shape.frame.metres_per_unit
    units = {"angle": "in deg or rad", "length": "in m, cm or mm", "number": "without unit"}[quantity]
    raise InputError(source, f"{name} is no {'angle' if unit in ANGLES else 'length'}", f"Give it {units}")


def _preview(item: Shape | Sequence, path: Path) -> Path:
    """Draws a picture of a pose, or a contact sheet of a motion."""
    from neurok.rendering import contact_sheet, save_image, save_picture

    return save_picture(item, path) if isinstance(item, Shape) else save_image(contact_sheet(item), path)


def _list_coordinates(kinematics) -> None:
    rows = [
        [name, f"{rest:.4g}", f"{low:.4g} … {high:.4g}"]
        for name, rest, (low, high) in zip(
            kinematics.names, kinematics.rest.tolist(), kinematics.limits.tolist(), strict=True
        )
    ]
    print_table("coordinates (rad, units)", ["name", "rest", "range"], rows)
    print("Give -o FILE to write the motion.")


def _plain(x: float) -> float | None:
    """The number, or None if it is infinite: JSON has no infinity."""
    return x if np.isfinite(x) else None
