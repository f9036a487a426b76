""".npz sequences: published files load, and damaged files are refused."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neurok.errors import InputError
from neurok.sequences.npz import load_npz_sequences


def valid() -> dict[str, np.ndarray]:
    """Two clips of a tetrahedron of two parts."""
    rng = np.random.default_rng(0)
    return {
        "vertices": rng.integers(-32767, 32767, (5, 4, 3)).astype(np.int16),
        "scale": np.float32(2e-5),
        "faces": np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]], np.uint16),
        "clip_names": np.array(["walk", "run"]),
        "clip_start": np.array([0, 3, 5], np.int32),
        "fps": np.array([24.0, 12.5], np.float32),
        "rest": rng.integers(-32767, 32767, (4, 3)).astype(np.int16),
        "colors": rng.integers(0, 255, (4, 3)).astype(np.uint8),
        "part": np.array([3, 3, 7, 7], np.int16),
    }


def written(path, arrays):
    np.savez_compressed(path, **arrays)
    return path


def test_clips_rest_colours_and_parts_are_read(tmp_path):
    data = valid()
    walk, run = load_npz_sequences(written(tmp_path / "toy.npz", data))
    assert (walk.name, walk.fps, len(walk)) == ("walk", 24.0, 3)
    assert (run.name, run.fps, len(run)) == ("run", 12.5, 2)
    assert walk.shape is run.shape and walk.shape.name == "toy"
    np.testing.assert_allclose(run.positions, data["vertices"][3:] * 2e-5, rtol=1e-6)
    np.testing.assert_allclose(walk.shape.vertices, data["rest"] * 2e-5, rtol=1e-6)
    assert walk.shape.part_names == ("part_3", "part_7")
    assert walk.shape.part.tolist() == [0, 0, 1, 1]
    assert np.array_equal(walk.shape.colors[:, :3], data["colors"])
    assert walk.shape.frame.up == "y"


def test_without_rest_the_first_frame_is_the_shape(tmp_path):
    data = valid()
    del data["rest"], data["colors"], data["part"]
    walk, _ = load_npz_sequences(written(tmp_path / "toy.npz", data))
    assert np.array_equal(walk.shape.vertices, walk.positions[0])
    assert walk.shape.part_names == ("body",)


BROKEN = {
    "no vertices": ({"vertices": None}, "no `vertices`"),
    "wrong rank": ({"vertices": np.zeros((5, 12), np.int16)}, "2 dimensions instead of 3"),
    "two coordinates": ({"vertices": np.zeros((5, 4, 2), np.int16)}, "instead of"),
    "text for numbers": ({"faces": np.array([["a", "b", "c"]])}, "holds"),
    "float steps": ({"vertices": np.zeros((5, 4, 3), np.float32)}, "whole numbers"),
    "float faces": ({"faces": np.zeros((4, 3))}, "whole numbers"),
    "face beyond": ({"faces": np.array([[0, 1, 4]]), "part": None}, "face 0 names a vertex beyond"),
    "face negative": ({"faces": np.array([[0, 1, -1]]), "part": None}, "face 0 names a vertex beyond"),
    "clips fall": ({"clip_start": np.array([0, 4, 3])}, "does not rise"),
    "empty clip": ({"clip_start": np.array([0, 0, 5])}, "does not rise"),
    "clips too far": ({"clip_start": np.array([0, 3, 6])}, "does not rise"),
    "clip count": ({"fps": np.array([1.0])}, r"`fps` is \(1,\) instead of \(2,\)"),
    "fps zero": ({"fps": np.array([0.0, 1.0])}, "positive"),
    "fps nan": ({"fps": np.array([np.nan, 1.0])}, "NaN"),
    "scale nan": ({"scale": np.float32(np.nan)}, "NaN"),
    "scale negative": ({"scale": np.float32(-1)}, "positive"),
    "scale huge": ({"scale": np.float64(1e300)}, "overflow"),
    "rest of another mesh": ({"rest": np.zeros((3, 3), np.int16)}, "`rest`"),
    "colours of another mesh": ({"colors": np.zeros((3, 3), np.uint8)}, "`colors`"),
    "colours too bright": ({"colors": np.full((4, 3), 300)}, "0…255"),
    "part of another mesh": ({"part": np.zeros(3, np.int16)}, "`part`"),
    "part without name": ({"part_names": np.array(["a"])}, "beyond the 1 part names"),
    "names are none": ({"part_names": np.zeros(0, "U1"), "part": None}, "beyond the 0 part names"),
    "no frames": ({"vertices": np.zeros((0, 4, 3), np.int16)}, "0 frames"),
    "no faces": ({"faces": np.zeros((0, 3), np.uint16), "part": None}, "0 faces"),
    "up sideways": ({"up": np.array("x")}, "up 'x'"),
    "objects": ({"clip_names": np.array([{}, []], dtype=object)}, "holds object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_inconsistent_arrays_are_refused_with_a_reason(name, tmp_path):
    change, words = BROKEN[name]
    arrays = {k: v for k, v in {**valid(), **change}.items() if v is not None}
    with pytest.raises(InputError, match=words) as refusal:
        load_npz_sequences(written(tmp_path / "bad.npz", arrays))
    assert "bad.npz" in str(refusal.value)


def header_only(shape: tuple[int, ...], payload: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": "<i2", "fortran_order": False, "shape": shape})
    return buffer.getvalue() + payload


@pytest.mark.parametrize("shape", [(10**6, 10**6, 3), (2**62, 4, 3), (-1, 4, 3), (5, 4, 3)])
def test_a_header_that_promises_more_than_there_is_is_refused_before_reading(shape, tmp_path):
    written(tmp_path / "a.npz", {k: v for k, v in valid().items() if k != "vertices"})
    with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
        archive.writestr("vertices.npy", header_only(shape, b"\0" * 10))
    with pytest.raises(InputError, match="another size"):
        load_npz_sequences(tmp_path / "a.npz")


def test_an_archive_that_unpacks_to_gigabytes_is_refused_before_reading(tmp_path, monkeypatch):
    from neurok.sequences import npz

    monkeypatch.setattr(npz, "MAX_BYTES", 100_000)
    arrays = {
        **valid(),
        "vertices": np.zeros((20_000, 4, 3), np.int16),
        "clip_start": np.array([0, 1, 20_000]),
    }
    path = written(tmp_path / "bomb.npz", arrays)
    assert path.stat().st_size < 10_000
    monkeypatch.setattr(npz, "read_array", lambda *_: pytest.fail("it was read"))
    with pytest.raises(InputError, match="unpacks to"):
        load_npz_sequences(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_npz_sequences(tmp_path / "a.npz")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_broken_bytes_never_give_anything_but_an_input_error(data, tmp_path):
    buffer = io.BytesIO()
    np.savez(buffer, **valid())
    raw = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "a.npz"
    path.write_bytes(bytes(raw[: data.draw(st.integers(0, len(raw)))] if data.draw(st.booleans()) else raw))
    try:
        clips = load_npz_sequences(path)
    except InputError:
        return
    assert all(np.isfinite(clip.positions).all() for clip in clips)


@pytest.mark.slow
def test_every_file_of_the_open_data_loads(data_dir):
    count = {"files": 0, "clips": 0, "frames": 0}
    for path in sorted(data_dir.glob("animated_*/*.npz")):
        clips = load_npz_sequences(path)
        count = {
            "files": count["files"] + 1,
            "clips": count["clips"] + len(clips),
            "frames": count["frames"] + sum(map(len, clips)),
        }
        box = np.ptp(clips[0].positions[0], axis=0).max()
        assert 0.3 < box < 3.0, path
    assert count == {"files": 282, "clips": 1001, "frames": 13_779}
