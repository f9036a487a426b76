"""Several networks of one kind, begun differently and trained on the same batches: the mean is asked."""

from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn

from neurok.articulation.network import HEADS, ArticulationConfig, Articulator, PartsBatch, Scores

AGREED = ("kind", "parent", "turn_length", "slide_length")  # the mean log-likelihood counts: all must agree
VOTED = (
    "turn_axis",
    "slide_axis",
    "line",
)  # the mean likelihood: one that is too sure does not outvote the others


class Jury(nn.Module):
    """Parts of a shape ↦ `Scores`: the mean log-likelihood of what is AGREED, the log of the mean likelihood
    of what is VOTED, the mean of everything else."""

    def __init__(self, config: ArticulationConfig = ArticulationConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        self.members = nn.ModuleList(Articulator(config) for _ in range(config.members))

    def each(self) -> list[Articulator]:
        """The members, by their type, which a list of modules forgets."""
        return [cast(Articulator, member) for member in self.members]

    def forward(self, batch: PartsBatch) -> Scores:
        said = [member(batch) for member in self.each()]
        return Scores(*(_mean(name, [getattr(s, name) for s in said]) for name in Scores._fields))


def trunk(jury: Jury) -> dict[str, Tensor]:
    """What the members learned of shapes: their weights but those of the heads and of names."""
    return {n: t for n, t in jury.state_dict().items() if n.split(".")[2] not in HEADS}


def _mean(name: str, said: list[Tensor]) -> Tensor:
    if name in VOTED:
        return torch.stack([s.log_softmax(-1) for s in said]).logsumexp(0) - math.log(len(said))
    return torch.stack([s.log_softmax(-1) if name in AGREED else s for s in said]).mean(0)
