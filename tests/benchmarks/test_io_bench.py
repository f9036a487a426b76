"""The benchmark measures every stage on a small mesh; speed is not asserted."""

from __future__ import annotations

import pytest

from neurok.benchmarks.io import HEADER, measure_all, wavy_torus


@pytest.mark.slow
def test_measures_every_stage_of_every_size():
    rows, figures = measure_all({"1k": 1_000, "4k": 4_000})
    assert [len(row) for row in rows] == [len(HEADER)] * 2
    assert [row[0] for row in rows] == ["992", "3,968"]
    assert all(value > 0 for value in figures.values())
    assert {"load_1k_faces_s", "peak_memory_4k_gb", "growth_per_face"} <= figures.keys()


@pytest.mark.parametrize("faces", [1_000, 20_000])
def test_the_measured_shape_is_closed_and_has_about_the_faces_asked_for(faces):
    torus = wavy_torus(faces)
    assert torus.surface.is_closed
    assert len(torus.faces) == pytest.approx(faces, rel=0.05)
