"""Ensemble of identically configured networks with different initialisations; predictions are averaged."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

import torch
from torch import Tensor, nn

Network = TypeVar("Network", bound=nn.Module)


class Ensemble(nn.Module, Generic[Network]):
    """`members` networks on the same input; `average` combines their outputs into one.

    Iteration yields the networks, each of which is trained on its own.
    """

    def __init__(
        self, members: Sequence[Network], config: Any, average: Callable[[Sequence[Any]], Any]
    ) -> None:
        super().__init__()
        self.config = config  # of every member
        self.members = nn.ModuleList(members)
        self._average = average

    def __iter__(self) -> Iterator[Network]:
        return (cast(Network, member) for member in self.members)

    def forward(self, batch: Any) -> Any:
        return self._average([member(batch) for member in self])


def mean(outputs: Sequence[Tensor]) -> Tensor:
    """Arithmetic mean, for numbers and log-odds."""
    return torch.stack(list(outputs)).mean(0)


def mean_log_likelihood(logits: Sequence[Tensor]) -> Tensor:
    """Mean of log p over the members: a class that one member excludes is unlikely for the ensemble."""
    return torch.stack([x.log_softmax(-1) for x in logits]).mean(0)


def log_mean_likelihood(logits: Sequence[Tensor]) -> Tensor:
    """log of the mean p over the members: one overconfident member does not outvote the others."""
    return torch.stack([x.log_softmax(-1) for x in logits]).logsumexp(0) - math.log(len(logits))


def joined_state(ensembles: Sequence[Ensemble[Any]]) -> dict[str, Tensor]:
    """State of one ensemble with the members of all; other tensors are those of the first.

    Matrices are halved in precision, which halves the file.
    """
    networks = [network for ensemble in ensembles for network in ensemble]
    shared = {n: t for n, t in ensembles[0].state_dict().items() if not n.startswith("members.")}
    return shared | {
        f"members.{k}.{name}": tensor.half() if tensor.ndim > 1 else tensor
        for k, network in enumerate(networks)
        for name, tensor in network.state_dict().items()
    }
