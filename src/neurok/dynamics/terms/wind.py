"""Wind: pressure of moving air on the surface."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float

from neurok.dynamics.body import Body
from neurok.dynamics.condition import ALWAYS, Condition, Scenario, number
from neurok.dynamics.places import Vector, rows
from neurok.dynamics.term import Instant, Load, Term, generalised_force, generalised_matrix, within
from neurok.geometry.arrays import Array, namespace
from neurok.shapes.sample import sample_surface


@dataclass(frozen=True, eq=False)
class Wind(Condition):
    """Air that moves past the surface: ½ ρ c |u·n| (u·n) n on every triangle."""

    velocity: Vector  # m/s
    start: float = number(0.0, 0.0)
    duration: float = number(ALWAYS, 0.0, infinite=True)
    density: float = number(1.2, 0.0)  # kg/m³
    coefficient: float = number(1.2, 0.0)
    faces: int = 64  # sampled triangles

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        shape = body.shape
        faces = shape.faces[sample_surface(shape, self.faces, even=False).face]
        first = body.points_at(rows(faces.T.ravel(), len(shape.vertices)))
        a, b, c = (shape.vertices[faces] * body.metres).transpose(1, 0, 2)
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
        force = WindForce(
            first, len(faces), shape.area * body.metres**2 / len(faces), torch.tensor(area),
            body.vector(self.velocity, "the velocity of the wind"), 0.5 * self.density * self.coefficient,
            (self.start, self.start + self.duration),
        )  # fmt: skip
        return [force]


@dataclass(frozen=True, eq=False)
class WindForce(Term):
    """Air that pushes on triangles: f = ½ ρ c A |u·n| (u·n) n, with u the wind relative to the triangle.

    The triangles are a sample, so that the cost does not grow with the mesh. Each represents an equal share
    of the surface, `share` m² at rest, which stretches with the triangle.
    """

    first: int  # corners a of all triangles from here, then all b, then all c
    count: int
    share: float  # m² that each represents
    rest_area: Float[Array, " s"]  # m²
    velocity: Float[Array, "*b 3"]  # m/s
    pressure: float  # ½ ρ c, kg/m³
    window: tuple[float, float]  # s

    def _corners(self, points: Float[Array, "*rows 3 p"]) -> list[Float[Array, "*rows 3 s"]]:
        f, s = self.first, self.count
        return [points[..., f + i * s : f + (i + 1) * s] for i in range(3)]

    def load(self, now: Instant) -> Load:
        if not within(now.time, self.window):
            return Load()
        xp = namespace(now.q)
        a, b, c = self._corners(now.x)
        areas = xp.linalg.cross((b - a).swapaxes(1, 2), (c - a).swapaxes(1, 2)).swapaxes(1, 2) / 2
        length = xp.sqrt((areas**2).sum(1) + 1e-30)[:, None]
        normal = areas / length
        va, vb, vc = self._corners(now.xd)
        relative = ((self.velocity[..., None] - (va + vb + vc) / 3) * normal).sum(1)[:, None]
        strength = self.pressure * self.share * length / self.rest_area
        force = strength * xp.abs(relative) * relative * normal
        jacobian = sum(self._corners(now.jacobian)) / 3
        blocks = (2 * strength * xp.abs(relative))[:, None] * normal[:, :, None] * normal[:, None]
        return Load(external=generalised_force(jacobian, force), damping=generalised_matrix(jacobian, blocks))
