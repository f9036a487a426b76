from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from neurok.errors import InputError
from neurok.writing import as_input_error, replacing, write_bytes


def test_parent_folders_are_made_and_nothing_else_is_left(tmp_path):
    path = write_bytes(tmp_path / "a" / "b" / "c.bin", b"12", b"34")
    assert path.read_bytes() == b"1234"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError, MemoryError])
def test_a_failure_midway_keeps_the_old_file(failure, tmp_path):
    path = write_bytes(tmp_path / "a.bin", b"old")
    with pytest.raises(failure), replacing(path) as temporary:
        temporary.write_bytes(b"half")
        raise failure
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_midway_leaves_no_new_file(tmp_path):
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a.bin") as temporary:
        temporary.write_bytes(b"half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_written_over(tmp_path):
    (tmp_path / "a.glb").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_bytes(tmp_path / "a.glb", b"")


def test_a_link_stays_one_and_the_file_behind_it_is_replaced(tmp_path):
    (tmp_path / "real.bin").write_bytes(b"old")
    (tmp_path / "link.bin").symlink_to("real.bin")
    write_bytes(tmp_path / "link.bin", b"new")
    assert (tmp_path / "link.bin").is_symlink()
    assert (tmp_path / "real.bin").read_bytes() == b"new"


def test_devices_and_pipes_are_not_replaced(tmp_path):
    """As root, renaming a file onto /dev/null would take it from everybody."""
    os.mkfifo(tmp_path / "pipe.glb")
    with pytest.raises(InputError, match="device or a pipe"):
        write_bytes(tmp_path / "pipe.glb", b"")
    assert (tmp_path / "pipe.glb").is_fifo()


@pytest.mark.parametrize(
    ("name", "words"), [("n" * 300 + ".glb", "too long"), ("loop.glb", "back to itself")]
)
def test_names_that_no_file_can_have_are_refused(tmp_path, name, words):
    (tmp_path / "loop.glb").symlink_to("loop.glb")
    with pytest.raises(InputError, match=words):
        write_bytes(tmp_path / name, b"")


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(InputError, match="is a file, not a folder"):
        write_bytes(tmp_path / "file" / "a.glb", b"")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EACCES, "can't be written to"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "can't be written"),
    ],
)
def test_what_the_system_refuses_is_refused_in_words(number, words, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(number, "refused")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=words) as caught:
        write_bytes(tmp_path / "a.glb", b"data")
    assert "a.glb" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_real_full_disk_is_refused():
    """/dev/full refuses every byte; the file behind the target is opened there."""
    target = Path("/dev/full")
    with pytest.raises(OSError) as error, target.open("wb", buffering=0) as file:
        file.write(b"x")
    assert "disk is full" in str(as_input_error(error.value, Path("a.glb")))
