"""`PhysicalDefaults`: physical properties that a kind of kinematics assumes where none are given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PhysicalDefaults:
    """Values for the conditions that are added to a simulation; see `dynamics.Gravity` and `Stiffness`."""

    balanced: bool = True  # the input pose is the static equilibrium under gravity
    skin: float = 0.0  # resistance to stretching, in weights × radii
    glue: float = 0.0  # resistance of loose pieces to parting, in weights
    prior: float = 0.0  # resistance to unlikely poses, in weights × radii
    slowest_hz: float | None = None  # lowest natural frequency, where a material sets one
