""".npz files load in the published format and return positions within half a step."""

from __future__ import annotations

import numpy as np
import pytest
from export_samples import box_and_ball, colored, rigged, soft_skin, swing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neurok.errors import InputError
from neurok.export import save_npz
from neurok.sequences import Sequence
from neurok.sequences.npz import load_npz_sequences
from neurok.shapes import Frame, Shape


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([1e-3, 1.0, 1e4]),
    up=st.sampled_from(["y", "z"]),
    away=st.sampled_from([0.0, 50.0]),
)
def test_the_error_is_at_most_half_a_step(seed, size, up, away, tmp_path):
    rng = np.random.default_rng(seed)
    frames = (size * (rng.normal(size=(4, 10, 3)) + away)).astype(np.float32)
    shape = Shape(frames[0], rng.integers(0, 10, (6, 3)), frame=Frame(up, 0.5))
    path = save_npz(Sequence(shape, frames, 25.0, "m"), tmp_path / "a.npz")
    with np.load(path) as data:
        half_step = float(data["scale"]) * float(data["size"]) / 2
    back = load_npz_sequences(path)[0]
    rounding = 2 * np.finfo(np.float32).eps * np.abs(frames).max()
    assert np.abs(back.positions - frames).max() <= half_step * (1 + 1e-6) + rounding
    assert half_step <= np.abs(frames - frames[0].mean(axis=0)).max() / 32767
    assert back.shape.frame == shape.frame


def test_the_file_keeps_the_conventions_of_the_open_data(tmp_path):
    sequence = rigged(colored(), soft_skin(colored()), swing())
    with np.load(save_npz([sequence, sequence.with_(name="again", fps=12.0)], tmp_path / "a.npz")) as data:
        first = data["vertices"][0] * data["scale"]
        assert data["vertices"].dtype == data["rest"].dtype == np.int16
        assert data["faces"].dtype == np.uint16 and data["colors"].shape == (len(first), 3)
        assert data["clip_start"].tolist() == [0, 13, 26]
        assert data["clip_names"].tolist() == ["move", "again"] and data["fps"].tolist() == [24.0, 12.0]
    np.testing.assert_allclose(np.ptp(first, axis=0).max(), 1.0, atol=1e-4)
    np.testing.assert_allclose((first.max(axis=0) + first.min(axis=0)) / 2, 0.0, atol=1e-4)
    up = sequence.positions[0][:, 2]  # z is up in the sample, y in the file
    size = np.ptp(sequence.positions[0], axis=0).max()
    np.testing.assert_allclose(first[:, 1] * size, up - (up.max() + up.min()) / 2, atol=1e-3)


def test_all_that_the_format_holds_comes_back(tmp_path):
    shape = colored()
    clips = [
        rigged(shape, soft_skin(shape), swing(), name, fps) for name, fps in (("a/..", 24.0), ("", 12.0))
    ]
    back = load_npz_sequences(save_npz(clips, tmp_path / "x.npz"))
    twin = back[0].shape
    assert [(c.name, c.fps, len(c)) for c in back] == [(c.name, c.fps, len(c)) for c in clips]
    assert twin.part_names == shape.part_names and twin.name == shape.name
    for one, other in ((twin.faces, shape.faces), (twin.part, shape.part), (twin.colors, shape.colors)):
        assert np.array_equal(one, other)


def test_same_input_same_bytes(tmp_path):
    sequence = rigged(box_and_ball(), soft_skin(box_and_ball()), swing())
    one, other = (save_npz(sequence, tmp_path / name).read_bytes() for name in ("a.npz", "b.npz"))
    assert one == other


def test_an_empty_shape_is_refused(tmp_path):
    shape = Shape(np.zeros((3, 3)), np.zeros((0, 3), int))
    with pytest.raises(InputError, match="no faces"):
        save_npz(Sequence(shape, np.zeros((1, 3, 3))), tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []
