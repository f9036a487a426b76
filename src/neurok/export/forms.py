"""Chooses the form in which a motion is written: moving nodes, a skin, or morph targets."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

from neurok.errors import InputError
from neurok.export.gltf.morph import compress, normal_targets
from neurok.export.pieces import Piece, handle_pieces, part_pieces
from neurok.export.rigid import frame_chunks, rigid_motion
from neurok.sequences import Rig, Sequence, Skin, is_lazy
from neurok.shapes import Shape

Array = np.ndarray
AnimationForm = Literal["static", "nodes", "skin", "morph"]

RIGID_TOLERANCE = 1e-4  # in radii of the shape: largest vertex error of a rigid part
MORPH_TOLERANCE = 1e-3  # in radii of the shape: largest vertex error of morph targets or a four-joint skin
SMALL_MOTION = 1e-2  # largest error relative to the motion itself, so that small motions are preserved
INFLUENCES = 4  # joints per vertex that every glTF viewer must support


@dataclass(frozen=True, eq=False)
class Nodes:
    """A motion in which every piece follows one affine map."""

    pieces: list[Piece]  # `handle` indexes transforms
    transforms: Float[Array, "frames h 3 4"]


@dataclass(frozen=True, eq=False)
class Skinned:
    """A motion in which every vertex blends at most four affine maps."""

    pieces: list[Piece]
    skin: Skin
    transforms: Float[Array, "frames h 3 4"]


@dataclass(frozen=True, eq=False)
class Morphed:
    """A motion in which every vertex moves by a blend of morph targets."""

    pieces: list[Piece]
    weights: Float[Array, "frames k"]
    targets: Float[Array, "k n 3"]
    normals: Float[Array, "k n 3"] | None


def animation_form(item: Shape | Sequence | Many[Sequence]) -> AnimationForm:
    """The form in which `save_glb` writes an item."""
    if isinstance(item, Shape):
        return "static"
    form = choose(as_clips(item))
    return "nodes" if isinstance(form, Nodes) else "skin" if isinstance(form, Skinned) else "morph"


def as_clips(item: Sequence | Many[Sequence]) -> list[Sequence]:
    """One or more motions of one shape as a list; refuses none, or motions of different shapes."""
    clips = [item] if isinstance(item, Sequence) else list(item)
    if not clips:
        raise InputError("export", "there is no motion to write", "Give at least one sequence")
    first = clips[0].shape
    for clip in clips[1:]:
        same = clip.shape is first or (
            np.array_equal(clip.shape.faces, first.faces)
            and np.array_equal(clip.shape.vertices, first.vertices)
        )
        if not same:
            raise InputError(
                clip.name, f"moves another shape than {clips[0].name!r}", "Write it to a separate file"
            )
    return clips


def choose(clips: list[Sequence]) -> Nodes | Skinned | Morphed:
    """Nodes if every part is rigid, else a skin if viewers support the rig, else morph targets."""
    if all(is_lazy(clip) for clip in clips):
        from neurok.export.rigged import choose_rigged

        found = choose_rigged(clips)
        if found is not None:
            return found
    nodes = choose_nodes(clips)
    if nodes is not None:
        return nodes
    shape, positions = clips[0].shape, all_positions(clips)
    used, parts = shape.used_vertices, part_pieces(shape)
    tolerance = tolerances(shape, positions, used)[1]
    rig = shared_rig(clips)
    if rig is not None:
        rig = Rig(four_influences(rig.skin), np.asarray(rig.transforms, np.float64))
        if reproduces(rig, shape, positions, used, tolerance):
            return Skinned(parts, rig.skin, rig.transforms)
    return morphed(shape, positions, parts, used, tolerance)


def choose_nodes(clips: list[Sequence]) -> Nodes | None:
    """Pieces that each follow one map: those of a rigid rig, or parts whose vertices move rigidly."""
    shape, positions, rig = clips[0].shape, all_positions(clips), shared_rig(clips)
    used = shape.used_vertices
    tolerance = tolerances(shape, positions, used)[0]
    if rig is not None and rig.skin.is_rigid and reproduces(rig, shape, positions, used, tolerance):
        handle = np.take_along_axis(rig.skin.handles, rig.skin.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        pieces = handle_pieces(shape, handle, rig.skin.names)
        if pieces is not None:
            return Nodes(pieces, np.asarray(rig.transforms, np.float64))
    parts = [Piece(part.name, part.faces, k) for k, part in enumerate(part_pieces(shape))]
    motion = rigid_motion(shape.vertices, positions, shape.faces, parts, tolerance)
    return None if motion is None else Nodes(parts, motion)


def all_positions(clips: list[Sequence]) -> Float[Array, "frames n 3"]:
    """The frames of all clips, concatenated."""
    if len(clips) == 1:
        return np.asarray(clips[0].positions)
    return np.concatenate([np.asarray(clip.positions) for clip in clips])


def tolerances(shape: Shape, positions: Array, used: Int[Array, " u"]) -> tuple[float, float]:
    """Largest vertex errors of rigid parts and of other forms, at least the resolution of float32."""
    radius = shape.normalisation.radius
    resolution = 4 * float(np.finfo(np.float32).eps) * float(np.abs(positions[:, used]).max())
    travel = max(float(np.abs(f[used] - shape.vertices[used]).max()) for f in positions)
    small = SMALL_MOTION * travel
    return (
        max(min(RIGID_TOLERANCE * radius, small), resolution),
        max(min(MORPH_TOLERANCE * radius, small), resolution),
    )


def shared_rig(clips: list[Sequence]) -> Rig | None:
    """The concatenated rig of all clips, if every clip has one and all share the same skin."""
    rigs = [clip.rig for clip in clips]
    if any(r is None or len(r.transforms) != len(c) for r, c in zip(rigs, clips, strict=True)):
        return None
    skin = rigs[0].skin  # type: ignore[union-attr]
    for rig in rigs[1:]:
        other = rig.skin  # type: ignore[union-attr]
        if other is not skin and not (
            np.array_equal(other.handles, skin.handles) and np.array_equal(other.weights, skin.weights)
        ):
            return None
    valid = (skin.weights >= 0).all() and np.allclose(skin.weights.sum(axis=1), 1.0, atol=1e-5)
    return Rig(skin, np.concatenate([r.transforms for r in rigs])) if valid else None  # type: ignore[union-attr]


def reproduces(rig: Rig, shape: Shape, positions: Array, used: Int[Array, " u"], tolerance: float) -> bool:
    """Whether the rig reproduces the positions of the sequence."""
    skin = Skin(rig.skin.handles[used], rig.skin.weights[used], rig.skin.names)
    for c in frame_chunks(len(positions), 3 * len(used)):
        left = Rig(skin, rig.transforms[c]).positions(shape.vertices[used]) - positions[c][:, used]
        if (left**2).sum(-1).max() > tolerance**2:
            return False
    return True


def four_influences(skin: Skin) -> Skin:
    """The four strongest handles of each vertex, strongest first, repeats merged, weights summing to one.

    Unused slots have handle 0 and weight 0, as the glTF specification requires.
    """
    n, c = skin.handles.shape
    rows = np.repeat(np.arange(n), c)
    matrix = sparse.csr_matrix(
        (np.asarray(skin.weights, np.float64).ravel(), (rows, skin.handles.ravel())),
        shape=(n, len(skin.names)),
    )
    matrix.sum_duplicates()
    row = np.repeat(np.arange(n), np.diff(matrix.indptr))
    weight = np.asarray(matrix.data)
    order = np.lexsort((np.negative(weight), row))
    place = np.arange(len(row)) - np.asarray(matrix.indptr)[row]
    keep = (place < INFLUENCES) & (weight[order] > 0)
    handles, weights = np.zeros((n, INFLUENCES), np.int32), np.zeros((n, INFLUENCES))
    handles[row[keep], place[keep]] = matrix.indices[order][keep]
    weights[row[keep], place[keep]] = weight[order][keep]
    return Skin(handles, weights / weights.sum(axis=1, keepdims=True), skin.names)


def morphed(
    shape: Shape, positions: Array, pieces: list[Piece], used: Int[Array, " u"], tolerance: float
) -> Morphed:
    """Morph targets over all vertices; vertices without faces do not move."""
    displacement = positions[:, used] - shape.vertices[used].astype(np.float32)
    weights, moved = compress(displacement, tolerance)
    targets = np.zeros((len(moved), len(shape.vertices), 3), np.float32)
    targets[:, used] = moved
    normals = None if shape.normals is None else normal_targets(shape, positions, weights)
    return Morphed(pieces, weights, targets, normals)


def piece_centres(shape: Shape, form: Nodes) -> Float[Array, "h 3"]:
    """The centre of the vertices that each handle moves."""
    centres = np.zeros((form.transforms.shape[1], 3))
    for piece in form.pieces:
        centres[piece.handle] = shape.vertices[shape.faces[piece.faces]].mean(axis=(0, 1))
    return centres
