"""Skeletons of creatures: bones with flesh, and how far each may turn."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy.typing import ArrayLike

from neurok.geometry.rotations import exp_so3

Array = np.ndarray
Direction = tuple[float, float, float]
Swing = tuple[float, float, float]  # radians about the side, the axis and the upper side of a bone
UP: Direction = (0.0, 0.0, 1.0)
STIFF: Swing = (0.05, 0.03, 0.05)


def vec(x: float, y: float, z: float) -> Float[Array, "3"]:
    return np.array([x, y, z], float)


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Bones from head to tail at rest, in units of the creature's size, z up, facing −y. Parents come first.

    The flesh of a bone is a cone with elliptic sections: half widths at both ends along its side, and their
    ratio along its upper side. A bone turns about its head, by at most its swing about its own axes. `phase`
    orders the bones in a gait, in turns. Bones of the same `chain` curl together.
    """

    parent: Int[Array, " b"]
    head: Float[Array, "b 3"]
    tail: Float[Array, "b 3"]
    frame: Float[Array, "b 3 3"]  # columns: side, along, upper side
    width: Float[Array, "b 2"]
    flat: Float[Array, " b"]
    swing: Float[Array, "b 3"]
    phase: Float[Array, " b"]
    chain: Int[Array, " b"]

    def posed(self, angles: Float[Array, "f b 3"], lift: Float[Array, "f 3"]) -> Float[Array, "f b 3 4"]:
        """Affine maps of the bones from rest, with rotation vectors about their own axes.

        R_b = R_parent F exp(θ) Fᵀ; the head moves with the parent. `lift` moves the first bone.
        """
        local = self.frame @ exp_so3(angles) @ self.frame.transpose(0, 2, 1)
        turn, place = np.empty(local.shape), np.empty(local.shape[:3])
        for b, p in enumerate(self.parent):
            if p < 0:
                turn[:, b], place[:, b] = local[:, b], self.head[b] + lift
            else:
                turn[:, b] = turn[:, p] @ local[:, b]
                place[:, b] = place[:, p] + turn[:, p] @ (self.head[b] - self.head[p])
        shift = place - np.einsum("fbij,bj->fbi", turn, self.head)
        return np.concatenate([turn, shift[..., None]], axis=-1)


@dataclass
class Plan:
    """A skeleton in the making."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    chains: int = 0

    def bone(
        self, parent: int, head: ArrayLike, tail: ArrayLike, width: tuple[float, float], swing: Swing = STIFF,
        *, flat: float = 1.0, phase: float = 0.0, up: Direction = UP,
        chain: int | None = None,
    ) -> int:  # fmt: skip
        """Adds a bone and returns its number."""
        head, tail = np.asarray(head, float), np.asarray(tail, float)
        self.rows.append({
            "parent": parent, "head": head, "tail": tail, "frame": _frame(tail - head, np.asarray(up, float)),
            "width": width, "flat": flat, "swing": swing, "phase": phase,
            "chain": self._next() if chain is None else chain,
        })  # fmt: skip
        return len(self.rows) - 1

    def limb(
        self, parent: int, points: Float[Array, "k 3"], widths: Many[float] | Array,
        swing: Swing, *, flat: float = 1.0, phase: float = 0.0, lag: float = 0.0, up: Direction = UP,
    ) -> list[int]:  # fmt: skip
        """Adds bones along a path; each lags behind the one before by `lag` turns of the gait."""
        chain, found = self._next(), []
        for k in range(len(points) - 1):
            width = (float(widths[k]), float(widths[k + 1]))
            options = {"flat": flat, "phase": phase + k * lag, "up": up, "chain": chain}
            found.append(self.bone(parent, points[k], points[k + 1], width, swing, **options))
            parent = found[-1]
        return found

    def tail(self, bone: int) -> Array:
        return self.rows[bone]["tail"]

    def built(self) -> Skeleton:
        columns = {name: np.array([row[name] for row in self.rows]) for name in self.rows[0]}
        return Skeleton(**columns)

    def _next(self) -> int:
        self.chains += 1
        return self.chains - 1


def _frame(along: Float[Array, "3"], up: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """Columns side, along, upper side."""
    along = along / np.linalg.norm(along)
    if abs(along @ up) > 0.95 * np.linalg.norm(up):
        up = np.array([0.0, -1.0, 0.0]) if abs(along[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = np.cross(along, up)
    side = side / np.linalg.norm(side)
    return np.stack([side, along, np.cross(side, along)], axis=1)
