"""`neurok sample`: draws deformations of a mesh from its learned kinematic space."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro

from neurok.cli.report import print_table, print_written, write_json
from neurok.errors import InputError
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

HOLD, GO = 6, 18  # frames: pause at a sample, transition to the next


@dataclass(frozen=True)
class Sample:
    """Draw deformations of a static mesh from its learned space, and sweep each coordinate.

    Writes a contact sheet and an animated GLB of the samples, and of the sweeps.

    Examples:
      neurok sample laptop.glb -o laptop/
      neurok sample chair.obj -o chair/ --count 16 --seed 3
    """

    file: tyro.conf.Positional[Path]
    """A mesh."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")]
    """Folder for samples.png, samples.glb, coordinates.png and coordinates.glb."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train kinematics`, in place of the shipped ones."""
    pin: Literal["auto", "none"] = "auto"
    """auto: the supporting base is fixed; none: the whole object may move, as an animal does."""
    count: int = 12
    """Number of samples of the prior."""
    most: int = 12
    """Largest number of coordinates."""
    seed: int = 0
    """Random seed; the same seed gives the same files."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write coordinates and figures as JSON; '-' prints it."""

    def run(self) -> int:
        if not (1 <= self.count <= 1000 and 1 <= self.most <= 64):
            raise InputError(self.file, "--count or --most is out of range", "Give 1–1000 and 1–64")
        import torch

        from neurok.dynamics import standing_base
        from neurok.export import save
        from neurok.kinematics import animate, sweep
        from neurok.latent.reduction import ReductionConfig
        from neurok.pipelines.choose import choose_kinematics
        from neurok.rendering import contact_sheet, save_image

        if self.output.exists() and not self.output.is_dir():
            raise InputError(self.output, "is a file", "Name a folder to write to")
        shape = load_shape(self.file, up=self.up, unit=self.unit, repair=self.repair)
        reduction = ReductionConfig(most=self.most, seed=self.seed)
        pinned = standing_base(shape) if self.pin == "auto" else None
        choice = choose_kinematics(
            shape, "neural", pinned=pinned, seed=self.seed, model=self.model, reduction=reduction
        )
        kinematics: Any = choice.kinematics
        if self.json != "-":
            print(choice.said)
        q = kinematics.sample(self.count, self.seed)
        samples = animate(kinematics, _tour(torch.cat([kinematics.rest[None], q])), name="samples")
        swept = animate(kinematics, sweep(kinematics), name="coordinates")
        stills = animate(kinematics, torch.cat([kinematics.rest[None], q]), name="samples")
        ends = animate(kinematics, torch.cat([_ends(kinematics, i) for i in range(kinematics.dim)]))
        self.output.mkdir(parents=True, exist_ok=True)
        written = [
            save_image(contact_sheet(stills, count=len(stills)), self.output / "samples.png"),
            *save([samples], self.output / "samples.glb"),
            save_image(
                contact_sheet(ends, columns=3, count=len(ends)),
                self.output / "coordinates.png",
            ),
            *save([swept], self.output / "coordinates.glb"),
        ]
        figures = _figures(kinematics)
        if self.json != "-":
            header = ["coordinate", "range", "share of motion", "lost with so many"]
            print_table("learned coordinates", header, figures)
            print_written(written)
        data = {"coordinates": kinematics.dim, "lost": kinematics.subspace.lost.tolist()}
        write_json(data | {"outputs": [str(path) for path in written]}, self.json)
        return 0


def _tour(poses):
    """Trajectory through the poses with cosine transitions and a pause at each pose."""
    import torch

    s = np.r_[np.zeros(HOLD), (1 - np.cos(np.linspace(0, np.pi, GO, endpoint=False))) / 2]
    way = torch.tensor(s)[:, None]
    legs = [a + way * (b - a) for a, b in pairwise(poses)]
    return torch.cat([*legs, poses[-1:].repeat(HOLD, 1)])


def _ends(kinematics, i: int):
    """Coordinate i at its lower limit, at rest and at its upper limit."""
    q = kinematics.rest.repeat(3, 1)
    q[0, i], q[2, i] = kinematics.limits[i]
    return q


def _figures(kinematics) -> list[list[str]]:
    spectrum = kinematics.subspace.spectrum
    return [
        [name, f"{low:.2f} … {high:.2f}", f"{share:.1%}", f"{lost:.1%}"]
        for name, (low, high), share, lost in zip(
            kinematics.names, kinematics.limits.tolist(), (spectrum / spectrum.sum()).tolist(),
            kinematics.subspace.lost.tolist(), strict=False,
        )
    ]  # fmt: skip


command = Sample
