"""Examples for finding parts: what the network reads of the loose pieces of an object, and what is one part.

Made once and kept beside the objects of a store, in parts/<name>.safetensors.
"""

from __future__ import annotations

import numpy as np

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.affinity import read_pieces
from neurok.articulation.parts.components import face_areas
from neurok.articulation.parts.pieces import find_pieces
from neurok.datasets.kept_examples import Kept
from neurok.errors import InputError
from neurok.shapes import Shape

Array = np.ndarray


def example_of(shape: Shape) -> dict[str, Array]:
    """Arrays of `PieceNumbers`, the true part of each piece (the body which has most of it) and its share of
    the area. Parts that the shape names are forgotten first."""
    bare = Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)
    found = find_pieces(bare)
    if len(found.share) < 2 or not len(found.contacts.pairs):
        raise InputError(shape.name, "is one piece", "Nothing is to be learned from it")
    numbers = read_pieces(bare, found)
    body = true_bodies(shape)
    table = np.zeros((len(found.share), body.max() + 1))
    np.add.at(table, (found.label, body), face_areas(shape))
    count = len(numbers.centres)
    return numbers.arrays() | {"part": table.argmax(1)[:count], "share": found.share[:count]}


KEPT = Kept("parts", 2, example_of, half=("points", "normals"))
