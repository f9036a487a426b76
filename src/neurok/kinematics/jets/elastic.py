"""Closed-form derivatives of the code of `ElasticKinematics`: handles that rotate, stretch and shift."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.geometry.arrays import Array, namespace
from neurok.geometry.rotation_jets import rotation_jets
from neurok.kinematics.jets.jet import Jet, Jets, skin_by_axis


@dataclass(frozen=True, eq=False)
class ElasticJets(Jets):
    """Maps with the linear part L = R(ω) S(ε), S = 1 + ε + ½ ε².

    Their offset p + t − L p is linear in L and q.
    """

    modes: Float[Array, "h k 12"]  # (ω, ε) per coordinate
    rest: Float[Array, "3 m"]  # the code of the identity
    shift: Float[Array, "k 3 m"]  # part of the offsets that is linear in q, as codes
    follow: Float[Array, "c h"]  # (j, b) ↦ i: offset_ia = Σ_jb (Q_ijb − δ_ij p_jb) (L_j − 1)_ab

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        xp, (h, k, _), b = namespace(q), self.modes.shape, len(q)
        turn, strain = self._moves(q)
        turn_rate, strain_rate = (None, None) if v is None else self._moves(v)
        (turns,) = rotation_jets(turn, turn_rate, 1)
        R, R_slope = turns[0], turns[1:4]
        one = xp.eye(3, dtype=q.dtype)[:, :, None, None]
        half, pulled = one + 0.5 * strain, 0.5 * _product(R, strain)
        S = one + strain + 0.5 * _product(strain, strain)
        # ∂(R S)/∂ε_ab = R_:a ⊗ (1 + ½ ε)_b: + ½ (R ε)_:a ⊗ 1_b:
        rows = [(_product(R, S) - one).reshape(9, b, h).swapaxes(0, 1).swapaxes(1, 2)[:, None]]
        rows.append(self._by_coordinate(_products(R_slope, S), _outer(R, half) + _outer(pulled, one), xp))
        if turn_rate is not None:
            R_rate, half_rate = (R_slope * turn_rate[:, None, None]).sum(0), 0.5 * strain_rate  # pyright: ignore
            S_rate = strain_rate + _product(strain, half_rate) + _product(half_rate, strain)
            pulled_rate = 0.5 * _product(R_rate, strain) + _product(R, half_rate)
            by_turn = _products(turns[4:], S) + _products(R_slope, S_rate)
            by_strain = _outer(R_rate, half) + _outer(R, half_rate) + _outer(pulled_rate, one)
            rows.append(self._by_coordinate(by_turn, by_strain, xp))
        linear = xp.concatenate(rows, 1)
        n = linear.shape[1]
        linear = linear.reshape(b, n, h, 3, 3).swapaxes(2, 3)
        offset = linear.reshape(b, n, 3, 3 * h) @ self.follow
        codes = xp.concatenate([linear, offset[..., None]], -1).reshape(b, n, 3, 4 * h)
        code = self.rest + (q @ self.shift.reshape(k, -1)).reshape(b, 3, 4 * h) + codes[:, 0]
        return Jet(code, self.shift + codes[:, 1 : k + 1], None if v is None else codes[:, k + 1 :])

    def _moves(self, q: Float[Array, "b k"]) -> tuple[Float[Array, "3 b h"], Float[Array, "3 3 b h"]]:
        """ω and ε of every handle, components first."""
        (h, k, _), b = self.modes.shape, len(q)
        moves = (q @ self.modes.swapaxes(0, 1).reshape(k, 12 * h)).reshape(b, h, 12)
        moves = moves.swapaxes(0, 2).swapaxes(1, 2)
        return moves[:3], moves[3:].reshape(3, 3, b, h)

    def _by_coordinate(self, by_turn: Array, by_strain: Array, xp) -> Float[Array, "b k h 9"]:
        nine = (-1, 9, *by_turn.shape[-2:])
        rows = xp.concatenate([by_turn.reshape(nine), by_strain.reshape(nine)])
        return (self.modes @ rows.swapaxes(0, 2).swapaxes(1, 3)).swapaxes(1, 2)


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
    """The jets of an `ElasticKinematics`, with its constants in the layout of the products."""
    h, _, k = turn.shape
    modes = torch.cat([turn, stretch.flatten(1, 2)], dim=1).mT
    own = torch.diag_embed(centres.T).permute(1, 2, 0)  # δ_ij p_jb
    identity = torch.eye(3, 4, dtype=torch.float64).expand(h, 3, 4)
    codes = torch.zeros(k, h, 3, 4, dtype=torch.float64)
    codes[..., 3] = shift.permute(2, 0, 1)
    follow = (agreement - own).flatten(1).T
    return ElasticJets(
        modes.contiguous(),
        skin_by_axis(identity.flatten()),
        skin_by_axis(codes.flatten(1)),
        follow.contiguous(),
    )
