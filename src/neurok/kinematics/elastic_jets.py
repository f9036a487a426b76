"""Derivatives of handles that turn, stretch and shift: the code of `ElasticKinematics`."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.kinematics.arrays import Array, namespace
from neurok.kinematics.jets import Jet, by_axis
from neurok.kinematics.stumpff import rotation_jets


@dataclass(frozen=True, eq=False)
class ElasticJets:
    """L = R(ω) S(ε) with S = 1 + ε + ½ ε², and the offset p + t − L p linear in L and q."""

    modes: Float[Array, "h k 12"]  # (ω, ε) per coordinate
    rest: Float[Array, "3 m"]  # the code of the identity
    shift: Float[Array, "k 3 m"]  # what q adds to the offsets, as codes
    follow: Float[Array, "c h"]  # (j, b) ↦ i: offset_ia = Σ_jb (Q_ijb − δ_ij p_jb) (L_j − 1)_ab

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"]) -> Jet:
        xp, (h, k, _), b = namespace(q), self.modes.shape, len(q)
        flat = self.modes.swapaxes(0, 1).reshape(k, 12 * h)
        p, rate = ((x @ flat).reshape(b, h, 12).swapaxes(0, 2).swapaxes(1, 2) for x in (q, v))
        (R,) = rotation_jets(p[:3], rate[:3], 1)
        strain, strain_rate = p[3:].reshape(3, 3, b, h), rate[3:].reshape(3, 3, b, h)
        one = xp.eye(3, dtype=q.dtype)[:, :, None, None]
        R_rate = (R.slope * rate[:3, None, None]).sum(0)
        square = _product(strain, strain)
        half, half_rate = one + 0.5 * strain, 0.5 * strain_rate
        S = one + strain + 0.5 * square
        S_rate = strain_rate + _product(strain, half_rate) + _product(half_rate, strain)
        pulled = 0.5 * _product(R.value, strain)
        pulled_rate = 0.5 * (_product(R_rate, strain) + _product(R.value, strain_rate))
        by_turn = _products(R.slope, S)
        by_turn_rate = _products(R.bend, S) + _products(R.slope, S_rate)
        # ∂(R S)/∂ε_ab = R_:a ⊗ (1 + ½ ε)_b: + ½ (R ε)_:a ⊗ 1_b:
        by_strain = _outer(R.value, half) + _outer(pulled, one)
        by_strain_rate = _outer(R_rate, half) + _outer(R.value, half_rate) + _outer(pulled_rate, one)
        nine = (-1, 9, b, h)
        slope = xp.concatenate([by_turn.reshape(nine), by_strain.reshape(nine)])
        bend = xp.concatenate([by_turn_rate.reshape(nine), by_strain_rate.reshape(nine)])
        both = xp.concatenate([slope, bend], 1).swapaxes(0, 2).swapaxes(1, 3)  # b h 12 18
        both = (self.modes @ both).swapaxes(1, 2)  # b k h 18
        excess = (_product(R.value, S) - one).reshape(9, b, h).swapaxes(0, 1).swapaxes(1, 2)
        rows = xp.concatenate([excess[:, None], both[..., :9], both[..., 9:]], 1)
        rows = rows.reshape(b, 1 + 2 * k, h, 3, 3)
        rows = rows.swapaxes(2, 3)
        offset = rows.reshape(b, 1 + 2 * k, 3, 3 * h) @ self.follow
        codes = xp.concatenate([rows, offset[..., None]], -1).reshape(b, 1 + 2 * k, 3, 4 * h)
        code = self.rest + (q @ self.shift.reshape(k, -1)).reshape(b, 3, 4 * h) + codes[:, 0]
        return Jet(code, self.shift + codes[:, 1 : k + 1], codes[:, k + 1 :])


def _product(a: Float[Array, "3 3 b h"], m: Float[Array, "3 3 b h"]) -> Float[Array, "3 3 b h"]:
    """Matrix products with the components first."""
    return (a[:, :, None] * m[None]).sum(1)


def _products(a: Float[Array, "i 3 3 b h"], m: Float[Array, "3 3 b h"]) -> Float[Array, "i 3 3 b h"]:
    return (a[:, :, :, None] * m[None, None]).sum(2)


def _outer(a: Float[Array, "3 3 b h"], m: Float[Array, "3 3 b2 h2"]) -> Float[Array, "3 3 3 3 b h"]:
    """(a, b, x, y) ↦ A_xa M_by."""
    return a.swapaxes(0, 1)[:, None, :, None] * m[None, :, None]


def elastic_jets(
    centres: Float[Tensor, "h 3"],
    turn: Float[Tensor, "h 3 k"],
    stretch: Float[Tensor, "h 3 3 k"],
    shift: Float[Tensor, "h 3 k"],
    agreement: Float[Tensor, "h h 3"],
) -> ElasticJets:
    """The constants of `ElasticKinematics` in the order in which the derivatives need them."""
    h, _, k = turn.shape
    modes = torch.cat([turn, stretch.flatten(1, 2)], dim=1).mT
    own = torch.diag_embed(centres.T).permute(1, 2, 0)  # δ_ij p_jb
    identity = torch.eye(3, 4, dtype=torch.float64).expand(h, 3, 4)
    codes = torch.zeros(k, h, 3, 4, dtype=torch.float64)
    codes[..., 3] = shift.permute(2, 0, 1)
    follow = (agreement - own).flatten(1).T
    return ElasticJets(modes.contiguous(), by_axis(identity.flatten()), by_axis(codes.flatten(1)), follow.contiguous())
