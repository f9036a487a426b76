"""Obstacles: fixed balls, boxes and meshes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import torch

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.places import Vector
from neurok.dynamics.surfaces import Ball, Box, Surface, mesh_surface
from neurok.dynamics.term import Term
from neurok.dynamics.terms.contact import contact
from neurok.errors import InputError


@dataclass(frozen=True, eq=False)
class Obstacle(Condition):
    """A fixed ball, box or mesh, in the object's coordinates."""

    form: Literal["ball", "box", "mesh"]
    centre: Vector = (0.0, 0.0, 0.0)
    size: Vector | float = 1.0  # radius of a ball, sides of a box, scale of a mesh
    file: str | None = None  # of a mesh
    friction: float = number(0.5, 0.0)
    restitution: float = number(0.3, 0.0, 1.0)

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        surface = {"ball": self._ball, "box": self._box, "mesh": self._mesh}[self.form](body)
        return [contact(body, surface, self.friction, self.restitution)]

    def _ball(self, body: Body) -> Surface:
        centre = body.vector(self.centre, "the centre of an obstacle")[:, None] * body.metres
        if not isinstance(self.size, (int, float)) or not self.size > 0:
            raise InputError(body.shape.name, f"the size of a ball is {self.size!r}", "Give its radius")
        return Ball(centre, float(self.size) * body.metres)

    def _box(self, body: Body) -> Surface:
        centre = body.vector(self.centre, "the centre of an obstacle")[:, None] * body.metres
        sides = [self.size] * 3 if isinstance(self.size, (int, float)) else self.size
        half = body.vector(sides, "the size of a box")[:, None] * body.metres / 2
        if not (half > 0).all():
            raise InputError(body.shape.name, f"the size of a box is {self.size!r}", "Give positive sides")
        return Box(centre, half)

    def _mesh(self, body: Body) -> Surface:
        from neurok.shapes.load import load_shape

        if self.file is None or not isinstance(self.size, (int, float)):
            raise InputError(body.shape.name, "a mesh obstacle has no file or no single scale", "Give both")
        centre = body.vector(self.centre, "the centre of an obstacle").numpy()
        mesh = load_shape(self.file)
        there = mesh.frame.to(body.shape.frame)[:3, :3]
        grid = mesh_surface((mesh.vertices @ there.T * float(self.size) + centre) * body.metres, mesh.faces)
        return replace(grid, **{n: torch.tensor(getattr(grid, n)) for n in ("origin", "size", "values")})
