"""What a user can ask to happen to an object: one small record each, the same in Python, JSON and YAML.

Forces are newtons, speeds metres per second, angles degrees, times seconds; places are in the coordinates of
the object's own file. Vectors may be tensors with gradients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

import numpy as np
from torch import Tensor

from neurok.errors import InputError

Vector = Sequence[float] | np.ndarray | Tensor
Place = int | str | Vector
"""Where on the object: a vertex by its number, a part by its name, or the vertex nearest to a point."""

ALWAYS = float("inf")


class _Checked:
    """Numbers must be finite and in range; the error names the record, the field and the fix."""

    def __post_init__(self) -> None:
        for f in fields(self):  # pyright: ignore
            value, rule = getattr(self, f.name), f.metadata
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            low, high = rule.get("low", -np.inf), rule.get("high", np.inf)
            if np.isnan(value) or not low <= value <= high or (np.isinf(value) and not rule.get("infinite")):
                raise InputError(
                    type(self).__name__.lower(),
                    f"{f.name} is {value}",
                    f"Give a number from {low:g} to {high:g}",
                )


def _number(default: float, low: float = -np.inf, high: float = np.inf, infinite: bool = False):
    return field(default=default, metadata={"low": low, "high": high, "infinite": infinite})


@dataclass(frozen=True, eq=False)
class Gravity(_Checked):
    """The pull of the Earth, down along the up axis of the file unless a direction is given.

    `balanced`: the shape is drawn as it stands, so that at rest it carries its own weight: −∂V/∂q at rest is
    held against gravity for ever, and only what moves away from rest feels the difference.
    """

    acceleration: float | Tensor = 9.81  # m/s²
    direction: Vector | None = None
    balanced: bool = False


@dataclass(frozen=True, eq=False)
class Push(_Checked):
    """A force on a place for a while, spread evenly over a part, or over what lies within a radius."""

    force: Vector  # N
    at: Place
    start: float = _number(0.0, 0.0)
    duration: float = _number(0.2, 0.0, infinite=True)
    radius: float = _number(0.0, 0.0)  # in the file's units


@dataclass(frozen=True, eq=False)
class Drag(_Checked):
    """A spring and a damper from a place to a hand that moves to a target, holds, and lets go."""

    at: Place
    to: Vector
    start: float = _number(0.0, 0.0)
    duration: float = _number(1.0, 0.0)
    hold: float = _number(ALWAYS, 0.0, infinite=True)
    stiffness: float | None = None  # N/m; by default the hand swings the whole object at 3 Hz
    damping: float | None = None  # N·s/m; critical by default
    radius: float = _number(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Throw(_Checked):
    """The object starts free, at a velocity and a spin about its centre."""

    velocity: Vector = (0.0, 0.0, 0.0)  # m/s
    spin: Vector = (0.0, 0.0, 0.0)  # rad/s


@dataclass(frozen=True, eq=False)
class Drop(_Checked):
    """The object starts free, with its lowest point at a height above the floor."""

    height: float = _number(1.0, 0.0)  # m


@dataclass(frozen=True, eq=False)
class Tilt(_Checked):
    """What the object stands on tilts: gravity turns the other way, as seen from it."""

    angle: float = _number(20.0, -180.0, 180.0)  # degrees
    axis: Vector = (1.0, 0.0, 0.0)
    start: float = _number(0.0, 0.0)
    duration: float = _number(1.0, 0.0)


@dataclass(frozen=True, eq=False)
class Wind(_Checked):
    """Air that moves past the surface: ½ ρ c |u·n| (u·n) n on every triangle."""

    velocity: Vector  # m/s
    start: float = _number(0.0, 0.0)
    duration: float = _number(ALWAYS, 0.0, infinite=True)
    density: float = _number(1.2, 0.0)  # kg/m³
    coefficient: float = _number(1.2, 0.0)
    faces: int = 64  # sampled triangles


@dataclass(frozen=True, eq=False)
class Pin(_Checked):
    """A place held where it is at rest; "auto" is the base that the object stands on."""

    at: Place = "auto"
    free: Sequence[str] = ()  # parts of it that are not held
    radius: float = _number(0.0, 0.0)
    frequency: float = _number(15.0, 0.0)  # Hz at which the whole object would swing on the pin


@dataclass(frozen=True, eq=False)
class Motor(_Checked):
    """A coordinate driven to a target: stiffness (target − q) − damping q̇, within its effort."""

    coordinate: str
    target: float | Tensor  # in the coordinate's own terms: radians, units, or a number
    start: float = _number(0.0, 0.0)
    duration: float = _number(1.0, 0.0)
    frequency: float = _number(3.0, 0.0)  # Hz: stiffness = (2π f)² times the inertia at rest
    ratio: float = _number(1.0, 0.0)  # of damping to critical
    effort: float = _number(ALWAYS, 0.0, infinite=True)  # N·m, N, or J


@dataclass(frozen=True, eq=False)
class Pose(_Checked):
    """Coordinates at the start, by name; the others are at rest."""

    values: Mapping[str, float]
    rates: Mapping[str, float] = field(default_factory=dict)  # per second


@dataclass(frozen=True, eq=False)
class Placed(_Checked):
    """Some vertices at given places at the start: q₀ by Gauss–Newton."""

    vertices: Sequence[int]
    positions: Sequence[Vector]


@dataclass(frozen=True, eq=False)
class Moving(_Checked):
    """Some vertices at given velocities at the start: q̇₀ = argmin ‖ẋ₀ − J q̇‖_m."""

    vertices: Sequence[int]
    velocity: Vector | Sequence[Vector]  # m/s, one for all or one each


@dataclass(frozen=True, eq=False)
class Floor(_Checked):
    """A plane across the up axis, at the lowest point of the rest shape unless a height is given."""

    height: float | None = None  # in the file's units
    friction: float = _number(0.5, 0.0)
    restitution: float = _number(0.3, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Obstacle(_Checked):
    """A fixed ball, box or mesh, in the object's coordinates."""

    form: Literal["ball", "box", "mesh"]
    centre: Vector = (0.0, 0.0, 0.0)
    size: Vector | float = 1.0  # radius of a ball, sides of a box, scale of a mesh
    file: str | None = None  # of a mesh
    friction: float = _number(0.5, 0.0)
    restitution: float = _number(0.3, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Damping(_Checked):
    """Rayleigh's: forces α M q̇ + β K q̇. Free motion decays as exp(−α t / 2)."""

    by_mass: float | Tensor = field(default=0.5, metadata={"low": 0.0})  # α, 1/s
    by_stiffness: float | Tensor = field(default=0.0, metadata={"low": 0.0})  # β, s
    joints: bool = True  # and the damping that the file gives its joints


@dataclass(frozen=True, eq=False)
class Stiffness(_Checked):
    """How strongly the object returns to rest: its material's times `scale`, or by frequency.

    Elastic modes are as stiff as their material without being asked. Learned coordinates are as stiff as is
    said here: by a skin that resists stretching and pieces that part, and by how unlikely a pose is.
    """

    scale: float | Tensor = field(default=1.0, metadata={"low": 0.0})
    frequency: float | None = None  # Hz of every coordinate alone; needed where no material is known
    skin: float = _number(0.0, 0.0)  # weights × radii: V = ½ skin ε², ε the surface's strain
    glue: float = _number(0.0, 0.0)  # object's weights that part loose pieces of a part by 0.03 radii
    prior: float = _number(0.0, 0.0)  # weights × radii: V = ½ prior |q|², q in standard deviations


@dataclass(frozen=True, eq=False)
class Limits(_Checked):
    """Soft walls where coordinates end: joint limits, the range of modes, the dense part of a learned prior.

    They are there without being asked; `strength` 0 takes them away.
    """

    restitution: float = _number(0.2, 0.0, 1.0)
    strength: float = _number(1.0, 0.0)  # 1: a third of a second for the whole range is stopped in 2 % of it


Condition = (
    Gravity | Push | Drag | Throw | Drop | Tilt | Wind | Pin | Motor | Pose | Placed | Moving | Floor
    | Obstacle | Damping | Stiffness | Limits
)  # fmt: skip
