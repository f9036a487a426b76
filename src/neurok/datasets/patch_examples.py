"""Computes training examples for part segmentation: inputs of the patches of a surface and their true parts.

Every object gives two: its own surface, and that of a fused scan of it. They are cached in the store as
patches/<name>.safetensors and patches_fused/<name>.safetensors.
"""

from __future__ import annotations

import zlib

import numpy as np

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.components import face_areas
from neurok.articulation.parts.patch_features import read_patches
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.fused import fused
from neurok.datasets.store.store import Store
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


def fused_by_name(shape: Shape) -> Shape:
    """A fused scan of the object, with a seed derived from its name."""
    return fused(shape, np.random.default_rng(zlib.crc32(shape.name.encode())))


def fused_example(shape: Shape) -> dict[str, Array]:
    """Training example of a fused scan of the object."""
    return example_of(fused_by_name(shape))


def diverse_objects(store: Store, split: str, most: int) -> list[str]:
    """Objects with joints, at most `most` of each category of a collection, chosen by a hash of the name."""
    taken: dict[tuple[str, str], int] = {}
    chosen = []
    for name in sorted(usable_objects(store, split), key=lambda name: zlib.crc32(name.encode())):
        kind = name.partition("/")[0], store.entry(name).category
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= most:
            chosen.append(name)
    return chosen


CACHE = ExampleCache("patches", 1, example_of, half=HALF)
FUSED_CACHE = ExampleCache("patches_fused", 1, fused_example, half=HALF)
