"""Signed distances to floors and obstacles: planes, balls, boxes, and any mesh on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, namespace

GRID = 48  # cells along the longest side of a mesh obstacle


@runtime_checkable
class Surface(Protocol):
    def __call__(self, x: Float[Array, "b 3 s"]) -> tuple[Float[Array, "b s"], Float[Array, "b 3 s"]]:
        """Distance in metres, negative inside, and the direction in which it grows."""
        ...


@dataclass(frozen=True, eq=False)
class Plane:
    normal: Float[Array, "3 1"]
    level: float

    def __call__(self, x: Float[Array, "b 3 s"]) -> tuple[Float[Array, "b s"], Float[Array, "b 3 s"]]:
        return (x * self.normal).sum(1) - self.level, 0 * x + self.normal


@dataclass(frozen=True, eq=False)
class Ball:
    centre: Float[Array, "3 1"]
    radius: float

    def __call__(self, x: Float[Array, "b 3 s"]) -> tuple[Float[Array, "b s"], Float[Array, "b 3 s"]]:
        away = x - self.centre
        distance = namespace(x).sqrt((away**2).sum(1) + 1e-24)
        return distance - self.radius, away / distance[:, None]


@dataclass(frozen=True, eq=False)
class Box:
    """A box along the world's axes, rounded by a twentieth of its smallest side: normals are continuous."""

    centre: Float[Array, "3 1"]
    half: Float[Array, "3 1"]

    def __call__(self, x: Float[Array, "b 3 s"]) -> tuple[Float[Array, "b s"], Float[Array, "b 3 s"]]:
        xp = namespace(x)
        rounding = 0.1 * float(self.half.min())
        away = x - self.centre
        sign = xp.where(away < 0, -1.0 + 0 * away, 1.0 + 0 * away)
        over = xp.abs(away) - (self.half - rounding)
        outside = over * (over > 0)
        distance = xp.sqrt((outside**2).sum(1) + 1e-24)
        deepest = xp.amax(over, 1)
        inside = deepest < 0
        facing = (over == deepest[:, None]) * sign
        gap = xp.where(inside, deepest, distance) - rounding
        return gap, xp.where(inside[:, None], facing, sign * outside / distance[:, None])


@dataclass(frozen=True, eq=False)
class Grid:
    """Distances at nodes of a grid, blended by quadratic B-splines: smooth, with its exact gradient.

    Beyond the grid the distance to its border is added.
    """

    origin: Float[Array, "3 1"]
    cell: float
    size: Float[Array, "3 1"]  # nodes along each side
    values: Float[Array, " nodes"]

    def __call__(self, x: Float[Array, "b 3 s"]) -> tuple[Float[Array, "b s"], Float[Array, "b 3 s"]]:
        xp = namespace(x)
        place = (x - self.origin) / self.cell
        held = xp.minimum(xp.clip(place, 1.0, None), self.size - 2.001)
        node = xp.floor(held + 0.5)
        t = held - node
        weights = [0.5 * (0.5 - t) ** 2, 0.75 - t**2, 0.5 * (0.5 + t) ** 2]
        slopes = [t - 0.5, -2 * t, t + 0.5]
        whole = node.astype(np.int64) if xp is np else node.long()
        ny, nz = int(self.size[1, 0]), int(self.size[2, 0])
        gap, normal = 0.0, [0.0, 0.0, 0.0]
        for i in range(3):
            for j in range(3):
                for k in range(3):
                    index = ((whole[:, 0] + i - 1) * ny + whole[:, 1] + j - 1) * nz + whole[:, 2] + k - 1
                    value = self.values[index]
                    (a, da), (b, db), (c, dc) = (
                        (weights[w][:, axis], slopes[w][:, axis]) for axis, w in enumerate((i, j, k))
                    )
                    gap = gap + value * a * b * c
                    normal[0] = normal[0] + value * da * b * c
                    normal[1] = normal[1] + value * a * db * c
                    normal[2] = normal[2] + value * a * b * dc
        beyond = (place - held) * self.cell
        far = xp.sqrt((beyond**2).sum(1) + 1e-24)
        gradient = xp.where((far > 1e-9)[:, None], beyond / far[:, None], xp.stack(normal, 1) / self.cell)
        return gap + xp.where(far > 1e-9, far, 0 * far), gradient


def mesh_surface(vertices: Float[np.ndarray, "n 3"], faces: np.ndarray) -> Grid:
    """The signed distance to a mesh (metres), inside by winding number."""
    import igl

    low, high = vertices.min(0), vertices.max(0)
    cell = float((high - low).max()) / GRID
    low, high = low - 6 * cell, high + 6 * cell
    size = np.ceil((high - low) / cell).astype(int) + 1
    axes = [low[i] + cell * np.arange(size[i]) for i in range(3)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    kind = igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER
    distance = igl.signed_distance(nodes, np.ascontiguousarray(vertices), np.ascontiguousarray(faces), kind)[
        0
    ]
    return Grid(low[:, None], cell, size[:, None].astype(float), np.asarray(distance, np.float64))
