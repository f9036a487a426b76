"""`neurok convert`: converts a shape or sequence to another format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.cli.report import choose_clip, open_item, print_written, write, write_json
from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.load import Unit
from neurok.shapes.shape import UpAxis


@dataclass(frozen=True)
class Convert:
    """Convert a shape or sequence to the format of the target's suffix.

    Shapes: .glb .obj .ply .stl .off .usd(a|c|z), and .urdf .xml (MJCF) with joints, masses and colliders.
    Sequences: .glb .usd(a|c|z) .npz, and .ply or .obj as numbered files. Units and up axis are kept.

    Examples:
      neurok convert cabinet.urdf cabinet.xml
      neurok convert walk.glb walk.usdc --fps 24
      neurok convert scan.stl scan.glb --unit mm --up z --max-faces 20000
      neurok convert walk.glb frames/walk.ply --clip Run
    """

    source: tyro.conf.Positional[Path]
    """Input file or folder."""
    target: tyro.conf.Positional[Path]
    """Output file."""
    fps: float = 30.0
    """Rate at which glTF clips are sampled and numbered meshes are played."""
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None
    """Convert only this clip; default: all that the format can hold."""
    max_faces: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Decimate a shape to at most this many faces; its texture is lost."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write a summary as JSON; '-' prints it."""

    def run(self) -> int:
        item = open_item(self.source, fps=self.fps, up=self.up, unit=self.unit, repair=self.repair)
        if self.clip is not None and isinstance(item, Shape):
            raise InputError(self.source, "holds no clips", "Leave out --clip")
        if isinstance(item, list) and self.clip is not None:
            item = [choose_clip(item, self.clip, self.source)]
        if self.max_faces is not None:
            item = _decimated(item, self.max_faces, self.source)
        notes = (item if isinstance(item, Shape) else item[0].shape).notes
        written = write(item, self.target)
        if self.json != "-":
            for note in notes:
                print(f"note: {note}")
            print_written(written)
        write_json({"outputs": [str(p) for p in written], "notes": list(notes)}, self.json)
        return 0


command = Convert


def _decimated(item, max_faces: int, source: Path) -> Shape:
    from neurok.shapes.proxy import make_proxy

    if not isinstance(item, Shape):
        raise InputError(source, "is a sequence and cannot be decimated", "Leave out --max-faces")
    if item.joints:
        raise InputError(source, "has joints, which decimation loses", "Leave out --max-faces")
    if max_faces < 4:
        raise InputError(source, f"--max-faces {max_faces} leaves no surface", "Give at least 4")
    proxy = make_proxy(item, max_faces).shape
    return proxy.with_(
        name=item.name,
        notes=(*item.notes, f"decimated from {len(item.faces):,} to {len(proxy.faces):,} faces"),
    )
