"""Interpretation of target files."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from neurok.assets import SHIPPED
from neurok.errors import InputError
from neurok.kinematics.inverse.targets import load_target, parse_drags
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

POINTS = np.random.default_rng(0).normal(size=(30, 3))


@pytest.fixture(scope="module")
def box() -> Shape:
    mesh = trimesh.creation.box()
    return Shape(np.array(mesh.vertices), np.array(mesh.faces))


def test_the_same_faces_mean_the_same_vertices(box, tmp_path):
    trimesh.Trimesh(box.vertices + 1, box.faces, process=False).export(tmp_path / "moved.ply")
    target = load_target(tmp_path / "moved.ply", box)
    assert target.vertices is not None and np.allclose(target.points, box.vertices + 1)


def test_another_mesh_is_a_surface(box):
    target = load_target(SHIPPED["teddy"], box)
    teddy = load_shape(SHIPPED["teddy"])
    assert target.vertices is None and len(target.points) == 8000
    assert (target.points.min(0) >= teddy.vertices.min(0) - 1e-9).all()


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".xyz", ".ply"])
def test_points_come_from_tables_and_clouds(box, tmp_path, suffix):
    path = tmp_path / f"points{suffix}"
    if suffix == ".npy":
        np.save(path, POINTS)
    elif suffix == ".ply":
        trimesh.PointCloud(POINTS).export(path)
    else:
        np.savetxt(path, POINTS, delimiter="," if suffix == ".csv" else " ")
    target = load_target(path, box)
    assert target.vertices is None and np.allclose(target.points, POINTS, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", "x,y\n1,2"), ("b.npy", "no"), ("c.xyz", "1 2\n"), ("d.txt", "nan 1 2")]
)
def test_bad_tables_are_named(box, tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=name[:1]):
        load_target(tmp_path / name, box)


def test_drags_name_a_vertex_or_a_place(box):
    target = parse_drags(("3=1,2,3", "0.5,0.5,0.5=9,8,7"), box)
    assert target.vertices is not None and target.vertices[0] == 3
    assert np.allclose(box.vertices[target.vertices[1]], 0.5)
    assert target.points.tolist() == [[1, 2, 3], [9, 8, 7]]
    for bad in ("3", "3=1,2", "x=1,2,3", "99=0,0,0", "1,2=0,0,0", "3=1,2,inf"):
        with pytest.raises(InputError):
            parse_drags((bad,), box)
