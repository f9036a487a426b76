"""Closed-form derivatives of handles that move by screws linear in q.

The motion of a handle is x ↦ R (x − a) + a + V u with (ω, u) = Ξ q.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float

from neurok.geometry.arrays import Array, namespace, permuted
from neurok.geometry.rotation_jets import rotation_jets
from neurok.kinematics.jets.jet import Jet, Jets


@dataclass(frozen=True, eq=False)
class ScrewJets(Jets):
    """R = exp[ω]ₓ and its integral V(ω), about anchors a, in the shape's coordinates."""

    modes: Float[Array, "h k 6"]  # Ξ: (ω, u) per coordinate
    anchors: Float[Array, "3 1 h"]

    def _screws(self, q: Float[Array, "b k"]) -> tuple[Array, Array]:
        """ω and u of every handle, components first."""
        h, k, _ = self.modes.shape
        screws = (q @ self.modes.swapaxes(0, 1).reshape(k, 6 * h)).reshape(len(q), h, 6)
        screws = permuted(screws, 2, 0, 1)
        return screws[:3], screws[3:]

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        xp, (h, k, _), b, a = namespace(q), self.modes.shape, len(q), self.anchors
        turn, shift = self._screws(q)
        turn_rate, shift_rate = (None, None) if v is None else self._screws(v)
        R, V = rotation_jets(turn, turn_rate)
        places = _applied(V, shift) - _applied(R, a)  # value, derivatives by ω, and their rates
        orders = 1 if v is None else 2
        screws = xp.zeros((b, h, 6, orders, 3, 4), dtype=q.dtype)  # derivatives of the maps by (ω, u)
        by_screw = permuted(screws, 2, 3, 4, 5, 0, 1)
        by_screw[:3, 0, :, :3], by_screw[:3, 0, :, 3] = R[1:4], places[1:4]
        by_screw[3:, 0, :, 3] = V[0].swapaxes(0, 1)
        if v is not None:
            V_rate = V[1] * turn_rate[0] + V[2] * turn_rate[1] + V[3] * turn_rate[2]  # pyright: ignore
            by_screw[:3, 1, :, :3] = R[4:]
            by_screw[:3, 1, :, 3] = places[4:] + _applied(V[1:4], shift_rate)
            by_screw[3:, 1, :, 3] = V_rate.swapaxes(0, 1)
        rows = (self.modes @ screws.reshape(b, h, 6, 12 * orders)).reshape(b, h, k, orders, 3, 4)
        rows = permuted(rows, 3, 0, 2, 4, 1, 5).reshape(orders, b, k, 3, 4 * h)
        code = xp.concatenate([R[0], (places[0] + a)[:, None]], 1)
        code = permuted(code, 2, 0, 3, 1).reshape(b, 3, 4 * h)
        return Jet(code, rows[0], None if v is None else rows[1])


def _applied(
    matrices: Float[Array, "*rows 3 3 b h"], x: Float[Array, "3 c h"]
) -> Float[Array, "*rows 3 b h"]:
    """A x, components first."""
    return matrices[..., 0, :, :] * x[0] + matrices[..., 1, :, :] * x[1] + matrices[..., 2, :, :] * x[2]


def screw_jets(
    modes: Float[torch.Tensor, "s k"],
    anchors: Float[torch.Tensor, "h 3"],
    turn: Float[torch.Tensor, "3 3"],
    centre: Float[torch.Tensor, "3"],
    radius: float,
) -> ScrewJets:
    """Jets of screws that are given in the frame p = (U x − c) / r.

    In the shape's coordinates ω' = Uᵀ ω, u' = r Uᵀ u and a' = Uᵀ (r a + c).
    """
    parts = modes.reshape(len(anchors), 2, 3, -1)
    turned = (
        torch.einsum("ji,hpjk->hkpi", turn, parts) * torch.tensor([1.0, radius], dtype=torch.float64)[:, None]
    )
    there = (radius * anchors + centre) @ turn
    return ScrewJets(turned.flatten(2).contiguous(), there.T[:, None].contiguous())
