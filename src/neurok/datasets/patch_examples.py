"""Computes training examples for part segmentation: inputs of the patches of a surface and their true parts.

Every object gives two: its own surface, and that of a fused scan of it. They are cached in the store as
patches/<name>.safetensors and patches_fused/<name>.safetensors.
"""

from __future__ import annotations

import numpy as np

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.components import face_areas
from neurok.articulation.parts.patch_features import read_patches
from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.fused import fused_by_name
from neurok.errors import InputError
from neurok.shapes import Shape

Array = np.ndarray
HALF = ("points", "normals", "cues", "link_features", "contact_features")


def example_of(shape: Shape) -> dict[str, Array]:
    """Arrays of `PatchFeatures`, the true part of each patch and its share of the area.

    The true part is the body with the largest overlap. Part names of the shape are removed first.
    """
    bare = Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)
    patches = read_patches(bare)
    if len(patches.share) < 2:
        raise InputError(shape.name, "is one patch", "It gives no example")
    body = true_bodies(shape)
    table = np.zeros((len(patches.share), body.max() + 1))
    np.add.at(table, (patches.label, body), face_areas(shape))
    return patches.features.arrays() | {"part": table.argmax(1), "share": patches.share}


def fused_example(shape: Shape) -> dict[str, Array]:
    """Training example of a fused scan of the object."""
    return example_of(fused_by_name(shape))


CACHE = ExampleCache("patches", 1, example_of, half=HALF)
FUSED_CACHE = ExampleCache("patches_fused", 1, fused_example, half=HALF)
