"""MJCF files and fragments, against MuJoCo and against their mesh files."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from neurok.errors import InputError
from neurok.shapes.robots.mjcf import load_mjcf

BALL = '<geom type="sphere" size="0.1"/>'


def write(folder: Path, body: str, name: str = "model.xml") -> Path:
    path = folder / name
    path.write_text(f'<mujoco model="thing">{body}</mujoco>')
    return path


def world(body: str) -> str:
    return f"<worldbody>{body}</worldbody>"


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_mjcf(path)
    return str(caught.value)


def nearest(points: np.ndarray, others: np.ndarray) -> float:
    """The largest distance of a point to the nearest point of the other set."""
    return float(np.linalg.norm(points[:, None] - others[None], axis=-1).min(1).max())


def test_several_joints_of_a_body_become_a_chain_of_links(tmp_path):
    joints = '<joint name="x" type="slide" axis="1 0 0"/><joint name="h" axis="0 0 1" pos="0 1 0" ref="30"/>'
    shape = load_mjcf(write(tmp_path, world(f'<body name="b" pos="1 0 0">{joints}{BALL}</body>')))
    assert [link.name for link in shape.joints.links] == ["world", "b:x", "b"]
    slide, hinge = shape.joints.joints
    assert (slide.parent, slide.child, hinge.parent, hinge.child) == ("world", "b:x", "b:x", "b")
    assert hinge.rest == pytest.approx(np.pi / 6) and np.allclose(hinge.pivot, [0, 1, 0])
    assert shape.part_names == ("b",)
    assert np.allclose(shape.bounds.mean(0), [1, 0, 0], atol=1e-9)


def test_kinds_limits_couplings_and_names_are_read(tmp_path):
    body = world(
        f'<geom size="1"/><body name="f"><freejoint/>{BALL}</body>'
        f'<body><joint name="s" type="ball" range="0 90"/>{BALL}'
        f'<body name="p"><joint name="lead" range="-90 45" damping="2"/>{BALL}'
        f'<body name="q"><joint name="tail" type="slide"/>{BALL}</body></body></body>'
    )
    body += '<equality><joint joint1="tail" joint2="lead" polycoef="0 0.5 2 0 0"/></equality>'
    tree = load_mjcf(write(tmp_path, body)).joints
    by_name = {j.name: j for j in tree.joints}
    assert by_name["f_floating"].kind == "floating"
    assert (by_name["s"].kind, by_name["s"].upper) == ("ball", pytest.approx(np.pi / 2))
    assert (by_name["lead"].lower, by_name["lead"].upper) == pytest.approx((-np.pi / 2, np.pi / 4))
    assert by_name["lead"].damping == 2
    assert by_name["tail"].coupling.coefficients == (0, 0.5, 2)
    assert tree.dim == 6 + 3 + 1


def test_geometry_stands_where_mujoco_has_it(tmp_path):
    body = world(
        '<body name="b" pos="1 2 3" euler="20 30 40">'
        '<geom type="box" size="1 2 3" pos="0 0 1" euler="0 45 0"/></body>'
        '<body name="e"><geom type="ellipsoid" size="1 2 3"/></body>'
        '<body name="c"><geom type="cylinder" size="1 2" fromto="0 0 0 1 1 1"/></body>'
    )
    path = write(tmp_path, body)
    shape = load_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    corners = np.array(np.meshgrid([-1, 1], [-2, 2], [-3, 3])).reshape(3, -1).T
    expected = corners @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    boxes = shape.vertices[np.unique(shape.faces[shape.faces_of("b")])]
    assert nearest(boxes, expected) < 1e-9 and nearest(expected, boxes) < 1e-9
    ellipsoid = shape.vertices[np.unique(shape.faces[shape.faces_of("e")])]
    assert np.allclose((ellipsoid**2 / [1, 4, 9]).sum(1), 1)
    low = shape.vertices[np.unique(shape.faces[shape.faces_of("c")])]
    assert (low @ np.ones(3)).min() == pytest.approx(0, abs=1e-9)
    assert (low @ np.ones(3)).max() == pytest.approx(3, abs=1e-9)


def test_a_mesh_stands_as_its_file_has_it_although_mujoco_moves_it_to_its_centre(tmp_path):
    rng = np.random.default_rng(0)
    hull = trimesh.convex.convex_hull(rng.normal(size=(40, 3)) * [1, 2, 3] + [5, 0, 0])
    hull.export(tmp_path / "hull.stl")
    body = '<asset><mesh name="m" file="hull.stl" scale="1 1 -2"/></asset>'
    shape = load_mjcf(write(tmp_path, body + world('<body pos="0 0 7"><geom type="mesh" mesh="m"/></body>')))
    expected = hull.vertices * [1, 1, -2] + [0, 0, 7]
    assert nearest(shape.vertices, expected) < 1e-5 and nearest(expected, shape.vertices) < 1e-5
    volume = trimesh.Trimesh(shape.vertices, shape.faces, process=False).volume
    assert volume == pytest.approx(2 * hull.volume, rel=1e-4)


@pytest.mark.parametrize("suffix", ["dae", "ply", "glb", "text.stl"])
def test_meshes_that_mujoco_cannot_read_are_converted(tmp_path, suffix):
    box = trimesh.creation.box((1, 2, 3))
    if suffix == "text.stl":
        (tmp_path / "box.text.stl").write_text(trimesh.exchange.stl.export_stl_ascii(box))
    else:
        box.export(tmp_path / f"box.{suffix}")
    body = f'<asset><mesh name="m" file="box.{suffix}"/></asset>'
    shape = load_mjcf(write(tmp_path, body + world('<geom type="mesh" mesh="m"/>')))
    assert np.allclose(np.sort(np.ptp(shape.bounds, axis=0)), [1, 2, 3], atol=1e-5)


def test_texture_coordinates_count_from_the_lower_left(tmp_path):
    Image.new("RGB", (2, 2), (0, 255, 0)).save(tmp_path / "green.png")
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    uv = "vt 0.1 0.2\nvt 0.9 0.2\nvt 0.1 0.7\nvt 0.5 0.5\n"
    faces = "f 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 1/1 4/4 3/3\nf 2/2 3/3 4/4\n"
    (tmp_path / "t.obj").write_text(corners + uv + faces)
    assets = (
        '<asset><mesh name="m" file="t.obj"/><texture name="g" type="2d" file="green.png"/>'
        '<material name="mapped" texture="g"/></asset>'
    )
    bodies = world('<body name="a"><geom type="mesh" mesh="m" material="mapped"/></body>')
    shape = load_mjcf(write(tmp_path, assets + bodies))
    at = np.linalg.norm(shape.vertices - [0, 1, 0], axis=1).argmin()
    assert np.allclose(shape.uv[at], [0.1, 0.7], atol=1e-6)
    assert shape.materials[0].textures["color"].data == (tmp_path / "green.png").read_bytes()
    box = world('<geom type="box" size="1 1 1" material="mapped"/>')
    tinted = load_mjcf(write(tmp_path, assets + box))
    assert tinted.materials[0].color == pytest.approx((0, 1, 0, 1)) and not tinted.materials[0].textures


def test_looks_are_preferred_to_collision_shapes_body_by_body(tmp_path):
    body = world(
        '<body name="both"><geom size="1" contype="0" conaffinity="0"/><geom type="box" size="3 3 3"/></body>'
        '<body name="one"><geom type="box" size="1 1 1"/></body>'
        '<body name="hidden"><geom type="box" size="9 9 9" group="3"/></body>'
        '<body name="clear"><geom type="box" size="9 9 9" rgba="1 1 1 0"/></body>'
        '<geom type="plane" size="1 1 1"/>'
    )
    shape = load_mjcf(write(tmp_path, body))
    assert shape.part_names == ("both", "one")
    assert np.abs(shape.vertices).max() <= 1 + 1e-9
    assert any("plane" in note for note in shape.notes)


def test_a_height_field_is_a_surface(tmp_path):
    field = '<asset><hfield name="h" nrow="2" ncol="3" size="2 1 5 1" elevation="0 0 0 0 0 1"/></asset>'
    path = write(tmp_path, field + world('<geom type="hfield" hfield="h"/>'))
    shape = load_mjcf(path)
    assert np.allclose(shape.bounds, [[-2, -1, 0], [2, 1, 5]]) and len(shape.faces) == 4
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    hit = np.zeros(1, np.int32)
    for x, y, z in shape.vertices:
        eye, down = np.array([x * 0.9999, y * 0.9999, 9.0]), np.array([0.0, 0.0, -1.0])
        distance = mujoco.mj_ray(model, data, eye, down, None, 1, -1, hit)
        assert 9 - distance == pytest.approx(z, abs=1e-2)


def test_includes_work_with_backslashes_doubles_and_from_other_folders(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "assets.xml").write_text(
        '<mujocoinclude><asset><material name="m" rgba="1 0 0 1"/></asset></mujocoinclude>'
    )
    (tmp_path / "parts" / "body.xml").write_text(
        f'<mujocoinclude><include file="leaf.xml"/>{BALL}</mujocoinclude>'
    )
    (tmp_path / "parts" / "leaf.xml").write_text(
        '<mujocoinclude><geom size="2" material="m"/></mujocoinclude>'
    )
    twice = '<include file="parts\\assets.xml"/>' * 2
    shape = load_mjcf(
        write(tmp_path, twice + world('<body name="b"><include file="parts/body.xml"/></body>'))
    )
    assert shape.bounds[1, 0] == pytest.approx(2) and any("twice" in note for note in shape.notes)


def test_a_fragment_takes_the_definitions_that_it_needs_from_beside_it(tmp_path):
    (tmp_path / "knob_assets.xml").write_text(
        '<mujocoinclude><asset><material name="steel" rgba="1 0 0 1"/></asset>'
        '<default><default class="knob"><geom type="box" size="1 2 3"/></default></default></mujocoinclude>'
    )
    (tmp_path / "other_assets.xml").write_text(
        '<mujocoinclude><asset><material name="glass" rgba="0 0 1 1"/></asset></mujocoinclude>'
    )
    body = tmp_path / "knob_body.xml"
    body.write_text(
        '<mujocoinclude><joint name="turn"/><geom class="knob" material="steel"/></mujocoinclude>'
    )
    shape = load_mjcf(body)
    assert np.allclose(shape.bounds[1], [1, 2, 3]) and shape.joints.dim == 1
    assert shape.materials[0].color == pytest.approx((1, 0, 0, 1))
    assert any("knob_assets.xml" in n for n in shape.notes) and not any("other" in n for n in shape.notes)
    assert "definitions only" in refusal(tmp_path / "other_assets.xml")
    body.write_text('<mujocoinclude><geom size="1" material="gold"/></mujocoinclude>')
    assert "'gold'" in refusal(body)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ('<include file="../../../../secret.xml"/>', "outside"),
        ('<include file="/etc/passwd"/>', "absolute"),
        ('<asset><mesh name="m" file="../../../../secret.stl"/></asset>', "outside"),
        ('<compiler meshdir="../../../.."/><asset><mesh name="m" file="secret.stl"/></asset>', "outside"),
        ('<compiler meshdir="/etc"/><asset><mesh name="m" file="secret.stl"/></asset>', "does not exist"),
        ('<asset><hfield name="m" file="/etc/passwd" size="1 1 1 1"/></asset>', "absolute"),
        ('<asset><model name="m" file="../../../../secret.xml"/></asset>', "outside"),
        ('<asset><model name="m" file="model.xml"/></asset>', "attaches itself"),
        ('<include file="model.xml"/>', "includes itself"),
        ('<include file="gone.xml"/>', "does not exist"),
        ("<worldbody><body/></worldbody>", "no geometry"),
        (world('<geom size="-1"/>'), "size"),
        (world('<geom size="nan"/>'), "nan"),
        (world('<geom size="1e300"/>'), "larger than 1e+15"),
        (world('<replicate count="1000000000"><geom size="1"/></replicate>'), "1,000,000,000 bodies"),
        (world(2 * '<replicate count="1000">' + BALL + 2 * "</replicate>"), "1,000,000 bodies"),
        (world('<flexcomp type="grid" count="999 999 999" name="f"/>'), "997,002,999 points"),
        (
            '<asset><hfield name="h" nrow="90000" ncol="90000" size="1 1 1 1"/></asset>',
            "8,100,000,000 points",
        ),
        (world("<body>" * 3000 + BALL + "</body>" * 3000), "more than 400 deep"),
        (world('<body><joint axis="0 0 0"/><geom size="1"/></body>'), "axis"),
    ],
)
def test_damaged_and_dangerous_files_are_refused_with_a_reason(tmp_path, monkeypatch, capfd, body, word):
    folder = tmp_path / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True)
    trimesh.creation.box().export(tmp_path / "secret.stl")
    (tmp_path / "secret.xml").write_text(f"<mujoco>{world(BALL)}</mujoco>")
    extra = "" if "worldbody" in body else world(BALL)
    path = write(folder, body + extra)
    monkeypatch.chdir(folder)
    assert word in refusal(path).lower()
    assert capfd.readouterr() == ("", "")
    assert [p.name for p in folder.iterdir()] == ["model.xml"]


@pytest.mark.slow
def test_includes_that_double_at_every_step_are_refused(tmp_path):
    for k in range(24):
        again = f'<include file="{k + 1}.xml"/>' * 2
        (tmp_path / f"{k}.xml").write_text(f"<mujocoinclude>{again}{BALL}</mujocoinclude>")
    (tmp_path / "24.xml").write_text(f"<mujocoinclude>{BALL}</mujocoinclude>")
    assert "more than 1,000 files" in refusal(write(tmp_path, world('<include file="0.xml"/>')))


def test_models_that_attach_each_other_are_refused(tmp_path):
    for name, other in (("model.xml", "b.xml"), ("b.xml", "model.xml")):
        write(tmp_path, f'<asset><model name="m" file="{other}"/></asset>{world(BALL)}', name)
    assert "attaches itself" in refusal(tmp_path / "model.xml")


def test_replicas_that_fit_are_read(tmp_path):
    body = f'<replicate count="30" offset="1 0 0"><body>{BALL}</body></replicate>'
    assert len(load_mjcf(write(tmp_path, world(body))).part_names) == 30


def test_an_attached_model_is_read_with_its_own_files(tmp_path):
    (tmp_path / "sub").mkdir()
    trimesh.creation.box((2, 2, 2)).export(tmp_path / "sub" / "box.stl")
    inner = '<asset><mesh name="m" file="box.stl"/></asset>' + world(
        '<body name="arm"><joint name="j"/><geom type="mesh" mesh="m"/></body>'
    )
    write(tmp_path / "sub", inner, "inner.xml")
    outer = '<asset><model name="n" file="sub/inner.xml"/></asset>' + world(
        '<body name="base"><geom size="0.1"/><attach model="n" body="arm" prefix="left_"/></body>'
    )
    shape = load_mjcf(write(tmp_path, outer))
    assert "left_arm" in shape.part_names and shape.joints.dim == 1


def test_a_flat_mesh_is_shown_although_it_has_no_volume(tmp_path):
    flat = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]])
    flat.export(tmp_path / "flat.stl")
    body = '<asset><mesh name="m" file="flat.stl"/></asset>'
    body += world('<body><joint/><geom type="mesh" mesh="m"/></body>')
    shape = load_mjcf(write(tmp_path, body))
    assert shape.area == pytest.approx(1, rel=1e-5) and any("corrected" in note for note in shape.notes)


def test_a_moving_body_without_mass_is_corrected_with_a_note(tmp_path):
    shape = load_mjcf(write(tmp_path, world('<body><joint/><geom size="1" mass="0"/></body>')))
    assert shape.joints.dim == 1 and any("corrected" in note for note in shape.notes)


SAMPLE = b"""<mujoco><compiler angle="radian"/>
<default><default class="c"><geom type="box" size="1 1 1"/></default></default>
<worldbody><body name="a" pos="0 0 1"><joint name="h" axis="0 0 1" range="-1 1"/><geom class="c"/>
<body name="b" quat="1 0 0 1"><joint name="s" type="slide"/><geom type="capsule" size=".1 .2"/></body></body>
</worldbody><equality><joint joint1="h" joint2="s"/></equality></mujoco>"""


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(
        st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 12), st.binary(max_size=6)), max_size=4
    )
)
def test_a_corrupted_file_loads_or_raises_an_input_error(tmp_path, cuts):
    data = bytearray(SAMPLE)
    for at, length, put in cuts:
        data[at : at + length] = put
    path = tmp_path / "corrupt.xml"
    path.write_bytes(data)
    try:
        shape = load_mjcf(path)
    except InputError as error:
        assert "corrupt.xml" in str(error) and error.fix
    else:
        assert np.isfinite(shape.vertices).all()


@pytest.mark.slow
def test_real_models_load_and_only_fragments_without_geometry_are_refused(data_dir):
    """A spread of the files; `neurok eval io` reads all of them."""
    files = sorted((data_dir / "articulated_real").glob("**/*.xml"))[::10]
    for path in files:
        if path.stem.endswith(("_asset", "_assets", "_dependencies")):
            assert "definitions only" in refusal(path)
            continue
        shape = load_mjcf(path)
        assert len(shape.faces) and set(shape.part_names) <= {link.name for link in shape.joints.links}
    assert len(files) > 20
