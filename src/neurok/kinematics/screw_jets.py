"""Derivatives of handles that move by screws linear in q: x ↦ R (x − a) + a + V u, (ω, u) = Ξ q."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float

from neurok.kinematics.arrays import Array, namespace
from neurok.kinematics.jets import Jet
from neurok.kinematics.stumpff import rotation_jets


@dataclass(frozen=True, eq=False)
class ScrewJets:
    """R = exp[ω]ₓ and V(ω) its integral, about anchors a; everything in the shape's coordinates."""

    modes: Float[Array, "h k 6"]  # Ξ: (ω, u) per coordinate
    anchors: Float[Array, "3 1 h"]

    def _screws(self, q: Float[Array, "b k"]) -> tuple[Array, Array]:
        h, k, _ = self.modes.shape
        screws = (q @ self.modes.swapaxes(0, 1).reshape(k, 6 * h)).reshape(len(q), h, 6)
        screws = screws.swapaxes(0, 2).swapaxes(1, 2)  # components first
        return screws[:3], screws[3:]

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        xp, (h, k, _), b = namespace(q), self.modes.shape, len(q)
        turn, shift = self._screws(q)
        turn_rate, shift_rate = (None, None) if v is None else self._screws(v)
        R, V = rotation_jets(turn, turn_rate)

        def maps(linear: Array, places: Array) -> Float[Array, "rows 12 b h"]:
            return xp.concatenate([linear, places[:, :, None]], 2).reshape(len(linear), 12, b, h)

        def by_coordinate(linear: Array, places: Array, shifts: Array) -> Float[Array, "b k 3 m"]:
            """From derivatives by ω (maps and places) and by u (which moves places alone) to those by q."""
            rows = xp.concatenate([maps(linear, places), maps(0 * linear, shifts.swapaxes(0, 1))])
            rows = self.modes @ rows.swapaxes(0, 2).swapaxes(1, 3)  # (h k 6) @ (b h 6 12)
            return rows.reshape(b, h, k, 3, 4).swapaxes(1, 2).swapaxes(2, 3).reshape(b, k, 3, 4 * h)

        place = (V.value * shift - R.value * self.anchors).sum(1) + self.anchors
        code = xp.concatenate([R.value, place[:, None]], 1).swapaxes(0, 2).swapaxes(1, 3).swapaxes(1, 2)
        place_slope = (V.slope * shift - R.slope * self.anchors).sum(2)
        slope, bend = by_coordinate(R.slope, place_slope, V.value), None
        if turn_rate is not None:
            place_bend = (V.bend * shift + V.slope * shift_rate - R.bend * self.anchors).sum(2)
            bend = by_coordinate(R.bend, place_bend, (V.slope * turn_rate[:, None, None]).sum(0))
        return Jet(code.reshape(b, 3, 4 * h), slope, bend)


def screw_jets(
    modes: Float[torch.Tensor, "s k"],
    anchors: Float[torch.Tensor, "h 3"],
    turn: Float[torch.Tensor, "3 3"],
    centre: Float[torch.Tensor, "3"],
    radius: float,
) -> ScrewJets:
    """Screws of the frame p = (U x − c) / r in the shape's: ω' = Uᵀ ω, u' = r Uᵀ u, a' = Uᵀ (r a + c)."""
    parts = modes.reshape(len(anchors), 2, 3, -1)
    turned = (
        torch.einsum("ji,hpjk->hkpi", turn, parts) * torch.tensor([1.0, radius], dtype=torch.float64)[:, None]
    )
    there = (radius * anchors + centre) @ turn
    return ScrewJets(turned.flatten(2).contiguous(), there.T[:, None].contiguous())
