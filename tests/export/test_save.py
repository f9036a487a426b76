from __future__ import annotations

import pytest
from export_samples import box_and_ball, rigged, rigid_skin, swing

from neurok.errors import InputError
from neurok.export import SAVE_SUFFIXES, save
from neurok.sequences.load import load_sequences


def motion():
    return rigged(box_and_ball(), rigid_skin(box_and_ball()), swing(3))


@pytest.mark.parametrize("suffix", [s for s in SAVE_SUFFIXES if s != ".npz"])
def test_a_shape_is_written_by_suffix(suffix, tmp_path):
    assert save(box_and_ball(), tmp_path / f"a{suffix}") == [tmp_path / f"a{suffix}"]
    assert (tmp_path / f"a{suffix}").stat().st_size > 100


@pytest.mark.parametrize("suffix", [s for s in SAVE_SUFFIXES if s not in (".stl", ".off", ".urdf", ".xml")])
def test_a_motion_is_written_by_suffix(suffix, tmp_path):
    files = save(motion(), tmp_path / f"a{suffix.upper()}")
    assert len(files) == (3 if suffix in (".ply", ".obj") else 1)
    assert all(file.is_file() for file in files)


@pytest.mark.parametrize("suffix", [".glb", ".npz"])
def test_several_motions_go_into_one_file(suffix, tmp_path):
    (path,) = save([motion(), motion()], tmp_path / f"a{suffix}")
    assert [len(clip) for clip in load_sequences(path)] == [len(motion())] * 2


def test_a_format_of_one_motion_refuses_several(tmp_path):
    with pytest.raises(InputError, match="one motion, not 2"):
        save([motion(), motion()], tmp_path / "a.usdc")


@pytest.mark.parametrize("name", ["a.xyz", "a", "a.fbx"])
def test_an_unknown_suffix_is_refused_with_the_supported_ones(name, tmp_path):
    with pytest.raises(InputError, match=r"\.glb, \.usd, .*\.npz"):
        save(motion(), tmp_path / name)
    with pytest.raises(InputError, match=r"\.stl, \.off"):
        save(box_and_ball(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_list_of_motions_is_refused(tmp_path):
    with pytest.raises(InputError, match="no motion"):
        save([], tmp_path / "a.glb")
