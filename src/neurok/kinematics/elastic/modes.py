"""`ElasticKinematics`: coordinates are amplitudes of the slowest elastic modes of a mesh."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Bool, Float
from threadpoolctl import threadpool_limits
from torch import Tensor

from neurok.errors import InputError
from neurok.geometry.rotations import exp_so3, vee
from neurok.kinematics.defaults import PhysicalDefaults
from neurok.kinematics.elastic.handle_motion import amplitudes, orthonormal, well_shown
from neurok.kinematics.elastic.handles import INFLUENCES, Handles, place_handles
from neurok.kinematics.elastic.hexahedra import GAUSS
from neurok.kinematics.elastic.skinning_fit import Blend, agreeing_places, fit
from neurok.kinematics.elastic.vibration import vibration_modes
from neurok.kinematics.jets.elastic import ElasticJets, elastic_jets
from neurok.kinematics.mass import Mass, mass_of_points
from neurok.kinematics.protocol import Kinematics
from neurok.kinematics.skinned import SkinBasis
from neurok.sequences import Skin
from neurok.shapes import Shape
from neurok.shapes.scatter import scatter
from neurok.shapes.voxels import Voxels, trilinear, voxelise

Array = np.ndarray
SPARE_MODES = 4  # computed in addition, to replace modes that the handles cannot reproduce
REACH = 2.0  # limits of q
POSE_DEVIATION = 0.5  # of random poses, in units of q
AFFINE_DIM = 12  # numbers of the affine map of a handle


@dataclass(frozen=True)
class ElasticMaterial:
    """An isotropic elastic solid; the defaults are soft rubber."""

    young_modulus: float = 1e6  # Pa
    poisson_ratio: float = 0.35
    density: float = 1000.0  # kg/m³
    sheet_thickness: float = 0.02  # of open surfaces, in longest sides of the object

    def __post_init__(self) -> None:
        good = {
            "young_modulus": self.young_modulus > 0,
            "poisson_ratio": -1 < self.poisson_ratio < 0.5,
            "density": self.density > 0,
            "sheet_thickness": 0 < self.sheet_thickness <= 0.5,
        }
        for name, fine in good.items():
            if not fine or not np.isfinite(getattr(self, name)):
                raise InputError(
                    "elastic material", f"{name} is {getattr(self, name)}", "Give a physical value"
                )


@dataclass(frozen=True, eq=False)
class ElasticKinematics(Kinematics):
    """x = Σ_j w_j(X) (p_j + t_j(q) + R_j(q) S_j(q) (X − p_j)): handles that rotate, stretch and shift.

    q are amplitudes of the slowest vibration modes of the solid object, by finite elements on the cells that
    it fills. R = exp(ω(q)), and S = I + ε + ½ ε² never inverts; ω and ε are linear in q. The shifts t = Q ·
    (R S − I) + r(q) keep neighbouring handles together at large rotations. r is linear in q and makes the map
    exact to first order. At |q_i| = 1 no vertex moves by more than 0.15 radii, no handle rotates by more than
    0.4 rad, and none stretches by more than 15 %.

    Near rest, in SI units, the kinetic energy is ½ Σ modal_mass q̇² and the elastic energy ½ Σ stiffness q²,
    so stiffness = (2π f)² modal_mass. `body` holds mass points inside the object, skinned by the same
    handles: M(q) = metres_per_unit² (∂c/∂q)ᵀ body.gram(body_mass) (∂c/∂q), which is diagonal at rest.
    """

    shape: Shape
    material: ElasticMaterial
    names: tuple[str, ...]
    rest: Float[Tensor, " k"]
    limits: Float[Tensor, "k 2"]
    basis: SkinBasis
    body: SkinBasis
    body_mass: Float[Tensor, " g"]  # kg
    vertex_mass: Float[Tensor, " n"]  # kg: the same total, spread over the surface by area
    frequencies_hz: Float[Tensor, " k"]
    stiffness: Float[Tensor, " k"]  # N·m
    modal_mass: Float[Tensor, " k"]  # kg·m²
    is_anchored: bool = field()
    centres: Float[Tensor, "h 3"]  # p
    turn: Float[Tensor, "h 3 k"]  # ω
    stretch: Float[Tensor, "h 3 3 k"]  # ε
    shift: Float[Tensor, "h 3 k"]  # r
    agreement: Float[Tensor, "h h 3"]  # Q

    @classmethod
    def from_shape(
        cls,
        shape: Shape,
        modes: int = 12,
        material: ElasticMaterial = ElasticMaterial(),  # noqa: B008  # frozen
        pinned: Bool[Array, " n"] | None = None,
        handles: int = 24,
        seed: int = 0,
    ) -> ElasticKinematics:
        """The slowest modes of a shape, free or fixed at its `pinned` vertices, skinned by a few handles."""
        _check(shape, modes, pinned, handles)
        with threadpool_limits(1):  # many small products: threads cost more than they bring
            voxels = voxelise(shape, sheet=material.sheet_thickness)
            fixed = _fixed_nodes(shape, voxels, pinned)
            values, fields = vibration_modes(voxels, material.poisson_ratio, modes + SPARE_MODES, fixed, seed)
            spread = place_handles(voxels, handles, fixed, seed)
            body = _mass_points(voxels, spread)
            at_points = np.einsum("ac,mgcx->gaxm", trilinear(GAUSS), fields[:, voxels.corner])
            at_points = at_points.reshape(len(body.points), 3, -1)
            motion = fit(body, at_points, int(spread.anchored))
            shown = well_shown(body, motion, at_points)[:modes]
            return _build(
                cls, shape, material, voxels, spread, body, values[shown], motion[..., shown], pinned
            )

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """One 3 × 4 affine map per handle: (L, p + t − L p) with L = R S."""
        rotation = exp_so3(torch.einsum("hik,...k->...hi", self.turn, q))
        strain = torch.einsum("hijk,...k->...hij", self.stretch, q)
        identity = torch.eye(3, dtype=q.dtype)
        linear = rotation @ (identity + strain + 0.5 * strain @ strain)
        excess = linear - identity
        shift = torch.einsum("ijb,...jab->...ia", self.agreement, excess)
        shift = shift + torch.einsum("hik,...k->...hi", self.shift, q)
        offset = shift - (excess @ self.centres[..., None])[..., 0]
        return torch.cat([linear, offset[..., None]], dim=-1).flatten(-3)

    @cached_property
    def jets(self) -> ElasticJets:
        """c(q) with its derivatives in closed form."""
        return elastic_jets(self.centres, self.turn, self.stretch, self.shift, self.agreement)

    @property
    def has_built_in_pins(self) -> bool:
        return self.is_anchored

    def mass(self, per_vertex: Float[Tensor, " n"] | None = None) -> Mass:
        """Mass of the material that fills the body."""
        if per_vertex is not None:
            return super().mass(per_vertex)
        return mass_of_points(self.body, self.body_mass, self.shape.frame.metres_per_unit)

    @cached_property
    def material_stiffness(self) -> Float[Tensor, "k k"]:
        return torch.diag(self.stiffness)

    @property
    def pose_deviation(self) -> Float[Tensor, " k"]:
        return torch.full_like(self.rest, POSE_DEVIATION)

    @property
    def defaults(self) -> PhysicalDefaults:
        return PhysicalDefaults(slowest_hz=float(self.frequencies_hz[0]))

    def describe(self) -> str:
        low, high = self.frequencies_hz[0], self.frequencies_hz[-1]
        return f"moved by {self.dim} elastic modes ({low:.3g} to {high:.3g} Hz)"

    @cached_property
    def total_mass(self) -> float:
        """kg."""
        return float(self.body_mass.sum())


elastic_modes_of = ElasticKinematics.from_shape


def _check(shape: Shape, modes: int, pinned: Array | None, handles: int) -> None:
    if modes < 1:
        raise InputError(shape.name, f"{modes} modes were requested", "Ask for at least one")
    if handles <= INFLUENCES:
        raise InputError(shape.name, f"{handles} handles were requested", "Ask for at least five")
    if modes > AFFINE_DIM * handles:
        raise InputError(
            shape.name,
            f"{modes} modes were requested, but {handles} handles show at most {AFFINE_DIM * handles}",
            "Ask for fewer modes",
        )
    if pinned is not None and np.shape(pinned) != (len(shape.vertices),):
        raise InputError(
            shape.name,
            f"the pinned mask has shape {np.shape(pinned)} for {len(shape.vertices)} vertices",
            "Give one truth value per vertex",
        )
    if pinned is not None and not np.any(pinned):
        raise InputError(shape.name, "no vertex is pinned", "Pin at least one vertex, or leave pinned out")


def _fixed_nodes(shape: Shape, voxels: Voxels, pinned: Array | None) -> Bool[Array, " k"]:
    """Nodes near the pinned vertices, and the faces between them.

    A point in the outer quarter of a cell fixes only the nodes on that side, so that the fixed region ends
    where the pins end. If all fixed nodes lie on one line, the body could turn about it; then all nodes of
    the touched cells are fixed.
    """
    fixed = np.zeros(len(voxels.nodes), bool)
    if pinned is None:
        return fixed
    inside = np.asarray(pinned, bool)
    between = shape.faces[inside[shape.faces].all(1)]
    grid = voxels.to_grid(shape.vertices)
    points = np.concatenate([grid[inside], scatter(grid, between, float(voxels.size.min()) / 2).points])
    cell, place = voxels.locate(points)
    near = np.where(np.arange(2)[:, None, None] == 0, place < 0.75, place > 0.25)  # (side, point, axis)
    corner = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(8, 3)
    touched = np.stack([near[corner[c], :, [0, 1, 2]].all(0) for c in range(8)], axis=1)
    fixed[voxels.corner[cell][touched]] = True
    held = voxels.nodes[fixed]
    if np.linalg.matrix_rank(held - held.mean(0), tol=1e-9) < 2:
        fixed[voxels.corner[cell]] = True
    if (~fixed).sum() <= INFLUENCES:
        raise InputError(shape.name, "every part of the shape is pinned", "Leave some vertices free")
    return fixed


def _mass_points(voxels: Voxels, spread: Handles) -> Blend:
    """Eight mass points per cell: their sums are exact for the polynomials that the elements use."""
    points = (voxels.origin + (voxels.cells[:, None] + GAUSS) * voxels.size).reshape(-1, 3)
    mass = np.repeat(voxels.fill * np.prod(voxels.size) / 8, 8)
    return Blend(points, mass, *spread.weights(points), spread.centres)


def _build(cls, shape, material, voxels, spread, body, values, motion, pinned) -> ElasticKinematics:
    """Converts the modes from grid units to the shape's frame and SI units."""
    motion = orthonormal(body, motion, spread.anchored)
    held = None if pinned is None else np.asarray(pinned, bool)
    grid = voxels.to_grid(shape.vertices)
    handles, weights = spread.weights(grid, held)
    seen = Blend(grid, np.ones(len(grid)), handles, weights, spread.centres)
    amplitude = amplitudes(seen, motion, shape.normalisation.radius / voxels.length)
    motion = motion * amplitude
    gradient = np.einsum("ia,hjik,jb->habk", voxels.axes, motion[:, :3], voxels.axes)
    shift = voxels.length * np.einsum("ia,hik->hak", voxels.axes, motion[:, 3])
    agreement = voxels.length * agreeing_places(body, spread.anchored) @ voxels.axes
    followed = np.einsum("ijb,jabk->iak", agreement, gradient)
    names = tuple(f"handle_{j}" for j in range(len(spread.node)))
    metres = shape.frame.metres_per_unit * voxels.length
    omega = np.sqrt(values * material.young_modulus / material.density) / metres
    body_mass = body.mass * material.density * metres**3
    modal_mass = material.density * metres**3 * (amplitude * metres) ** 2
    inner = Shape(voxels.from_grid(body.points), np.zeros((0, 3), int), name=f"{shape.name} (inside)")
    modes = len(values)
    return cls(
        shape=shape,
        material=material,
        names=tuple(f"mode_{i + 1}" for i in range(modes)),
        rest=torch.zeros(modes, dtype=torch.float64),
        limits=torch.tensor([[-REACH, REACH]] * modes, dtype=torch.float64),
        basis=SkinBasis(shape, Skin(handles.astype(np.int32), weights, names)),
        body=SkinBasis(inner, Skin(body.handles.astype(np.int32), body.weights, names)),
        body_mass=torch.tensor(body_mass),
        vertex_mass=torch.tensor(_mass_by_area(shape) * body_mass.sum()),
        frequencies_hz=torch.tensor(omega / (2 * np.pi)),
        stiffness=torch.tensor(omega**2 * modal_mass),
        modal_mass=torch.tensor(modal_mass),
        is_anchored=spread.anchored,
        centres=torch.tensor(voxels.from_grid(spread.centres)),
        turn=torch.tensor(vee(gradient.transpose(0, 3, 1, 2)).swapaxes(1, 2)),
        stretch=torch.tensor((gradient + gradient.transpose(0, 2, 1, 3)) / 2),
        shift=torch.tensor(shift - followed),
        agreement=torch.tensor(agreement),
    )


def _mass_by_area(shape: Shape) -> Float[Array, " n"]:
    """Share of the surface's area that belongs to each vertex: a third of each face."""
    corners = shape.vertices[shape.faces] / shape.normalisation.radius
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    share = np.bincount(shape.faces.ravel(), np.repeat(area, 3), len(shape.vertices))
    return share / share.sum()
