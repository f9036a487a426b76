"""`neurok render`: draws pictures, contact sheets and videos."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.cli.report import PICTURES, VIDEOS, choose_clip, open_item, progress, write_json
from neurok.errors import InputError
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.shapes.load import Unit
from neurok.shapes.shape import UpAxis


@dataclass(frozen=True)
class Render:
    """Draw a shape or a sequence, without display or GPU.

    A shape gives a picture; a sequence gives a video (.mp4 .webp .gif), or with .png a contact sheet.

    Examples:
      neurok render scan.glb -o scan.png --azimuth 120
      neurok render walk.glb -o walk.mp4 --clip Walk --width 960
      neurok render walk.glb -o walk.png --frames 12
      neurok render cabinet.urdf -o joints.png --show-joints
    """

    file: tyro.conf.Positional[Path]
    """A mesh, robot description or sequence."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """.png .jpg for pictures, .mp4 .webp .gif for videos."""
    width: int = 640
    """Width in pixels."""
    height: int = 480
    """Height in pixels."""
    azimuth: float = 35.0
    """Camera angle around the up axis in degrees, from the front."""
    elevation: float = 20.0
    """Camera angle above the horizon in degrees."""
    frames: int = 8
    """Number of pictures on a contact sheet."""
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None
    """Name of the clip; default: the first."""
    fps: float = 30.0
    """Rate at which glTF clips are sampled and numbered meshes are played."""
    show_joints: bool = False
    """Draw the axes of the joints."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write a summary as JSON; '-' prints it."""

    def run(self) -> int:
        suffix = self.output.suffix.lower()
        if suffix not in PICTURES + VIDEOS:
            raise InputError(
                self.output,
                f"{suffix or 'no suffix'} is not a picture",
                f"Use {', '.join(PICTURES + VIDEOS)}",
            )
        item = open_item(self.file, fps=self.fps, up=self.up, unit=self.unit, repair=self.repair)
        if self.clip is not None and isinstance(item, Shape):
            raise InputError(self.file, "holds no clips", "Leave out --clip")
        subject = item if isinstance(item, Shape) else choose_clip(item, self.clip, self.file)
        if (
            self.show_joints
            and (subject.joints if isinstance(subject, Shape) else subject.shape.joints) is None
        ):
            raise InputError(self.file, "has no joints to show", "Leave out --show-joints")
        self._draw(subject, suffix)
        if self.json != "-":
            print(f"wrote {self.output}")
        write_json({"outputs": [str(self.output)]}, self.json)
        return 0

    def _draw(self, subject: Shape | Sequence, suffix: str) -> None:
        from neurok.rendering import contact_sheet, look_at, save_image, save_picture, save_video

        view = {"width": self.width, "height": self.height}
        camera = look_at(subject, azimuth=self.azimuth, elevation=self.elevation, **view)
        if isinstance(subject, Shape):
            if suffix in VIDEOS:
                raise InputError(
                    self.file,
                    "does not move and cannot be drawn as a video",
                    "Write a .png, or move it with `neurok pose`",
                )
            save_picture(subject, self.output, camera=camera, show_joints=self.show_joints)
        elif suffix in VIDEOS:
            with progress("rendering", len(subject)) as step:
                save_video(subject, self.output, camera=camera, progress=step)
        else:
            save_image(contact_sheet(subject, count=self.frames, camera=camera), self.output)


command = Render
