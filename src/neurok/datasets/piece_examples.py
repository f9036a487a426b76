"""Computes training examples for part segmentation: inputs of the mesh components and their true parts.

Examples are cached in the store as parts/<name>.safetensors.
"""

from __future__ import annotations

import numpy as np

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.affinity import read_pieces
from neurok.articulation.parts.components import face_areas
from neurok.articulation.parts.pieces import find_pieces
from neurok.datasets.example_cache import ExampleCache
from neurok.errors import InputError
from neurok.shapes import Shape

Array = np.ndarray


def example_of(shape: Shape) -> dict[str, Array]:
    """Arrays of `PieceNumbers`, the true part of each component and its share of the area.

    The true part is the body with the largest overlap. Part names of the shape are removed first.
    """
    bare = Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)
    found = find_pieces(bare)
    if len(found.share) < 2 or not len(found.contacts.pairs):
        raise InputError(shape.name, "is one component", "It gives no example")
    numbers = read_pieces(bare, found)
    body = true_bodies(shape)
    table = np.zeros((len(found.share), body.max() + 1))
    np.add.at(table, (found.label, body), face_areas(shape))
    count = len(numbers.centres)
    return numbers.arrays() | {"part": table.argmax(1)[:count], "share": found.share[:count]}


CACHE = ExampleCache("parts", 2, example_of, half=("points", "normals"))
