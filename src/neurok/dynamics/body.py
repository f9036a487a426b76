"""`Body`: the constants of one simulated object: mass, size, and the points that forces act on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from jaxtyping import Float
from scipy import sparse
from torch import Tensor

from neurok.dynamics.cohesion import glue_stiffness, skin_stiffness
from neurok.dynamics.places import Vector, contact_vertices, rows
from neurok.errors import InputError
from neurok.kinematics import Kinematics, Mass

EARTH = 9.81  # m/s²
CONTACT_POINTS = 192  # of the surface; dense enough that soft bodies do not sink in between them
MASSLESS, ADDED_MASS = 1e-7, 1e-2  # shares of the inertia, see `Body.added_mass`


@dataclass(eq=False)
class Body:
    """One object with its mass. Terms register the points that their forces act on."""

    kinematics: Kinematics
    mass: Mass
    contact_points: int = CONTACT_POINTS
    rows: list[sparse.csr_matrix] = field(default_factory=list)  # mixtures of vertices that forces act on
    found: dict[Any, int] = field(default_factory=dict)  # first column of each of them

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
    def rest_mass(self) -> Float[Tensor, "k k"]:
        """M at rest."""
        with torch.no_grad():
            rest = self.kinematics.rest[None]
            slope = self.kinematics.jets(rest, 0 * rest).slope[0]
            return (self.mass.times(slope).flatten(1) @ slope.flatten(1).T).detach()

    @cached_property
    def inertia(self) -> Float[Tensor, " k"]:
        """Inertia of each coordinate alone: the diagonal of M at rest, with a small positive floor."""
        own = self.rest_mass.diagonal()
        return own.clamp(min=1e-9 * float(own.max()) + 1e-30) if len(own) else own

    @cached_property
    def added_mass(self) -> Float[Tensor, "k k"]:
        """Mass in directions of q that move no mass, in which M would be singular.

        An eigenvalue of M at rest, relative to the inertia of the single coordinates, is raised to ADDED_MASS
        if it is below MASSLESS. The added mass is zero unless coordinates repeat each other, as those of a
        free root and of a massless joint below it do.
        """
        scale = self.inertia.sqrt()
        values, axes = torch.linalg.eigh(self.rest_mass / scale[:, None] / scale)
        lack = (ADDED_MASS - values) * (values < MASSLESS)
        return scale[:, None] * (axes * lack) @ axes.T * scale

    @cached_property
    def skin_stiffness(self) -> Float[Tensor, "k k"]:
        """K of a skin with the energy 1 J, in the coordinates without the free root; see `cohesion`."""
        return skin_stiffness(self.kinematics.own, 1.0)

    @cached_property
    def glue_stiffness(self) -> Float[Tensor, "k k"]:
        """K of a glue with the force 1 N, in the coordinates without the free root; see `cohesion`."""
        return glue_stiffness(self.kinematics.own, 1.0)

    @cached_property
    def contacts(self) -> slice:
        """The contact points, among all points that forces act on."""
        vertices = contact_vertices(self.shape, self.contact_points)
        first = self.points_at(rows(vertices, len(self.shape.vertices)))
        return slice(first, first + len(vertices))

    def points_at(self, mix: sparse.csr_matrix) -> int:
        """The first column of these points; new ones are added."""
        key = mix.indptr.tobytes(), mix.indices.tobytes(), mix.data.tobytes()
        if key not in self.found:
            self.found[key] = sum(r.shape[0] for r in self.rows)  # pyright: ignore
            self.rows.append(mix)
        return self.found[key]

    def points(self) -> Float[Tensor, "m p"]:
        """The map from one row of the code to all points."""
        n, size = len(self.shape.vertices), self.kinematics.code(self.kinematics.rest).shape[-1]
        mix = sparse.csr_matrix(sparse.vstack(self.rows)) if self.rows else sparse.csr_matrix((0, n))
        return self.kinematics.basis.point_columns(mix, size) * self.metres

    def vector(self, value: Vector, what: str) -> Float[Tensor, "3"]:
        return finite_vector(self.shape.name, value, what)


def finite_vector(name: str, value: Vector, what: str) -> Float[Tensor, "3"]:
    """A vector that the user gives for the object `name`, checked."""
    found = value.double() if isinstance(value, Tensor) else torch.as_tensor(value, dtype=torch.float64)
    if found.shape != (3,) or not torch.isfinite(found).all():
        raise InputError(name, f"{what} is {value!r}", "Give three finite numbers")
    return found


def coordinate(kinematics: Kinematics, name: str) -> int:
    if name not in kinematics.names:
        known = ", ".join(kinematics.names[:12])
        raise InputError(kinematics.shape.name, f"has no coordinate {name!r}", f"There are: {known}")
    return kinematics.names.index(name)


def scalar(value: float | Tensor) -> Tensor:
    return torch.as_tensor(value, dtype=torch.float64)
