"""`Kinematics`: coordinates q and the map to geometry that every kind of motion space implements."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.kinematics.basis import Basis
from neurok.kinematics.defaults import PhysicalDefaults
from neurok.kinematics.jets.jet import AutodiffJets, Jets
from neurok.kinematics.mass import Mass, mass_of_points
from neurok.kinematics.prior import CoordinatePrior
from neurok.shapes import Shape
from neurok.shapes.mass import vertex_mass

Quantity = Literal["angle", "length", "number"]


@runtime_checkable
class Kinematics(Protocol):
    """Generalised coordinates q ∈ R^k of one shape, and the map x(q) = B c(q) to its vertices.

    A pure function of q, differentiable in torch, batched over leading dimensions of q, in float64.
    Every kind of motion space inherits from this class. It sets `shape`, `names`, `rest`, `limits` and
    `basis`, implements `code`, and overrides whichever default differs. Simulation, fitting, sampling,
    export and the studio use these members alone.
    """

    shape: Shape
    names: tuple[str, ...]  # one per coordinate
    rest: Float[Tensor, " k"]  # q of the input pose
    limits: Float[Tensor, "k 2"]  # lowest and highest value of each coordinate, ±inf where there is none
    basis: Basis
    is_anchored: bool = False  # the base is held by construction

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """c(q): the small non-linear half of the map."""
        ...

    def positions(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch n 3"]:
        """x(q) = B c(q): every vertex, in the shape's own coordinates."""
        return self.basis.apply(self.code(q))

    @property
    def dim(self) -> int:
        """k."""
        return len(self.names)

    @property
    def own(self) -> Kinematics:
        """Kinematics without the free root."""
        return self

    @property
    def root_dim(self) -> int:
        """Number of coordinates of the free root, which come first; 0 without one."""
        return 0

    @property
    def has_built_in_pins(self) -> bool:
        """Whether vertices pinned at construction cannot move, so that no pin force is needed."""
        return False

    @property
    def jets(self) -> Jets:
        """c(q) with its first and second derivatives; automatic differentiation by default."""
        return AutodiffJets(self.code, self.basis.by_axis)

    def mass(self, per_vertex: Float[Tensor, " n"] | None = None) -> Mass:
        """Mass of the object, from kilograms `per_vertex` if given. Differentiable in `per_vertex`.

        By default the volume or the surface of the shape is weighed, see `shapes.mass.vertex_mass`.
        """
        if per_vertex is None:
            per_vertex = torch.tensor(vertex_mass(self.shape))
        return mass_of_points(self.basis, per_vertex, self.shape.frame.metres_per_unit)

    @property
    def material_stiffness(self) -> Float[Tensor, "k k"] | None:
        """K of the elastic energy ½ (q − rest)ᵀ K (q − rest), in J; None where no material is known."""
        return None

    @property
    def joint_damping(self) -> Float[Tensor, " k"]:
        """Viscous friction of each coordinate that the file states."""
        return torch.zeros(self.dim, dtype=torch.float64)

    @property
    def prior(self) -> CoordinatePrior | None:
        """Distribution of plausible poses, where one is known."""
        return None

    @property
    def pose_deviation(self) -> Float[Tensor, " k"]:
        """Standard deviation of random poses about rest: the prior's, or a quarter of each range."""
        if self.prior is not None:
            return self.prior.deviation
        lower, upper = self.finite_limits(1.0).unbind(-1)
        return (upper - lower) / 4

    @property
    def defaults(self) -> PhysicalDefaults:
        """Physical properties that are assumed where none are given."""
        return PhysicalDefaults()

    def describe(self) -> str:
        """One line: the coordinates that move the object."""
        return f"moved by {self.dim} coordinates"

    def quantity(self, name: str) -> Quantity:
        """The kind of quantity that a coordinate measures."""
        return "number"

    def finite_limits(self, reach: float) -> Float[Tensor, "k 2"]:
        """The limits, with rest ∓ reach in place of infinite ones."""
        rest = self.rest[:, None] + torch.tensor([-reach, reach], dtype=torch.float64)
        return torch.where(torch.isfinite(self.limits), self.limits, rest)
