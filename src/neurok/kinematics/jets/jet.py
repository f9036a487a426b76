"""Codes with the derivatives that Lagrange's equations need: c(q), J = ∂c/∂q and its rate J̇."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.func import jvp

from neurok.geometry.arrays import Array, namespace
from neurok.geometry.rotation_jets import unwound


class Jet(NamedTuple):
    """The code c(q), J and J̇ at a state (q, v), in the layout of `Basis.by_axis`.

    The code of a skin, (h, 3, 4), has a = 3 rows of m = 4h numbers. One matrix maps each row to one axis of
    the vertices. Any other code of r numbers is one row, a = 1 and m = r.
    """

    code: Float[Array, "b a m"]
    slope: Float[Array, "b k a m"]  # J: ∂c/∂q_i
    bend: Float[Array, "b k a m"] | None  # J̇: derivative of ∂c/∂q_i along v; None without v


class Recentred(NamedTuple):
    """The same pose in coordinates with short rotation vectors, which are singular at length 2π."""

    jets: Any  # Jets
    q: Float[Array, "b k"]
    blocks: tuple[tuple[int, Float[Array, "b 3 3"]], ...]  # (i, D): rates change by v'_{i:i+3} = D v_{i:i+3}


@runtime_checkable
class Jets(Protocol):
    """Maps q and v (b, k) to a `Jet`, in arrays of the same library; v may be None."""

    rotation_vectors: tuple[int, ...] = ()  # first coordinate of each rotation vector without limits

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet: ...

    def recentred(self, q: Float[Array, "b k"]) -> Recentred:
        """The same pose with every rotation vector at most π long."""
        blocks = []
        for first in self.rotation_vectors:
            w = q[:, first : first + 3]
            if ((w * w).sum(-1) > math.pi**2).any():
                short, D = unwound(w)
                q = namespace(q).concatenate([q[:, :first], short, q[:, first + 3 :]], -1)
                blocks.append((first, D))
        return Recentred(self, q, tuple(blocks))

    def in_world(self, q: Float[Array, "b k"]) -> Float[Array, "b k"]:
        """Coordinates of the kinematics itself for recentred coordinates q: the inverse of `recentred`."""
        return q

    def merged(self, other: Any, pick: Callable[[Array, Array], Array]) -> Any:
        """Jets with the frames of reference of `self` or `other`, as `pick` selects for each scenario."""
        return self


def skin_by_axis(codes: Float[Array, "*rows r"]) -> Float[Array, "*rows 3 m"]:
    """The codes of a skin, (h, 3, 4), with one row per axis."""
    rows = codes.shape[:-1]
    return codes.reshape(*rows, -1, 3, 4).swapaxes(-3, -2).reshape(*rows, 3, -1)


@dataclass(frozen=True)
class AutodiffJets(Jets):
    """J and J̇ of any code by nested forward-mode differentiation; the reference for the closed forms."""

    function: Callable[[Tensor], Tensor]
    by_axis: Callable[[Any], Any] = skin_by_axis

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        v = 0 * q if v is None else v
        if isinstance(q, np.ndarray):
            return Jet(*(x.numpy() for x in self(torch.tensor(q), torch.tensor(v))))  # pyright: ignore
        b, k = q.shape
        every = torch.eye(k, dtype=q.dtype).repeat(b, 1, 1)
        at, along = (x[:, None].repeat(1, k, 1) for x in (q, v))  # pyright: ignore
        slope, bend = jvp(lambda x: jvp(self.function, (x,), (every,))[1], (at,), (along,))  # pyright: ignore
        return Jet(*(self.by_axis(x) for x in (self.function(q), slope, bend)))
