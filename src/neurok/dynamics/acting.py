"""What acts on an object from outside, as terms: its weight, pushes, drags, pins, wind, motors."""

from __future__ import annotations

import math

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.coordinate_terms import Hold, Servo
from neurok.dynamics.places import mixture, rows, spread, vertices_at
from neurok.dynamics.point_terms import PointPush, Tether, Wind
from neurok.dynamics.scene import Scene, coordinate, number
from neurok.dynamics.terms import Weight
from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.sample import sample_surface

PIN_POINTS = 12
HAND = 3.0  # Hz at which a hand that drags would swing the whole object


def gravity(scene: Scene, c: ask.Gravity) -> Float[Tensor, "3"]:
    """m/s²."""
    way = -scene.up if c.direction is None else scene.vector(c.direction, "the direction of gravity")
    if not float(way.norm()) > 0:
        raise InputError(scene.shape.name, "gravity has no direction", "Give one that is not zero")
    return number(c.acceleration) * way / way.norm()


def weight(scene: Scene, c: ask.Gravity, tilt: ask.Tilt | None) -> Weight:
    pull = gravity(scene, c)
    if tilt is None:
        return Weight(scene.mass.moment, pull, scene.up)
    axis = scene.vector(tilt.axis, "the axis of the tilt")
    if not float(axis.norm()) > 0:
        raise InputError(scene.shape.name, "the tilt has no axis", "Give one that is not zero")
    window = (tilt.start, tilt.start + tilt.duration)
    return Weight(scene.mass.moment, pull, axis / axis.norm(), -math.radians(tilt.angle), window)


def hold(scene: Scene, c: ask.Gravity) -> Hold:
    """What carries the object's weight at rest, within the object: Jᵀ Σ m g there, the other way."""
    rest = scene.kinematics.rest
    slope = scene.kinematics.jets(rest[None], 0 * rest[None]).slope[0]  # k a m
    pull = torch.einsum("iam,kam,i->k", scene.mass.moment, slope, gravity(scene, c))
    root = scene.kinematics.root_dim
    return Hold(rest, torch.cat([0 * pull[:root], -pull[root:]]))


def push(scene: Scene, c: ask.Push) -> PointPush:
    point = scene.points_at(mixture(scene.shape, c.at, c.radius))
    force = scene.vector(c.force, "the force of a push")
    return PointPush(torch.tensor(point), force, (c.start, c.start + c.duration))


def drag(scene: Scene, c: ask.Drag) -> Tether:
    mix = mixture(scene.shape, c.at, c.radius)
    first = scene.points_at(mix)
    begin = torch.tensor(mix @ scene.shape.vertices).T * scene.metres
    end = scene.vector(c.to, "the target of a drag")[:, None] * scene.metres
    pulse = 2 * math.pi * HAND
    stiffness = scene.total_mass * pulse**2 if c.stiffness is None else c.stiffness
    damping = 2 * math.sqrt(stiffness * scene.total_mass) if c.damping is None else c.damping
    until = c.start + c.duration + c.hold
    return Tether(first, begin, end, (c.start, c.start + c.duration), until, stiffness, damping)


def pinned_vertices(shape: Shape, c: ask.Pin) -> Int[np.ndarray, " v"]:
    """The vertices that a pin holds."""
    held = vertices_at(shape, c.at, c.radius)
    left = np.isin(shape.vertex_part[held], [shape.part_names.index(name) for name in c.free])
    if left.all():
        raise InputError(shape.name, "every vertex of a pin is left free", "Pin another place")
    return held[~left]


def pin(scene: Scene, c: ask.Pin) -> Tether:
    held = pinned_vertices(scene.shape, c)
    if len(held) > PIN_POINTS:
        held = held[spread(scene.shape, held, PIN_POINTS)]
    first = scene.points_at(rows(held, len(scene.shape.vertices)))
    places = torch.tensor(scene.shape.vertices[held]).T * scene.metres
    pulse, share = 2 * math.pi * c.frequency, scene.total_mass / len(held)
    springs = share * pulse**2, 2 * share * pulse
    return Tether(first, places, places, (0.0, 0.0), ask.ALWAYS, *springs, is_pin=True)


def wind(scene: Scene, c: ask.Wind) -> Wind:
    shape = scene.shape
    faces = shape.faces[sample_surface(shape, c.faces, even=False).face]
    first = scene.points_at(rows(faces.T.ravel(), len(shape.vertices)))
    corners = shape.vertices[faces] * scene.metres
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    return Wind(
        first, len(faces), shape.area * scene.metres**2 / len(faces), torch.tensor(area),
        scene.vector(c.velocity, "the velocity of the wind"), 0.5 * c.density * c.coefficient,
        (c.start, c.start + c.duration),
    )  # fmt: skip


def servo(scene: Scene, c: ask.Motor) -> Servo:
    index = coordinate(scene.kinematics, c.coordinate)
    inertia = float(scene.inertia[index])
    pulse = 2 * math.pi * c.frequency
    return Servo(
        index, scene.kinematics.rest[index], number(c.target), (c.start, c.start + c.duration),
        inertia * pulse**2, 2 * c.ratio * inertia * pulse, min(c.effort, 1e9 * inertia * pulse**2),
    )  # fmt: skip
