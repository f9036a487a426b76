"""Forms of an object as users have them: a bare mesh, a fused surface, or nameless parts."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from neurok.datasets.fused import FusedRanges, fused
from neurok.shapes import Shape

Form = Literal["bare", "fused", "parts"]
FORMS: tuple[Form, ...] = get_args(Form)
SCAN = FusedRanges(resolution=(96, 96), faces=(8000, 8000), holes=0, open_bottom=0.0)
"""A closed scan whose surface has waves and grain. Gaps below a fiftieth of the longest side are bridged."""


class Given(NamedTuple):
    """A shape in the form that a user has, and the same vertices with true parts and joints."""

    shape: Shape
    labelled: Shape


def bare(shape: Shape) -> Shape:
    """Shape with only the vertices, faces and frame of another."""
    return Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)


def given(shape: Shape, form: Form, rng: np.random.Generator) -> Given:
    """One form of a shape with joints, whose parts share no vertex.

    "bare" has vertices and faces alone. "fused" is one surface around the parts visible from outside; its
    faces have the label of the nearest part. "parts" has the parts of the file under neutral names.
    """
    labelled = fused(shape, rng, SCAN) if form == "fused" else shape
    if form != "parts":
        return Given(bare(labelled), labelled)
    names = tuple(f"part_{k + 1}" for k in range(len(shape.part_names)))
    return Given(Shape(shape.vertices, shape.faces, shape.name, shape.part, names, frame=shape.frame), shape)
