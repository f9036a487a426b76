"""Chooses the form of a motion that is given by its rig, from a sample of its frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from neurok.export.forms import (
    Morphed,
    Nodes,
    Skinned,
    four_influences,
    morphed,
    reproduces,
    shared_rig,
    tolerances,
)
from neurok.export.pieces import handle_pieces, part_pieces
from neurok.sequences import Rig, Sequence, SkinnedFrames

Array = np.ndarray
SAMPLED = 96  # frames from which the form is chosen and morph targets are computed


def choose_rigged(clips: list[Sequence]) -> Nodes | Skinned | Morphed | None:
    """Nodes if every vertex follows one handle, a skin if four handles per vertex suffice, else morphs.

    None if the clips share no rig.
    """
    rig, shape = shared_rig(clips), clips[0].shape
    if rig is None:
        return None
    skin, transforms = rig.skin, np.asarray(rig.transforms, np.float64)
    if skin.is_rigid:
        handle = np.take_along_axis(skin.handles, skin.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        pieces = handle_pieces(shape, handle, skin.names)
        if pieces is not None:
            return Nodes(pieces, transforms)
    chosen = np.unique(np.linspace(0, len(transforms) - 1, SAMPLED).round().astype(int))
    some = SkinnedFrames(shape.vertices, Rig(skin, transforms[chosen]))[:]
    used, parts = shape.used_vertices, part_pieces(shape)
    tolerance = tolerances(shape, some, used)[1]
    four = four_influences(skin)
    if reproduces(Rig(four, transforms[chosen]), shape, some, used, tolerance):
        return Skinned(parts, four, transforms)
    form = morphed(shape, some, parts, used, tolerance)
    return replace(form, weights=_weights(form, SkinnedFrames(shape.vertices, rig), used))


def _weights(form: Morphed, frames: SkinnedFrames, used: Array) -> Float[Array, "frames k"]:
    """The least-squares weights of the targets at each frame: w = (D Dᵀ)⁻¹ D (x − X)."""
    targets = form.targets[:, used].reshape(len(form.targets), -1).astype(np.float64)
    inverse = np.linalg.pinv(targets @ targets.T, rcond=1e-10) @ targets
    rest = frames.rest[used].ravel()
    return np.stack([inverse @ (frames[t, used].ravel() - rest) for t in range(len(frames))])
