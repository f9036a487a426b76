"""URDF files, valid and damaged."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.spatial.transform import Rotation

from neurok.errors import InputError
from neurok.shapes.robots.urdf import load_urdf

LINK = '<visual><geometry><box size="1 1 1"/></geometry></visual>'


def write(folder: Path, body: str, name: str = "model.urdf") -> Path:
    path = folder / name
    path.write_text(f'<robot name="thing">{body}</robot>')
    return path


def two_links(joint: str) -> str:
    return f'<link name="a">{LINK}</link><link name="b">{LINK}</link>{joint}'


def hinge(
    extra: str = "", kind: str = "revolute", name: str = "j", parent: str = "a", child: str = "b"
) -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{extra}</joint>'


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_urdf(path)
    return str(caught.value)


def test_parts_are_links_with_geometry_and_the_tree_keeps_the_others(tmp_path):
    body = f'<link name="a">{LINK}{LINK}</link><link name="empty"/><link name="b">{LINK}</link>'
    body += hinge(child="empty", kind="fixed", name="f") + hinge(parent="empty")
    shape = load_urdf(write(tmp_path, body))
    assert shape.part_names == ("a", "b")
    assert [link.name for link in shape.joints.links] == ["a", "empty", "b"]
    assert len(shape.vertices) == 3 * 24 and len(shape.faces_of("a")) == 24
    assert shape.frame.up == "z" and shape.name == "thing"


@pytest.mark.parametrize(
    ("geometry", "low", "high", "volume"),
    [
        ('<box size="1 2 4"/>', (-0.5, -1, -2), (0.5, 1, 2), 8),
        ('<cylinder radius="1" length="3"/>', (-1, -1, -1.5), (1, 1, 1.5), 3 * np.pi),
        ('<sphere radius="2"/>', (-2, -2, -2), (2, 2, 2), 32 / 3 * np.pi),
        ('<capsule radius="1" length="2"/>', (-1, -1, -2), (1, 1, 2), (2 + 4 / 3) * np.pi),
    ],
)
def test_primitives_have_their_size_volume_and_outward_normals(tmp_path, geometry, low, high, volume):
    body = f'<link name="a"><visual><geometry>{geometry}</geometry></visual></link>'
    shape = load_urdf(write(tmp_path, body))
    assert np.allclose(shape.bounds, [low, high])
    mesh = trimesh.Trimesh(shape.vertices, shape.faces, process=False)
    assert mesh.volume == pytest.approx(volume, rel=0.03)
    assert shape.surface.is_closed
    facing = (mesh.face_normals[:, None] * shape.normals[shape.faces]).sum(-1)
    assert facing.min() > 0.9


def test_origin_angles_are_fixed_axis_roll_pitch_yaw(tmp_path):
    origin = '<origin xyz="1 2 3" rpy="0.3 -0.7 1.9"/>'
    path = write(tmp_path, two_links(hinge(origin)))
    pose = load_urdf(path).joints.rest_poses["b"]
    assert np.allclose(pose[:3, :3], Rotation.from_euler("xyz", [0.3, -0.7, 1.9]).as_matrix())
    assert np.allclose(pose[:3, 3], [1, 2, 3])


def test_inertia_is_turned_into_the_frame_of_the_link(tmp_path):
    inertial = (
        '<inertial><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    shape = load_urdf(write(tmp_path, f'<link name="a">{inertial}{LINK}</link>'))
    inertia = shape.joints.links[0].inertia
    assert inertia.mass == 2 and np.allclose(inertia.centre, [1, 0, 0])
    assert np.allclose(inertia.tensor, np.diag([2, 1, 3]))


def test_every_joint_kind_is_read_with_its_limits_and_dynamics(tmp_path):
    kinds = ["fixed", "revolute", "continuous", "prismatic", "floating", "planar"]
    limit = '<axis xyz="0 0 2"/><limit lower="-1" upper="2" effort="5" velocity="6"/>'
    limit += '<dynamics damping="0.5" friction="0.25"/>'
    links = "".join(f'<link name="l{i}">{LINK}</link>' for i in range(len(kinds) + 1))
    joints = "".join(hinge(limit, k, k, f"l{i}", f"l{i + 1}") for i, k in enumerate(kinds))
    tree = load_urdf(write(tmp_path, links + joints)).joints
    by_name = {j.name: j for j in tree.joints}
    assert [j.dim for j in tree.joints] == [0, 1, 1, 1, 6, 3]
    revolute = by_name["revolute"]
    assert (revolute.lower, revolute.upper, revolute.effort, revolute.velocity) == (-1, 2, 5, 6)
    assert (revolute.damping, revolute.friction) == (0.5, 0.25)
    assert np.allclose(revolute.axis, [0, 0, 1])
    assert np.isinf(by_name["continuous"].upper)


def test_a_mimic_with_offset_is_drawn_where_it_belongs(tmp_path):
    mimic = '<axis xyz="0 0 1"/><mimic joint="lead" multiplier="-2" offset="0.5"/>'
    body = "".join(f'<link name="{n}">{LINK}</link>' for n in "abc")
    body += hinge('<axis xyz="0 0 1"/>', "continuous", "lead") + hinge(
        mimic, "continuous", "follow", "a", "c"
    )
    tree = load_urdf(write(tmp_path, body)).joints
    follower = next(j for j in tree.joints if j.name == "follow")
    assert follower.rest == 0.5 and follower.coupling.coefficients == (0.0, -2.0)
    turned = Rotation.from_euler("z", 0.5).as_matrix()
    assert np.allclose(tree.rest_poses["c"][:3, :3], turned)
    assert tree.dim == 1


def test_limits_the_wrong_way_round_are_swapped_and_noted(tmp_path):
    path = write(tmp_path, two_links(hinge('<limit lower="1" upper="-1"/>')))
    shape = load_urdf(path)
    assert (shape.joints.joints[0].lower, shape.joints.joints[0].upper) == (-1, 1)
    assert any("swapped" in note for note in shape.notes)


def test_a_hinge_without_a_range_moves_freely_with_a_note(tmp_path):
    shape = load_urdf(write(tmp_path, two_links(hinge())))
    assert np.isinf(shape.joints.joints[0].upper) and any("without limits" in n for n in shape.notes)


def test_collision_shapes_stand_in_only_when_no_link_has_a_visual(tmp_path):
    box = '<geometry><box size="1 1 1"/></geometry>'
    both = f'<link name="a"><visual>{box}</visual><collision>{box}</collision></link>'
    bare = f'<link name="a"><collision>{box}</collision></link>'
    assert len(load_urdf(write(tmp_path, both)).faces) == 12
    shape = load_urdf(write(tmp_path, bare))
    assert len(shape.faces) == 12 and any("collision" in note for note in shape.notes)


def test_a_negative_mesh_scale_mirrors_and_stays_right_side_out(tmp_path):
    cone = trimesh.creation.cone(radius=1, height=3)
    cone.export(tmp_path / "cone.obj")
    mesh = '<visual><geometry><mesh filename="cone.obj" scale="1 1 -2"/></geometry></visual>'
    shape = load_urdf(write(tmp_path, f'<link name="a">{mesh}</link>'))
    assert shape.bounds[0, 2] == pytest.approx(-6) and shape.bounds[1, 2] == pytest.approx(0)
    assert trimesh.Trimesh(shape.vertices, shape.faces).volume == pytest.approx(2 * cone.volume, rel=1e-6)


def test_colours_are_found_by_name_and_become_linear(tmp_path):
    red = '<material name="red"><color rgba="0.5 0 0 0.5"/></material>'
    use = '<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>'
    shape = load_urdf(write(tmp_path, f'{red}<link name="a">{use}</link>'))
    (material,) = shape.materials
    assert material.color == pytest.approx((0.2140411, 0, 0, 0.5), abs=1e-6)
    assert material.alpha_mode == "BLEND"


def test_a_texture_is_kept_on_a_mesh_with_coordinates_and_tints_a_box(tmp_path):
    Image.new("RGB", (4, 4), (255, 0, 0)).save(tmp_path / "red.png")
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n")
    paint = '<material name="m"><texture filename="red.png"/></material>'
    mesh = f'<visual><geometry><mesh filename="t.obj"/></geometry>{paint}</visual>'
    box = f'<visual><geometry><box size="1 1 1"/></geometry>{paint}</visual>'
    mapped = load_urdf(write(tmp_path, f'<link name="a">{mesh}</link>'))
    assert mapped.materials[0].textures["color"].data == (tmp_path / "red.png").read_bytes()
    tinted = load_urdf(write(tmp_path, f'<link name="a">{box}</link>'))
    assert tinted.materials[0].color == pytest.approx((1, 0, 0, 1)) and not tinted.materials[0].textures


def test_a_mere_colour_tints_the_texture_that_a_mesh_brings_along(tmp_path):
    Image.new("RGB", (4, 4), (255, 0, 0)).save(tmp_path / "red.png")
    (tmp_path / "t.mtl").write_text("newmtl m\nKd 1 1 1\nmap_Kd red.png\n")
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
    (tmp_path / "t.obj").write_text(f"mtllib t.mtl\n{corners}usemtl m\nf 1/1 2/2 3/3\n")
    paint = '<material name="half"><color rgba="0.5 1 1 1"/></material>'
    mesh = f'<visual><geometry><mesh filename="t.obj"/></geometry>{paint}</visual>'
    (material,) = load_urdf(write(tmp_path, f'<link name="a">{mesh}</link>')).materials
    assert material.textures["color"].data == (tmp_path / "red.png").read_bytes()
    assert material.color == pytest.approx((0.2140411, 1, 1, 1), abs=1e-6)


@pytest.mark.parametrize(
    "reference",
    [
        "package://pkg/meshes/c.obj",
        "meshes\\c.obj",
        "meshes/C.OBJ",
        "../pkg/meshes/c.obj",
        "package://other/meshes/c.obj",
    ],
)
def test_meshes_are_found_by_package_backslash_and_wrong_case(tmp_path, reference):
    folder = tmp_path / "ws" / "pkg"
    (folder / "meshes").mkdir(parents=True)
    (folder / "package.xml").write_text("<package/>")
    trimesh.creation.box().export(folder / "meshes" / "c.obj")
    mesh = f'<visual><geometry><mesh filename="{reference}"/></geometry></visual>'
    shape = load_urdf(write(folder, f'<link name="a">{mesh}</link>'))
    assert len(shape.faces) == 12


@pytest.mark.parametrize(
    ("reference", "word"),
    [
        ("../../../../secret.obj", "outside"),
        ("/etc/passwd", "absolute"),
        ("C:\\secret.obj", "absolute"),
        ("file:///etc/passwd", "address"),
        ("http://example.org/a.obj", "address"),
        ("package://pkg/../../../../secret.obj", "outside"),
        ("gone.obj", "does not exist"),
        ("", "not a file name"),
    ],
)
def test_references_never_leave_the_asset_folder(tmp_path, reference, word):
    folder = tmp_path / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True)
    trimesh.creation.box().export(tmp_path / "secret.obj")
    mesh = f'<visual><geometry><mesh filename="{reference}"/></geometry></visual>'
    message = refusal(write(folder, f'<link name="a">{mesh}</link>'))
    assert word in message and "model.urdf" in message


def test_a_link_on_disk_that_points_outside_is_refused(tmp_path):
    folder = tmp_path / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True)
    trimesh.creation.box().export(tmp_path / "secret.obj")
    (folder / "near.obj").symlink_to(tmp_path / "secret.obj")
    mesh = '<visual><geometry><mesh filename="near.obj"/></geometry></visual>'
    assert "outside" in refusal(write(folder, f'<link name="a">{mesh}</link>'))


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("", "no links"),
        ('<link name="a"/>', "no visible geometry"),
        (f"<link>{LINK}</link>", "no name"),
        (two_links(hinge(kind="wobbly")), "wobbly"),
        (two_links(hinge(parent="nobody")), "nobody"),
        (two_links('<joint name="j" type="fixed"><child link="b"/></joint>'), "parent"),
        (two_links(hinge() + hinge(name="k")), "two parents"),
        (two_links(hinge() + hinge(name="k", parent="b", child="a")), "cycle"),
        (two_links(hinge(parent="b")), "cycle"),
        (two_links(hinge('<axis xyz="0 0 0"/>')), "length zero"),
        (two_links(hinge('<axis xyz="nan 0 0"/>')), "not finite"),
        (two_links(hinge('<origin xyz="1 two 3"/>')), "not a list of numbers"),
        (two_links(hinge('<origin xyz="1 2"/>')), "2 numbers instead of 3"),
        (two_links(hinge('<mimic joint="ghost"/>')), "ghost"),
        (two_links(hinge('<mimic joint="j"/>')), "follows itself"),
        ('<link name="a"><visual><geometry><box size="1 -1 1"/></geometry></visual></link>', "size"),
        ('<link name="a"><visual><geometry><box/></geometry></visual></link>', "no size"),
        ('<link name="a"><visual><geometry><sphere radius="1e300"/></geometry></visual></link>', "radius"),
        ("<a>" * 100_000 + "</a>" * 100_000, "400 deep"),
        ('<link name="a"><visual><geometry><torus/></geometry></visual></link>', "torus"),
        (f'<link name="a">{LINK}</link><link name="a">{LINK}</link>', "twice"),
        ("<xacro:macro/>", "xacro"),
    ],
)
def test_invalid_files_are_refused_with_a_reason(tmp_path, body, word):
    assert word in refusal(write(tmp_path, body))


def test_entity_bombs_are_refused_before_they_expand(tmp_path):
    layers = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    text = f'<!DOCTYPE robot [<!ENTITY a0 "ha">{layers}]><robot name="&a9;"><link name="a"/></robot>'
    path = tmp_path / "bomb.urdf"
    path.write_text(text)
    assert "document type" in refusal(path)


@pytest.mark.parametrize(
    "text", ["", "<robot>", "not xml", "<mujoco/>", '<?xml version="1.0" encoding="none"?><robot/>']
)
def test_files_that_are_no_urdf_are_refused(tmp_path, text):
    path = tmp_path / "x.urdf"
    path.write_text(text)
    assert "x.urdf" in refusal(path)


SAMPLE = f"""<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>{LINK}</link>
<link name="b"><visual><origin xyz="0 0 1" rpy="0 1 0"/><geometry><cylinder radius="1" length="2"/></geometry>
<material name="m"/></visual></link><link name="c">{LINK}</link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1"/></joint><joint name="k" type="prismatic"><parent link="b"/><child link="c"/>
<mimic joint="j" multiplier="2"/></joint></robot>""".encode()


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(
        st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 12), st.binary(max_size=6)), max_size=4
    )
)
def test_a_corrupted_file_loads_or_raises_an_input_error(tmp_path, cuts):
    data = bytearray(SAMPLE)
    for at, length, put in cuts:
        data[at : at + length] = put
    path = tmp_path / "corrupt.urdf"
    path.write_bytes(data)
    try:
        shape = load_urdf(path)
    except InputError as error:
        assert "corrupt.urdf" in str(error) and error.fix
    else:
        assert np.isfinite(shape.vertices).all()


@pytest.mark.slow
def test_real_and_synthetic_files_load_with_the_joints_that_the_manifest_counts(data_dir):
    with (data_dir / "articulated_synthetic" / "manifest.csv").open() as file:
        rows = random.Random(0).sample(list(csv.DictReader(file)), 40)
    for row in rows:
        shape = load_urdf(data_dir / "articulated_synthetic" / row["name"] / "model.urdf")
        movable = [j for j in shape.joints.joints if j.dim]
        assert len(movable) == int(row["movable_joints"]), row["name"]
        assert len(shape.joints.links) == int(row["links"]), row["name"]
    tables = sorted((data_dir / "articulated_real").glob("**/*.urdf"))
    assert len(tables) == 4
    for path in tables:
        assert load_urdf(path).joints.dim == 4
