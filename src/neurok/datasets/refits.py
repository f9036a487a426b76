"""Refitted objects: their moving parts are scaled by some per cent and shifted slightly.

Files draw the same door inset, overlaid, flush, with a gap or overlapping its frame. A network that has seen
each object in one fit only reads the joint from the contact.
"""

from __future__ import annotations

import zlib

import numpy as np

from neurok.articulation.annotations import true_joints
from neurok.datasets.articulation_examples import HALF, VERSION, example_of
from neurok.datasets.example_cache import ExampleCache
from neurok.shapes import Shape

Array = np.ndarray
REFIT_SHARE = 0.8  # of the parts that move
MIN_SCALE, MAX_SCALE = 0.96, 1.01  # of a part along each axis of the shape, about the middle of its box
MAX_SHIFT = 0.006  # radii, along each axis


def refit(shape: Shape, rng: np.random.Generator) -> Shape:
    """The object with its moving parts scaled and shifted; vertices that parts share stay."""
    vertices = np.array(shape.vertices, float)
    owners = np.full(len(vertices), -1)
    for part in range(len(shape.part_names)):
        own = np.unique(shape.faces[shape.part == part])
        owners[own] = np.where((owners[own] == -1) | (owners[own] == part), part, -2)
    radius = shape.normalisation.radius
    for part, joint in enumerate(true_joints(shape)):
        own = np.flatnonzero(owners == part)
        if joint.kind == "fixed" or not len(own) or rng.random() > REFIT_SHARE:
            continue
        middle = (vertices[own].min(0) + vertices[own].max(0)) / 2
        scale = rng.uniform(MIN_SCALE, MAX_SCALE, 3)
        shift = radius * rng.uniform(-MAX_SHIFT, MAX_SHIFT, 3)
        vertices[own] = middle + scale * (vertices[own] - middle) + shift
    return shape.with_(vertices=vertices.astype(shape.vertices.dtype), normals=None)


def refitted_example(shape: Shape) -> dict[str, Array]:
    """Training example of the refitted object, with a seed derived from its name."""
    return example_of(refit(shape, np.random.default_rng(zlib.crc32(shape.name.encode()))))


CACHE = ExampleCache("refitted", VERSION, refitted_example, half=HALF)
