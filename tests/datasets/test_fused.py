"""A fused scan is the surface that is seen from outside, with the parts of what was scanned."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import KDTree

from carpentry import board, locker
from neurok.articulation.parts.components import face_areas, face_components
from neurok.datasets.fused import FusedRanges, fused
from neurok.shapes import Shape, concatenate
from neurok.shapes.surface import weld

CLEAN = FusedRanges(blur=(0, 0), noise=(0.0, 0.0), grain=(0.0, 0.0), holes=0, open_bottom=0.0)


def centres(shape: Shape) -> np.ndarray:
    return shape.vertices[shape.faces].mean(1)


@pytest.mark.slow
def test_touching_and_overlapping_boards_become_one_closed_surface() -> None:
    boards = [board((0, 0, 0), (1, 0.1, 1), "top"), board((0.4, -0.8, 0.4), (0.6, 0.05, 0.6), "leg")]
    scan = fused(concatenate(boards, "table"), np.random.default_rng(0), CLEAN)
    assert face_components(scan).max() == 0
    assert weld(scan.vertices, scan.faces, np.zeros(len(scan.vertices), int)).is_closed
    area = 2 * 1.0 + 4 * 0.1 + 4 * 0.2 * 0.8  # of the table seen from outside, the leg's ends hidden
    assert face_areas(scan).sum() == pytest.approx(area, rel=0.05)


@pytest.mark.slow
def test_what_is_enclosed_is_not_seen() -> None:
    shell, core = board((0, 0, 0), (1, 1, 1), "shell"), board((0.3, 0.3, 0.3), (0.6, 0.6, 0.6), "core")
    scan = fused(concatenate([shell, core], "box"), np.random.default_rng(1), CLEAN)
    assert scan.part_names == ("shell",)
    assert face_areas(scan).sum() == pytest.approx(6, rel=0.02)


@pytest.mark.slow
def test_parts_keep_their_names_and_places() -> None:
    shape = locker()
    scan = fused(shape, np.random.default_rng(2), CLEAN)
    assert scan.part_names == shape.part_names and face_components(scan).max() == 0
    nearest = KDTree(centres(shape)).query(centres(scan))[1]
    agree = scan.part == shape.part[nearest]
    assert np.average(agree, weights=face_areas(scan)) > 0.9


@pytest.mark.slow
def test_the_same_seed_gives_the_same_scan_and_noise_stays_small() -> None:
    shape = locker()
    one, again = (fused(shape, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one.vertices, again.vertices) and np.array_equal(one.faces, again.faces)
    assert np.abs(one.bounds - shape.bounds).max() < 0.03


@pytest.mark.slow
def test_holes_take_area_away() -> None:
    box = board((0, 0, 0), (1, 1, 1))
    holes = FusedRanges(holes=3, hole_radius=(0.2, 0.2), open_bottom=0.0, noise=(0, 0), grain=(0, 0))
    areas = [face_areas(fused(box, np.random.default_rng(seed), holes)).sum() for seed in range(8)]
    assert min(areas) < 6 - 0.8 * np.pi * 0.2**2 and max(areas) < 6.1


@pytest.mark.slow
def test_a_missing_underside_opens_the_surface() -> None:
    ranges = FusedRanges(holes=0, open_bottom=1.0)
    scan = fused(board((0, 0, 0), (1, 1, 1)), np.random.default_rng(4), ranges)
    down = np.cross(*(scan.vertices[scan.faces[:, k]] - scan.vertices[scan.faces[:, 0]] for k in (1, 2)))
    low = (centres(scan)[:, 1] < 0.02) & (down[:, 1] < 0)
    assert face_areas(scan)[low].sum() < 0.1
