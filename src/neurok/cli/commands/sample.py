"""`neurok sample`: plausible poses of a static object, drawn from the prior over its coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from neurok.cli.report import print_table, print_written, write_json
from neurok.errors import InputError
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

if TYPE_CHECKING:
    from neurok.pipelines.sample import Samples


@dataclass(frozen=True)
class Sample:
    """Draw plausible poses of a static object, and sweep each coordinate.

    Writes a contact sheet and an animated GLB of the samples, and of the sweeps.

    Examples:
      neurok sample laptop.glb -o laptop/
      neurok sample chair.obj -o chair/ --count 16 --seed 3
    """

    file: tyro.conf.Positional[Path]
    """A mesh."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")]
    """Folder for samples.png, samples.glb, coordinates.png and coordinates.glb."""
    kinematics: Literal["auto", "joints", "latent", "elastic"] = "auto"
    """auto: joints of the file, else joints that are found, else the latent space or elastic modes."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train kinematics`, in place of the shipped ones."""
    pin: Literal["auto", "none"] = "auto"
    """auto: the supporting base is fixed; none: the whole object may move, as an animal does."""
    count: int = 12
    """Number of samples of the prior."""
    max_coordinates: int = 12
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
        if not (1 <= self.count <= 1000 and 1 <= self.max_coordinates <= 64):
            raise InputError(
                self.file, "--count or --max-coordinates is out of range", "Give 1–1000 and 1–64"
            )
        if self.output.exists() and not self.output.is_dir():
            raise InputError(self.output, "is a file", "Name a folder to write to")
        from neurok.pipelines.sample import sample

        shape = load_shape(self.file, up=self.up, unit=self.unit, repair=self.repair)
        samples = sample(
            shape, count=self.count, kinematics=self.kinematics, is_anchored=self.pin == "auto",
            max_coordinates=self.max_coordinates, seed=self.seed, model=self.model,
        )  # fmt: skip
        written = self._write(samples)
        names, shares = samples.kinematics.names, samples.shares.tolist()
        if self.json != "-":
            print(samples.choice)
            print_table("coordinates", ["coordinate", "range", "share of motion"], _rows(samples))
            print_written(written)
        data = {"coordinates": list(names), "share_of_motion": shares}
        write_json(data | {"outputs": [str(path) for path in written]}, self.json)
        return 0

    def _write(self, samples: Samples) -> list[Path]:
        from neurok.export import save
        from neurok.rendering import contact_sheet, save_image

        poses, ends = samples.poses, samples.ends
        sheets = contact_sheet(poses, count=len(poses)), contact_sheet(ends, columns=3, count=len(ends))
        self.output.mkdir(parents=True, exist_ok=True)
        return [
            save_image(sheets[0], self.output / "samples.png"),
            *save([samples.tour], self.output / "samples.glb"),
            save_image(sheets[1], self.output / "coordinates.png"),
            *save([samples.sweeps], self.output / "coordinates.glb"),
        ]


def _rows(samples: Samples) -> list[list[str]]:
    named = zip(
        samples.kinematics.names, samples.kinematics.limits.tolist(), samples.shares.tolist(), strict=True
    )
    return [[name, f"{low:.2f} … {high:.2f}", f"{share:.1%}"] for name, (low, high), share in named]


command = Sample
