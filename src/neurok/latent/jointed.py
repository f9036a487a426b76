"""What is known of joints: the learned prior, given that parts are rigid and move as joints let them.

The screws of rigid parts are ξ = Ξ̄ z, Ξ̄ the means of their handles' modes: normal, N(Ξ̄ μ, Σ), Σ = Ξ̄ Ξ̄ᵀ + σ²
for z ~ N(μ, I). Joints with values s let them be ξ = T s. So s is normal too, with precision Tᵀ Σ⁻¹ T. Of it
the correlations are kept, R: the learned prior says what moves together. How far is a matter of the geometry
around a joint, so s ~ N(m, D R D) with m the middle of its range and D such that 99 % lie within.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from neurok.articulation import Articulation, PartJoint
from neurok.articulation.kinematic_tree import carried
from neurok.geometry.screws import skew
from neurok.latent.features import ShapeFeatures

ROUGH = 0.02  # σ, radii and radians: how well the learned screws are known
REACH = 2.576  # standard deviations from the middle of a joint's range to its ends
LEAST = 0.02  # radians, radii: the shortest range


class JointedSpace(NamedTuple):
    """Parts as handles, and modes of which there are as many as joints: ξ = modes z', z' ~ N(mean, I)."""

    weights: Float[Tensor, "s p"]
    modes: Float[Tensor, "p6 j"]
    anchors: Float[Tensor, "p 3"]
    mean: Float[Tensor, " j"]


def jointed(
    articulation: Articulation,
    read: ShapeFeatures,
    weights: Float[Tensor, "s h"],
    modes: Float[Tensor, "h6 l"],
    anchors: Float[Tensor, "h 3"],
) -> JointedSpace | None:
    """The space of a shape whose joints are known; None where nothing moves. `weights` are those of `read`'s
    queries."""
    moving = [joint for joint in articulation.joints if joint.moves]
    if not moving:
        return None
    label = np.zeros(len(weights), np.int64)
    label[read.of_vertex] = articulation.shape.vertex_part
    count = len(articulation.shape.part_names)
    part = torch.nn.functional.one_hot(torch.tensor(label), count).double()
    share = part.T @ weights / part.sum(0).clamp(min=1)[:, None]
    points = read.queries.points[0].double()
    centres = part.T @ points / part.sum(0).clamp(min=1)[:, None]
    learned = mean_screws(modes, anchors, share, centres)
    allowed, ranges = joint_screws(articulation, read, centres)
    spread = learned @ learned.T + ROUGH**2 * torch.eye(len(learned), dtype=learned.dtype)
    gain = torch.cholesky_solve(allowed, torch.linalg.cholesky(spread))  # Σ⁻¹ T
    covariance = torch.linalg.inv(allowed.T @ gain)
    wide = (ranges[:, 1] - ranges[:, 0]).clamp(min=LEAST) / (2 * REACH)  # D
    scale = wide / covariance.diagonal().sqrt()
    values, vectors = torch.linalg.eigh(scale[:, None] * covariance * scale)
    root = vectors * values.clamp(min=1e-12).sqrt() @ vectors.T
    return JointedSpace(part, allowed @ root, centres, torch.linalg.solve(root, ranges.mean(1)))


def mean_screws(
    modes: Float[Tensor, "h6 l"],
    anchors: Float[Tensor, "h 3"],
    share: Float[Tensor, "p h"],
    centres: Float[Tensor, "p 3"],
) -> Float[Tensor, "p6 l"]:
    """Modes of parts: means of those of handles, moved to the part's centre c: u + ω × (c − a)."""
    screws = modes.unflatten(0, (-1, 6))
    turn, shift = screws[:, :3], screws[:, 3:]
    arm = skew(centres[:, None] - anchors)  # p h 3 3
    moved = shift[None] - arm @ turn[None]
    both = torch.cat([turn[None].expand_as(moved), moved], dim=2)
    return torch.einsum("ph,phil->pil", share, both).flatten(0, 1)


def joint_screws(
    articulation: Articulation, read: ShapeFeatures, centres: Float[Tensor, "p 3"]
) -> tuple[Float[Tensor, "p6 j"], Float[Tensor, "j 2"]]:
    """T: the screw of every part, at its centre, per value of every joint that follows no other; and the
    range of each. A part moves with all that carries it, and with what its joint follows. Slides of
    cylindrical joints come after the turns."""
    index = {name: k for k, name in enumerate(articulation.shape.part_names)}
    above = {joint.part: joint.parent for joint in articulation.joints}
    parents = np.array([index.get(above[name] or "", len(index)) for name in index])
    columns, ranges, place = [], [], {}
    for joint in articulation.moving:
        place[joint.part] = len(columns)
        moving = carried(parents, index[joint.part])
        for kind, lower, upper in _motions(joint, read.radius):
            columns.append(_column(joint, kind, moving, read, centres))
            ranges.append((lower, upper))
    followers = {place[joint.part] for joint in articulation.moving if joint.follows is not None}
    free = [k for k in range(len(columns)) if k not in followers]
    together = _together(articulation, place, len(columns), read.radius)[:, free]
    return torch.stack(columns, dim=1) @ together, torch.tensor(ranges, dtype=torch.float64)[free]


def _together(
    articulation: Articulation, place: dict[str, int], count: int, radius: float
) -> Float[Tensor, "j j"]:
    """Values of all joints per value of each: a follower's is s = ρ s', ρ its ratio, slides in radii."""
    unit = {joint.part: radius if joint.kind == "prismatic" else 1.0 for joint in articulation.moving}
    together = torch.eye(count, dtype=torch.float64)
    for joint in articulation.moving:
        if joint.follows is not None:
            leader = joint.follows.part
            ratio = joint.follows.ratio * unit[leader] / unit[joint.part]
            together[place[joint.part], place[leader]] = ratio
    return together


def _motions(joint: PartJoint, radius: float) -> list[tuple[str, float, float]]:
    """Turns in radians, slides in radii; with their ends, those of endless turns half a turn away."""
    ends = either_way(joint)
    if joint.kind == "prismatic":
        return [("slide", ends[0] / radius, ends[1] / radius)]
    turn = ("turn", max(ends[0], -np.pi), min(ends[1], np.pi))
    if joint.kind == "revolute":
        return [turn]
    return [turn, ("slide", joint.slide[0] / radius, joint.slide[1] / radius)]


def either_way(joint: PartJoint) -> tuple[float, float]:
    """The range, and all its length either way as far as nothing is in it: which way a joint goes is a guess,
    and a push may be the other way."""
    length = joint.upper - joint.lower
    return min(joint.lower, max(joint.free[0], -length)), max(joint.upper, min(joint.free[1], length))


def _column(
    joint: PartJoint,
    kind: str,
    moving: Int[np.ndarray, " c"],
    read: ShapeFeatures,
    centres: Float[Tensor, "p 3"],
) -> Float[Tensor, " p6"]:
    axis = torch.tensor(read.turn @ (joint.axis / np.linalg.norm(joint.axis)))
    pivot = torch.tensor((read.turn @ joint.pivot - read.centre) / read.radius)
    screws = torch.zeros(len(centres), 6, dtype=torch.float64)
    some = torch.tensor(moving)
    if kind == "turn":
        screws[some, :3] = axis
        screws[some, 3:] = torch.linalg.cross(axis.expand(len(moving), 3), centres[some] - pivot)
    else:
        screws[some, 3:] = axis
    return screws.flatten()
