"""Splits a shape into pieces that exporters write as meshes: faces of a part, or of a part and a handle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.shape import unique_names

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Piece:
    """Faces of a shape that form one mesh, and the handle that moves them."""

    name: str
    faces: Int[Array, " k"]
    handle: int


def part_pieces(shape: Shape) -> list[Piece]:
    """One piece per part that has faces; the handle of a piece is its part."""
    return [Piece(shape.part_names[label], faces, label) for label, faces in grouped(shape.part)]


def handle_pieces(shape: Shape, handle: Int[Array, " n"], names: tuple[str, ...]) -> list[Piece] | None:
    """One piece per part and handle; a part of two handles is split, and its pieces are named after both.

    None if the vertices of a face follow different handles, because the face then deforms.
    """
    corner = handle[shape.faces]
    if (corner != corner[:, :1]).any():
        return None
    pieces = []
    for label, faces in grouped(shape.part):
        part, split = shape.part_names[label], grouped(corner[faces, 0])
        pieces += [Piece(part if len(split) == 1 else f"{part}_{names[h]}", faces[k], h) for h, k in split]
    unique = unique_names([piece.name for piece in pieces])
    return [Piece(name, piece.faces, piece.handle) for name, piece in zip(unique, pieces, strict=True)]


def grouped(label: Int[Array, " m"]) -> list[tuple[int, Int[Array, " k"]]]:
    """(label, its indices) for every label that occurs, both in increasing order."""
    order = np.argsort(label, kind="stable")
    values, start = np.unique(label[order], return_index=True)
    return [(int(v), k) for v, k in zip(values, np.split(order, start[1:]), strict=True)]


def by_material(shape: Shape, piece: Piece) -> Iterator[tuple[int, Int[Array, "k 3"], Int[Array, " u"]]]:
    """(material, triangles in local indices, the shape's vertex of each local index) of a piece."""
    for material, k in grouped(shape.material[piece.faces]):
        used, local = np.unique(shape.faces[piece.faces[k]], return_inverse=True)
        yield material, local.reshape(-1, 3), used


def check_writable(shape: Shape) -> None:
    """Refuses shapes without faces, with invalid indices, or with vertices that are not finite."""
    if not len(shape.faces):
        raise InputError(shape.name, "has no faces", "Give a surface")
    if shape.faces.min() < 0 or shape.faces.max() >= len(shape.vertices):
        raise InputError(shape.name, "has faces that name missing vertices", "Repair with --repair")
    used = shape.used_vertices
    bad = used[~np.isfinite(shape.vertices[used]).all(axis=1)]
    if len(bad):
        raise InputError(
            shape.name,
            f"{len(bad)} vertices are NaN or infinite (first: {bad[0]})",
            "Repair with --repair, or fix the export",
        )
