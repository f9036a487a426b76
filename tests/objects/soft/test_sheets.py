"""Grids of cloth."""

from __future__ import annotations

import numpy as np

from neurok.objects.soft import checks
from neurok.objects.soft.sheets import grid, tube_grid


def test_sheets_of_one_size_have_faces_of_their_own():
    sheets = [grid(12, 9, np.random.default_rng(k))[1] for k in range(20)]
    assert len({faces.tobytes() for faces in sheets}) == 20
    assert (grid(12, 9, np.random.default_rng(3))[1] == sheets[3]).all()
    for _, faces in (grid(12, 9, np.random.default_rng(0)), tube_grid(12, 9, np.random.default_rng(0))):
        edges = checks.edges_of(faces)
        assert len(np.unique(faces)) - len(edges) + len(faces) in (0, 1)  # Euler: a tube, a disc
