"""`save`: writes a shape or motion in the format of the path's suffix."""

from __future__ import annotations

from collections.abc import Sequence as Many
from pathlib import Path

from neurok.errors import InputError
from neurok.export.forms import as_clips
from neurok.export.gltf.glb import save_glb
from neurok.export.meshes import MOTION_SUFFIXES, SHAPE_SUFFIXES, save_meshes
from neurok.export.npz import save_npz
from neurok.export.robots.mjcf import save_mjcf
from neurok.export.robots.urdf import save_urdf
from neurok.export.usd.stage import USD_SUFFIXES, save_usd
from neurok.sequences import Sequence
from neurok.shapes import Shape

ROBOTS = {".urdf": save_urdf, ".xml": save_mjcf}
SAVE_SUFFIXES = (".glb", *USD_SUFFIXES, *SHAPE_SUFFIXES, *ROBOTS, ".npz")


def save(item: Shape | Sequence | Many[Sequence], path: str | Path) -> list[Path]:
    """Writes a shape, a motion, or several motions of one shape; returns the files in order.

    .glb and .npz hold several motions, the others one. A motion as .ply or .obj becomes numbered files.
    .urdf and .xml (MJCF) hold a mechanism: the joints of the shape, or one rigid body.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    still = isinstance(item, Shape)
    known = (".glb", *USD_SUFFIXES, *((*SHAPE_SUFFIXES, *ROBOTS) if still else (*MOTION_SUFFIXES, ".npz")))
    if suffix not in known:
        what = "a shape" if still else "a motion"
        cause = f"{what} can't be written as {suffix}" if suffix else "has no suffix to choose the format by"
        raise InputError(path, cause, f"Formats for {what} are {', '.join(known)}")
    if suffix == ".glb":
        return [save_glb(item, path)]
    if suffix == ".npz" and not isinstance(item, Shape):
        return [save_npz(item, path)]
    if suffix in ROBOTS and isinstance(item, Shape):
        return [ROBOTS[suffix](item, path)]
    one = item if isinstance(item, Shape) else only_clip(item, path)
    return [save_usd(one, path)] if suffix in USD_SUFFIXES else save_meshes(one, path)


def only_clip(item: Sequence | Many[Sequence], path: Path) -> Sequence:
    """The single motion of an item, for formats that hold one."""
    clips = as_clips(item)
    if len(clips) > 1:
        raise InputError(
            path, f"{path.suffix} holds one motion, not {len(clips)}", "Write .glb, or choose one"
        )
    return clips[0]
