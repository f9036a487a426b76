"""Builds coarse closed cages around shapes, and their mean value coordinates."""

from __future__ import annotations

from functools import cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

EXPANSION, OFFSET = 1.15, 0.1  # factor on the support of the points, and offset in radii
CHUNK = 512  # points per block; fits the processor cache


@cache
def icosphere() -> tuple[Float[Tensor, "42 3"], Int[Tensor, "80 3"]]:
    """Icosahedron with every face split in four: unit directions and outward triangles."""
    golden = (1 + 5**0.5) / 2
    ends = torch.tensor([[i, j * golden] for i in (-1.0, 1.0) for j in (-1.0, 1.0)], dtype=torch.float64)
    flat = torch.nn.functional.pad(ends, (1, 0))
    corners = torch.cat([flat, flat.roll(1, 1), flat.roll(2, 1)]) / (1 + golden**2) ** 0.5
    near = torch.cdist(corners, corners) < 1.1  # edges have length 1.05
    triples = torch.combinations(torch.arange(12), 3)
    a, b, c = triples.T
    faces = triples[near[a, b] & near[b, c] & near[a, c]]
    inward = torch.linalg.det(corners[faces]) < 0
    faces[inward] = faces[inward].flip(1)
    edges = torch.combinations(torch.arange(12), 2)
    edges = edges[near[edges[:, 0], edges[:, 1]]]
    middle = {tuple(edge): 12 + i for i, edge in enumerate(edges.tolist())}
    split = []
    for face in faces.tolist():
        i, j, k = face
        ij, jk, ki = (middle[min(e), max(e)] for e in ((i, j), (j, k), (k, i)))
        split += [[i, ij, ki], [j, jk, ij], [k, ki, jk], [ij, jk, ki]]
    halves = corners[edges].sum(1)
    return torch.cat([corners, halves / halves.norm(dim=1, keepdim=True)]), torch.tensor(split)


def cage_around(points: Float[Tensor, "*batch n 3"]) -> Float[Tensor, "*batch 42 3"]:
    """c_i = m + d_i (1.15 max_x d_i·(x − m) + 0.1): a sphere shrunk to the points, which encloses them.

    m is the centre of the box. The surface d max_x d·x encloses all points. The expansion covers facets.
    """
    middle = (points.amin(-2, keepdim=True) + points.amax(-2, keepdim=True)) / 2
    directions = icosphere()[0].to(points)
    support = ((points - middle) @ directions.T).amax(-2)
    return middle + directions * (EXPANSION * support + OFFSET)[..., None]


def mean_value_coordinates(
    points: Float[Tensor, "*batch n 3"], cage: Float[Tensor, "*batch c 3"], faces: Int[Tensor, "m 3"]
) -> Float[Tensor, "*batch n c"]:
    """Weights λ with Σ_j λ_j = 1 and Σ_j λ_j c_j = x, exact for closed triangle cages (Ju et al. 2005).

    Of a triangle seen from x, with unit directions u_i to its corners at distances r_i, angles θ_i and unit
    normals n_i = u_{i+1} × u_{i−1} / |·| of the sides opposite to them, the mean direction is
    m = ½ Σ θ_i n_i, and Σ w_i (c_i − x) = m is solved by w_i = n_i·m / (n_i·u_i r_i). Over a closed cage the
    m cancel. On a triangle or a corner the barycentric coordinates are used. Triangles seen edge-on have
    weight zero.
    """
    parts = [_coordinates(some, cage, faces) for some in points.split(CHUNK, dim=-2)]
    return torch.cat(parts, dim=-2)


def _coordinates(points: Tensor, cage: Tensor, faces: Tensor) -> Tensor:
    """Coordinates of one block; axes come first, (3, *batch, n, m·corner), which is many times faster."""
    near = torch.finfo(points.dtype).eps ** 0.5  # rounding dominates closer to a plane
    corner, after, before = (faces.roll(-i, 1).flatten() for i in range(3))
    to_vertex = cage.movedim(-1, 0)[..., None, :] - points.movedim(-1, 0)[..., :, None]
    length = _dot(to_vertex, to_vertex).sqrt()
    distance = length.clamp(min=near**2)
    u = to_vertex / distance
    ahead, behind = u[..., after], u[..., before]
    normal = _cross(ahead, behind)
    sine = _dot(normal, normal).sqrt()
    angle = torch.atan2(sine, _dot(ahead, behind))
    normal = normal / sine.clamp(min=near**2)
    sides = (angle * normal).unflatten(-1, (-1, 3))
    mean = 0.5 * (sides[..., 0] + sides[..., 1] + sides[..., 2]).repeat_interleave(3, -1)
    height = _dot(normal, u[..., corner])
    flat = _any_corner(height.abs() <= near)
    weight = _dot(normal, mean) / (torch.where(flat, 1.0, height) * distance[..., corner])
    weight = torch.where(flat, 0.0, weight)
    at_corner = (length <= near)[..., corner]
    whole = angle.unflatten(-1, (-1, 3)).sum(-1).repeat_interleave(3, -1) > 2 * torch.pi - 100 * near
    touched = _any_corner(at_corner)
    within = touched | (flat & whole)
    if within.any():
        area = sine * distance[..., after] * distance[..., before]  # twice the area
        barycentric = torch.where(within, torch.where(touched, at_corner.to(area), area), 0.0)
        weight = torch.where(within.any(-1, keepdim=True), barycentric, weight)
    total = weight @ torch.nn.functional.one_hot(corner, cage.shape[-2]).to(weight)
    return total / total.sum(-1, keepdim=True)


def _any_corner(mask: Bool[Tensor, "*batch corners"]) -> Bool[Tensor, "*batch corners"]:
    """Whether the mask holds at any corner of the triangle."""
    return mask.unflatten(-1, (-1, 3)).any(-1).repeat_interleave(3, -1)


def _dot(a: Float[Tensor, "3 *batch n"], b: Float[Tensor, "3 *batch n"]) -> Float[Tensor, "*batch n"]:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Float[Tensor, "3 *batch n"], b: Float[Tensor, "3 *batch n"]) -> Float[Tensor, "3 *batch n"]:
    pairs = ((1, 2), (2, 0), (0, 1))
    return torch.stack([a[i] * b[j] - a[j] * b[i] for i, j in pairs])
