"""From conditions to equations: everything that acts in one scenario or in many, and where they start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.acting import drag, gravity, hold, pin, push, servo, weight, wind
from neurok.dynamics.conditions import Condition
from neurok.dynamics.initial import starting
from neurok.dynamics.resisting import damper, spring, walls
from neurok.dynamics.scene import EARTH, Scene
from neurok.dynamics.system import System
from neurok.dynamics.terms import Term
from neurok.dynamics.touching import floor, obstacle
from neurok.errors import InputError

MAKERS: dict[type, Any] = {
    ask.Push: push, ask.Drag: drag, ask.Pin: pin, ask.Wind: wind, ask.Motor: servo, ask.Obstacle: obstacle
}  # fmt: skip


def build(scene: Scene, scenarios: Sequence[Sequence[Condition]]) -> tuple[System, Tensor, Tensor]:
    """The equations of all scenarios, and where they start: q and v."""
    starts = [starting(scene, conditions) for conditions in scenarios]
    q, v = (torch.stack(column) for column in zip(*starts, strict=True))
    terms = stacked([terms_of(scene, conditions, q[i]) for i, conditions in enumerate(scenarios)])
    scale = scene.total_mass * EARTH * scene.radius
    system = System(scene.kinematics.jets, scene.mass, scene.points(), terms, scene.added_mass, scale)
    return system, q, v


def terms_of(scene: Scene, conditions: Sequence[Condition], q: Float[Tensor, " k"]) -> list[Term]:
    """Everything that acts, in the order of the conditions; the object's own stiffness and limits last."""
    conditions = _settled(conditions)
    terms: list[Term] = []
    tilt, pull = _only(conditions, ask.Tilt, None), _only(conditions, ask.Gravity, None)
    own = spring(scene, _only(conditions, ask.Stiffness, ask.Stiffness()))
    for condition in conditions:
        maker = MAKERS.get(type(condition))
        if maker is not None:
            terms.append(maker(scene, condition))
        elif isinstance(condition, ask.Gravity):
            terms.append(weight(scene, condition, tilt))
            if condition.balanced:
                terms.append(hold(scene, condition))
        elif isinstance(condition, ask.Floor):
            terms.append(floor(scene, condition, 0 * scene.up if pull is None else gravity(scene, pull)))
        elif isinstance(condition, ask.Damping):
            terms.append(damper(scene, condition, own))
    if tilt is not None and pull is None:
        raise InputError(scene.shape.name, "is tilted without gravity", "Add gravity")
    limits = walls(scene, _only(conditions, ask.Limits, ask.Limits()), q.detach())
    return [*terms, *(t for t in (own, limits) if t is not None)]


ONCE = (ask.Gravity, ask.Tilt, ask.Damping, ask.Stiffness, ask.Limits)


def _settled(conditions: Sequence[Condition]) -> list[Condition]:
    """Of what there can be only one of, the last counts; everything else adds up."""
    last = {type(c): c for c in conditions}
    return [c for c in conditions if not isinstance(c, ONCE) or last[type(c)] is c]


def _only(conditions: Sequence[Condition], kind: type, default: Any) -> Any:
    return next((c for c in conditions if isinstance(c, kind)), default)


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
