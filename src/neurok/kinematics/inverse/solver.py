"""Inverse kinematics by Levenberg–Marquardt from many starts at once, for any `Kinematics`.

Minimises Σ_s w_s |y_s(q) − p_s|² + λ |(q − rest)/spread|². The target p_s of a vertex or of a dragged point
is given. The target of a sample of the surface is the nearest point of an unordered cloud, updated at every
step. For a whole cloud, every point of the cloud is also compared with the nearest point of the surface.
Distant points of a cloud get small weights (Geman–McClure), so that outliers and missing regions have little
influence. The Jacobian is B ∂c/∂q, so the cost does not depend on the mesh.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy.spatial import KDTree
from torch import Tensor
from torch.func import jvp, vmap

from neurok.kinematics import Kinematics
from neurok.kinematics.inverse.distance import cloud_distance
from neurok.kinematics.inverse.observed import Observed, at_samples, at_vertices
from neurok.shapes.sample import sample_surface

Array = np.ndarray
Pull = Callable[[Array], tuple[Array, Array, Array]]  # points ↦ indices of some, targets, weights


@dataclass(frozen=True)
class FitConfig:
    """Options of the search."""

    starts: int = 8
    """Number of initial poses: rest, and others drawn between the limits."""
    steps: int = 24
    keep: int = 3
    """Number of starts that continue after the first third of the steps."""
    points: int = 1500
    """Samples of the surface that are compared with a cloud."""
    prior: float = 1e-5
    """λ, relative to squared radii: weight of the preference for poses near rest."""
    outlier: float = 0.3
    """Radii: distance above which the weight of a point of a cloud falls. Given vertices keep full weight."""
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Fit:
    """The best pose and its error."""

    q: Float[Tensor, " k"]
    error: float  # root mean square distance, in radii of the shape; of a cloud, to the surface itself
    starts: Float[Tensor, " starts"]  # of all starts, best first; of a cloud, to samples of the surface


def fit_vertices(
    kinematics: Kinematics,
    vertices: Int[Array, " s"],
    target: Float[Array, "s 3"],
    config: FitConfig = FitConfig(),  # noqa: B008  # frozen
) -> Fit:
    """The pose that brings some vertices closest to given positions."""
    every = np.arange(len(vertices))
    ones = np.ones(len(vertices))
    config = replace(config, outlier=math.inf)
    return _fit(kinematics, at_vertices(kinematics, vertices), lambda _: (every, target, ones), config)


def fit_points(
    kinematics: Kinematics,
    cloud: Float[Array, "p 3"],
    config: FitConfig = FitConfig(),  # noqa: B008  # frozen
    *,
    partial: bool = False,
) -> Fit:
    """The pose whose surface is closest to an unordered point cloud, which is whole or `partial`."""
    rng = np.random.default_rng(config.seed)
    given = cloud
    if len(cloud) > config.points:
        cloud = cloud[rng.permutation(len(cloud))[: config.points]]
    samples = sample_surface(kinematics.shape, config.points, config.seed)
    tree = KDTree(cloud)
    every = np.arange(config.points)

    def pull(points: Array) -> tuple[Array, Array, Array]:
        back = np.asarray(KDTree(points).query(cloud)[1])
        if partial:
            return back, cloud, np.full(len(cloud), 1 / len(cloud))
        ahead = np.asarray(tree.query(points)[1])
        weights = np.r_[np.full(len(points), 0.5 / len(points)), np.full(len(cloud), 0.5 / len(cloud))]
        return np.r_[every, back], np.r_[cloud[ahead], cloud], weights

    found = _fit(kinematics, at_samples(kinematics, samples), pull, config)
    return replace(found, error=_distance(kinematics, found.q, given, partial))


def unmoved(kinematics: Kinematics, cloud: Float[Array, "p 3"], *, partial: bool = False) -> Fit:
    """The rest pose with its distance from a cloud."""
    error = _distance(kinematics, kinematics.rest, cloud, partial)
    return Fit(kinematics.rest, error, torch.tensor([error], dtype=torch.float64))


def _distance(
    kinematics: Kinematics, q: Float[Tensor, " k"], cloud: Float[Array, "p 3"], partial: bool
) -> float:
    return cloud_distance(kinematics.shape, kinematics.positions(q).numpy(force=True), cloud, partial=partial)


def _fit(kinematics: Kinematics, seen: Observed, pull: Pull, config: FitConfig) -> Fit:
    radius = kinematics.shape.normalisation.radius
    q = _starts(kinematics, config)
    rest, spread = _prior(kinematics)
    damping = torch.full((len(q),), 1e-2, dtype=q.dtype)
    cost = torch.full((len(q),), torch.inf, dtype=q.dtype)
    state = _linearised(kinematics, seen, q, pull, rest, spread, config, radius)
    for step in range(config.steps):
        if step == config.steps // 3 and len(q) > config.keep:
            best = state.cost.argsort()[: config.keep]
            q, damping = q[best], damping[best]
            state = state.take(best)
        diagonal = torch.diag_embed(damping[:, None] * state.curvature.diagonal(dim1=1, dim2=2) + 1e-9)
        move = torch.linalg.solve(state.curvature + diagonal, state.slope[..., None])[..., 0]
        tried = _linearised(kinematics, seen, q - move, pull, rest, spread, config, radius)
        better = tried.cost < state.cost
        gain = torch.where(better, state.cost - tried.cost, 0).max()
        q = torch.where(better[:, None], q - move, q)
        state = tried.where(better, state)
        damping = torch.where(better, damping / 3, damping * 4).clamp(1e-6, 1e6)
        if gain < 1e-9 and step > config.steps // 3:
            break
    cost = state.distance
    order = state.cost.argsort()
    return Fit(q[order[0]], float(cost[order[0]]), cost[order])


@dataclass(frozen=True, eq=False)
class _State:
    cost: Float[Tensor, " b"]
    distance: Float[Tensor, " b"]  # root mean square, in radii
    slope: Float[Tensor, "b k"]
    curvature: Float[Tensor, "b k k"]

    def take(self, index: Tensor) -> _State:
        return _State(self.cost[index], self.distance[index], self.slope[index], self.curvature[index])

    def where(self, mask: Tensor, other: _State) -> _State:
        pick = lambda a, b: torch.where(mask.view(-1, *(1,) * (a.ndim - 1)), a, b)  # noqa: E731
        return _State(*(pick(getattr(self, f), getattr(other, f)) for f in self.__dataclass_fields__))


def _linearised(kinematics, seen, q, pull, rest, spread, config: FitConfig, radius: float) -> _State:
    """Cost of every pose, its gradient, and its Gauss–Newton approximation of the Hessian."""
    k = q.shape[1]
    points, slopes = _with_slopes(kinematics, seen, q)
    costs, distances, gradients, curvatures = [], [], [], []
    for place, jacobian, pose in zip(points / radius, slopes / radius, q, strict=True):
        which, target, weight = pull(place.numpy() * radius)
        residual = place[which] - torch.as_tensor(target / radius)
        weight = torch.as_tensor(weight / weight.sum())
        square = residual.square().sum(-1)
        robust = 1 / (1 + square / config.outlier**2)  # Geman–McClure: cost e²/(1 + e²/σ²)
        j = jacobian[:, which].reshape(k, -1, 3)
        strength = weight * robust**2
        excess = (pose - rest) / spread
        costs.append((weight * robust * square).sum() + config.prior * excess.square().sum())
        distances.append((weight * square).sum().sqrt())
        gradients.append(torch.einsum("ksi,s,si->k", j, strength, residual) + config.prior * excess / spread)
        curvature = torch.einsum("ksi,s,lsi->kl", j, strength, j)
        curvatures.append(curvature + config.prior * torch.diag(spread**-2))
    return _State(*(torch.stack(x) for x in (costs, distances, gradients, curvatures)))


def _with_slopes(
    kinematics: Kinematics, seen: Observed, q: Float[Tensor, "b k"]
) -> tuple[Float[Tensor, "b s 3"], Float[Tensor, "b k s 3"]]:
    """Points and their derivatives by every coordinate, in one forward-mode pass."""
    b, k = q.shape

    def along(way: Float[Tensor, " k"]) -> tuple[Tensor, ...]:
        return jvp(kinematics.code, (q,), (way.expand(b, k),))

    code, slopes = vmap(along)(torch.eye(k, dtype=q.dtype))
    return seen(code[0]), seen(slopes).transpose(0, 1)


def _starts(kinematics: Kinematics, config: FitConfig) -> Float[Tensor, "b k"]:
    """Rest first, then poses between the limits, later ones farther from rest.

    Coordinate i moves in one of i + 1 of them. Coordinates with large motion come first, and poses in which
    very many coordinates move at once are implausible.
    """
    rng = torch.Generator().manual_seed(config.seed)
    lower, upper = kinematics.finite_limits(1.0).unbind(-1)
    u = torch.rand(2, config.starts - 1, len(lower), generator=rng, dtype=torch.float64)
    reach = torch.linspace(0.3, 1, max(config.starts - 1, 1), dtype=torch.float64)[: u.shape[1], None]
    moves = u[1] * torch.arange(1, len(lower) + 1) < 1
    drawn = kinematics.rest + moves * reach * (lower + u[0] * (upper - lower) - kinematics.rest)
    return torch.cat([kinematics.rest[None], drawn])


def _prior(kinematics: Kinematics) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
    """Rest, and half the width of the limits: coordinates that the target does not determine stay at rest."""
    lower, upper = kinematics.finite_limits(1.0).unbind(-1)
    return kinematics.rest, ((upper - lower) / 2).clamp(min=1e-6)
