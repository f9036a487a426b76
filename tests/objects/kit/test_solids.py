"""Solids are closed and have the volume of their closed form."""

from __future__ import annotations

import numpy as np
import pytest

from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.solids import ball, block, extrude, lathe, loop, pill, ring, torus
from volumes import enclosed_volume

SOLIDS = {
    "block": (block((1, 2, 3)), 6.0),
    "bevelled block": (block((1, 2, 3), (4, 5, 6), 1e-4), 6.0),
    "extruded ell": (extrude(np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0.0, 3)]), 0.5), 2.0),
    "cone": (lathe([(1, 0), (0, 3)], 400), np.pi),
    "torus": (torus(2, 0.5, 200, 60), 2 * np.pi**2 * 2 * 0.25),
    "square ring": (ring(np.add(rectangle(1, 1), (2, 0)), 400), 4 * np.pi),
    "ball": (ball(1, sides=200), 4 / 3 * np.pi),
    "pill": (pill((0, 0, 0), (1, 1, 1), 0.1, 100), np.pi * 0.01 * (3**0.5 + 0.4 / 3)),
    "loop": (loop(np.c_[arc(2, 0, 2 * np.pi, 201)[:-1], np.zeros(200)], 0.5, 60), 2 * np.pi**2 * 2 * 0.25),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_enclose_the_volume_of_their_closed_form(name):
    shape, expected = SOLIDS[name]
    assert shape.surface.is_closed
    assert enclosed_volume(shape.vertices, shape.faces) == pytest.approx(expected, rel=0.02)
