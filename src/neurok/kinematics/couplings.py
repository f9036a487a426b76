"""Coupled joints: the values of all joints from the independent ones."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.shapes import Joint, JointTree


class Followers:
    """v_f = Σ_k c_k v_l^k for every follower f of a leader l, with values relative to rest.

    Followers of followers are computed in rounds. Each round is one batched polynomial.
    """

    def __init__(self, tree: JointTree) -> None:
        movable = [j for j in tree.joints if j.dim]
        self.column: dict[str, int] = {}  # first column of each joint while values are appended
        count = 0
        for joint in movable:
            if joint.coupling is None:
                self.column[joint.name], count = count, count + joint.dim
        self.rounds: list[tuple[Tensor, Tensor]] = []
        waiting = [j for j in movable if j.coupling is not None]
        while waiting:
            ready = [j for j in waiting if j.coupling and j.coupling.joint in self.column]
            leaders = torch.tensor([self.column[j.coupling.joint] for j in ready if j.coupling])
            self.rounds.append((leaders, _coefficients(ready)))
            for joint in ready:
                self.column[joint.name], count = count, count + 1
            waiting = [j for j in waiting if j not in ready]
        self.order = torch.tensor(
            [self.column[j.name] + d for j in movable for d in range(j.dim)], dtype=torch.long
        )

    def values(self, independent: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch d"]:
        """The values of all joints in the tree's order."""
        values = independent
        for leaders, coefficients in self.rounds:
            x = values[..., leaders]
            total = torch.zeros_like(x)
            for c in coefficients.flip(0):
                total = total * x + c
            values = torch.cat([values, total], dim=-1)
        return values[..., self.order]


def _coefficients(joints: list[Joint]) -> Float[Tensor, "degree f"]:
    rows = [torch.tensor(j.coupling.coefficients, dtype=torch.float64) for j in joints if j.coupling]
    return torch.nn.utils.rnn.pad_sequence(rows)
