"""Parts with shared vertices are separated without changing the surface."""

from __future__ import annotations

import numpy as np

from neurok.shapes import Shape
from neurok.shapes.seams import separate_parts


def strip() -> Shape:
    """Three triangles in a row; the middle one is a separate part."""
    vertices = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [2, 0, 0]], float)
    faces = np.array([[0, 2, 1], [1, 2, 3], [2, 4, 3]])
    return Shape(vertices, faces, part=np.array([0, 1, 0]), part_names=("a", "b"), uv=vertices[:, :2])


def test_every_vertex_belongs_to_one_part_and_corners_stay_where_they_were():
    shape, apart = strip(), separate_parts(strip())
    owners = [set(apart.part[(apart.faces == v).any(axis=1)]) for v in range(len(apart.vertices))]
    assert all(len(parts) == 1 for parts in owners)
    assert np.array_equal(apart.vertices[apart.faces], shape.vertices[shape.faces])
    assert np.array_equal(apart.uv[apart.faces], shape.uv[shape.faces])
    assert np.array_equal(apart.vertices[: len(shape.vertices)], shape.vertices)
    assert len(apart.vertices) == 5 + 3


def test_a_shape_without_seams_is_returned_as_it_is():
    shape = strip().with_(part=np.zeros(3, np.int32), part_names=("a",))
    assert separate_parts(shape) is shape


def test_vertices_that_no_face_uses_survive():
    shape = strip().with_(
        faces=np.array([[0, 2, 1], [1, 2, 3]]), part=np.array([0, 1]), material=np.zeros(2, np.int32)
    )
    apart = separate_parts(shape)
    assert len(apart.vertices) == 5 + 2 and np.array_equal(apart.vertices[4], [2, 0, 0])
