"""What is taken for granted when nobody says otherwise: weight, a base that stands, a floor, damping."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from neurok.dynamics.conditions import (
    Condition,
    Damping,
    Drag,
    Drop,
    Floor,
    Gravity,
    Motor,
    Moving,
    Pin,
    Placed,
    Pose,
    Push,
    Stiffness,
    Throw,
    Tilt,
    Wind,
)
from neurok.kinematics import Kinematics

ACTIONS = (Push, Drag, Throw, Drop, Tilt, Wind, Motor, Pose, Placed, Moving)  # what makes something happen
SLOWEST = 1.0  # Hz: rubber of the size of a door would sway for ever
BY_MASS, BY_STIFFNESS = 0.5, 0.002  # 1/s, s


def is_free(conditions: Sequence[Condition]) -> bool:
    """Whether nothing holds the object's root."""
    return any(isinstance(c, (Throw, Drop)) for c in conditions)


def assumed_pin(conditions: Sequence[Condition], without: Collection[str]) -> bool:
    """Whether the standing base is to be held although nobody said so."""
    return not is_free(conditions) and "pin" not in without and not _has(conditions, Pin)


def assume(
    kinematics: Kinematics, conditions: Sequence[Condition], stands: bool, without: Collection[str] = ()
) -> tuple[list[Condition], list[str]]:
    """The conditions that are missing, and a line for each; `without` names those that are not wanted.

    `stands`: the base is held because that is where the object stands, not because someone pinned it.
    """
    added: list[Condition] = []
    said: list[str] = []

    def add(condition: Condition, words: str) -> None:
        kind = type(condition)
        if kind.__name__.lower() not in without and not _has(conditions, kind):
            added.append(condition)
            said.append(words)

    own = kinematics.defaults
    balanced = own.balanced and not is_free(conditions)  # what is free is drawn as it is without weight
    carried = ", carried by the shape as it is drawn" if balanced else ""
    add(Gravity(balanced=balanced), f"gravity 9.81 m/s²{carried}")
    if stands and (not kinematics.is_anchored or kinematics.has_built_in_pins):
        said.append("the base that it stands on is held")
    if stands or is_free(conditions):
        add(Floor(), "a floor at its lowest point (friction 0.5, restitution 0.3)")
    damping = Damping(BY_MASS, BY_STIFFNESS)
    add(damping, f"damping {BY_MASS:g} /s")
    if own.skin or own.glue or own.prior:
        words = f"skin {own.skin:g} against stretching, glue {own.glue:g} between loose pieces of a part"
        add(Stiffness(skin=own.skin, glue=own.glue, prior=own.prior), f"{words}, prior {own.prior:g}")
    if own.slowest_hz is not None and own.slowest_hz < SLOWEST:
        scale = float(f"{(SLOWEST / own.slowest_hz) ** 2:.3g}")
        add(
            Stiffness(scale=scale),
            f"{scale:g} times as stiff as soft rubber, so that it sways at {SLOWEST:g} Hz",
        )
    return added, said


def acts(conditions: Sequence[Condition]) -> bool:
    """Whether anything was asked to happen."""
    return any(isinstance(c, ACTIONS) for c in conditions)


def _has(conditions: Sequence[Condition], kind: type) -> bool:
    return any(isinstance(c, kind) for c in conditions)
