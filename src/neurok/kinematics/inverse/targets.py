"""Targets of inverse kinematics: a mesh of the same topology, a surface, or a cloud of points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
TABLES = (".npy", ".csv", ".txt", ".xyz")
SURFACE = 8000  # points of a target surface


@dataclass(frozen=True, eq=False)
class Target:
    """Target positions of some `vertices`, or an unordered cloud if `vertices` is None."""

    points: Float[Array, "p 3"]
    vertices: Int[Array, " p"] | None
    description: str


def load_target(path: Path, shape: Shape, seed: int = 0) -> Target:
    """The target in a file: points, or a mesh. A mesh with the same faces places every vertex."""
    if path.suffix.lower() in TABLES:
        return _cloud(_table(path), path)
    if path.suffix.lower() == ".ply" and (points := _ply_points(path)) is not None:
        return _cloud(points, path)
    other = load_shape(path)
    if np.array_equal(other.faces, shape.faces) and len(other.vertices) == len(shape.vertices):
        return Target(other.vertices, np.arange(len(shape.vertices)), "the same mesh in another pose")
    points = sample_surface(other, SURFACE, seed, even=False).positions(other)
    return Target(points, None, "a surface of another mesh, without correspondence")


def parse_drags(drags: tuple[str, ...], shape: Shape) -> Target:
    """ "120=0.1,0.2,0.3" moves vertex 120 there; "0,1,0=0.1,1,0" moves the vertex nearest to (0, 1, 0)."""
    fix = "Write VERTEX=X,Y,Z or X,Y,Z=X,Y,Z, in the file's own coordinates"
    vertices, places = [], []
    for text in drags:
        vertex_text, _, place_text = text.partition("=")
        try:
            source, place = ([float(x) for x in part.split(",")] for part in (vertex_text, place_text))
        except ValueError:
            raise InputError(shape.name, f"cannot read the drag {text!r}", fix) from None
        if len(place) != 3 or len(source) not in (1, 3) or not np.isfinite([*source, *place]).all():
            raise InputError(shape.name, f"cannot read the drag {text!r}", fix)
        vertex = int(source[0])
        if len(source) == 3:
            vertex = int(np.linalg.norm(shape.vertices - source, axis=1).argmin())
        if not 0 <= vertex < len(shape.vertices):
            raise InputError(shape.name, f"has no vertex {vertex}", f"There are {len(shape.vertices):,}")
        vertices.append(vertex)
        places.append(place)
    return Target(np.array(places), np.array(vertices), f"{len(drags)} dragged points, the rest free")


def _cloud(points: Array, path: Path) -> Target:
    points = np.asarray(points, np.float64)
    if points.ndim != 2 or points.shape[1] < 3 or not len(points) or not np.isfinite(points[:, :3]).all():
        raise InputError(path, f"holds no points (an array of {points.shape})", "Give finite rows of x, y, z")
    return Target(points[:, :3], None, f"a cloud of {len(points):,} points, without correspondence")


def _table(path: Path) -> Array:
    try:
        if path.suffix.lower() == ".npy":
            return np.load(path, allow_pickle=False)
        delimiter = "," if path.suffix.lower() == ".csv" else None
        return np.loadtxt(path, delimiter=delimiter, ndmin=2)
    except FileNotFoundError:
        raise InputError(path, "there is no such file", "Check the name") from None
    except (ValueError, OSError) as error:
        raise InputError(path, f"cannot be read ({error})", "Give rows of x, y, z") from error


def _ply_points(path: Path) -> Array | None:
    """The vertices of a PLY without faces."""
    import trimesh

    try:
        found = trimesh.load(path)
    except Exception:  # the mesh loader reports the error
        return None
    return np.asarray(found.vertices) if isinstance(found, trimesh.PointCloud) else None
