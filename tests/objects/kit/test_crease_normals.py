"""Creases split the vertices of sharp edges only."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.crease_normals import split_creases
from neurok.objects.kit.solids import ball, block


def test_creasing_keeps_the_edges_of_a_box_sharp_and_a_ball_smooth():
    box, sphere = split_creases(block((1, 1, 1))), split_creases(ball(1.0))
    assert len(box.vertices) == 24
    assert box.normals is not None and sphere.normals is not None
    assert np.allclose(np.sort(np.abs(box.normals), axis=1), [0, 0, 1])
    assert len(sphere.vertices) == len(ball(1.0).vertices)
    assert (np.einsum("ij,ij->i", sphere.normals, sphere.vertices) > 0.99).all()
