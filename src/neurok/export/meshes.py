"""`save_meshes`: writes a shape as one mesh file, a motion as numbered files."""

from __future__ import annotations

import re
from pathlib import Path

import trimesh

from neurok.errors import InputError
from neurok.export.obj import obj_text, write_materials
from neurok.export.pieces import check_writable
from neurok.export.ply import ply_bytes
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.writing import check_replaceable, staging_beside

MOTION_SUFFIXES = (".ply", ".obj")
SHAPE_SUFFIXES = (".ply", ".obj", ".stl", ".off")


def save_meshes(item: Shape | Sequence, path: str | Path) -> list[Path]:
    """Writes `walk.ply` (or .obj, .stl, .off) for a shape; `walk_0000.ply`, `walk_0001.ply`, … for a motion.

    A path without suffix is a folder that receives frame_0000.ply and so on. Frames of the same name from an
    earlier, longer motion are removed, so that the folder holds one motion. All OBJ frames share one MTL file
    and one set of textures.
    """
    path = Path(path)
    if not path.suffix:
        path = path / ("frame.ply" if isinstance(item, Sequence) else f"{safe_stem(item.name)}.ply")
    suffix, known = path.suffix.lower(), MOTION_SUFFIXES if isinstance(item, Sequence) else SHAPE_SUFFIXES
    if suffix not in known:
        raise InputError(path, f"can't be written as {suffix}", f"Use one of {', '.join(known)}")
    shape = item.shape if isinstance(item, Sequence) else item
    check_writable(shape)
    with staging_beside(path) as staging:
        shared = write_materials(shape, staging, path.stem) if suffix == ".obj" else []
        if isinstance(item, Shape):
            targets = [path.name]
            write_mesh(item, staging / path.name, path.stem)
        else:
            targets = [f"{path.stem}_{k:04d}{suffix}" for k in range(len(item))]
            for k, name in enumerate(targets):
                write_mesh(item.frame(k), staging / name, path.stem)
        for name in [*shared, *targets]:
            check_replaceable(path.parent / name)
        for name in [*shared, *targets]:
            (path.parent / name).parent.mkdir(exist_ok=True)
            (staging / name).replace(path.parent / name)
        if isinstance(item, Sequence):
            remove_stale(path, len(item))
    return [path.parent / name for name in targets]


def write_mesh(shape: Shape, path: Path, library: str) -> None:
    """Writes one mesh file in the format of its suffix."""
    suffix = path.suffix.lower()
    if suffix == ".ply":
        path.write_bytes(ply_bytes(shape))
    elif suffix == ".obj":
        path.write_text(obj_text(shape, library), encoding="utf-8")
    else:
        mesh = trimesh.Trimesh(shape.vertices, shape.faces, process=False)
        mesh.export(path, file_type=suffix[1:])


def remove_stale(path: Path, frames: int) -> None:
    """Removes frames of the same name beyond the last one."""
    pattern = re.compile(re.escape(path.stem) + r"_([0-9]{4,})" + re.escape(path.suffix.lower()))
    for file in path.parent.iterdir():
        match = pattern.fullmatch(file.name)
        if match and int(match[1]) >= frames:
            file.unlink()


def safe_stem(name: str) -> str:
    """A name as a file stem of letters, digits, dots and dashes; never a path, hidden or empty."""
    cleaned = re.sub(r"[^\w.-]+", "_", name.encode("utf-8", "replace").decode()).strip("._")
    return cleaned[:80] or "shape"
