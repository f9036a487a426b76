"""From conditions to equations of motion: the terms and the initial state of one scenario or of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor

import neurok.dynamics.terms  # noqa: F401  # every condition registers itself
from neurok.dynamics.body import EARTH, Body
from neurok.dynamics.condition import Condition, Scenario
from neurok.dynamics.equations_of_motion import System
from neurok.dynamics.term import Term
from neurok.errors import InputError


def assemble(body: Body, scenarios: Sequence[Sequence[Condition]]) -> tuple[System, Tensor, Tensor]:
    """The equations of all scenarios, and their initial states q and v."""
    started = [Scenario.of(body, conditions) for conditions in scenarios]
    acting = stacked([scenario.terms(body) for scenario in started])
    scale = body.total_mass * EARTH * body.radius
    system = System(body.kinematics.jets, body.mass, body.points(), acting, body.added_mass, scale)
    return system, torch.stack([s.q for s in started]), torch.stack([s.v for s in started])


def stacked(scenarios: Sequence[Sequence[Term]]) -> tuple[Term, ...]:
    """Terms of many scenarios as one: arrays that differ get a dimension for the scenarios."""
    if len({len(terms) for terms in scenarios}) != 1:
        raise InputError(
            "scenarios", "have different numbers of conditions", "Give each the same kinds in order"
        )
    return tuple(_stack(column) for column in zip(*scenarios, strict=True))


def _stack(terms: Sequence[Any]) -> Any:
    first = terms[0]
    changes = {}
    for f in fields(first):
        values: list[Any] = [getattr(t, f.name, None) for t in terms]
        if isinstance(values[0], Tensor):
            if any(x is not values[0] and not torch.equal(x, values[0]) for x in values):
                changes[f.name] = torch.stack(values)
        elif any(type(t) is not type(first) for t in terms) or (
            not hasattr(values[0], "__dataclass_fields__") and any(x != values[0] for x in values)
        ):
            name = type(first).__name__.lower()
            raise InputError("scenarios", f"{name}: {f.name} differs between them", "Run them one by one")
    return replace(first, **changes)
