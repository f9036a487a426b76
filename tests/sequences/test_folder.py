from __future__ import annotations

import numpy as np
import pytest
import trimesh

from neurok.errors import InputError
from neurok.sequences.folder import load_mesh_folder


def write(folder, name: str, shift: float, mesh=None) -> None:
    folder.mkdir(exist_ok=True)
    mesh = (mesh or trimesh.creation.box()).copy()
    mesh.apply_translation([shift, 0.0, 0.0])
    mesh.export(folder / name)


@pytest.mark.parametrize("suffix", [".ply", ".obj", ".off"])
def test_meshes_are_read_in_the_order_of_their_numbers(suffix, tmp_path):
    folder = tmp_path / "walk"
    for k in (10, 2, 1, 9):
        write(folder, f"walk{k}{suffix}", float(k))
    (folder / "notes.txt").write_text("not a mesh")
    sequence = load_mesh_folder(folder, fps=12.0)
    assert (sequence.name, sequence.fps, len(sequence)) == ("walk", 12.0, 4)
    np.testing.assert_allclose(sequence.positions[:, :, 0].mean(axis=1), [1, 2, 9, 10], atol=1e-6)
    np.testing.assert_allclose(sequence.shape.vertices, sequence.positions[0], atol=1e-6)


def test_unit_and_up_axis_can_be_given(tmp_path):
    write(tmp_path / "walk", "f_0.ply", 0.0)
    sequence = load_mesh_folder(tmp_path / "walk", up="z", unit="mm")
    assert (sequence.shape.frame.up, sequence.shape.frame.metres_per_unit) == ("z", 1e-3)


def test_a_frame_with_another_count_is_named(tmp_path):
    folder = tmp_path / "walk"
    write(folder, "f_0.ply", 0.0)
    write(folder, "f_1.ply", 0.0, trimesh.creation.icosphere(subdivisions=1))
    with pytest.raises(
        InputError, match=r"f_1\.ply: has 42 vertices and 80 faces, but f_0\.ply has 8 and 12"
    ):
        load_mesh_folder(folder)


def test_a_frame_with_other_faces_is_named(tmp_path):
    folder, box = tmp_path / "walk", trimesh.creation.box()
    write(folder, "f_0.ply", 0.0)
    write(folder, "f_1.ply", 0.0, trimesh.Trimesh(box.vertices, np.roll(box.faces, 1, axis=0), process=False))
    with pytest.raises(InputError, match=r"f_1\.ply: has different faces"):
        load_mesh_folder(folder)


def test_a_path_that_is_not_a_folder_of_meshes_is_refused(tmp_path):
    with pytest.raises(InputError, match="not a folder"):
        load_mesh_folder(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no mesh files"):
        load_mesh_folder(tmp_path)
    write(tmp_path, "a.ply", 0.0)
    write(tmp_path, "b.obj", 0.0)
    with pytest.raises(InputError, match=r"several formats \(\.obj, \.ply\)"):
        load_mesh_folder(tmp_path)
