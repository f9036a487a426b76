"""What a simulated clip must hold to be learned from: pure functions on positions that may reject it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.datasets.record import Rejected

Array = np.ndarray

CLOTH_STRETCH = 0.05  # of the edges: root mean square, and 99th percentile, in the worst frame
SOLID_STRETCH = 1.5  # 99.5th percentile of |strain| of a solid's edges: soft foam, not chewing gum
VOLUME = (0.6, 1.5)  # of the volume at rest
FLATTEST = 0.02  # of a tetrahedron's volume at rest: less is inverted or all but
LEAST_MOTION = 0.05  # radii
QUIET = 0.5  # of the fastest: how fast a clip that comes to rest may still be at its end


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
    """Both the root mean square and the 99th percentile of max(strain, 0) stay below 5 % in every frame."""
    stretch = np.maximum(strain(positions, rest, edges_of(faces)), 0)
    worst = max(np.sqrt((stretch**2).mean(1)).max(), np.percentile(stretch, 99, axis=1).max())
    if not worst < CLOTH_STRETCH:
        raise Rejected("cloth stretched by more than 5 %")


def check_solid(
    positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"], tetrahedra: Int[Array, "t 4"]
) -> None:
    """Edges keep their length within bounds, the whole keeps its volume, and nothing turns inside out."""
    stretch = np.percentile(np.abs(strain(positions, rest, edges_of(tetrahedra))), 99.5, axis=1)
    if not stretch.max() < SOLID_STRETCH:
        raise Rejected("solid stretched beyond its bound")
    volume, before = tetrahedron_volumes(positions, tetrahedra), tetrahedron_volumes(rest, tetrahedra)
    share = volume.sum(1) / before.sum()
    if not (share.min() > VOLUME[0] and share.max() < VOLUME[1]):
        raise Rejected("solid did not keep its volume")
    if not (volume / before).min() > FLATTEST:
        raise Rejected("solid turned inside out")


def check_moves(positions: Float[Array, "frames n 3"], rest: Float[Array, "n 3"]) -> None:
    """Some vertex leaves its place at rest by more than 5 % of the object's radius."""
    radius = np.linalg.norm(rest - (rest.min(0) + rest.max(0)) / 2, axis=1).max()
    if not np.linalg.norm(positions - rest, axis=-1).max() > LEAST_MOTION * radius:
        raise Rejected("hardly moves")


def check_comes_to_rest(positions: Float[Array, "frames n 3"]) -> None:
    """The root-mean-square step between frames, averaged over the last fifth, is below half its maximum."""
    steps = np.sqrt((np.diff(positions, axis=0) ** 2).sum(-1).mean(1))
    if not steps[-max(2, len(steps) // 5) :].mean() < QUIET * steps.max():
        raise Rejected("does not come to rest")
