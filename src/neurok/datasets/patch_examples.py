"""Computes training examples for part segmentation: patches of a surface, their true parts and motions.

An object with joints gives three: its own surface, that of a fused scan of it, and one of its rigid bodies
alone, which has no seam. A soft body gives one, which has no seam either. They are cached in the store as
patches/<name>.safetensors, patches_fused/, patches_rigid/ and patches_soft/.
"""

from __future__ import annotations

import zlib

import numpy as np
from jaxtyping import Int

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.components import face_areas
from neurok.articulation.parts.patch_features import read_patches
from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.fused import fused, fused_by_name
from neurok.datasets.part_motions import part_motions
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.shapes import Shape

Array = np.ndarray
VERSION = 2  # of the features and labels
MIN_BODY_SHARE = 0.1  # of the whole area, for a body that is shown alone
FUSED_BODIES = 0.7  # share of the bodies alone that are fused scans
SOFT_FAMILIES = ("elastic", "cloth")  # of `objects.soft`
CREATURES = ("fish", "humanoid", "cattle/deer/sheep/camel", "horse family", "dog/fox/wolf", "dinosaur")
HALF = ("points", "normals", "cues", "link_features", "contact_features")


def example_of(shape: Shape) -> dict[str, Array]:
    """Arrays of `PatchFeatures`, the true part of each patch and its share of the area, and `part_motions`.

    The true part is the body with the largest overlap. Part names of the shape are removed first.
    """
    return _labelled(shape, true_bodies(shape))


def _labelled(shape: Shape, body: Int[Array, " m"]) -> dict[str, Array]:
    """Example of a surface whose faces belong to these bodies."""
    bare = Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)
    patches = read_patches(bare)
    if len(patches.share) < 2:
        raise InputError(shape.name, "is one patch", "It gives no example")
    table = np.zeros((len(patches.share), body.max() + 1))
    np.add.at(table, (patches.label, body), face_areas(shape))
    labels = {"part": table.argmax(1), "share": patches.share}
    return patches.features.arrays() | labels | part_motions(shape, body, patches)


def fused_example(shape: Shape) -> dict[str, Array]:
    """Training example of a fused scan of the object."""
    return example_of(fused_by_name(shape))


def soft_example(shape: Shape) -> dict[str, Array]:
    """Training example of a body that bends everywhere, which counts as one part: as it is, or fused."""
    rng = np.random.default_rng(zlib.crc32(shape.name.encode()))
    if rng.random() < FUSED_BODIES:
        shape = fused(shape, rng)
    return _labelled(shape.with_(joints=None), np.zeros(len(shape.faces), np.int64))


def soft_objects(store: Store, split: str) -> list[str]:
    """Names of the soft bodies, cloths, and animated creatures that are not generated."""
    entries = {name: store.entry(name) for name in store.names(split)}
    animals = {n for n, e in entries.items() if e.category in CREATURES and not n.startswith("generated/")}
    return [n for n, e in entries.items() if e.family in SOFT_FAMILIES or n in animals]


def rigid_example(shape: Shape) -> dict[str, Array]:
    """Training example of one large rigid body of the object, alone: as it is, or as a fused scan."""
    rng = np.random.default_rng(zlib.crc32(shape.name.encode()))
    body, area = true_bodies(shape), face_areas(shape)
    large = np.flatnonzero(np.bincount(body, area) >= MIN_BODY_SHARE * area.sum())
    used, index = np.unique(shape.faces[body == rng.choice(large)], return_inverse=True)
    alone = Shape(shape.vertices[used], index.reshape(-1, 3), shape.name, frame=shape.frame)
    if rng.random() < FUSED_BODIES:
        alone = fused(alone, rng)
    return _labelled(alone, np.zeros(len(alone.faces), np.int64))


CACHE = ExampleCache("patches", VERSION, example_of, half=HALF)
FUSED_CACHE = ExampleCache("patches_fused", VERSION, fused_example, half=HALF)
RIGID_CACHE = ExampleCache("patches_rigid", VERSION, rigid_example, half=HALF)
SOFT_CACHE = ExampleCache("patches_soft", VERSION, soft_example, half=HALF)
