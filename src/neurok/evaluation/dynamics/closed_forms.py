"""Compares simulated motions with closed forms and gives relative errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import (
    Drop,
    Floor,
    Gravity,
    Pose,
    Run,
    SimulationConfig,
    Stiffness,
    Throw,
    simulate,
)
from neurok.evaluation.dynamics.objects import block, rigid_ball, rods, slider
from neurok.geometry.rotations import exp_so3
from neurok.kinematics import LinkedKinematics

G = 9.81  # m/s²
RESTITUTIONS = (0.3, 0.5, 0.7, 0.9, 1.0)


def period(times: Float[Tensor, " t"], values: Float[Tensor, " t"]) -> float:
    """Mean time between downward zero crossings, each from a cubic through the four frames around it."""
    t, x = times.numpy(), values.numpy()
    before = np.flatnonzero((x[1:-2] > 0) & (x[2:-1] <= 0)) + 1
    crossings = []
    for i in before:
        around = slice(i - 1, i + 3)
        roots = np.roots(np.polyfit(t[around] - t[i], x[around], 3))
        real = roots[np.abs(roots.imag) < 1e-9].real
        crossings.append(t[i] + real[np.abs(real - (t[i + 1] - t[i]) / 2).argmin()])
    return float(np.diff(crossings).mean())


def pendulum_period_error() -> float:
    """A rod on a hinge at 0.1 rad: T = 2π √(I / m g d) (1 + θ²/16), I = m l²/3 about its end, d = l/2."""
    run = simulate(rods(1.0), [Gravity(), Pose({"hinge0": 0.1})], SimulationConfig(seconds=10.0))
    truth = 2 * np.pi * np.sqrt(2 / (3 * G)) * (1 + 0.1**2 / 16)
    return abs(period(run.times, run.q[:, 0, 0]) / truth - 1)


def free_fall_error() -> float:
    """A thrown block over 1 s: largest distance from the parabola, relative to the travelled distance."""
    config = SimulationConfig(seconds=1.0)
    run = simulate(block(0.1, 0.2, 0.3), [Gravity(), Throw((1.0, 0.5, 3.0))], config)
    t = run.times
    truth = torch.stack([t, 0.5 * t, 3 * t - 0.5 * G * t**2], dim=1)
    return float((run.q[:, 0, :3] - truth).norm(dim=1).max() / truth.norm(dim=1).max())


def spring_period_error(step: float = 1 / 240) -> float:
    """A block on a spring of 1.5 Hz. The midpoint rule adds (h ω)²/12 to the period: 0.013 % at this step."""
    config = SimulationConfig(seconds=5.0, fps=1 / step, step=step)
    run = simulate(slider(), [Stiffness(frequency=1.5), Pose({"slide": 0.1})], config)
    return abs(period(run.times, run.q[:, 0, 0]) * 1.5 - 1)


def spin(seconds: float = 2.5) -> tuple[LinkedKinematics, Run]:
    """A free block that rotates about its intermediate axis, which is unstable."""
    kinematics = block(0.1, 0.2, 0.3)
    config = SimulationConfig(seconds=seconds)
    return kinematics, simulate(kinematics, [Throw(spin=(0.1, 6.0, 0.1))], config)


def angular_momentum_error() -> float:
    """Largest change of L = R I Rᵀ ω of the tumbling block, relative to L."""
    kinematics, run = spin()
    moments = kinematics.mass().gram[:3, :3]  # ∫ X Xᵀ dm
    inertia = moments.trace() * torch.eye(3) - moments
    turn = exp_so3(run.q[:, 0, 3:6])
    momentum = (turn @ inertia @ turn.mT @ run.v[:, 0, 3:6, None])[..., 0]
    return float((momentum - momentum[0]).norm(dim=1).max() / momentum[0].norm())


@cache
def bounce_error(restitution: float, height: float = 0.2) -> float:
    """A ball of 0.1 m dropped from a height h: the first bounce reaches e² h. Signed relative error."""
    fall = (2 * height / G) ** 0.5
    config = SimulationConfig(seconds=fall * (1 + 1.1 * restitution) + 0.03, fps=240.0, contact_points=12)
    conditions = [Gravity(), Drop(height), Floor(restitution=restitution, friction=0.0)]
    run = simulate(rigid_ball(), conditions, config)
    z = run.q[:, 0, 2] - run.q[0, 0, 2] + height
    lowest = int(z[: int((fall + 0.03) * 240)].argmin())
    return float(z[lowest:].max()) / (restitution**2 * height) - 1


def sliding_error(speed: float = 2.0, friction: float = 0.4) -> float:
    """A block that slides to rest under Coulomb friction: s = v² / 2 μ g."""
    conditions = [Gravity(), Throw((speed, 0.0, 0.0)), Floor(friction=friction, restitution=0.0)]
    config = SimulationConfig(seconds=1.3 * speed / (friction * G))
    run = simulate(block(0.4, 0.4, 0.1), conditions, config)
    return abs(float(run.q[-1, 0, 0]) / (speed**2 / (2 * friction * G)) - 1)


CHECKS: dict[str, tuple[Callable[[], float], float]] = {
    "pendulum_period_error": (pendulum_period_error, 1e-3),
    "free_fall_error": (free_fall_error, 1e-3),
    "spring_period_error": (spring_period_error, 1e-3),
    "angular_momentum_error": (angular_momentum_error, 1e-3),
    "bounce_height_error": (lambda: max(abs(bounce_error(e)) for e in RESTITUTIONS), 2e-2),
    "sliding_distance_error": (sliding_error, 2e-2),
}  # each with its relative tolerance


def measure() -> dict[str, tuple[float, float]]:
    """Error and tolerance of every check."""
    return {name: (check(), tolerance) for name, (check, tolerance) in CHECKS.items()}
