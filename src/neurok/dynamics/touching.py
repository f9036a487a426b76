"""What an object can touch, as terms: floors and obstacles."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.contact import Contact
from neurok.dynamics.scene import EARTH, Scene
from neurok.dynamics.surfaces import Ball, Box, Plane, Surface, mesh_surface
from neurok.errors import InputError

SOFT = 0.005  # radii: how deep contact is when it carries 25 times the object's weight at one point


def _contact(scene: Scene, surface: Surface, c: ask.Floor | ask.Obstacle) -> Contact:
    own = scene.contacts
    speed = math.sqrt(EARTH * scene.radius)
    strength = 25 * scene.total_mass * EARTH / (SOFT * scene.radius) ** 2
    return Contact(
        surface, own.start, own.stop - own.start, strength, c.restitution, c.friction, 1e-3 * speed,
        1e-2 * speed, torch.zeros((), dtype=torch.float64),
    )  # fmt: skip


def floor(scene: Scene, c: ask.Floor, gravity: Float[Tensor, "3"]) -> Contact:
    plane = Plane(scene.up[:, None], floor_height(scene, c) * scene.metres)
    weight = scene.total_mass * -(gravity.detach() @ scene.up).clamp(max=0.0)
    return replace(_contact(scene, plane, c), weight=weight)


def floor_height(scene: Scene, c: ask.Floor) -> float:
    """In the file's units."""
    return float((scene.shape.bounds @ scene.shape.frame.up_vector).min()) if c.height is None else c.height


def obstacle(scene: Scene, c: ask.Obstacle) -> Contact:
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
