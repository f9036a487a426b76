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

from neurok.kinematics.arrays import Array
from neurok.kinematics.protocol import Kinematics


class Jet(NamedTuple):
    """A code at q while q moves at v."""

    code: Float[Array, "b r"]
    slope: Float[Array, "b k r"]  # J: ∂c/∂q_i
    bend: Float[Array, "b k r"]  # J̇: ∂c/∂q_i differentiated along v


Jets = Callable[[Any, Any], Jet]  # q, v (b, k) ↦ Jet, of the kind of arrays that it is given


def jets_of(kinematics: Kinematics) -> Jets:
    """The derivatives that the kinematics offers in closed form as `jets`, else those of autodiff."""
    return getattr(kinematics, "jets", None) or AutodiffJets(kinematics.code)


@dataclass(frozen=True)
class AutodiffJets:
    """J and J̇ of any code by forward mode within forward mode: the obvious twin of every closed form."""

    function: Callable[[Tensor], Tensor]

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"]) -> Jet:
        if isinstance(q, np.ndarray):
            return Jet(*(x.numpy() for x in self(torch.from_numpy(q), torch.from_numpy(np.ascontiguousarray(v)))))
        b, k = q.shape
        every = torch.eye(k, dtype=q.dtype).repeat(b, 1, 1)
        at, along = (x[:, None].repeat(1, k, 1) for x in (q, v))
        slope, bend = jvp(lambda x: jvp(self.function, (x,), (every,))[1], (at,), (along,))
        return Jet(self.function(q), slope, bend)
