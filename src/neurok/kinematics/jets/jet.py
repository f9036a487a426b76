"""Codes with their derivatives: what a Lagrangian needs of a map, c(q), ∂c/∂q and how that turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.func import jvp

from neurok.geometry.arrays import Array
from neurok.kinematics.protocol import Kinematics
from neurok.kinematics.skinned import SkinBasis


class Jet(NamedTuple):
    """A code at q while q moves at v, laid out by axis where the basis keeps axes apart.

    A skin's code (h, 3, 4) has a = 3 rows of m = 4h columns, the same matrix maps each of them to one axis of
    the vertices. Any other code of r numbers is one row of r.
    """

    code: Float[Array, "b a m"]
    slope: Float[Array, "b k a m"]  # J: ∂c/∂q_i
    bend: Float[Array, "b k a m"] | None  # J̇: ∂c/∂q_i differentiated along v, when a v was given


Jets = Callable[[Any, Any], Jet]  # q, v (b, k) or None ↦ Jet, of the kind of arrays that it is given


def jets_of(kinematics: Kinematics) -> Jets:
    """The derivatives that the kinematics offers in closed form as `jets`, else those of autodiff."""
    skinned = isinstance(kinematics.basis, SkinBasis)
    return getattr(kinematics, "jets", None) or AutodiffJets(kinematics.code, skinned)


def by_axis(codes: Float[Array, "*rows r"]) -> Float[Array, "*rows 3 m"]:
    """Codes of a skin, (h, 3, 4), as the three rows of all their maps."""
    rows = codes.shape[:-1]
    return codes.reshape(*rows, -1, 3, 4).swapaxes(-3, -2).reshape(*rows, 3, -1)


@dataclass(frozen=True)
class AutodiffJets:
    """J and J̇ of any code by forward mode within forward mode: the obvious twin of every closed form."""

    function: Callable[[Tensor], Tensor]
    skinned: bool = True

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        v = 0 * q if v is None else v
        if isinstance(q, np.ndarray):
            return Jet(*(x.numpy() for x in self(torch.tensor(q), torch.tensor(v))))  # pyright: ignore
        b, k = q.shape
        every = torch.eye(k, dtype=q.dtype).repeat(b, 1, 1)
        at, along = (x[:, None].repeat(1, k, 1) for x in (q, v))  # pyright: ignore
        slope, bend = jvp(lambda x: jvp(self.function, (x,), (every,))[1], (at,), (along,))  # pyright: ignore
        codes = (self.function(q), slope, bend)
        return Jet(*(by_axis(x) if self.skinned else x[..., None, :] for x in codes))
