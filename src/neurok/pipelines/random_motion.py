"""Random scenarios of one object: pushes, gusts, kicks and releases from another pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import Condition, Pose, Push, Wind
from neurok.kinematics import Kinematics
from neurok.kinematics.free_root import ROOT
from neurok.pipelines.nudge import Compliance, compliance_of

Array = np.ndarray
SCENARIO_KINDS = ("push", "gust", "kick", "release")
GUST = 0.8  # s
MAX_WIND = 40.0  # m/s
STORED = 0.3  # mean energy of a released pose, in weight × radius
CALM = Wind((0.0, 0.0, 0.0), duration=GUST)


def random_scenarios(
    kinematics: Kinematics,
    conditions: Sequence[Condition],
    mass: Float[Tensor, " n"] | None,
    count: int,
    seed: int,
) -> list[tuple[list[Condition], str]]:
    """`count` lists of conditions and a description of each.

    All lists have the same kinds in the same order, so that the engine runs them in one batch. Every kind of
    scenario is drawn once before any is repeated.
    """
    rng = np.random.default_rng([seed, count])
    found = compliance_of(kinematics, conditions, mass)
    kinds = np.concatenate(
        [rng.permutation(SCENARIO_KINDS) for _ in range(-(-count // len(SCENARIO_KINDS)))]
    )[:count]
    made = [MAKERS[str(kind)](found, rng) for kind in kinds]
    if all(wind is CALM for _, wind, _, _ in made):  # a wind term costs time even in still air
        return [([*conditions, push, pose], description) for push, _, pose, description in made]
    return [([*conditions, push, wind, pose], description) for push, wind, pose, description in made]


def _push(found: Compliance, rng: np.random.Generator) -> tuple[Push, Wind, Pose, str]:
    """A push at a point and in a direction drawn by compliance."""
    values, axes = np.linalg.eigh(found.mobility)
    chance = np.sqrt(values[:, -1].clip(0))
    place = int(rng.choice(len(chance), p=chance / chance.sum()))
    direction = axes[place] @ (rng.normal(size=3) * np.sqrt(values[place].clip(0)))
    direction = direction / (np.linalg.norm(direction) or 1.0)
    push, description = found.at(place, found.force(place, direction, rng.uniform(0.03, 0.3)) * direction)
    return push, CALM, Pose({}), description


def _gust(found: Compliance, rng: np.random.Generator) -> tuple[Push, Wind, Pose, str]:
    """A side wind whose force is 0.3 to 3 times the object's weight."""
    shape = found.kinematics.shape
    up, metres = shape.frame.up_vector, shape.frame.metres_per_unit
    way = rng.normal(size=3)
    way = way - 0.8 * (way @ up) * up
    weight = found.energy / (shape.normalisation.radius * metres)
    speed = np.sqrt(rng.uniform(0.3, 3) * weight / (0.72 * 0.5 * shape.area * metres**2))
    velocity = way / np.linalg.norm(way) * min(float(speed), MAX_WIND)
    wind = Wind(tuple(float(f"{x:.3g}") for x in velocity), duration=GUST)
    speed = np.linalg.norm(wind.velocity)
    description = f"blown at by {speed:.3g} m/s towards ({_direction_text(velocity)}) for {GUST:g} s"
    return _no_push(found), wind, Pose({}), description


def _kick(found: Compliance, rng: np.random.Generator) -> tuple[Push, Wind, Pose, str]:
    """Velocities q̇ = A^(−½) ξ, ξ ~ N(0, I), A = M + ½ T² K, so that stiff directions stay calm."""
    factor = torch.linalg.cholesky(found.inertia)
    drawn = torch.tensor(rng.normal(size=(len(factor), 1)))
    v = torch.linalg.solve_triangular(factor.T, drawn, upper=True)[:, 0]
    share = rng.uniform(0.05, 0.4)
    v = v * (2 * share * found.energy / max(float(v @ found.mass @ v), 1e-30)) ** 0.5
    pose = Pose({}, _named(found.kinematics, v))
    return _no_push(found), CALM, pose, f"set moving in all its coordinates with {share * found.energy:.3g} J"


def _release(found: Compliance, rng: np.random.Generator) -> tuple[Push, Wind, Pose, str]:
    """A pose from N(0, (D⁻² + K/E)⁻¹).

    This is the prior of the coordinates times Boltzmann's factor exp(−V/E). On average it stores at most k E
    / 2.
    """
    kinematics = found.kinematics
    spread = kinematics.pose_deviation
    temperature = 2 * STORED * found.energy / len(spread)  # E
    precision = torch.diag(spread.clamp(min=1e-9) ** -2) + found.stiffness / temperature
    factor = torch.linalg.cholesky(precision)
    drawn = torch.tensor(rng.normal(size=(len(spread), 1)))
    away = torch.linalg.solve_triangular(factor.T, drawn, upper=True)[:, 0]
    limits = kinematics.limits
    q = (kinematics.rest + away).clamp(limits[:, 0], limits[:, 1])
    q = _above_floor(kinematics, q)
    values = dict(sorted(_named(kinematics, q).items(), key=lambda item: -abs(item[1])))
    largest = ", ".join(f"{name} {value:.2g}" for name, value in list(values.items())[:2])
    return _no_push(found), CALM, Pose(values), f"let go from another pose ({largest} …)"


MAKERS = {"push": _push, "gust": _gust, "kick": _kick, "release": _release}


def _above_floor(kinematics: Kinematics, q: Float[Tensor, " k"]) -> Float[Tensor, " k"]:
    """The pose, moved halfway to rest until nothing penetrates the ground."""
    up = torch.tensor(kinematics.shape.frame.up_vector)
    slack = 0.01 * kinematics.shape.normalisation.radius
    ground = float((kinematics.positions(kinematics.rest) @ up).min()) - slack
    for _ in range(6):
        if float((kinematics.positions(q) @ up).min()) >= ground:
            return q
        q = kinematics.rest + (q - kinematics.rest) / 2
    return kinematics.rest.clone()


def _named(kinematics: Kinematics, values: Float[Tensor, " k"]) -> dict[str, float]:
    return {
        name: float(f"{x:.6g}")
        for name, x in zip(kinematics.names, values.tolist(), strict=True)
        if name not in ROOT
    }


def _no_push(found: Compliance) -> Push:
    return found.at(0, np.zeros(3))[0]


def _direction_text(vector: Float[Array, "3"]) -> str:
    return ", ".join(f"{x:.2f}" for x in vector / (np.linalg.norm(vector) or 1.0))
