"""Bodies swept along a path: cells for the solver, and a finer surface for display."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

Array = np.ndarray
Section = Callable[[Array], Array]  # angles ↦ radii in the square [−1, 1]²


@dataclass(frozen=True, eq=False)
class Sweep:
    """Centres, two axes across and half widths along a path; `closed` joins the end to the beginning."""

    centres: Float[Array, "s 3"]
    side: Float[Array, "s 3"]
    up: Float[Array, "s 3"]
    widths: Float[Array, "s 2"]
    closed: bool = False

    def at(self, u: Float[Array, " p"], v: Float[Array, " p"]) -> Float[Array, "s p 3"]:
        """Points of every section at (u, v) ∈ [−1, 1]²."""
        across = self.side[:, None] * self.widths[:, None, :1] * u[:, None]
        return self.centres[:, None] + across + self.up[:, None] * self.widths[:, None, 1:] * v[:, None]

    def resampled(self, count: int) -> Sweep:
        """The same path with another number of sections."""
        old = np.linspace(0, 1, len(self.centres) + int(self.closed))
        new = np.linspace(0, 1, count + int(self.closed))[:count]

        def along(values: Array) -> Array:
            values = np.concatenate([values, values[:1]]) if self.closed else values
            return np.stack([np.interp(new, old, column) for column in values.T], axis=1)

        return Sweep(
            along(self.centres), unit(along(self.side)), unit(along(self.up)), along(self.widths), self.closed
        )


def unit(vectors: Float[Array, "*n 3"]) -> Float[Array, "*n 3"]:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def along_path(
    centres: Float[Array, "s 3"], up: Float[Array, "3"], widths: Float[Array, "s 2"], closed: bool = False
) -> Sweep:
    """Axes that turn as little as possible: each `up` is the previous one, projected across the path."""
    if closed:
        tangents = unit(np.roll(centres, -1, 0) - np.roll(centres, 1, 0))
    else:
        tangents = unit(np.gradient(centres, axis=0))
    ups = np.empty_like(centres)
    for i, tangent in enumerate(tangents):
        up = unit(up - tangent * (up @ tangent))
        ups[i] = up
    return Sweep(centres, np.cross(ups, tangents), ups, widths, closed)


def cells(sweep: Sweep, across: tuple[int, int]) -> tuple[Float[Array, "k 3"], Int[Array, "c 8"]]:
    """Nodes (section, u, v) of across[0] × across[1] cells per section, and the cells' corners."""
    u, v = np.meshgrid(*[np.linspace(-1, 1, n + 1) for n in across], indexing="ij")
    index = np.arange(len(sweep.centres) * u.size).reshape(len(sweep.centres), *u.shape)
    index = np.concatenate([index, index[:1]]) if sweep.closed else index
    corners = [
        index[a : a + len(index) - 1, b : b + across[0], c : c + across[1]].ravel()
        for a in (0, 1)
        for b in (0, 1)
        for c in (0, 1)
    ]
    return sweep.at(u.ravel(), v.ravel()).reshape(-1, 3), np.stack(corners, axis=1)


def superellipse(power: float) -> Section:
    """|u|^p + |v|^p = 1: a circle for p = 2, nearly a square for p = 10."""
    return lambda angle: (np.abs(np.cos(angle)) ** power + np.abs(np.sin(angle)) ** power) ** (-1 / power)


def polygon(sides: int) -> Section:
    """A regular polygon in the unit circle."""
    half = np.pi / sides
    return lambda angle: np.cos(half) / np.cos((angle + half) % (2 * half) - half)


def tube(
    sweep: Sweep, section: Section, around: int, sections: int
) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """The surface of the sweep; unless closed, each flat end has two rings and a centre."""
    angle = np.arange(around) * (2 * np.pi / around)
    u, v = section(angle) * np.cos(angle), section(angle) * np.sin(angle)
    fine = sweep.resampled(sections)
    rings = fine.at(u, v)
    index = np.arange(rings.shape[0] * around).reshape(-1, around)
    if sweep.closed:
        return rings.reshape(-1, 3), _strip(np.concatenate([index, index[:1]]))
    points, faces, count = [rings.reshape(-1, 3)], [_strip(index)], index.size
    for ring, border, flip in ((0, index[0], True), (-1, index[-1], False)):
        middle = fine.centres[ring]
        inner = np.arange(count, count + around)
        points += [(rings[ring] + middle) / 2, middle[None]]
        fan = np.stack([inner, np.roll(inner, -1), np.full(around, count + around)], axis=1)
        cap = np.concatenate([_strip(np.stack([border, inner])), fan])
        faces.append(cap[:, ::-1] if flip else cap)
        count += around + 1
    return np.concatenate(points), np.concatenate(faces)


def _strip(index: Int[Array, "r c"]) -> Int[Array, "m 3"]:
    """Triangles between consecutive rings."""
    a, b = index[:-1], index[1:]
    c, d = np.roll(a, -1, 1), np.roll(b, -1, 1)
    return np.concatenate([np.stack([a, c, d], -1).reshape(-1, 3), np.stack([a, d, b], -1).reshape(-1, 3)])
