"""Stiffness from the surface alone: against stretching, and against gaps between loose pieces.

Learned coordinates describe motion but not the forces that resist it. The surface gives an estimate. A hinge
between two pieces stretches neither of them, a bent stem stretches its outer side, and a panel that leaves
its frame opens a gap.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy import sparse
from scipy.spatial import KDTree
from torch import Tensor

from neurok.dynamics.places import rows, vertex_areas
from neurok.kinematics import Kinematics
from neurok.shapes import Shape
from neurok.shapes.sample import Samples, sample_surface

Array = np.ndarray
MAX_EDGES = 6000  # edges whose stretch is measured; they represent the others
TOUCHING = 0.03  # radii: largest distance between points of loose pieces of one part that touch
GLUE_POINTS = 1500  # samples of the surface


def skin_stiffness(kinematics: Kinematics, energy: float, seed: int = 0) -> Float[Tensor, "k k"]:
    """K about rest, N·m: V = ½ qᵀ K q is the energy of a skin that stretches.

    V = ½ energy Σ_e w_e ε_e² over the edges of the mesh, with ε_e = d · (u_j − u_i) / |d|² and w_e the share
    of the surface around the edge. A skin of modulus E, thickness t and area A has energy = E t A (J). Rigid
    rotation stores no energy, and neither does bending of a sheet.
    """
    shape = kinematics.shape
    first, second, share = _edges(shape, seed)
    ends = _motion(kinematics, rows(np.r_[first, second], len(shape.vertices)))
    along = torch.tensor(shape.vertices[second] - shape.vertices[first])
    apart = ends[len(first) :] - ends[: len(first)]  # e 3 k
    strain = torch.einsum("ei,eik->ek", along, apart) / (along**2).sum(-1)[:, None]
    return energy * torch.einsum("e,ek,el->kl", torch.tensor(share / share.sum()), strain, strain)


def glue_stiffness(kinematics: Kinematics, force: float, seed: int = 0) -> Float[Tensor, "k k"]:
    """K about rest, N·m, of the glue between loose pieces of one part.

    V = ½ (force / g) Σ_p w_p |u_j − u_i|² over pairs of touching points, with Σ w = 1 and g the largest
    distance of touching points. `force` (N) separates all pairs by g.
    """
    shape, metres = kinematics.shape, kinematics.shape.frame.metres_per_unit
    k = len(kinematics.names)
    samples = sample_surface(shape, GLUE_POINTS, seed, even=False)
    reach = TOUCHING * shape.normalisation.radius
    pairs = _touching(shape, samples, reach)
    if not len(pairs):
        return torch.zeros(k, k, dtype=torch.float64)
    motion = _motion(kinematics, _mixtures(shape, samples)) * metres
    apart = (motion[pairs[:, 1]] - motion[pairs[:, 0]]).reshape(-1, k)
    return force / (reach * metres * len(pairs)) * apart.T @ apart


def _touching(shape: Shape, samples: Samples, reach: float) -> Int[Array, "p 2"]:
    """Pairs of samples on different pieces of the same part."""
    surface = shape.surface
    if surface.component_count == len(shape.part_names):
        return np.zeros((0, 2), int)
    piece = surface.component[surface.of_vertex[shape.faces[samples.face, 0]]]
    part = shape.part[samples.face]
    pairs = KDTree(samples.positions(shape)).query_pairs(reach, output_type="ndarray")
    first, second = pairs.T
    return pairs[(piece[first] != piece[second]) & (part[first] == part[second])]


def _edges(shape: Shape, seed: int) -> tuple[Int[Array, " e"], Int[Array, " e"], Float[Array, " e"]]:
    """Edges, or an even sample of them, and the area that each represents."""
    vertex = np.unique(shape.surface.of_vertex, return_index=True)[1]  # one of those at each place
    pairs = vertex[shape.surface.edges]
    length = np.linalg.norm(shape.vertices[pairs[:, 0]] - shape.vertices[pairs[:, 1]], axis=1)
    pairs = pairs[length > 1e-6 * shape.normalisation.radius]
    degree = np.bincount(pairs.ravel(), minlength=len(shape.vertices)).clip(1)
    share = (vertex_areas(shape) / degree)[pairs].sum(1)
    if len(pairs) > MAX_EDGES:
        chosen = np.random.default_rng(seed).choice(len(pairs), MAX_EDGES, replace=False)
        pairs, share = pairs[chosen], share[chosen]
    return pairs[:, 0], pairs[:, 1], share


def _motion(kinematics: Kinematics, mix: sparse.csr_matrix) -> Float[Tensor, "s 3 k"]:
    """∂x/∂q at rest, of mixtures of vertices."""
    at = kinematics.basis.at(mix)
    return torch.func.jacfwd(lambda q: at(kinematics.code(q)))(kinematics.rest)


def _mixtures(shape: Shape, samples: Samples) -> sparse.csr_matrix:
    """Points of the surface as rows of weights of vertices."""
    count = len(samples.face)
    places = (np.repeat(np.arange(count), 3), shape.faces[samples.face].ravel())
    return sparse.csr_matrix((samples.weights.ravel(), places), shape=(count, len(shape.vertices)))
