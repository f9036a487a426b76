"""Objects in more parts than move: files name a screw, a handle and a panel, and all of them are one body.

Objects with joints have about one part for each of them, so that what learns from these alone takes every
part for one that moves. Here rigid parts are taken apart into loose pieces that fixed joints hold together,
and of some objects one rigid part is all that is left: nothing in it moves.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.components import face_areas, face_components
from neurok.datasets.articulations import MOST_PARTS, example_of
from neurok.datasets.kept_examples import Kept
from neurok.errors import InputError
from neurok.shapes import Joint, JointTree, Link, Shape

Array = np.ndarray
ALONE = 0.3  # share of objects of which one part is left
APART = 0.6  # share of the parts of the others that are taken apart, where they can be
MOST = 4  # pieces that are taken off one part
SEEN = 0.002  # of the whole surface: smaller pieces stay where they are


def taken_apart(shape: Shape, rng: np.random.Generator) -> Shape:
    """The object in more parts, or one part of it in several; an error where no part has several pieces."""
    pieces = [_pieces(shape, part) for part in range(len(shape.part_names))]
    several = [part for part, own in enumerate(pieces) if own.max(initial=0) > 0]
    if not several:
        raise InputError(shape.name, "has no part of several pieces", "Nothing is to be taken apart")
    if rng.random() < ALONE:
        part = int(rng.choice(several))
        return _alone(shape, part, pieces[part], rng)
    chosen = [p for p in several if rng.random() < APART] or [int(rng.choice(several))]
    label, names, joints = shape.part.copy(), list(shape.part_names), list(_tree(shape).joints)
    for part in chosen:
        off = 1 + rng.permutation(pieces[part].max())[: rng.integers(1, MOST + 1)]
        for piece in off[: MOST_PARTS - len(names)]:
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
    """The loose piece of each face of a part, the largest first; small ones count as the largest."""
    own = shape.with_(faces=shape.faces[shape.part == part], **_bare(int((shape.part == part).sum())))
    label = face_components(own)
    large = np.bincount(label, face_areas(own)) >= SEEN * shape.area if len(label) else np.zeros(0, bool)
    large[:1] = False
    number = np.where(large, np.cumsum(large), 0)
    return number[label] if len(label) else label


def _bare(faces: int) -> dict[str, Any]:
    one = np.zeros(faces, np.int32)
    return {"part": one, "material": one, "joints": None, "part_names": ("body",)}


def _alone(shape: Shape, part: int, piece: Int[Array, " f"], rng: np.random.Generator) -> Shape:
    """One part, in two to five parts: every piece goes with the nearest of some of them."""
    own = shape.part == part
    centres = _centres(shape.vertices[shape.faces[own]].mean(1), piece)
    seeds = rng.permutation(len(centres))[: rng.integers(2, MOST + 2)]
    nearest = np.linalg.norm(centres[:, None] - centres[seeds], axis=-1).argmin(1)
    label = np.unique(nearest[piece], return_inverse=True)[1]
    names = tuple(f"piece {k}" for k in range(label.max() + 1))
    tree = JointTree(tuple(Link(n) for n in names), tuple(_weld(names[0], n) for n in names[1:]), shape.name)
    bare = _bare(int(own.sum())) | {"part": label, "part_names": names, "joints": tree}
    return shape.with_(faces=shape.faces[own], **bare)


def _centres(points: Float[Array, "f 3"], piece: Int[Array, " f"]) -> Float[Array, "p 3"]:
    count = np.bincount(piece)
    return np.stack([np.bincount(piece, points[:, k]) / count for k in range(3)], axis=1)


def always_alike(shape: Shape) -> Shape:
    """The object taken apart, always in the same way."""
    return taken_apart(shape, np.random.default_rng(zlib.crc32(shape.name.encode())))


def apart_example(shape: Shape) -> dict[str, Array]:
    return example_of(always_alike(shape))


KEPT = Kept("taken_apart", 3, apart_example, half=("points", "normals", "gaps", "line_numbers", "free_turn"))
