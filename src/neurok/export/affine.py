"""Decomposes affine maps into translation, rotation and stretch, continuous over the frames.

Viewers interpolate each property separately between keyframes, so the factors must not jump.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from jaxtyping import Bool, Float

from neurok.geometry.quaternions import (
    continuous_signs,
    from_xyzw,
    quaternion_conjugate,
    quaternion_from_matrix,
    to_xyzw,
)
from neurok.geometry.rotation_fit import kabsch

Array = np.ndarray

SHEAR_TOLERANCE = 1e-5  # relative to the map's size: shear that a single node may neglect
PIVOT_REACH = 4.0  # in radii of the shape: a pivot farther than this from its part is noise
TRACKING = 1e-7  # weight of the previous axes, relative to the map's size; decides undetermined axes

# The 24 rotations that permute and flip axes: all proper orderings of the same three principal axes.
AXIS_NAMINGS = np.array(
    [
        matrix
        for order in permutations(range(3))
        for signs in product((1.0, -1.0), repeat=3)
        if np.linalg.det(matrix := np.eye(3)[:, list(order)] * np.array(signs)) > 0
    ]
)


@dataclass(frozen=True, eq=False)
class Tracks:
    """A = R · V · diag(s) · Vᵀ of every frame and handle, R and V continuous in time.

    A handle that is not `sheared` has V = 1 throughout, and one node carries R and s. A sheared one takes
    three nested nodes: R, then (V, s), then Vᵀ. R is interpolated separately, and V and Vᵀ stay inverse to
    each other between keyframes, so fast rotation of V at nearly no stretch is harmless.
    """

    rotation: Float[Array, "frames h 4"]  # unit quaternions x, y, z, w
    scale: Float[Array, "frames h 3"]
    axes: Float[Array, "frames h 4"]
    sheared: Bool[Array, " h"]


def decompose(linear: Float[Array, "frames h 3 3"]) -> Tracks:
    """Rotation and stretch of every map, A = R P with P symmetric, chosen continuous over the frames."""
    rotation, stretch = polar_tracks(linear)
    scale = np.diagonal(stretch, axis1=-2, axis2=-1).copy()
    size = np.abs(stretch).max(axis=(-2, -1))
    off_diagonal = np.abs(stretch - scale[..., None] * np.eye(3)).max(axis=(-2, -1))
    sheared = (off_diagonal > SHEAR_TOLERANCE * size).any(axis=0)
    axes = np.broadcast_to(np.eye(3), stretch.shape).copy()
    axes[:, sheared], scale[:, sheared] = principal_axes(stretch[:, sheared])
    return Tracks(quaternions(rotation), scale, quaternions(axes), sheared)


def polar_tracks(linear: Float[Array, "frames h 3 3"]) -> tuple[Array, Array]:
    """Polar decomposition A = R P with det R = +1 and P symmetric; a reflection negates P."""
    sign = np.where(np.linalg.det(linear) < 0, -1.0, 1.0)[..., None, None]
    rotation = nearest_rotations(sign * linear)
    stretch = np.swapaxes(rotation, -1, -2) @ linear
    return rotation, (stretch + np.swapaxes(stretch, -1, -2)) / 2


def nearest_rotations(matrices: Float[Array, "frames h 3 3"]) -> Float[Array, "frames h 3 3"]:
    """The rotations R that maximise tr(Rᵀ M).

    If M is singular, R is not unique. A small multiple of the previous frame's R then selects the nearest.
    """
    rotation, previous = np.empty_like(matrices), np.broadcast_to(np.eye(3), matrices.shape[1:])
    for t, matrix in enumerate(matrices):
        size = np.linalg.norm(matrix, axis=(-2, -1), keepdims=True)
        rotation[t] = previous = kabsch(matrix + (1e-9 * size + 1e-30) * previous)
    return rotation


def principal_axes(stretch: Float[Array, "frames h 3 3"]) -> tuple[Array, Array]:
    """P = V diag(s) Vᵀ with a rotation V that changes as little as possible from frame to frame.

    V is tracked from the frame of largest stretch, where it is best determined, to both ends. A motion often
    starts or ends at rest, where V is undetermined and takes the value of its neighbour.
    """
    frames, handles = stretch.shape[:2]
    peak = np.ptp(np.linalg.eigvalsh(stretch), axis=-1).argmax(axis=0)
    axes = np.empty_like(stretch)
    top = stretch[peak, np.arange(handles)]
    axes[peak, np.arange(handles)] = nearest_axes(top, np.broadcast_to(np.eye(3), top.shape))
    for t in range(frames - 2, -1, -1):
        before = t < peak
        axes[t, before] = nearest_axes(stretch[t, before], axes[t + 1, before])
    for t in range(1, frames):
        after = t > peak
        axes[t, after] = nearest_axes(stretch[t, after], axes[t - 1, after])
    return axes, np.einsum("fhik,fhij,fhjk->fhk", axes, stretch, axes)


def nearest_axes(stretch: Float[Array, "h 3 3"], previous: Float[Array, "h 3 3"]) -> Float[Array, "h 3 3"]:
    """The eigenvectors of each stretch, ordered and signed as the rotation nearest to the previous one.

    Equal stretches leave them undetermined. Adding TRACKING · V₀ diag(1, 2, 3) V₀ᵀ of the previous axes
    determines them there and elsewhere changes less than float32 resolves.
    """
    size = np.linalg.norm(stretch, axis=(-2, -1))[:, None, None]
    hold = np.einsum("hik,k,hjk->hij", previous, [1.0, 2.0, 3.0], previous)
    _, v = np.linalg.eigh(stretch + TRACKING * size * hold)
    v[..., :, 2] *= np.sign(np.linalg.det(v))[:, None]
    named = np.einsum("hij,gjk->hgik", v, AXIS_NAMINGS)
    nearest = np.einsum("hgik,hik->hg", named, previous).argmax(axis=1)
    return named[np.arange(len(v)), nearest]


def quaternions(rotation: Float[Array, "frames h 3 3"]) -> Float[Array, "frames h 4"]:
    """Unit quaternions (x, y, z, w), each with the sign nearer to the previous frame."""
    return to_xyzw(continuous_signs(quaternion_from_matrix(rotation)))


def conjugate(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """The quaternion (x, y, z, w) of the inverse rotation."""
    return to_xyzw(quaternion_conjugate(from_xyzw(q)))


def pivots(
    transforms: Float[Array, "frames h 3 4"], centres: Float[Array, "h 3"], radius: float
) -> Float[Array, "h 3"]:
    """The point of each handle that moves least: min_c Σ_t ‖A_t c + b_t − mean‖², nearest to its centre.

    Rotation about this point keeps a hinge's translation constant, so that playback between keyframes
    follows the arc instead of the chord. Beyond PIVOT_REACH radii the pivot is noise, and the centre is used.
    """
    deviation = transforms - transforms.mean(axis=0)
    result = centres.copy()
    for h in range(transforms.shape[1]):
        linear, shift = deviation[:, h, :, :3].reshape(-1, 3), deviation[:, h, :, 3].reshape(-1)
        step = np.linalg.pinv(linear, rcond=1e-3) @ -(linear @ centres[h] + shift)
        if np.abs(linear).max() > 1e-6 and np.linalg.norm(step) <= PIVOT_REACH * radius:
            result[h] += step
    return result


def moved_points(
    transforms: Float[Array, "frames h 3 4"], points: Float[Array, "h 3"]
) -> Float[Array, "frames h 3"]:
    """The position of each handle's point at every frame: A c + b."""
    return np.einsum("fhij,hj->fhi", transforms[..., :3], points) + transforms[..., 3]
