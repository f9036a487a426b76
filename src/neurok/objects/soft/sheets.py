"""Sheets of cloth: triangle grids, flat or rolled into a tube, and their fabric."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.objects.soft.clips import make_shape, random_material
from neurok.objects.soft.forces import calm, total, wind_force
from neurok.objects.soft.solver import Force, Motion, simulate
from neurok.objects.soft.solver_scene import FREE, Elasticity, Soft, SolverScene
from neurok.shapes import Shape
from neurok.shapes.normals import face_normals

Array = np.ndarray
FLIPPED_DIAGONALS = 0.1  # share of diagonals that break the alternation


def grid(
    columns: int, rows: int, rng: np.random.Generator | None = None
) -> tuple[Float[Array, "n 2"], Int[Array, "m 3"]]:
    """Points (s, t) of [0, 1]² in rows; diagonals alternate, so that no direction is preferred.

    With a random generator every tenth diagonal is flipped, so that no two sheets share their faces. Splits
    compare topologies: equal faces would hold out sheets of other families too.
    """
    t, s = np.meshgrid(np.linspace(0, 1, rows), np.linspace(0, 1, columns), indexing="ij")
    index = np.arange(rows * columns).reshape(rows, columns)
    return np.column_stack([s.ravel(), t.ravel()]), _triangles(index, rng)


def tube_grid(
    around: int, rows: int, rng: np.random.Generator | None = None
) -> tuple[Float[Array, "n 2"], Int[Array, "m 3"]]:
    """A grid closed in s: the last column is the first. `around` must be even."""
    index = np.arange(rows * around).reshape(rows, around)
    t, s = np.meshgrid(np.linspace(0, 1, rows), np.arange(around) / around, indexing="ij")
    return np.column_stack([s.ravel(), t.ravel()]), _triangles(np.column_stack([index, index[:, 0]]), rng)


def _triangles(index: Int[Array, "r c"], rng: np.random.Generator | None) -> Int[Array, "m 3"]:
    a, b, c, d = (
        corner.ravel() for corner in (index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:])
    )
    odd = (np.add.outer(np.arange(index.shape[0] - 1), np.arange(index.shape[1] - 1)) % 2 == 1).ravel()
    if rng is not None:
        odd ^= rng.random(len(odd)) < FLIPPED_DIAGONALS
    first = np.where(odd[:, None], np.stack([a, b, c], 1), np.stack([a, b, d], 1))
    second = np.where(odd[:, None], np.stack([b, d, c], 1), np.stack([a, d, c], 1))
    return np.concatenate([first, second])


def random_size(rng: np.random.Generator, ratio: float, points: int = 340) -> tuple[int, int]:
    """Columns and rows of a sheet `ratio` times as wide as it is high, with nearly square cells."""
    rows = int(np.clip(round(np.sqrt(points / ratio) * rng.uniform(0.85, 1.05)), 9, 34))
    return int(np.clip(round(rows * ratio), 9, 34)), rows


def cloth_shape(
    rng: np.random.Generator, vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], name: str
) -> Shape:
    return make_shape(vertices, faces, name, random_material(rng, "fabric", 0.9), name)


def fabric(rng: np.random.Generator, shape: Shape, *, stiff: float = 1.0) -> Soft:
    """Cotton or canvas: 0.1–0.35 kg/m², 3–10 kN/m in the plane, `stiff` times 20–200 µN·m in bending.

    E and t of the plate follow from its stiffness E t in the plane and E t³/12 in bending.
    """
    area = np.linalg.norm(face_normals(shape.vertices, shape.faces), axis=1) / 2
    density = rng.uniform(0.1, 0.35)
    mass = np.bincount(shape.faces.ravel(), np.repeat(density * area / 3, 3), len(shape.vertices))
    plane, bending = rng.uniform(3e3, 1e4), stiff * 10 ** rng.uniform(-4.7, -3.7)
    thickness = float(np.sqrt(12 * bending / plane))
    elasticity = Elasticity(float(plane / thickness), 0.2, float(rng.uniform(0.001, 0.004)), thickness)
    return Soft(
        shape.vertices, shape.faces.astype(int), mass, elasticity, np.full(len(mass), FREE),
        drag=float(rng.uniform(0.1, 0.5)), radius=0.004, friction=float(rng.uniform(0.3, 0.9)), touches=False,
    )  # fmt: skip


def held(soft: Soft, by: int, nodes: Bool[Array, " k"]) -> Soft:
    return replace(soft, holder=np.where(nodes, by, soft.holder))


def in_air(scene: SolverScene, frames: int, fps: float, *forces: Force) -> Motion:
    """Simulates the scene in air; still air if no wind is given."""
    force = total(*forces) if forces else wind_force(scene.soft.elements, calm)
    return simulate(scene, frames, fps, force)
