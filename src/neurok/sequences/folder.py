"""`load_mesh_folder`: reads numbered meshes of the same topology as one sequence."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from neurok.errors import InputError
from neurok.sequences.sequence import Sequence
from neurok.shapes import Shape
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

MESH_SUFFIXES = (".ply", ".obj", ".stl", ".off", ".glb", ".gltf", ".dae")


def load_mesh_folder(
    folder: str | Path,
    fps: float = 30.0,
    *,
    up: UpAxis | None = None,
    unit: Unit | None = None,
    repair: bool = False,
) -> Sequence:
    """The meshes of a folder in numerical order. The first gives the shape; all must have the same faces.

    `up`, `unit` and `repair` are those of `load_shape`.
    """
    folder = Path(folder)
    files = mesh_files(folder)
    first = load_shape(files[0], up=up, unit=unit, repair=repair)
    positions = np.empty((len(files), len(first.vertices), 3), np.float32)
    positions[0] = first.vertices
    for k, file in enumerate(files[1:], start=1):
        shape = load_shape(file, repair=repair)
        check_same(file, shape, files[0], first)
        positions[k] = shape.vertices
    name = folder.resolve().name
    return Sequence(first.with_(name=name), positions, fps, name)


def mesh_files(folder: Path) -> list[Path]:
    """The mesh files of a folder in natural order (2 before 10), all of one format."""
    if not folder.is_dir():
        raise InputError(folder, "is not a folder", "Give the folder that holds the numbered meshes")
    files = [f for f in folder.iterdir() if f.suffix.lower() in MESH_SUFFIXES and not f.name.startswith(".")]
    if not files:
        raise InputError(folder, "holds no mesh files", f"Use one of {', '.join(MESH_SUFFIXES)}")
    suffixes = sorted({f.suffix.lower() for f in files})
    if len(suffixes) > 1:
        raise InputError(
            folder, f"holds meshes of several formats ({', '.join(suffixes)})", "Keep one format per folder"
        )
    return sorted(files, key=lambda f: natural_key(f.name))


def natural_key(name: str) -> list[tuple[int, str]]:
    """Sort key that compares numbers in names by value: walk_2 before walk_10."""
    pieces = re.split(r"([0-9]+)", name)
    return [(int(piece), piece) if k % 2 else (-1, piece.lower()) for k, piece in enumerate(pieces)]


def check_same(file: Path, shape: Shape, first_file: Path, first: Shape) -> None:
    """Refuses a mesh whose topology differs from the first."""
    if shape.vertices.shape != first.vertices.shape or shape.faces.shape != first.faces.shape:
        cause = (
            f"has {len(shape.vertices):,} vertices and {len(shape.faces):,} faces, but {first_file.name} has "
            f"{len(first.vertices):,} and {len(first.faces):,}"
        )
    elif not np.array_equal(shape.faces, first.faces):
        cause = f"has different faces than {first_file.name}"
    else:
        return
    raise InputError(file, cause, "All meshes of a folder must have the same vertices and faces")
