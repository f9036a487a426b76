"""Splits rigid parts into their connected components, so that an object has more parts than joints.

Annotated objects have about one part per joint. A network trained only on these predicts that every part
moves, although files often list a screw, a handle and a panel that form one body. Here the components of a
rigid part become parts that fixed joints connect. Some objects are reduced to one rigid part, in which
nothing moves.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.components import face_areas, face_components
from neurok.datasets.articulation_examples import HALF, MAX_PARTS, VERSION, example_of
from neurok.datasets.example_cache import ExampleCache
from neurok.errors import InputError
from neurok.shapes import Joint, JointTree, Link, Shape

Array = np.ndarray
SINGLE_PART_SHARE = 0.3  # share of the objects that are reduced to one rigid part
SPLIT_SHARE = 0.6  # share of the divisible parts that are split in the other objects
MAX_PIECES = 4  # components that are split off one part
MIN_PIECE_AREA = 0.002  # share of the total surface; smaller components are not split off


def oversegment(shape: Shape, rng: np.random.Generator) -> Shape:
    """The object in more parts, or one of its parts alone; raises if every part is one component."""
    pieces = [_pieces(shape, part) for part in range(len(shape.part_names))]
    several = [part for part, own in enumerate(pieces) if own.max(initial=0) > 0]
    if not several:
        raise InputError(shape.name, "has no part of several components", "It cannot be split")
    if rng.random() < SINGLE_PART_SHARE:
        part = int(rng.choice(several))
        return _single_part(shape, part, pieces[part], rng)
    chosen = [p for p in several if rng.random() < SPLIT_SHARE] or [int(rng.choice(several))]
    label, names, joints = shape.part.copy(), list(shape.part_names), list(_tree(shape).joints)
    for part in chosen:
        off = 1 + rng.permutation(pieces[part].max())[: rng.integers(1, MAX_PIECES + 1)]
        for piece in off[: MAX_PARTS - len(names)]:
            label[np.flatnonzero(shape.part == part)[pieces[part] == piece]] = len(names)
            names.append(f"piece {len(names)}")
            joints.append(_weld(names[part], names[-1]))
    links = (*_tree(shape).links, *(Link(name) for name in names[len(shape.part_names) :]))
    tree = replace(_tree(shape), links=links, joints=tuple(joints))
    return shape.with_(part=label, part_names=tuple(names), joints=tree)


def _tree(shape: Shape) -> JointTree:
    assert shape.joints is not None
    return shape.joints


def _weld(parent: str, child: str) -> Joint:
    return Joint(f"{child} fixed", "fixed", parent, child)


def _pieces(shape: Shape, part: int) -> Int[Array, " f"]:
    """Component of each face of a part, the largest first; small components count as the largest."""
    own = shape.with_(faces=shape.faces[shape.part == part], **_bare(int((shape.part == part).sum())))
    label = face_components(own)
    large = (
        np.bincount(label, face_areas(own)) >= MIN_PIECE_AREA * shape.area
        if len(label)
        else np.zeros(0, bool)
    )
    large[:1] = False
    number = np.where(large, np.cumsum(large), 0)
    return number[label] if len(label) else label


def _bare(faces: int) -> dict[str, Any]:
    one = np.zeros(faces, np.int32)
    return {"part": one, "material": one, "joints": None, "part_names": ("body",)}


def _single_part(shape: Shape, part: int, piece: Int[Array, " f"], rng: np.random.Generator) -> Shape:
    """One part alone, split into two to five parts: each component joins the nearest of some seeds."""
    own = shape.part == part
    centres = _centres(shape.vertices[shape.faces[own]].mean(1), piece)
    seeds = rng.permutation(len(centres))[: rng.integers(2, MAX_PIECES + 2)]
    nearest = np.linalg.norm(centres[:, None] - centres[seeds], axis=-1).argmin(1)
    label = np.unique(nearest[piece], return_inverse=True)[1]
    names = tuple(f"piece {k}" for k in range(label.max() + 1))
    tree = JointTree(tuple(Link(n) for n in names), tuple(_weld(names[0], n) for n in names[1:]), shape.name)
    bare = _bare(int(own.sum())) | {"part": label, "part_names": names, "joints": tree}
    return shape.with_(faces=shape.faces[own], **bare)


def _centres(points: Float[Array, "f 3"], piece: Int[Array, " f"]) -> Float[Array, "p 3"]:
    count = np.bincount(piece)
    return np.stack([np.bincount(piece, points[:, k]) / count for k in range(3)], axis=1)


def oversegment_by_name(shape: Shape) -> Shape:
    """The oversegmented object, with a seed derived from its name."""
    return oversegment(shape, np.random.default_rng(zlib.crc32(shape.name.encode())))


def oversegmented_example(shape: Shape) -> dict[str, Array]:
    """Training example of the oversegmented object."""
    return example_of(oversegment_by_name(shape))


CACHE = ExampleCache("taken_apart", VERSION, oversegmented_example, half=HALF)
