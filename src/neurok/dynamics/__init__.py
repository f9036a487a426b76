"""Lagrangian mechanics on any kinematics: conditions in, motion and its energy out."""

from neurok.dynamics.conditions import (
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
    Placed,
    Pose,
    Push,
    Stiffness,
    Throw,
    Tilt,
    Wind,
)
from neurok.dynamics.energy import EnergyReport
from neurok.dynamics.places import standing_base
from neurok.dynamics.schema import load_conditions, parse_conditions
from neurok.dynamics.simulate import Frame, Run, SimulationConfig, collected, simulate, stream

__all__ = [
    "Condition",
    "Damping",
    "Drag",
    "Drop",
    "EnergyReport",
    "Floor",
    "Frame",
    "Gravity",
    "Limits",
    "Motor",
    "Moving",
    "Obstacle",
    "Pin",
    "Placed",
    "Pose",
    "Push",
    "Run",
    "SimulationConfig",
    "Stiffness",
    "Throw",
    "Tilt",
    "Wind",
    "collected",
    "load_conditions",
    "parse_conditions",
    "simulate",
    "standing_base",
    "stream",
]
