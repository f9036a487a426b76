"""`load_shape`: reads any supported file into a checked `Shape`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from neurok.errors import InputError
from neurok.shapes.meshes import guess_unit, load_mesh
from neurok.shapes.repair import checked
from neurok.shapes.shape import Frame, Shape, UpAxis

Unit = Literal["m", "cm", "mm", "in", "ft"]
METRES: dict[Unit, float] = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "in": 0.0254, "ft": 0.3048}

STATES_UNIT = (".glb", ".gltf", ".dae", ".urdf", ".xml", ".mjcf")
STATES_NO_UNIT = (".obj", ".ply", ".stl", ".off")
SHAPE_SUFFIXES = STATES_UNIT + STATES_NO_UNIT

MAX_BYTES = 4 << 30  # of one file
MAX_FACES = 5_000_000  # default limit: the positions of a motion of more faces exceed a laptop's memory


def load_shape(
    path: str | Path,
    *,
    up: UpAxis | None = None,
    unit: Unit | None = None,
    repair: bool = False,
    max_faces: int = MAX_FACES,
) -> Shape:
    """Loads the object of a mesh file, a robot description or a PartNet-Mobility folder.

    `up` and `unit` override the values that the file states or that are guessed. `repair` drops faces that
    use missing or NaN vertices instead of refusing the file. Assumptions are listed in `shape.notes`.
    """
    path = Path(path)
    suffix = _check_file(path)
    if path.is_dir():
        from neurok.shapes.robots.partnet import load_partnet

        shape = load_partnet(path)
    elif suffix == ".urdf":
        from neurok.shapes.robots.urdf import load_urdf

        shape = load_urdf(path)
    elif suffix in (".xml", ".mjcf"):
        from neurok.shapes.robots.mjcf import load_mjcf

        shape = load_mjcf(path)
    else:
        shape = load_mesh(path)
    shape = checked(shape, path, repair)
    if len(shape.faces) > max_faces:
        raise InputError(
            path,
            f"has {len(shape.faces):,} faces; more than {max_faces:,} do not fit a laptop's memory in motion",
            f"Decimate it first, or raise the limit (max_faces={len(shape.faces)})",
        )
    if suffix in STATES_NO_UNIT and unit is None:
        shape = guess_unit(shape)
    metres = shape.frame.metres_per_unit if unit is None else METRES[unit]
    return shape.with_(frame=Frame(up or shape.frame.up, metres))


def _check_file(path: Path) -> str:
    """The lower-case suffix of an existing file with a supported format and size; empty for a folder."""
    if path.is_dir():
        if not (path / "mobility.urdf").is_file():
            raise InputError(
                path, "is a folder without a mobility.urdf", "Name a file in it, or a PartNet-Mobility folder"
            )
        return ""
    if not path.is_file():
        raise InputError(path, "is not a file" if path.exists() else "does not exist", "Check the path")
    suffix = path.suffix.lower()
    if suffix not in SHAPE_SUFFIXES:
        raise InputError(
            path,
            f"the suffix {suffix!r} is not supported",
            f"Use one of {', '.join(SHAPE_SUFFIXES)}",
        )
    size = path.stat().st_size
    if size == 0:
        raise InputError(path, "is empty", "Export it again")
    if size > MAX_BYTES:
        raise InputError(path, f"is {size / 2**30:.1f} GiB large", "Decimate it below 4 GiB first")
    return suffix
