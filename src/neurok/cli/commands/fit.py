"""`neurok fit`: finds the pose of a mesh that matches a target."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from neurok.cli.report import print_table, print_written, write, write_json
from neurok.errors import InputError
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

if TYPE_CHECKING:
    from neurok.pipelines.fit import FittedPose


@dataclass(frozen=True)
class FitCommand:
    """Find the pose of a mesh that matches a target: a pose, a surface, a point cloud, or dragged points.

    A target mesh with the same faces is matched vertex by vertex. Any other mesh or cloud is matched without
    correspondences, completely or, with --partial, in part. Coordinates are in the file's own units.

    Examples:
      neurok fit laptop.glb scan.ply -o fitted.glb
      neurok fit laptop.glb depth.npy --partial -o fitted.glb
      neurok fit cabinet.urdf --drag 0.3,0.4,0.2=0.6,0.4,0.5 -o dragged.glb
    """

    file: tyro.conf.Positional[Path]
    """A mesh or robot description."""
    target: tyro.conf.Positional[Path | None] = None
    """A mesh, or points as .ply .npy .csv .txt .xyz."""
    drag: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FROM=TO")] = ()
    """Dragged points in place of a target: VERTEX=X,Y,Z or X,Y,Z=X,Y,Z."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """The fitted pose: .glb .ply .obj .stl .usdc .npz .png."""
    partial: bool = False
    """The point cloud covers only part of the object."""
    kinematics: Literal["auto", "joints", "latent", "elastic"] = "auto"
    """auto: joints of the file; else found joints or latent coordinates, by the better fit."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the learned space, in place of the shipped ones."""
    starts: int = 8
    """Number of initial poses of the search."""
    seed: int = 0
    """Random seed; the same seed gives the same pose."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write coordinates and errors as JSON; '-' prints it."""

    def run(self) -> int:
        if (self.target is None) != bool(self.drag):
            raise InputError(self.file, "there is no one target", "Give a target file, or --drag, not both")
        if not 1 <= self.starts <= 256:
            raise InputError(self.file, f"--starts is {self.starts}", "Give a number from 1 to 256")
        from neurok.kinematics.inverse.targets import load_target, parse_drags
        from neurok.pipelines.fit import fit

        shape = load_shape(self.file, up=self.up, unit=self.unit)
        if self.target is None:
            target = parse_drags(self.drag, shape)
        else:
            target = load_target(self.target, shape, self.seed)
        found = fit(
            shape, target, kinematics=self.kinematics, partial=self.partial, starts=self.starts,
            seed=self.seed, model=self.model,
        )  # fmt: skip
        written = write(found.shape, self.output) if self.output else []
        if self.json != "-":
            self._print(found)
            print_written(written)
        data = {
            "pose": found.values,
            "distance_radii": found.fit.error,
            "starts": found.fit.starts.tolist(),
        }
        write_json(data | {"outputs": [str(path) for path in written]}, self.json)
        return 0

    def _print(self, found: FittedPose) -> None:
        error, radius = found.fit.error, found.shape.normalisation.radius
        print(found.choice)
        print(f"target: {found.target.description}")
        rows = [[name, f"{value:.4g}"] for name, value in found.values.items()]
        print_table("pose", ["coordinate", "value"], rows)
        print(f"distance {error:.4f} radii ({error * radius:.4g} units), rms")


command = FitCommand
