"""`PatchFeatures`: the inputs of the parts network, read from a surface without part names."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.components import boxes
from neurok.articulation.parts.face_graph import FaceGraph, face_graph
from neurok.articulation.parts.links import find_links
from neurok.articulation.parts.patches import find_patches
from neurok.articulation.parts.pieces import Pieces, find_pieces, piece_samples
from neurok.articulation.parts.surface_cues import surface_cues
from neurok.latent.own_frame import own_turn
from neurok.rendering.casting import Triangles
from neurok.shapes import Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
SAMPLES = 16  # points of each patch
CLOUD = 6000  # samples of the whole surface
PATCH_NUMBERS = 16


@dataclass(frozen=True, eq=False)
class PatchFeatures:
    """Inputs of the network for n patches in c loose pieces, in the shape's own frame and the unit ball."""

    points: Float[Array, "n s 3"]  # relative to the centre
    normals: Float[Array, "n s 3"]
    cues: Float[Array, "n s k"]
    centres: Float[Array, "n 3"]
    numbers: Float[Array, "n f"]
    piece: Int[Array, " n"]
    links: Int[Array, "p 2"]
    link_features: Float[Array, "p g"]
    contacts: Int[Array, "q 2"]  # pairs of loose pieces
    contact_features: Float[Array, "q h"]
    twins: Int[Array, " c"]  # congruence class of each loose piece

    def arrays(self) -> dict[str, Array]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, eq=False)
class Patches:
    """Patches of a surface, the largest first."""

    label: Int[Array, " m"]  # the patch of each face
    share: Float[Array, " n"]  # of the whole area
    centres: Float[Array, "n 3"]  # in the unit ball
    turn: Float[Array, "3 3"]  # from the shape's axes to those of the features
    pieces: Pieces
    graph: FaceGraph
    features: PatchFeatures


def read_patches(shape: Shape, seed: int = 0) -> Patches:
    """Divides a surface into patches and measures them."""
    pieces, graph = find_pieces(shape), face_graph(shape)
    cloud = sample_surface(shape, CLOUD, seed, even=False)
    place = shape.normalisation.apply(cloud.positions(shape))
    label = find_patches(graph, pieces.label, place, cloud.face)
    count = int(label.max()) + 1
    piece = np.zeros(count, np.int64)
    piece[label] = pieces.label
    share = np.bincount(label, graph.area) / max(graph.area.sum(), np.finfo(float).tiny)
    positions, normals = piece_samples(shape, label, count, SAMPLES, seed)
    points = shape.normalisation.apply(positions)
    links = find_links(graph, label, points, normals, share)
    triangles = Triangles(shape.normalisation.apply(shape.vertices)[shape.faces])
    cues = surface_cues(
        triangles, points.reshape(-1, 3), normals.reshape(-1, 3), place, graph.normals[cloud.face]
    ).reshape(count, SAMPLES, -1)
    turn = own_turn(shape, graph.normals[cloud.face])
    points, normals, centres = points @ turn.T, normals @ turn.T, points.mean(1)
    own = points.mean(1)
    features = PatchFeatures(
        points - own[:, None], normals, cues, own, _numbers(shape, turn, points, share, piece, pieces), piece,
        links.pairs, links.features, pieces.contacts.pairs, pieces.contacts.features, pieces.twins,
    )  # fmt: skip
    return Patches(label, share, centres, turn, pieces, graph, features)


def _numbers(
    shape: Shape, turn: Float[Array, "3 3"], points: Float[Array, "n s 3"], share: Float[Array, " n"],
    piece: Int[Array, " n"], pieces: Pieces,
) -> Float[Array, "n f"]:  # fmt: skip
    """Sizes and heights of each patch and of its loose piece, and how many there are of them."""
    low, high = points.min(1), points.max(1)
    turned = shape.with_(vertices=shape.normalisation.apply(shape.vertices) @ turn.T, normals=None)
    piece_low, piece_high = boxes(turned, pieces.label, len(pieces.share))
    copies = np.bincount(pieces.twins)[pieces.twins]
    own = np.column_stack([
        np.sqrt(pieces.share), np.sort((piece_high - piece_low) / 2, axis=1), piece_low[:, 1],
        piece_high[:, 1], np.log(copies), np.log(np.bincount(piece, minlength=len(pieces.share))),
    ])  # fmt: skip
    return np.column_stack([
        np.sqrt(share), np.sort((high - low) / 2, axis=1), low[:, 1], high[:, 1], own[piece],
        np.full(len(share), np.log(len(pieces.share))), np.full(len(share), np.sqrt(pieces.share.max())),
    ])  # fmt: skip
