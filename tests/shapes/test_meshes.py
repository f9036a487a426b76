"""PLY, STL, OFF, DAE, units, repairs and hostile files."""

from __future__ import annotations

import os
import struct

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.shapes.repair import checked


@pytest.fixture
def box() -> trimesh.Trimesh:
    return trimesh.creation.box(extents=(1.0, 2.0, 3.0))


@pytest.mark.parametrize("suffix", ["ply", "stl", "off", "obj", "glb"])
def test_every_format_gives_the_same_box(tmp_path, box, suffix):
    path = tmp_path / f"box.{suffix}"
    box.export(path)
    shape = load_shape(path)
    assert len(shape.faces) == 12
    assert shape.area == pytest.approx(22.0, rel=1e-6)
    assert np.allclose(np.ptp(shape.bounds, axis=0), [1, 2, 3])
    assert shape.surface.is_closed
    assert len(shape.surface.vertices) == 8


def test_ascii_stl_with_two_solids_keeps_both(tmp_path, box):
    other = box.copy().apply_translation([5, 0, 0])
    text = trimesh.exchange.stl.export_stl_ascii(box) + "\n" + trimesh.exchange.stl.export_stl_ascii(other)
    (tmp_path / "two.stl").write_text(text)
    shape = load_shape(tmp_path / "two.stl")
    assert len(shape.faces) == 24
    assert shape.surface.component_count == 2


def test_vertex_colours_of_a_ply_survive(tmp_path, box):
    box.visual.vertex_colors = np.tile([[10, 20, 30, 255], [200, 100, 50, 255]], (4, 1)).astype(np.uint8)
    box.export(tmp_path / "c.ply")
    shape = load_shape(tmp_path / "c.ply")
    assert {tuple(c) for c in shape.colors} == {(10, 20, 30, 255), (200, 100, 50, 255)}


COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>{up}_UP</up_axis></asset>
<library_geometries><geometry id="g" name="tri"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 2 0</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">
<node id="a" name="left"><instance_geometry url="#g"/></node>
<node id="b" name="right"><matrix>-1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_collada_instances_units_up_axis_and_mirroring(tmp_path):
    (tmp_path / "t.dae").write_text(COLLADA.format(up="Z"))
    shape = load_shape(tmp_path / "t.dae")
    assert shape.frame.metres_per_unit == 0.01
    assert shape.frame.up == "z"
    assert len(shape.part_names) == 2
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all(), "a mirrored instance keeps its front"
    assert np.allclose(shape.bounds, [[0, 0, 0], [5, 2, 0]])


def test_collada_x_up_is_turned_upright(tmp_path):
    (tmp_path / "t.dae").write_text(COLLADA.format(up="X"))
    shape = load_shape(tmp_path / "t.dae")
    assert shape.frame.up == "z"
    assert np.allclose(shape.bounds, [[0, 0, 0], [2, 0, 5]])


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ('meter="0.01"', 'meter="0"', "unit of '0' metres"),
        ('meter="0.01"', 'meter="1.2.3"', "unit of '1.2.3' metres"),
        ('<scene><instance_visual_scene url="#s"/></scene>', "", "no <scene>"),
    ],
)
def test_collada_with_a_bad_unit_or_without_a_scene_is_refused(tmp_path, good, bad, words):
    assert good in COLLADA
    (tmp_path / "t.dae").write_text(COLLADA.format(up="Z").replace(good, bad))
    with pytest.raises(InputError, match=words):
        load_shape(tmp_path / "t.dae")


def test_collada_entities_are_refused(tmp_path):
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><COLLADA>&a;</COLLADA>'
    (tmp_path / "b.dae").write_text(bomb)
    with pytest.raises(InputError, match="entities"):
        load_shape(tmp_path / "b.dae")


def test_large_numbers_without_a_unit_are_read_as_millimetres_with_a_note(tmp_path, box):
    box.apply_scale(100).export(tmp_path / "mm.stl")
    shape = load_shape(tmp_path / "mm.stl")
    assert shape.frame.metres_per_unit == 1e-3
    assert "millimetres" in shape.notes[-1]
    assert load_shape(tmp_path / "mm.stl", unit="m").frame.metres_per_unit == 1.0
    assert load_shape(tmp_path / "mm.stl", up="y").frame.up == "y"


def test_stl_that_states_gigabytes_is_refused_before_reading(tmp_path):
    (tmp_path / "lie.stl").write_bytes(b"\0" * 80 + struct.pack("<I", 4_000_000_000) + b"\0" * 100)
    with pytest.raises(InputError, match="states 4,000,000,000 faces but holds 2"):
        load_shape(tmp_path / "lie.stl")


def test_ply_that_states_gigabytes_is_refused(tmp_path):
    head = (
        "ply\nformat binary_little_endian 1.0\nelement vertex 3000000000\nproperty float x\n"
        "property float y\nproperty float z\nelement face 3000000000\n"
        "property list uchar int vertex_indices\nend_header\n"
    )
    (tmp_path / "lie.ply").write_bytes(head.encode() + b"\0" * 64)
    with pytest.raises(InputError, match=r"lie\.ply"):
        load_shape(tmp_path / "lie.ply")


@pytest.mark.parametrize("stated", ["element vertex 9", "element face 13"])
def test_text_ply_that_was_cut_off_is_refused(tmp_path, box, stated):
    text = trimesh.exchange.ply.export_ply(box, encoding="ascii").decode()
    (tmp_path / "whole.ply").write_text(text)
    assert len(load_shape(tmp_path / "whole.ply").faces) == 12
    true = f"{stated.rsplit(' ', 1)[0]} {int(stated.split()[-1]) - 1}"
    assert true in text
    (tmp_path / "cut.ply").write_text(text.replace(true, stated))
    with pytest.raises(InputError, match="states 21 elements but holds 20"):
        load_shape(tmp_path / "cut.ply")


def test_too_many_faces_are_refused_with_the_limit(tmp_path, box):
    box.export(tmp_path / "box.ply")
    with pytest.raises(InputError, match="has 12 faces; more than 10"):
        load_shape(tmp_path / "box.ply", max_faces=10)


@pytest.mark.slow
def test_ten_million_faces_get_a_clear_error(tmp_path):
    head = (
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 10000000\nproperty list uchar int vertex_indices\nend_header\n"
    )
    face = struct.pack("<Biii", 3, 0, 1, 2) * 10_000_000
    path = tmp_path / "ten.ply"
    path.write_bytes(head.encode() + np.eye(3, dtype="<f4").tobytes() + face)
    with pytest.raises(InputError, match="10,000,000 faces; more than 5,000,000"):
        load_shape(path)


def test_nan_vertices_are_refused_and_repaired_on_request(tmp_path):
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [np.nan, 0, 0]]
    path = tmp_path / "n.off"
    rows = "\n".join(" ".join(map(str, v)) for v in vertices)
    path.write_text(f"OFF\n4 2 0\n{rows}\n3 0 1 2\n3 0 1 3\n")
    with pytest.raises(InputError, match=r"1 vertices are NaN.*first: 3.*--repair"):
        load_shape(path)
    shape = load_shape(path, repair=True)
    assert shape.faces.tolist() == [[0, 1, 2]]
    assert np.isfinite(shape.vertices).all()
    assert "dropped the faces" in shape.notes[-1]


def test_faces_out_of_range_are_refused_and_repaired_on_request():
    shape = Shape(np.eye(3), np.array([[0, 1, 2], [0, 1, 7], [0, -1, 2]]))
    with pytest.raises(InputError, match="2 faces use vertices that do not exist"):
        checked(shape, "x.ply")
    assert checked(shape, "x.ply", repair=True).faces.tolist() == [[0, 1, 2]]


def test_faces_that_repeat_a_vertex_go_with_a_note():
    shape = checked(Shape(np.eye(3), np.array([[0, 1, 2], [0, 0, 2]])), "x.ply")
    assert shape.faces.tolist() == [[0, 1, 2]]
    assert shape.notes == ("dropped 1 faces that repeat a vertex",)


@pytest.mark.parametrize("name", ["no.such", "missing.obj", "folder"])
def test_wrong_paths_name_the_fix(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "no.such").write_text("x")
    with pytest.raises(InputError, match=name):
        load_shape(tmp_path / name)


def test_a_pipe_is_refused_as_such_and_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.obj")
    with pytest.raises(InputError, match="is not a file"):
        load_shape(tmp_path / "pipe.obj")


@pytest.mark.slow
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["ply", "stl", "off", "dae"]),
    st.floats(0, 1),
    st.binary(min_size=0, max_size=40),
    st.integers(0, 60),
)
def test_corrupted_files_never_raise_anything_else(tmp_path, box, suffix, where, noise, cut):
    path = tmp_path / f"noise.{suffix}"
    if suffix == "dae":
        path.write_text(COLLADA.format(up="Y"))
    else:
        box.export(path)
    data = path.read_bytes()
    at = int(where * len(data))
    path.write_bytes(data[:at] + noise + data[at + cut :])
    try:
        shape = load_shape(path)
    except InputError:
        return
    assert np.isfinite(shape.vertices).all()
    assert shape.faces.max() < len(shape.vertices)
