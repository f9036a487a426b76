"""Separates parts that share vertices along a seam, so that each part can move alone."""

from __future__ import annotations

import numpy as np

from neurok.errors import InputError
from neurok.shapes.robots.tree import JointTree
from neurok.shapes.shape import Shape


def separate_parts(shape: Shape) -> Shape:
    """The same surface with seam vertices repeated once per part.

    Returns the shape itself if parts share no vertex. Existing vertices keep their index; copies follow.
    """
    n, parts = len(shape.vertices), len(shape.part_names)
    corner = shape.faces.astype(np.int64).ravel()
    key = corner * parts + np.repeat(shape.part, 3)
    used, inverse = np.unique(key, return_inverse=True)
    vertex = used // parts
    is_first = np.r_[True, vertex[1:] != vertex[:-1]][: len(vertex)]  # the lowest part keeps the original
    if is_first.all():
        return shape
    index = np.where(is_first, vertex, 0)
    index[~is_first] = n + np.arange((~is_first).sum())
    source = np.r_[np.arange(n), vertex[~is_first]]
    columns = {
        name: value[source]
        for name in ("vertices", "uv", "colors", "normals")
        if (value := getattr(shape, name)) is not None
    }
    note = (
        f"{(~is_first).sum()} vertices on seams between parts were doubled so that the parts can move apart."
    )
    return shape.with_(faces=index[inverse].reshape(-1, 3), notes=(*shape.notes, note), **columns)


def check_links(shape: Shape, tree: JointTree) -> None:
    """Refuses a mechanism in which some part of the shape is not a link."""
    links = {link.name for link in tree.links}
    stray = [name for name in shape.part_names if name not in links]
    if stray:
        raise InputError(
            shape.name, f"part {stray[0]!r} is not a link of the mechanism",
            f"Add Link({stray[0]!r}), or rename the part; links are: {', '.join(sorted(links)[:8])}",
        )  # fmt: skip
