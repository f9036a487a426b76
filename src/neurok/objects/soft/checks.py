"""Checks of simulated clips: functions of positions that raise `Rejected`."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

from neurok.errors import Rejected

Array = np.ndarray

# docs/data.md lists these bounds. Radii are of the rest shape.
MAX_CLOTH_STRETCH = 0.05  # of edge length: root mean square and 99th percentile, in every frame
MAX_SOLID_STRAIN = 1.5  # 99.5th percentile of |strain| over the edges of a solid
VOLUME_RANGE = (0.6, 1.5)  # of the volume at rest
MIN_TETRAHEDRON_VOLUME = 0.02  # of its volume at rest; less is nearly inverted
MIN_MOTION = 0.05  # radii
MAX_STEP = 1.5  # radii, of a vertex between two frames
MAX_STEP_FROM_NEIGHBOURS = 0.25  # radii, of a vertex against the mean of its neighbours
MAX_UNSHARED_CHANGE = 0.8  # share of the change of step that neighbours do not share; 1.1 for white noise
MIN_JITTER = 0.003  # radii, root mean square; less is invisible
MAX_JITTER_FRAMES = 0.1  # share of the frames
SETTLING_TIME = 0.75  # s after the end of the driving in which a clip must come to rest
MAX_FINAL_SPEED = 0.5  # of the largest speed, at the end of a clip that comes to rest


def edges_of(elements: Int[Array, "e d"]) -> Int[Array, "k 2"]:
    """The edges of triangles or tetrahedra, once each."""
    d = elements.shape[1]
    pairs = [elements[:, [a, b]] for a in range(d) for b in range(a + 1, d)]
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def strain(
    positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"], edges: Int[Array, "k 2"]
) -> Float[Array, "frames k"]:
    """Change of length of each edge: l / l₀ − 1."""
    lengths = np.linalg.norm(positions[:, edges[:, 0]] - positions[:, edges[:, 1]], axis=-1)
    return lengths / np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=-1) - 1


def tetrahedron_volumes(
    positions: Float[Array, "*frames n 3"], tetrahedra: Int[Array, "t 4"]
) -> Float[Array, "*frames t"]:
    """Signed volumes (b − a) · (c − a) × (d − a) / 6."""
    a, b, c, d = (positions[..., tetrahedra[:, k], :] for k in range(4))
    return np.einsum("...i,...i->...", b - a, np.cross(c - a, d - a)) / 6


def check_finite(positions: Float[Array, "frames n 3"]) -> None:
    if not np.isfinite(positions).all():
        raise Rejected("positions are not finite")


def check_cloth_stretch(
    positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"], faces: Int[Array, "m 3"]
) -> None:
    """Root mean square and 99th percentile of max(strain, 0) stay below 5 % in every frame."""
    stretch = np.maximum(strain(positions, rest, edges_of(faces)), 0)
    worst = max(np.sqrt((stretch**2).mean(1)).max(), np.percentile(stretch, 99, axis=1).max())
    if not worst < MAX_CLOTH_STRETCH:
        raise Rejected("cloth stretched by more than 5 %")


def check_solid(
    positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"], tetrahedra: Int[Array, "t 4"]
) -> None:
    """Strains and volume stay in bounds, and no tetrahedron inverts."""
    stretch = np.percentile(np.abs(strain(positions, rest, edges_of(tetrahedra))), 99.5, axis=1)
    if not stretch.max() < MAX_SOLID_STRAIN:
        raise Rejected("solid stretched beyond its bound")
    volume, before = tetrahedron_volumes(positions, tetrahedra), tetrahedron_volumes(rest, tetrahedra)
    share = volume.sum(1) / before.sum()
    if not (share.min() > VOLUME_RANGE[0] and share.max() < VOLUME_RANGE[1]):
        raise Rejected("solid did not keep its volume")
    if not (volume / before).min() > MIN_TETRAHEDRON_VOLUME:
        raise Rejected("solid turned inside out")


def check_moves(positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"]) -> None:
    """At least one vertex moves by more than 5 % of the object's radius."""
    if not np.linalg.norm(positions - rest, axis=-1).max() > MIN_MOTION * radius_of(rest):
        raise Rejected("hardly moves")


def check_jumps(
    positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"], faces: Int[Array, "m 3"]
) -> None:
    """Between frames no vertex moves by more than 1.5 radii, or 0.25 radii against its neighbours."""
    steps, radius = np.diff(positions, axis=0), radius_of(rest)
    farthest = np.linalg.norm(steps, axis=-1).max()
    alone = np.linalg.norm(difference_from_neighbours(steps, faces), axis=-1).max()
    if not (farthest < MAX_STEP * radius and alone < MAX_STEP_FROM_NEIGHBOURS * radius):
        raise Rejected("a vertex jumps")


def check_jitter(
    positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"], faces: Int[Array, "m 3"]
) -> None:
    """Neighbours share most of the change of their steps; noise does not.

    A frame jitters if at least 80 % of the second difference x₊ − 2 x + x₋ is not shared with neighbours.
    """
    change = np.diff(positions, 2, axis=0)
    noise = root_mean_square(difference_from_neighbours(change, faces))
    jitters = (noise > MAX_UNSHARED_CHANGE * root_mean_square(change)) & (
        noise > MIN_JITTER * radius_of(rest)
    )
    if not jitters.mean() <= MAX_JITTER_FRAMES:
        raise Rejected("jitters")


def difference_from_neighbours(
    field: Float[Array, "frames n 3"], faces: Int[Array, "m 3"]
) -> Float[Array, "frames n 3"]:
    """v_i − mean of v_j over the vertices j that share an edge with i."""
    i, j = np.concatenate([edges_of(faces), edges_of(faces)[:, ::-1]]).T
    n = field.shape[1]
    graph = sparse.csr_matrix((np.ones(len(i)), (i, j)), shape=(n, n))
    mean = sparse.diags(1 / np.maximum(np.bincount(i, minlength=n), 1)) @ graph
    flat = field.transpose(1, 0, 2).reshape(n, -1)
    return field - (mean @ flat).reshape(n, -1, 3).transpose(1, 0, 2)


def root_mean_square(field: Float[Array, "frames n 3"]) -> Float[Array, " frames"]:
    """Root mean square of the vectors' lengths in every frame."""
    return np.sqrt((field**2).sum(-1).mean(1))


def radius_of(rest: Float[Array, "n 3"]) -> float:
    """Radius of the ball about the centre of the bounding box."""
    return float(np.linalg.norm(rest - (rest.min(0) + rest.max(0)) / 2, axis=1).max())


def check_comes_to_rest(positions: Float[Array, "frames n 3"]) -> None:
    """The root-mean-square step between frames, averaged over the last fifth, is below half its maximum."""
    steps = root_mean_square(np.diff(positions, axis=0))
    if not steps[-max(2, len(steps) // 5) :].mean() < MAX_FINAL_SPEED * steps.max():
        raise Rejected("does not come to rest")
