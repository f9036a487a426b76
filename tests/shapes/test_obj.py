"""OBJ and MTL files against known answers, and against trimesh where it is correct."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from neurok.errors import InputError
from neurok.shapes.load import load_shape
from neurok.shapes.obj import load_obj

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


def write(folder: Path, text: str, name: str = "thing.obj") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_relative_indices_count_from_where_they_stand(tmp_path):
    text = SQUARE + "f -4 -3 -2 -1\n" + SQUARE.replace(" 0\n", " 5\n") + "f -4 -3 -2 -1\n"
    shape = load_obj(write(tmp_path, text))
    assert sorted(set(shape.vertices[:, 2])) == [0, 5]
    assert len(shape.faces) == 4


def test_objects_groups_and_materials_become_parts_and_materials(tmp_path):
    write(tmp_path, "newmtl red\nKd 1 0 0\nnewmtl glass\nKd 0 0 1\nd 0.25\n", "m.mtl")
    text = (
        f"mtllib m.mtl\n{SQUARE}o box\ng front\nusemtl red\nf 1 2 3\nusemtl glass\nf 1 3 4\no lid\nf 1 2 4\n"
    )
    shape = load_obj(write(tmp_path, text))
    assert shape.part_names == ("box/front", "lid")
    assert shape.part.tolist() == [0, 0, 1]
    assert [m.name for m in shape.materials] == ["red", "glass"]
    assert shape.material.tolist() == [0, 1, 1]
    assert shape.materials[0].color == (1, 0, 0, 1)
    assert shape.materials[1].color == (0, 0, 1, 0.25)
    assert shape.materials[1].alpha_mode == "BLEND"


def test_texture_seams_split_vertices_but_the_surface_stays_whole(tmp_path):
    text = SQUARE + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/2 3/4 4/1\n"
    shape = load_obj(write(tmp_path, text))
    assert len(shape.vertices) == 6
    assert len(shape.surface.vertices) == 4
    assert shape.surface.component_count == 1
    corner_uv = shape.uv[shape.faces]
    assert np.allclose(corner_uv, [[[0, 0], [1, 0], [1, 1]], [[1, 0], [0, 1], [0, 0]]])


def test_texture_is_kept_byte_for_byte(tmp_path):
    Image.new("RGB", (4, 4), (10, 200, 30)).save(tmp_path / "wood.png")
    write(tmp_path, "newmtl wood\nmap_Kd wood.png\n", "m.mtl")
    shape = load_obj(write(tmp_path, f"mtllib m.mtl\n{SQUARE}usemtl wood\nf 1 2 3 4\n"))
    assert shape.materials[0].textures["color"].data == (tmp_path / "wood.png").read_bytes()


@pytest.mark.parametrize("reference", ["../secret.mtl", "/etc/hostname", "..\\secret.mtl"])
def test_material_files_outside_the_folder_are_not_read(tmp_path, reference):
    write(tmp_path, "newmtl red\nKd 1 0 0\n", "secret.mtl")
    (tmp_path / "inner").mkdir()
    shape = load_obj(write(tmp_path / "inner", f"mtllib {reference}\n{SQUARE}usemtl red\nf 1 2 3\n"))
    assert shape.materials[0].color != (1, 0, 0, 1)
    assert "not found" in shape.notes[0]


def test_concave_polygons_cover_their_own_area(tmp_path):
    arrow = "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 0.5 1 0\n"  # a dart, which a fan from corner 0 would leave
    for turn in range(4):
        order = " ".join(str((k + turn) % 4 + 1) for k in range(4))
        shape = load_obj(write(tmp_path, arrow + f"f {order}\n"))
        assert shape.area == pytest.approx(1.5)
        normal = np.cross(
            *(shape.vertices[shape.faces[:, k]] - shape.vertices[shape.faces[:, 0]] for k in (1, 2))
        )
        assert (normal[:, 2] > 0).all()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(0.2, 2.0), min_size=5, max_size=12), st.floats(0, 6))
def test_star_shaped_polygons_cover_their_own_area(tmp_path, radii, turn):
    angle = turn + 2 * np.pi * np.arange(len(radii)) / len(radii)
    points = np.c_[radii * np.cos(angle), np.full(len(radii), 3.0), radii * np.sin(angle)]
    x, z = points[:, 0], points[:, 2]
    shoelace = abs(np.sum(x * np.roll(z, -1) - z * np.roll(x, -1))) / 2
    lines = [f"v {a:.17g} {b:.17g} {c:.17g}" for a, b, c in points]
    shape = load_obj(
        write(tmp_path, "\n".join([*lines, "f " + " ".join(map(str, range(1, len(radii) + 1)))]))
    )
    assert shape.area == pytest.approx(shoelace, rel=1e-9)


def test_mixed_and_odd_syntax_reads_like_the_plain_form(tmp_path):
    odd = "#c\r\nv\t0 0 0\r\n  v 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nvn 0 0 1\r\n"
    odd += "f 1//1 2//1 \\\r\n3//1\r\nf 1 3 4 # tail\r\n"
    shape = load_obj(write(tmp_path, odd))
    assert shape.area == pytest.approx(1.0)
    assert len(shape.faces) == 2


def test_agrees_with_trimesh_on_real_files(data_dir):
    for path in sorted(data_dir.glob("articulated_real/**/*.obj"))[::12]:
        ours, theirs = load_shape(path, unit="m"), trimesh.load(path, force="mesh", process=False)
        assert len(ours.faces) == len(theirs.faces)
        assert ours.area == pytest.approx(theirs.area, rel=1e-9)
        assert np.allclose(ours.bounds, theirs.bounds)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("v 0 0 0\n", "holds no faces"),
        (SQUARE + "f 1 2 9\n", "names vertex 9, but there are 4"),
        (SQUARE + "f 1 2\n", "fewer than three corners"),
        (SQUARE + "f 0 1 2\n", "names vertex 0"),
        (SQUARE + "f -9 -1 -2\n", "names vertex"),
        (SQUARE + "f a b c\n", "whole numbers"),
        (SQUARE + "f 1-2 3 4\n", "whole numbers"),
        ("v 0 zero 0\n" + SQUARE + "f 1 2 3\n", "not made of numbers"),
        ("v nan 0 0\n" + SQUARE + "f 1 2 3\n", "1 vertices are NaN"),
        (SQUARE + "f 1 1 1\n", "no face of three distinct"),
        (SQUARE + "f 99999999999999999999 1 2\n", "whole numbers"),
    ],
)
def test_bad_files_are_refused_with_the_reason(tmp_path, text, words):
    with pytest.raises(InputError, match=words):
        load_shape(write(tmp_path, text))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.integers(0, 200), st.integers(0, 40))
def test_corrupted_files_never_raise_anything_else(tmp_path, noise, at, cut):
    text = (
        f"mtllib m.mtl\n{SQUARE}vt 0 0\nvn 0 0 1\nusemtl a\nf 1/1/1 2/1/1 3/1/1\nf 1//1 3//1 4//1\n"
    ).encode()
    path = tmp_path / "noise.obj"
    path.write_bytes(text[:at] + noise + text[at + cut :])
    try:
        shape = load_shape(path)
    except InputError:
        return
    assert np.isfinite(shape.vertices).all()
    assert shape.faces.max() < len(shape.vertices)


def test_material_lines_that_make_no_sense_are_noted_and_ignored(tmp_path):
    write(tmp_path, "newmtl odd\nKd red\nNs\nd nan\nPr 7\n", "m.mtl")
    shape = load_obj(write(tmp_path, f"mtllib m.mtl\n{SQUARE}usemtl odd\nf 1 2 3\n"))
    assert shape.materials[0].color == (0.8, 0.8, 0.8, 1.0)
    assert shape.materials[0].roughness == 1.0
    assert sum("ignored" in note for note in shape.notes) == 3
