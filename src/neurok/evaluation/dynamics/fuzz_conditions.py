"""Draws random conditions, from realistic to extreme."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from neurok.dynamics import (
    Condition,
    Damping,
    Drag,
    Drop,
    Floor,
    Gravity,
    Limits,
    Motor,
    Moving,
    Obstacle,
    Pin,
    Pose,
    Push,
    Stiffness,
    Throw,
    Tilt,
    Wind,
)
from neurok.kinematics import Kinematics


def random_scenarios(kinematics: Kinematics, rng: np.random.Generator, count: int) -> list[list[Condition]]:
    """`count` scenarios of one list of condition kinds; forces, poses and velocities differ between them."""
    kinds = [k for k in MAKERS if rng.random() < 0.3]
    if not kinematics.names or not rng.random() < 0.8:
        kinds = [k for k in kinds if k not in ("motor", "pose")]
    if not kinematics.names and not {"throw", "drop"} & set(kinds):
        kinds.append("throw")
    if "tilt" in kinds and "gravity" not in kinds:
        kinds.insert(0, "gravity")
    shared = int(rng.integers(2**32))
    return [
        [MAKERS[kind](kinematics, np.random.default_rng([shared, i]), rng) for i, kind in enumerate(kinds)]
        for _ in range(count)
    ]


def size(rng: np.random.Generator) -> float:
    """Random magnitude: 10⁻³ to 10³ in 80 % of the draws, otherwise up to 10¹⁵."""
    return float(10 ** (rng.uniform(-3, 3) if rng.random() < 0.8 else rng.uniform(3, 15)))


def vector(rng: np.random.Generator) -> np.ndarray:
    return size(rng) * rng.normal(size=3)


def _place(kinematics: Kinematics, rng: np.random.Generator) -> int:
    used = np.unique(kinematics.shape.faces)
    return int(rng.choice(used)) if len(used) else 0


def _pose(kinematics: Kinematics, own: np.random.Generator) -> Pose:
    name = str(own.choice(kinematics.names))
    return Pose({name: own.normal() * 2}, {name: own.normal() * size(own)})


Maker = Callable[[Kinematics, np.random.Generator, np.random.Generator], Condition]
MAKERS: dict[str, Maker] = {  # of the kinematics, the generator of all scenarios, that of one
    "gravity": lambda k, same, own: Gravity(torch.tensor(9.81 if own.random() < 0.7 else size(own))),
    "damping": lambda k, same, own: Damping(size(same), float(10 ** same.uniform(-6, 0))),
    "stiffness": lambda k, same, own: Stiffness(frequency=float(10 ** same.uniform(-2, 3))),
    "limits": lambda k, same, own: Limits(float(same.random()), float(same.choice([0.0, 1.0, size(same)]))),
    "tilt": lambda k, same, own: Tilt(float(same.uniform(-180, 180)), same.normal(size=3)),
    "pin": lambda k, same, own: Pin("auto", frequency=float(10 ** same.uniform(-1, 3))),
    "push": lambda k, same, own: Push(vector(own), at=_place(k, own), duration=0.1),
    "drag": lambda k, same, own: Drag(_place(k, same), vector(own), duration=0.1),
    "wind": lambda k, same, own: Wind(vector(own), faces=8),
    "motor": lambda k, same, own: Motor(
        str(same.choice(k.names)), torch.tensor(own.normal() * size(own)), duration=0.1,
        effort=float(size(same)),
    ),
    "pose": lambda k, same, own: _pose(k, own),
    "moving": lambda k, same, own: Moving([_place(k, own)], vector(own)),
    "throw": lambda k, same, own: Throw(vector(own), vector(own)),
    "drop": lambda k, same, own: Drop(float(own.uniform(0, 0.1)) if own.random() < 0.8 else size(own)),
    "floor": lambda k, same, own: Floor(None, float(2 * same.random()), float(same.random())),
    "obstacle": lambda k, same, own: Obstacle(
        "box" if same.random() < 0.5 else "ball", 0.5 * same.normal(size=3), float(same.uniform(0.1, 2)),
        friction=float(same.random()), restitution=float(same.random()),
    ),
}  # fmt: skip
