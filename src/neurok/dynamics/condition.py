"""`Condition`: the base of every record that describes forces, supports or the start of a motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body
from neurok.dynamics.term import Term
from neurok.errors import InputError

ALWAYS = float("inf")
Start = tuple[Float[Tensor, " k"], Float[Tensor, " k"]]  # q₀, q̇₀
KINDS: dict[str, type[Condition]] = {}  # every condition by its name in JSON and YAML; filled by subclasses
C = TypeVar("C", bound="Condition")


@dataclass(frozen=True, eq=False)
class Condition:
    """A frozen dataclass that creates terms of the equations of motion or changes the initial state.

    Subclasses register themselves under their lower-case name. Forces are in newtons, speeds in metres per
    second, angles in degrees, times in seconds, and places in the coordinates of the object's file. Vectors
    may be tensors with gradients. Numbers must be finite and in range; the error names the record, the field
    and the fix.
    """

    is_unique: ClassVar[bool] = False  # of several in a scenario only the last one acts
    is_implied: ClassVar[bool] = False  # if not given, it acts with its default values
    needs_free_root: ClassVar[bool] = False
    start_order: ClassVar[int] = 0  # initial states are applied in this order, then in that of the scenario

    def __init_subclass__(cls) -> None:
        KINDS[cls.__name__.lower()] = cls

    def __post_init__(self) -> None:
        for f in fields(self):
            value, rule = getattr(self, f.name), f.metadata
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            low, high = rule.get("low", -np.inf), rule.get("high", np.inf)
            if np.isnan(value) or not low <= value <= high or (np.isinf(value) and not rule.get("infinite")):
                raise InputError(
                    type(self).__name__.lower(),
                    f"{f.name} is {value}",
                    f"Give a number from {low:g} to {high:g}",
                )

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        """The terms of the equations of motion that this condition adds."""
        return ()

    def initial_state(
        self, body: Body, scenario: Scenario
    ) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
        """q₀ and q̇₀ of the scenario, changed by this condition."""
        return scenario.q, scenario.v


@dataclass(frozen=True, eq=False)
class Scenario:
    """The conditions of one run, unique ones once, and its initial state."""

    conditions: tuple[Condition, ...]
    q: Float[Tensor, " k"]
    v: Float[Tensor, " k"]

    @classmethod
    def of(cls, body: Body, conditions: Sequence[Condition]) -> Scenario:
        """The initial state is rest and standstill, changed by the conditions."""
        last = {type(c): c for c in conditions}
        kept = tuple(c for c in conditions if not c.is_unique or last[type(c)] is c)
        rest = body.kinematics.rest
        scenario = cls(kept, rest.clone(), torch.zeros_like(rest))
        for condition in sorted(kept, key=lambda c: c.start_order):
            q, v = condition.initial_state(body, scenario)
            scenario = replace(scenario, q=q, v=v)
        return scenario

    def find(self, kind: type[C]) -> C | None:
        """The first condition of a kind."""
        return next((c for c in self.conditions if isinstance(c, kind)), None)

    def terms(self, body: Body) -> list[Term]:
        """Terms of all conditions in order, those of the implied conditions last."""
        implied = [kind for kind in KINDS.values() if kind.is_implied]
        given = [c for c in self.conditions if not c.is_implied]
        acting = [*given, *(self.find(kind) or kind() for kind in implied)]
        return [term for condition in acting for term in condition.terms(body, self)]


def number(default: float, low: float = -np.inf, high: float = np.inf, infinite: bool = False) -> Any:
    """A numeric field with a default and a range."""
    return field(default=default, metadata={"low": low, "high": high, "infinite": infinite})
