"""Measures energy conservation over 60 s, and the energy balance of runs with forces and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from neurok.dynamics import (
    Condition,
    Damping,
    Drag,
    Drop,
    Floor,
    Gravity,
    Limits,
    Moving,
    Pose,
    Push,
    Run,
    SimulationConfig,
    Stiffness,
    Throw,
    Tilt,
    Wind,
    simulate,
)
from neurok.evaluation.dynamics.objects import ball, bar, block, learned, rods
from neurok.kinematics import Kinematics, elastic_modes_of
from neurok.latent import NeuROK

CONSERVATION_SECONDS = 60.0
STEP = 1 / 60  # s


class EnergyBalance(NamedTuple):
    """Largest unexplained energy and drift of one run, relative to its energy scale."""

    name: str
    error: float
    drift: float
    frames: int
    notes: tuple[str, ...]


def drift(run: Run) -> float:
    """Change of the mean unexplained energy between the two halves, relative to the energy scale."""
    error = run.energy.unexplained[:, 0] / run.energy.scale[0]
    half = len(error) // 2
    return float((error[half:].mean() - error[:half].mean()).abs())


def conservative(model: NeuROK | None = None) -> dict[str, Callable[[], tuple[Kinematics, list[Condition]]]]:
    """Conservative motions, with joints, elastic modes and learned coordinates."""

    def latent() -> tuple[Kinematics, list[Condition]]:
        kinematics = learned(model)
        pose = {
            name: 0.4 * float(high)
            for name, (_, high) in zip(kinematics.names, kinematics.limits, strict=True)
        }
        return kinematics, [Stiffness(frequency=1.0), Pose(pose), Limits(strength=0.0)]

    return {
        "joints": lambda: (rods(0.6, 0.4), [Gravity(), Pose({"hinge0": 0.9, "hinge1": -0.5})]),
        "elastic": lambda: (bar(), [Gravity(), Moving([0], (0.0, 0.3, 0.0))]),
        "latent": latent,
    }


def measure_conservation(
    seconds: float = CONSERVATION_SECONDS, model: NeuROK | None = None
) -> list[EnergyBalance]:
    """Balances of the conservative motions at h = 1/60 s."""
    config = SimulationConfig(seconds=seconds, fps=10.0, step=STEP)
    return [_balance(name, simulate(*make(), config)) for name, make in conservative(model).items()]


FORCED: dict[str, Callable[[], tuple[Kinematics, list[Condition]]]] = {
    "bar in wind": lambda: (
        bar(), [Gravity(), Damping(by_mass=0.3, by_stiffness=1e-3), Wind((0.0, 4.0, 0.0))]
    ),
    "bar tilted and dragged": lambda: (
        bar(),
        [
            Gravity(), Damping(by_mass=1.0), Tilt(40.0, duration=0.3),
            Drag(0, (-0.2, 0.1, 0.1), duration=0.3, hold=0.2),
        ],
    ),
    "rods pushed": lambda: (
        rods(0.6, 0.4), [Gravity(), Damping(), Push((5.0, 0.0, 2.0), at="rod1", duration=0.4)]
    ),
    "block sliding": lambda: (
        block(0.4, 0.4, 0.1), [Gravity(), Throw((2.0, 0.3, 0.0)), Floor(friction=0.4, restitution=0.0)]
    ),
    "soft ball landing": lambda: (
        elastic_modes_of(ball(), modes=3, handles=6), [Gravity(), Drop(0.05), Floor(), Damping()]
    ),
}  # fmt: skip


def measure_balance(seconds: float = 1.0) -> list[EnergyBalance]:
    """Balances of runs with external forces, damping, friction and impacts."""
    config = SimulationConfig(seconds=seconds, contact_points=12)
    return [_balance(name, simulate(*make(), config)) for name, make in FORCED.items()]


def _balance(name: str, run: Run) -> EnergyBalance:
    return EnergyBalance(name, float(run.energy.error.max()), drift(run), min(run.frames), run.notes)
