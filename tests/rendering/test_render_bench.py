"""The rendering benchmark runs and reports its figures."""

from __future__ import annotations

from neurok.benchmarks.render import FACES, ball, describe, frame_times, table


def test_balls_have_the_faces_that_the_figures_name():
    for faces in FACES.values():
        assert abs(len(ball(faces).shape.faces) / faces - 1) < 0.1


def test_times_are_measured(renderer):
    assert all(0 < t < 60_000 for t in frame_times(renderer, ball(200), side=32))


def test_the_description_has_a_row_for_every_backend_and_size():
    figures = {
        f"{b}_{what}_{n}_ms": 12.3 for b in ("gl", "ray") for n in FACES for what in ("frame", "picture")
    }
    assert len(table(figures)) == 6
    assert describe(figures).count("\n") == 6
    assert len(table({k: v for k, v in figures.items() if k.startswith("ray")})) == 3
