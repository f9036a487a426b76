"""Untrusted files and requests are contained."""

from __future__ import annotations

from pathlib import Path

import hostile_jobs
import numpy as np
import pytest

from neurok.errors import InputError
from neurok.studio import started
from neurok.studio.access import Access, page_files
from neurok.studio.gallery import Gallery, checked_upload, named_files, sanitised
from neurok.studio.guard import Limits
from neurok.studio.worker import run_limited

SMALL = Limits(seconds=60.0, memory=512 << 20)


@pytest.mark.slow
def test_a_job_that_wants_all_memory_is_refused():
    with pytest.raises(InputError, match="memory"):
        run_limited(hostile_jobs.ask_for_memory, (), SMALL)


@pytest.mark.slow
def test_a_job_that_never_ends_is_ended():
    reports = []
    with pytest.raises(InputError, match="longer than"):
        run_limited(hostile_jobs.never_end, (), Limits(seconds=3.0), report=lambda *at: reports.append(at))
    assert reports == [("looping", 0.5)]


def test_a_job_that_crashes_is_reported():
    with pytest.raises(InputError, match="crashed the process"):
        run_limited(hostile_jobs.crash, (), SMALL)


def test_handing_an_object_to_a_job_leaves_it_as_it_was(cabinet):
    live = started(cabinet)
    before = live.maps
    assert run_limited(hostile_jobs.count_coordinates, (cabinet.kinematics,), SMALL) == 4
    np.testing.assert_array_equal(live.maps, before)


def test_a_confined_job_opens_only_its_own_folder(tmp_path):
    inside, outside = tmp_path / "a" / "in.txt", tmp_path / "secret.txt"
    inside.parent.mkdir()
    inside.write_text("mine")
    outside.write_text("not yours")
    (inside.parent / "link.txt").symlink_to(outside)
    folder = inside.parent
    assert run_limited(hostile_jobs.read_a_file, (inside,), SMALL, folder=folder) == "mine"
    for path in (outside, Path("/etc/passwd"), folder / ".." / "secret.txt", folder / "link.txt"):
        with pytest.raises(InputError, match="not in it"):
            run_limited(hostile_jobs.read_a_file, (path,), SMALL, folder=folder)
    with pytest.raises(InputError):
        run_limited(hostile_jobs.start_a_program, (), SMALL, folder=folder)


@pytest.mark.slow
def test_a_texture_outside_the_upload_is_not_read(tmp_path):
    """An OBJ may name any material library, which may name any image."""
    from PIL import Image

    Image.new("RGB", (4, 4), (250, 10, 20)).save(tmp_path / "secret.png")
    (tmp_path / "secret.mtl").write_text(f"newmtl m\nmap_Kd {tmp_path}/secret.png\n")
    text = f"mtllib {tmp_path}/secret.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    text += "vt 0 0\nvt 1 0\nvt 0 1\n"
    text += "f 1/1 2/2 3/3\nf 1/1 2/2 4/3\nf 2/1 3/2 4/3\nf 1/1 3/2 4/3\n"
    gallery = Gallery({}, Limits())
    try:
        stage = gallery.upload("t.obj", text.encode(), "elastic", lambda *at: None, lambda: True)
    except InputError:
        return
    assert not any(material.textures for material in stage.shape.materials)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd.glb", ("passwd", ".glb")),
        ("C:\\secret\\a b<script>.OBJ", ("a_b_script", ".obj")),
        ("....ply", ("mesh", ".ply")),
        ("no suffix", ("no_suffix", "")),
        ("x.gl\0b", ("x", ".glb")),
    ],
)
def test_names_are_made_harmless(name, safe):
    assert sanitised(name) == safe


def test_uploads_have_known_suffixes_and_sizes():
    assert checked_upload("a.glb", 10, Limits()) == ("a", ".glb")
    for name, size in (("a.exe", 10), ("a.urdf", 10), ("a.glb", 0), ("a.glb", 51 << 20)):
        with pytest.raises(InputError):
            checked_upload(name, size, Limits())


def test_the_gallery_opens_names_not_paths():
    with pytest.raises(InputError, match="not in the gallery"):
        Gallery({}, Limits()).open("/etc/passwd", "auto", lambda *at: None, lambda: True)
    with pytest.raises(InputError, match="does not exist"):
        named_files((Path("missing.glb"),))


def test_only_the_studios_page_on_this_machine_is_admitted():
    access = Access.at("127.0.0.1")
    host = {"Host": "localhost:8765"}
    assert access.token is None
    assert access.refusal("/", host, False) is None
    assert access.refusal("/socket", host | {"Origin": "http://localhost:8765"}, True) is None
    assert access.refusal("/socket", host | {"Origin": "http://evil.example"}, True)
    assert access.refusal("/socket", host, True)
    assert access.refusal("/", {"Host": "evil.example"}, False)  # DNS rebinding


def test_elsewhere_a_token_is_needed():
    access = Access.at("0.0.0.0")
    host = {"Host": "lab:8765", "Origin": "http://lab:8765"}
    assert access.token is not None and len(access.token) >= 20
    assert access.token != Access.at("0.0.0.0").token
    assert access.refusal("/", host, False)
    assert access.refusal("/?token=wrong", host, False)
    assert access.refusal(f"/?token={access.token}", host, False) is None
    cookie = {"Cookie": access.headers()["Set-Cookie"].split(";")[0]}
    assert access.refusal("/socket", host | cookie, True) is None
    assert access.token in access.address(8765)


def test_the_page_consists_only_of_its_own_files():
    files = page_files()
    assert {"/", "/main.js", "/style.css"} <= set(files)
    assert all(".." not in name for name in files)
