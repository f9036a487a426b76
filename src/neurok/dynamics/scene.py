"""From conditions to equations: what each of them adds to the system, and how the motion starts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from scipy import sparse
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.cohesion import glue_stiffness, skin_stiffness
from neurok.dynamics.conditions import Condition, Vector
from neurok.dynamics.contact import Contact
from neurok.dynamics.coordinate_terms import Damper, Hold, Servo, Spring, Walls
from neurok.dynamics.mass import Mass
from neurok.dynamics.places import contact_vertices, mixture, rows, spread, vertices_at
from neurok.dynamics.point_terms import PointPush, Tether, Wind
from neurok.dynamics.surfaces import Ball, Box, Plane, Surface, mesh_surface
from neurok.dynamics.terms import Term, Weight
from neurok.errors import InputError
from neurok.kinematics import ElasticKinematics, JointKinematics, Kinematics, LatentKinematics
from neurok.kinematics.jets import jets_of
from neurok.kinematics.rooted import ROOT, FreeKinematics
from neurok.kinematics.skinning import SkinBasis
from neurok.shapes.sample import sample_surface

EARTH = 9.81  # m/s²
PIN_POINTS = 12
SOFT = 0.005  # radii: how deep contact is when it carries 25 times the object's weight at one point
FAR = 1e12  # a limit that is none
WEAK = 1e-2


@dataclass(eq=False)
class Scene:
    """One object and what is known of it before anything happens."""

    kinematics: Kinematics
    mass: Mass
    contact_points: int = 48
    rows: list[sparse.csr_matrix] = field(default_factory=list)  # mixtures of vertices that forces act on
    found: dict[Any, int] = field(default_factory=dict)

    @property
    def shape(self):
        return self.kinematics.shape

    @cached_property
    def metres(self) -> float:
        return self.shape.frame.metres_per_unit

    @cached_property
    def up(self) -> Float[Tensor, "3"]:
        return torch.tensor(self.shape.frame.up_vector)

    @cached_property
    def radius(self) -> float:
        """m."""
        return self.shape.normalisation.radius * self.metres

    @cached_property
    def total_mass(self) -> float:
        return max(float(self.mass.total.detach()), 1e-12)

    @cached_property
    def inner(self) -> int:
        """The first coordinate that is not the root's."""
        return len(ROOT) if isinstance(self.kinematics, FreeKinematics) else 0

    @cached_property
    def rest_mass(self) -> Float[Tensor, "k k"]:
        """M at rest."""
        with torch.no_grad():
            rest = self.kinematics.rest[None]
            slope = jets_of(self.kinematics)(rest, 0 * rest).slope[0]
            return (self.mass.times(slope).flatten(1) @ slope.flatten(1).T).detach()

    @cached_property
    def inertia(self) -> Float[Tensor, " k"]:
        """What each coordinate moves alone: the diagonal of M at rest, or a trace where that is nothing."""
        own = self.rest_mass.diagonal()
        return own.clamp(min=1e-9 * float(own.max()) + 1e-30) if len(own) else own

    @cached_property
    def added_mass(self) -> Float[Tensor, "k k"]:
        """What M lacks in directions that hardly move any mass: there it is raised to WEAK of what the
        coordinates move alone. Zero but for coordinates that repeat each other, such as those of a free root
        and of a joint to nothing."""
        scale = self.inertia.sqrt()
        values, axes = torch.linalg.eigh(self.rest_mass / scale[:, None] / scale)
        lack = (WEAK - values) * (values < WEAK / 10)
        return scale[:, None] * (axes * lack) @ axes.T * scale

    def points_at(self, what: Any, mix: sparse.csr_matrix) -> int:
        """The first column of these points, which are added when they are new."""
        key = repr(what)
        if key not in self.found:
            self.found[key] = sum(r.shape[0] for r in self.rows)  # pyright: ignore
            self.rows.append(mix)
        return self.found[key]

    def points(self) -> Float[Tensor, "m p"]:
        """The map from one row of the code to all points."""
        basis, n = self.kinematics.basis, len(self.shape.vertices)
        mix = sparse.csr_matrix(sparse.vstack(self.rows)) if self.rows else sparse.csr_matrix((0, n))
        if isinstance(basis, SkinBasis):
            return torch.tensor(sparse.csr_matrix(mix @ basis.matrix).toarray().T * self.metres)
        size = self.kinematics.code(self.kinematics.rest).shape[-1]
        at = basis.at(mix)(torch.eye(size, dtype=torch.float64))  # r s 3
        return at.transpose(1, 2).flatten(1) * self.metres

    def vector(self, value: Vector, what: str) -> Float[Tensor, "3"]:
        found = (
            torch.as_tensor(value, dtype=torch.float64) if not isinstance(value, Tensor) else value.double()
        )
        if found.shape != (3,) or not torch.isfinite(found).all():
            raise InputError(self.shape.name, f"{what} is {value!r}", "Give three finite numbers")
        return found


def _pull(scene: Scene, conditions: Sequence[Condition]) -> Float[Tensor, "3"]:
    """The weight as a force, N."""
    found = _last(conditions, ask.Gravity, None)
    return 0 * scene.up if found is None else scene.total_mass * _gravity(scene, found).detach()


def terms_of(scene: Scene, conditions: Sequence[Condition], q: Float[Tensor, " k"]) -> list[Term]:
    """Everything that acts, in the order of the conditions; the object's own stiffness and limits last."""
    terms: list[Term] = []
    tilt = next((c for c in conditions if isinstance(c, ask.Tilt)), None)
    spring = _spring(scene, _last(conditions, ask.Stiffness, ask.Stiffness()))
    for condition in conditions:
        maker = MAKERS.get(type(condition))
        if maker is not None:
            terms.append(maker(scene, condition))
        elif isinstance(condition, ask.Gravity):
            terms.append(_weight(scene, condition, tilt))
            if condition.balanced:
                terms.append(_hold(scene, _weight(scene, condition, None)))
        elif isinstance(condition, ask.Floor):
            terms.append(_floor(scene, condition, _pull(scene, conditions)))
        elif isinstance(condition, ask.Damping):
            terms.append(_damper(scene, condition, spring))
    if tilt is not None and not any(isinstance(c, ask.Gravity) for c in conditions):
        raise InputError(scene.shape.name, "is tilted without gravity", "Add gravity")
    walls = _walls(scene, _last(conditions, ask.Limits, ask.Limits()), q.detach())
    return [*terms, *(t for t in (spring, walls) if t is not None)]


def _last(conditions: Sequence[Condition], kind: type, default: Any) -> Any:
    return next((c for c in reversed(conditions) if isinstance(c, kind)), default)


def _number(value: float | Tensor) -> Tensor:
    return torch.as_tensor(value, dtype=torch.float64)


def _gravity(scene: Scene, c: ask.Gravity) -> Float[Tensor, "3"]:
    """m/s²."""
    way = -scene.up if c.direction is None else scene.vector(c.direction, "the direction of gravity")
    if not float(way.norm()) > 0:
        raise InputError(scene.shape.name, "gravity has no direction", "Give one that is not zero")
    return _number(c.acceleration) * way / way.norm()


def _weight(scene: Scene, c: ask.Gravity, tilt: ask.Tilt | None) -> Weight:
    gravity = _gravity(scene, c)
    if tilt is None:
        return Weight(scene.mass.moment, gravity, scene.up)
    axis = scene.vector(tilt.axis, "the axis of the tilt")
    if not float(axis.norm()) > 0:
        raise InputError(scene.shape.name, "the tilt has no axis", "Give one that is not zero")
    window = (tilt.start, tilt.start + tilt.duration)
    return Weight(scene.mass.moment, gravity, axis / axis.norm(), -math.radians(tilt.angle), window)


def _hold(scene: Scene, weight: Weight) -> Hold:
    """What carries the object's weight at rest, within the object: Jᵀ Σ m g there, the other way."""
    rest = scene.kinematics.rest
    slope = jets_of(scene.kinematics)(rest[None], 0 * rest[None]).slope[0]  # k a m
    pull = torch.einsum("iam,kam,i->k", weight.moment, slope, weight.gravity)
    return Hold(rest, torch.cat([0 * pull[: scene.inner], -pull[scene.inner :]]))


def _push(scene: Scene, c: ask.Push) -> PointPush:
    point = scene.points_at((c.at, c.radius), mixture(scene.shape, c.at, c.radius))
    force = scene.vector(c.force, "the force of a push")
    return PointPush(torch.tensor(point), force, (c.start, c.start + c.duration))


def _drag(scene: Scene, c: ask.Drag) -> Tether:
    mix = mixture(scene.shape, c.at, c.radius)
    first = scene.points_at((c.at, c.radius), mix)
    begin = torch.tensor(mix @ scene.shape.vertices).T * scene.metres
    end = scene.vector(c.to, "the target of a drag")[:, None] * scene.metres
    pulse = 2 * math.pi * 3.0
    stiffness = scene.total_mass * pulse**2 if c.stiffness is None else c.stiffness
    damping = 2 * math.sqrt(stiffness * scene.total_mass) if c.damping is None else c.damping
    until = c.start + c.duration + c.hold
    return Tether(first, begin, end, (c.start, c.start + c.duration), until, stiffness, damping)


def _pin(scene: Scene, c: ask.Pin) -> Tether:
    held = vertices_at(scene.shape, c.at, c.radius)
    if len(held) > PIN_POINTS:
        held = held[spread(scene.shape, held, PIN_POINTS)]
    first = scene.points_at(("pin", held.tolist()), rows(held, len(scene.shape.vertices)))
    places = torch.tensor(scene.shape.vertices[held]).T * scene.metres
    pulse, share = 2 * math.pi * c.frequency, scene.total_mass / len(held)
    return Tether(first, places, places, (0.0, 0.0), ask.ALWAYS, share * pulse**2, 2 * share * pulse)


def _wind(scene: Scene, c: ask.Wind) -> Wind:
    shape = scene.shape
    faces = shape.faces[sample_surface(shape, c.faces, even=False).face]
    first = scene.points_at(("wind", c.faces), rows(faces.T.ravel(), len(shape.vertices)))
    corners = shape.vertices[faces] * scene.metres
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    return Wind(
        first, len(faces), shape.area * scene.metres**2 / len(faces), torch.tensor(area),
        scene.vector(c.velocity, "the velocity of the wind"), 0.5 * c.density * c.coefficient,
        (c.start, c.start + c.duration),
    )  # fmt: skip


def _servo(scene: Scene, c: ask.Motor) -> Servo:
    index = coordinate(scene.kinematics, c.coordinate)
    inertia = float(scene.inertia[index])
    pulse = 2 * math.pi * c.frequency
    return Servo(
        index, scene.kinematics.rest[index], _number(c.target), (c.start, c.start + c.duration),
        inertia * pulse**2, 2 * c.ratio * inertia * pulse, min(c.effort, 1e9 * inertia * pulse**2),
    )  # fmt: skip


def coordinate(kinematics: Kinematics, name: str) -> int:
    if name not in kinematics.names:
        known = ", ".join(kinematics.names[:12])
        raise InputError(kinematics.shape.name, f"has no coordinate {name!r}", f"There are: {known}")
    return kinematics.names.index(name)


def _contact(scene: Scene, surface: Surface, c: ask.Floor | ask.Obstacle) -> Contact:
    vertices = contact_vertices(scene.shape, scene.contact_points)
    first = scene.points_at("contact", rows(vertices, len(scene.shape.vertices)))
    speed = math.sqrt(EARTH * scene.radius)
    strength = 25 * scene.total_mass * EARTH / (SOFT * scene.radius) ** 2
    return Contact(
        surface, first, len(vertices), strength, c.restitution, c.friction, 1e-3 * speed, 1e-2 * speed,
        torch.zeros((), dtype=torch.float64),
    )  # fmt: skip


def _floor(scene: Scene, c: ask.Floor, pull: Float[Tensor, "3"]) -> Contact:
    plane = Plane(scene.up[:, None], floor_height(scene, c) * scene.metres)
    return replace(_contact(scene, plane, c), weight=-(pull @ scene.up).clamp(max=0.0))


def floor_height(scene: Scene, c: ask.Floor) -> float:
    """In the file's units."""
    return float((scene.shape.bounds @ scene.shape.frame.up_vector).min()) if c.height is None else c.height


def _obstacle(scene: Scene, c: ask.Obstacle) -> Contact:
    centre = scene.vector(c.centre, "the centre of an obstacle")[:, None] * scene.metres
    if c.form == "mesh":
        return _contact(scene, _mesh(scene, c), c)
    if c.form == "ball":
        if not isinstance(c.size, (int, float)) or not c.size > 0:
            raise InputError(scene.shape.name, f"the size of a ball is {c.size!r}", "Give its radius")
        return _contact(scene, Ball(centre, float(c.size) * scene.metres), c)
    sides = [c.size] * 3 if isinstance(c.size, (int, float)) else c.size
    half = scene.vector(sides, "the size of a box")[:, None] * scene.metres / 2
    if not (half > 0).all():
        raise InputError(scene.shape.name, f"the size of a box is {c.size!r}", "Give positive sides")
    return _contact(scene, Box(centre, half), c)


def _mesh(scene: Scene, c: ask.Obstacle) -> Surface:
    from neurok.shapes.load import load_shape

    if c.file is None or not isinstance(c.size, (int, float)):
        raise InputError(scene.shape.name, "a mesh obstacle has no file or no single scale", "Give both")
    mesh = load_shape(c.file)
    there = mesh.frame.to(scene.shape.frame)[:3, :3]
    vertices = mesh.vertices @ there.T * float(c.size) + scene.vector(c.centre, "the centre").numpy()
    grid = mesh_surface(vertices * scene.metres, mesh.faces)
    return replace(grid, **{n: torch.tensor(getattr(grid, n)) for n in ("origin", "size", "values")})


def _spring(scene: Scene, c: ask.Stiffness) -> Spring | None:
    """The stiffness of the material, of a skin, of a prior or of a frequency; None where there is none."""
    inner = scene.kinematics.inner if isinstance(scene.kinematics, FreeKinematics) else scene.kinematics
    k = len(inner.names)
    own = torch.zeros(k, k, dtype=torch.float64)
    if c.frequency is not None:
        own = torch.diag((2 * math.pi * c.frequency) ** 2 * scene.inertia[scene.inner :])
    elif isinstance(inner, ElasticKinematics):
        own = torch.diag(inner.stiffness)
    if isinstance(inner, LatentKinematics):
        weight = scene.total_mass * EARTH
        own = own + skin_stiffness(inner, c.skin * weight * scene.radius)
        own = own + glue_stiffness(inner, c.glue * weight)
        own = own + c.prior * weight * scene.radius * torch.eye(k, dtype=torch.float64)
    if not own.any():
        return None
    return Spring(scene.kinematics.rest, _number(c.scale) * _below_root(scene, own))


def _below_root(scene: Scene, own: Float[Tensor, "k k"]) -> Float[Tensor, "r r"]:
    """A matrix of the object's own coordinates; the root's are free of it."""
    return torch.block_diag(torch.zeros(scene.inner, scene.inner, dtype=torch.float64), own)


def _damper(scene: Scene, c: ask.Damping, spring: Spring | None) -> Damper:
    k = len(scene.kinematics.names)
    rates = torch.zeros(k, k, dtype=torch.float64)
    if spring is not None:
        rates = rates + _number(c.by_stiffness) * spring.stiffness
    inner = scene.kinematics.inner if isinstance(scene.kinematics, FreeKinematics) else scene.kinematics
    if c.joints and isinstance(inner, JointKinematics):
        rates = rates + _below_root(scene, torch.diag(_joint_damping(inner)))
    return Damper(_number(c.by_mass), rates)


def _joint_damping(kinematics: JointKinematics) -> Float[Tensor, " k"]:
    """What the file says, per coordinate; a joint that follows its leader at the rate s adds s² of its own,
    taken at rest."""
    own = [j.damping for j in kinematics.movable for _ in range(j.dim)]
    still = 0 * kinematics.rest[None]
    slopes = kinematics.jets.values(still, still)[1][0]
    return slopes.square() @ torch.tensor(own, dtype=torch.float64)


def _walls(scene: Scene, c: ask.Limits, q: Float[Tensor, " k"]) -> Walls | None:
    """Walls that stop a motion across the whole range in a third of a second within 2 % of the range.

    A start beyond a limit moves the limit there.
    """
    lower, upper = scene.kinematics.limits.unbind(-1)
    walled = torch.isfinite(lower) | torch.isfinite(upper)
    if not walled.any() or not c.strength:
        return None
    span = torch.where(torch.isfinite(upper - lower), upper - lower, torch.ones_like(lower)).clamp(min=1e-6)
    strength = c.strength * 3 * scene.inertia * (3 * span) ** 2 / (0.02 * span) ** 3
    return Walls(
        torch.minimum(lower.clamp(min=-FAR), q), torch.maximum(upper.clamp(max=FAR), q),
        strength * walled, c.restitution, 0.02 * span,
    )  # fmt: skip


MAKERS: dict[type, Any] = {
    ask.Push: _push, ask.Drag: _drag, ask.Pin: _pin, ask.Wind: _wind, ask.Motor: _servo,
    ask.Obstacle: _obstacle,
}  # fmt: skip


def stacked(scenarios: Sequence[Sequence[Term]]) -> tuple[Term, ...]:
    """Terms of many scenarios as one: arrays that differ get a dimension for the scenarios."""
    if len({len(terms) for terms in scenarios}) != 1:
        raise InputError(
            "scenarios", "have different numbers of conditions", "Give each the same kinds in order"
        )
    return tuple(_stack(column) for column in zip(*scenarios, strict=True))


def _stack(terms: Sequence[Any]) -> Any:
    first = terms[0]
    changes = {}
    for f in fields(first):
        values: list[Any] = [getattr(t, f.name, None) for t in terms]
        if isinstance(values[0], Tensor):
            if any(x is not values[0] and not torch.equal(x, values[0]) for x in values):
                changes[f.name] = torch.stack(values)
        elif any(type(t) is not type(first) for t in terms) or (
            not hasattr(values[0], "__dataclass_fields__") and any(x != values[0] for x in values)
        ):
            name = type(first).__name__.lower()
            raise InputError("scenarios", f"{name}: {f.name} differs between them", "Run them one by one")
    return replace(first, **changes)
