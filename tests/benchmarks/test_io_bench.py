"""The benchmark measures what it says, on a size that is quick; speed itself is never asserted."""

from __future__ import annotations

import pytest

from neurok.benchmarks.io import STAGES, measure, wavy_torus


def test_measures_every_stage():
    result = measure(1_000)
    assert set(result) == {*STAGES, "peak_gb", "faces"}
    assert all(value > 0 for value in result.values())


@pytest.mark.parametrize("faces", [1_000, 20_000])
def test_the_measured_shape_is_closed_and_has_about_the_faces_asked_for(faces):
    torus = wavy_torus(faces)
    assert torus.surface.is_closed
    assert len(torus.faces) == pytest.approx(faces, rel=0.05)
