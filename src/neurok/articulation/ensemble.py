"""The ensemble of articulation networks, and its file of weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from neurok.articulation.network import HEADS, ArticulationConfig, Articulator, Scores
from neurok.assets import WEIGHTS
from neurok.nn.ensemble import Ensemble, log_mean_likelihood, mean, mean_log_likelihood
from neurok.nn.weights import load_network, save_network

FORMAT = "neurok-articulation"
AVERAGE = {
    "kind": mean_log_likelihood,
    "turn_axis": log_mean_likelihood,
    "slide_axis": log_mean_likelihood,
    "line": log_mean_likelihood,
    "parent": mean_log_likelihood,
    "turn_length": mean_log_likelihood,
    "slide_length": mean_log_likelihood,
}  # how the members' scores are combined; all others by their mean. Chosen on validation objects


class ArticulationEnsemble(Ensemble[Articulator]):
    """Parts of a shape ↦ `Scores`, averaged over the members."""

    def __init__(self, config: ArticulationConfig = ArticulationConfig()) -> None:  # noqa: B008  # frozen
        super().__init__([Articulator(config) for _ in range(config.members)], config, averaged)

    def ahead(self, *inputs) -> Tensor:
        """Mean log-odds of the directions (`Articulator.ahead`)."""
        return mean([member.ahead(*inputs) for member in self])


def averaged(outputs: Sequence[Scores]) -> Scores:
    """Scores of several members as one."""
    return Scores(*(AVERAGE.get(n, mean)([getattr(x, n) for x in outputs]) for n in Scores._fields))


def trunk(ensemble: ArticulationEnsemble) -> dict[str, Tensor]:
    """All weights except those of the output heads and of part names."""
    return {name: tensor for name, tensor in ensemble.state_dict().items() if not HEADS & {*name.split(".")}}


def save_articulator(
    path: str | Path,
    state: dict[str, Tensor],
    config: ArticulationConfig,
    about: dict[str, Any] | None = None,
) -> Path:
    """Writes weights with their configuration and provenance."""
    return save_network(path, FORMAT, state, config, about)


def load_articulator(path: Path | None = None) -> ArticulationEnsemble:
    """Loads a file that `neurok train articulation` wrote, or the weights that ship."""
    return load_network(
        path or WEIGHTS["articulation"], FORMAT, lambda data: ArticulationEnsemble(ArticulationConfig(**data))
    )
