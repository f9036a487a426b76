"""Small soft bodies and motions that tests share."""

from __future__ import annotations

import numpy as np

from neurok.objects.soft.sheets import cloth_shape, fabric, grid, held
from neurok.objects.soft.solver_scene import WORLD
from neurok.objects.soft.swept_bodies import along_path, cells
from neurok.objects.soft.tetrahedra import from_cells


def straight_bar(across: int, length: float = 0.6, half: float = 0.05):
    rings = round(length / (2 * half / across)) + 1  # cubes
    centres = np.column_stack([np.linspace(0, length, rings), np.zeros(rings), np.zeros(rings)])
    return from_cells(
        *cells(along_path(centres, np.array([0.0, 0, 1]), np.full((rings, 2), half)), (across,) * 2)
    )


def hanging_cloth(columns=9, rows=13, width=0.6, height=0.9):
    rng = np.random.default_rng(0)
    points, faces = grid(columns, rows)
    vertices = np.column_stack([points[:, 0] * width, np.zeros(len(points)), (points[:, 1] - 1) * height])
    shape = cloth_shape(rng, vertices, faces, "cloth")
    return shape, held(fabric(rng, shape), WORLD, points[:, 1] == 1)


def flat_sheet():
    points, faces = grid(6, 6)
    return np.column_stack([points, np.zeros(36)]), faces


def waving_sheet(frames: int = 40):
    """A sheet with waves at a third of the frame rate: fast, but smooth between vertices."""
    points, faces = grid(20, 20)
    rest = np.column_stack([points, np.zeros(400)])
    time = np.arange(frames)[:, None]
    height = 0.1 * np.sin(2 * np.pi * (points[:, 0] - time / 3)) * np.minimum(time / 10, 1)
    return rest, faces, np.stack([rest + h[:, None] * [0, 0, 1.0] for h in height])
