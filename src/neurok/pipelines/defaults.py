"""Default conditions: gravity, a fixed base, a floor, light damping, and the stiffness of the kinematics."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from neurok.dynamics import (
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

ACTIONS = (Push, Drag, Throw, Drop, Tilt, Wind, Motor, Pose, Placed, Moving)  # conditions that start a motion
MIN_FREQUENCY = 1.0  # Hz; soft rubber of the size of a door would sway for minutes
BY_MASS, BY_STIFFNESS = 0.5, 0.002  # 1/s, s; motion fades within a few seconds


def is_free(conditions: Sequence[Condition]) -> bool:
    """Whether the object is free to move as a whole: it is thrown or dropped."""
    return any(isinstance(c, (Throw, Drop)) for c in conditions)


def assumed_pin(conditions: Sequence[Condition], without: Collection[str]) -> bool:
    """Whether the base is fixed by default: the object is not free and no pin is given."""
    return not is_free(conditions) and "pin" not in without and not _has(conditions, Pin)


def assume(
    kinematics: Kinematics, conditions: Sequence[Condition], stands: bool, without: Collection[str] = ()
) -> tuple[list[Condition], list[str]]:
    """The default conditions that are not given, and a line for each; `without` names unwanted ones.

    With `stands`, the base is fixed by default and not by a pin of the user.
    """
    added: list[Condition] = []
    lines: list[str] = []

    def add(condition: Condition, description: str) -> None:
        kind = type(condition)
        if kind.__name__.lower() not in without and not _has(conditions, kind):
            added.append(condition)
            lines.append(description)

    own = kinematics.defaults
    balanced = own.balanced and not is_free(conditions)
    rests = ", balanced: the input pose is the static equilibrium" if balanced else ""
    add(Gravity(balanced=balanced), f"gravity 9.81 m/s²{rests}")
    if stands and (not kinematics.is_anchored or kinematics.has_built_in_pins):
        lines.append("a fixed base")
    if stands or is_free(conditions):
        add(Floor(), "a floor at its lowest point (friction 0.5, restitution 0.3)")
    damping = Damping(BY_MASS, BY_STIFFNESS)
    add(damping, f"damping {BY_MASS:g} /s")
    if own.skin or own.glue or own.prior:
        description = f"stiffness: skin {own.skin:g}, glue {own.glue:g} between loose pieces of a part"
        add(Stiffness(skin=own.skin, glue=own.glue, prior=own.prior), f"{description}, prior {own.prior:g}")
    if own.slowest_hz is not None and own.slowest_hz < MIN_FREQUENCY:
        scale = float(f"{(MIN_FREQUENCY / own.slowest_hz) ** 2:.3g}")
        add(
            Stiffness(scale=scale),
            f"{scale:g} times as stiff as soft rubber: the slowest mode has {MIN_FREQUENCY:g} Hz",
        )
    return added, lines


def acts(conditions: Sequence[Condition]) -> bool:
    """Whether any condition starts a motion."""
    return any(isinstance(c, ACTIONS) for c in conditions)


def _has(conditions: Sequence[Condition], kind: type) -> bool:
    return any(isinstance(c, kind) for c in conditions)
