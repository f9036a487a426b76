"""Computes training examples for articulation: network inputs, free motion of candidates, annotated joints.

An example takes about 0.5 s, so it is cached in the store as articulation/<name>.safetensors.
"""

from __future__ import annotations

import zlib

import numpy as np
from jaxtyping import Float

from neurok.articulation.annotations import KINDS, TrueJoint, true_joints
from neurok.articulation.clouds import read_parts
from neurok.articulation.features import part_scene, scene_features
from neurok.articulation.simulator import free_arrays, simulate_parts
from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.fused import fused_by_name
from neurok.datasets.store.store import Store
from neurok.shapes import Shape

Array = np.ndarray
VERSION = 6  # of the features and labels, also of variants of the objects
MAX_PARTS = 32  # parts per object; bounds the cost of the pairwise geometry
HALF = (
    "points",
    "normals",
    "gaps",
    "met",
    "open",
    "line_numbers",
    "free_turn",
)  # arrays cached in half precision


def example_of(shape: Shape) -> dict[str, Array]:
    """Arrays of one object with joints, in its own frame and the unit ball.

    They hold `SceneFeatures`, the free motion, and the joints: kind (−1 for an unsupported
    type), axis, pivot, limits, and parent (k for the world).
    """
    clouds = read_parts(shape)
    scene = part_scene(clouds)
    count = clouds.count
    truth = true_joints(shape)
    index = {name: i for i, name in enumerate(clouds.names)}
    return scene_features(scene).arrays() | {
        **free_arrays(simulate_parts(scene)),
        "kind": np.array([-1 if t.kind is None else KINDS.index(t.kind) for t in truth], np.int64),
        "true_axis": clouds.direction_from_shape(np.stack([t.axis for t in truth])),
        "true_pivot": clouds.point_from_shape(np.stack([t.pivot for t in truth])),
        "limits": np.stack([_limits(t, clouds.radius) for t in truth]),
        "parent": np.array([count if t.parent is None else index[t.parent] for t in truth], np.int64),
    }


def fused_example(shape: Shape) -> dict[str, Array]:
    """Example of a fused scan of the object."""
    return example_of(fused_by_name(shape))


def _limits(joint: TrueJoint, radius: float) -> Float[Array, "2"]:
    """Limits relative to the input pose, in radians or radii of the shape; 0 for an unlimited translation."""
    ends = np.array([joint.lower, joint.upper]) / (radius if joint.kind == "prismatic" else 1.0)
    return ends if np.isfinite(ends).all() else np.zeros(2)


def usable_objects(store: Store, split: str | None) -> list[str]:
    """Names of objects with joints and 2 to MAX_PARTS parts."""
    return [
        name
        for name in store.names(split)
        if store.entry(name).family == "articulated" and 2 <= (store.entry(name).parts or 0) <= MAX_PARTS
    ]


def diverse_objects(store: Store, split: str, most: int, classes: float = 1.0) -> list[str]:
    """Objects with joints, at most `most` of each category of a collection, chosen by a hash of the name.

    `classes` is the share of the categories that are taken, chosen by a hash of their names.
    """
    taken: dict[tuple[str, str], int] = {}
    chosen = []
    for name in sorted(usable_objects(store, split), key=lambda name: zlib.crc32(name.encode())):
        kind = name.partition("/")[0], store.entry(name).category
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= most and zlib.crc32("/".join(map(str, kind)).encode()) < classes * 2**32:
            chosen.append(name)
    return chosen


CACHE = ExampleCache("articulation", VERSION, example_of, half=HALF)
FUSED_CACHE = ExampleCache("articulation_fused", VERSION, fused_example, half=HALF)
