"""Mesh files load in trimesh, and numbered files load as the same sequence."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from export_samples import HOSTILE_NAMES, box_and_ball, colored, rigged, rigid_skin, swing, textured

from neurok.errors import InputError
from neurok.export import meshes, save_meshes
from neurok.sequences import Sequence
from neurok.sequences.folder import load_mesh_folder
from neurok.shapes.load import load_shape


@pytest.mark.parametrize("suffix", [".ply", ".obj", ".stl", ".off"])
def test_trimesh_reads_the_surface(suffix, tmp_path):
    shape = box_and_ball()
    (path,) = save_meshes(shape, tmp_path / f"a{suffix}")
    mesh = trimesh.load(path, process=False, force="mesh")
    truth = shape.vertices[shape.faces]
    assert np.abs(np.asarray(mesh.vertices)[mesh.faces] - truth).max() < 1e-6


def test_trimesh_reads_colours_from_ply(tmp_path):
    shape = colored()
    mesh = trimesh.load(save_meshes(shape, tmp_path / "a.ply")[0], process=False)
    assert np.array_equal(mesh.visual.vertex_colors, shape.colors)


def test_ply_keeps_double_precision_where_it_matters(tmp_path):
    shape = box_and_ball(vertices=box_and_ball().vertices + 1e6 + 1e-4)
    mesh = trimesh.load(save_meshes(shape, tmp_path / "a.ply")[0], process=False)
    assert np.array_equal(mesh.vertices, shape.vertices)


@pytest.mark.parametrize("suffix", [".ply", ".obj"])
def test_a_motion_comes_back_from_numbered_files(suffix, tmp_path):
    shape = textured()
    sequence = rigged(shape, rigid_skin(shape), swing())
    files = save_meshes(sequence, tmp_path / "walk" / f"walk{suffix}")
    assert [f.name for f in files[:2]] == [f"walk_0000{suffix}", f"walk_0001{suffix}"]
    back = load_mesh_folder(tmp_path / "walk", fps=24.0)
    truth = sequence.positions[:, shape.faces]
    if suffix == ".obj":  # faces are ordered by part and material
        order = np.lexsort((shape.material, shape.part))
        truth = truth[:, order]
    assert np.abs(back.positions[:, back.shape.faces] - truth).max() < 1e-6


def test_a_folder_gets_frames(tmp_path):
    sequence = rigged(box_and_ball(), rigid_skin(box_and_ball()), swing(3))
    files = save_meshes(sequence, tmp_path / "out")
    assert [f.relative_to(tmp_path).as_posix() for f in files] == [f"out/frame_000{k}.ply" for k in range(3)]


def test_a_shorter_motion_leaves_no_old_frames(tmp_path):
    shape = box_and_ball()
    save_meshes(rigged(shape, rigid_skin(shape), swing(12)), tmp_path / "a.ply")
    (tmp_path / "a_notes.ply").write_text("mine")
    (tmp_path / "ab_0011.ply").write_text("mine")
    files = save_meshes(rigged(shape, rigid_skin(shape), swing(4)), tmp_path / "a.ply")
    assert sorted(tmp_path.iterdir()) == sorted([*files, tmp_path / "a_notes.ply", tmp_path / "ab_0011.ply"])


def test_obj_materials_and_textures_come_back(tmp_path):
    shape = textured()
    back = load_shape(save_meshes(shape, tmp_path / "toy.obj")[0])
    assert back.part_names == shape.part_names
    twins = {m.name: m for m in back.materials}
    for material in shape.materials:
        twin = twins[material.name]
        assert twin.color == pytest.approx(material.color, abs=1e-6) and twin.roughness == pytest.approx(0.8)
        assert {r: t.data for r, t in twin.textures.items()} == {
            r: t.data for r, t in material.textures.items() if r in ("color", "normal", "emissive")
        }
    assert sorted(p.name for p in tmp_path.iterdir()) == ["toy.mtl", "toy.obj", "toy_textures"]


def test_obj_textures_are_written_once_for_all_frames(tmp_path):
    shape = textured()
    save_meshes(rigged(shape, rigid_skin(shape), swing(5)), tmp_path / "toy.obj")
    assert len(list(tmp_path.glob("*.mtl"))) == 1 and len(list((tmp_path / "toy_textures").iterdir())) == 4


def test_a_failure_midway_leaves_nothing(tmp_path, monkeypatch):
    written = []

    def fail(shape):
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(1)
        return b"x"

    monkeypatch.setattr(meshes, "ply_bytes", fail)
    with pytest.raises(KeyboardInterrupt):
        save_meshes(rigged(box_and_ball(), rigid_skin(box_and_ball()), swing()), tmp_path / "a.ply")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_names_stay_inside_the_folder(name, tmp_path):
    shape = textured()
    materials = tuple(type(m)(name, textures=m.textures) for m in shape.materials)
    shape = shape.with_(name=name, part_names=(name, "b"), materials=materials)
    (path,) = save_meshes(shape, tmp_path / "out" / "a.obj")
    assert len(load_shape(path).faces) == len(shape.faces)
    (default,) = save_meshes(shape, tmp_path / "named")
    assert default.parent == tmp_path / "named" and default.suffix == ".ply"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["named", "out"]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a.mtl", "a.obj", "a_textures"]


def test_a_motion_as_stl_is_refused(tmp_path):
    shape = box_and_ball()
    with pytest.raises(InputError, match=r"Use one of \.ply, \.obj"):
        save_meshes(Sequence(shape, shape.vertices[None]), tmp_path / "a.stl")
