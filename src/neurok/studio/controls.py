"""`Controls`: the settings that can be changed during a simulation, with their ranges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.geometry.rotations import rotation_about

RANGES = {
    "gravity": (0.0, 30.0),
    "wind": (0.0, 40.0),
    "heading": (-180.0, 180.0),
    "tilt": (-90.0, 90.0),
    "damping": (0.0, 20.0),
    "stiffness": (0.05, 20.0),
}


@dataclass(frozen=True)
class Controls:
    """Gravity, wind, tilt, floor, damping and stiffness."""

    gravity: float = 9.81  # m/s²
    wind: float = 0.0  # m/s
    heading: float = 30.0  # degrees about the up axis from x, towards which the wind blows
    tilt: float = 0.0  # degrees about the x axis
    damping: float = 0.5  # 1/s
    stiffness: float = 1.0  # multiple of the object's own
    floor: bool = True

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
                raise InputError(name, f"is {value!r}", f"Give a number from {low:g} to {high:g}")
        if not isinstance(self.floor, bool):
            raise InputError("floor", f"is {self.floor!r}", "Give true or false")

    def changed(self, values: Mapping[str, Any]) -> Controls:
        """A copy with some values changed."""
        known = {f.name for f in fields(self)}
        if unknown := set(values) - known:
            raise InputError(min(unknown), "is not a control", f"There are: {', '.join(sorted(known))}")
        return replace(self, **values)

    def wind_velocity(self, up: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3"]:
        """Horizontal wind velocity in m/s: along x at heading 0, counter-clockwise from above."""
        return self.wind * rotation_about(up, math.radians(self.heading))[:, 0]
