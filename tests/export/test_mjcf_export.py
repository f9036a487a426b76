"""MJCF files in MuJoCo: poses, masses, couplings, contacts, and round trips of real objects."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest
import robot_zoo as zoo
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.spatial.transform import Rotation

from neurok.errors import InputError
from neurok.export.robots.hulls import MAX_HULL_VERTICES, MAX_HULLS, collision_hulls
from neurok.export.robots.mjcf import save_mjcf
from neurok.export.robots.mujoco_check import check_in_mujoco
from neurok.export.robots.urdf import save_urdf
from neurok.shapes import Shape
from neurok.shapes.appearance import Material, Texture
from neurok.shapes.mass import part_inertia
from neurok.shapes.robots.tree import Coupling, Joint, JointTree, Link
from neurok.shapes.robots.urdf import load_urdf
from neurok.shapes.shape import Frame, concatenate

KINDS = ["fixed", "revolute", "continuous", "prismatic", "planar", "ball"]


def quaternion(rotvec) -> np.ndarray:
    x, y, z, w = Rotation.from_rotvec(rotvec).as_quat()
    return np.array([w, x, y, z])


def set_values(model, data, tree: JointTree, values: dict, unit: float) -> None:
    """Writes joint values into MuJoCo's qpos; lengths in metres."""
    for joint in tree.joints:
        v = values.get(joint.name)
        if joint.kind in ("revolute", "continuous"):
            data.joint(joint.name).qpos[0] = v
        elif joint.kind == "prismatic":
            data.joint(joint.name).qpos[0] = v * unit
        elif joint.kind == "ball":
            data.joint(joint.name).qpos[:] = quaternion(v)
        elif joint.kind == "planar":
            for suffix, x in (("x", v[0] * unit), ("y", v[1] * unit), ("turn", v[2])):
                data.joint(f"{joint.name}:{suffix}").qpos[0] = x


def visual_points(model, data, link: str) -> np.ndarray:
    """World positions of the face corners of a body's visual meshes."""
    corners = []
    for geom in np.flatnonzero((model.geom_bodyid == model.body(link).id) & (model.geom_group == 2)):
        mesh = model.geom_dataid[geom]
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        first, faces = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
        points = model.mesh_vert[start : start + count][model.mesh_face[first : first + faces]].reshape(-1, 3)
        corners.append(points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    return np.concatenate(corners)


def assert_same_points(actual, expected, atol: float, message: str = "") -> None:
    """Asserts equal sets of points, because MuJoCo may reorder the corners of faces."""
    near = np.linalg.norm(actual[:, None] - expected[None], axis=-1)
    assert max(near.min(0).max(), near.min(1).max()) < atol, message


def random_values(tree: JointTree, rng, length: float) -> dict:
    values = {}
    for joint in tree.joints:
        if joint.coupling is not None:
            leader = next(j for j in tree.joints if j.name == joint.coupling.joint)
            offset = values[leader.name] - leader.rest
            values[joint.name] = joint.rest + sum(
                c * offset**k for k, c in enumerate(joint.coupling.coefficients)
            )
        elif joint.kind == "prismatic":
            values[joint.name] = joint.rest + rng.uniform(-length, length)
        elif joint.kind == "planar":
            values[joint.name] = np.r_[rng.uniform(-length, length, 2), rng.uniform(-2, 2)]
        elif joint.kind == "ball":
            values[joint.name] = rng.uniform(-1, 1, 3)
        else:
            values[joint.name] = joint.rest + rng.uniform(-2, 2)
    return values


SHAPES = [zoo.cabinet, zoo.laptop, zoo.ball_chain, zoo.geared, lambda: zoo.geared((0.0, 0.5, 0.2, -0.1))]


@pytest.mark.parametrize("make", SHAPES)
def test_it_steps_without_warnings_and_has_the_mass_of_its_parts(make, tmp_path):
    shape = make()
    report = check_in_mujoco(save_mjcf(shape, tmp_path / "model.xml"), steps=1000)
    assert report.is_sound, report
    assert report.joints == tuple(j.name for j in shape.joints.joints)
    expected = sum(part_inertia(shape, name).mass for name in shape.part_names)
    assert report.total_mass == pytest.approx(expected, rel=1e-9)
    assert report.max_speed < 50


@pytest.mark.parametrize("make", SHAPES)
def test_mujoco_poses_every_vertex_where_the_joints_say(make, tmp_path):
    shape = make()
    model = mujoco.MjModel.from_xml_path(str(save_mjcf(shape, tmp_path / "model.xml")))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for link in shape.part_names:  # at rest
        rest = {j.name: np.zeros(3) if j.kind == "ball" else j.rest for j in shape.joints.joints}
        assert_same_points(
            visual_points(model, data, link), zoo.posed_vertices(shape, shape.joints, rest, link), 1e-6
        )
    rng, unit = np.random.default_rng(1), shape.frame.metres_per_unit
    for _ in range(4):
        values = random_values(shape.joints, rng, 0.2 / unit)
        set_values(model, data, shape.joints, values, unit)
        mujoco.mj_kinematics(model, data)
        for link in shape.part_names:
            expected = zoo.posed_vertices(shape, shape.joints, values, link)
            assert_same_points(visual_points(model, data, link), expected, 1e-6, link)


def test_couplings_hold_while_it_moves(tmp_path):
    shape = zoo.geared((0.0, 0.5, 0.2))
    model = mujoco.MjModel.from_xml_path(str(save_mjcf(shape, tmp_path / "gears.xml")))
    data = mujoco.MjData(model)
    data.joint("drive").qfrc_applied[0] = 0.01
    mujoco.mj_step(model, data, 500)
    data.joint("drive").qfrc_applied[0] = 0.0
    mujoco.mj_step(model, data, 500)
    drive, follow, push = (float(data.joint(n).qpos[0]) for n in ("drive", "follow", "push"))
    assert abs(drive - 0.1) > 0.05
    assert follow - 0.3 == pytest.approx(0.5 * (drive - 0.1) + 0.2 * (drive - 0.1) ** 2, abs=5e-3)
    assert push == pytest.approx(0.03 * (follow - 0.3), abs=1e-3)


def test_a_pendulum_swings_with_the_closed_form_period(tmp_path):
    bar = zoo.box("bar", (20, 600, 20), (0, -300, 0), Frame("y", 0.001)).with_(part_names=("bar",))
    hook = zoo.box("hook", (10, 10, 10), (0, 100, 0), Frame("y", 0.001))
    tree = JointTree(
        (Link("hook"), Link("bar")), (Joint("pin", "continuous", "hook", "bar", axis=np.array([0, 0, 1.0])),)
    )
    shape = concatenate([hook, bar], "pendulum").with_(joints=tree, frame=Frame("y", 0.001))
    model = mujoco.MjModel.from_xml_path(str(save_mjcf(shape, tmp_path / "p.xml")))
    model.opt.timestep, model.opt.integrator = 1e-3, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    data.qpos[0] = 0.02
    crossings = []
    for _ in range(4000):
        before = data.qpos[0]
        mujoco.mj_step(model, data)
        if before > 0 >= data.qpos[0]:
            crossings.append(data.time - 1e-3 * data.qpos[0] / (data.qpos[0] - before))
    about_pin = (0.02**2 + 0.6**2) / 12 + 0.3**2  # per kilogram
    period = 2 * np.pi * np.sqrt(about_pin / (9.81 * 0.3))
    assert np.diff(crossings).mean() == pytest.approx(period, rel=1e-3)


def test_nothing_touches_as_drawn_but_neighbours_still_collide(tmp_path):
    stack = [
        zoo.box("a", (1, 1, 1)),
        zoo.box("b", (1, 1, 1), (0, 0, 0.9)),
        zoo.box("c", (1, 1, 1), (3, 0, 0)),
    ]
    shape = concatenate(stack, "stack").with_(frame=Frame("z", 1.0))
    slides = tuple(Joint(f"s{n}", "prismatic", "base", n, lower=-9, upper=9) for n in "abc")
    tree = JointTree(tuple(Link(n) for n in ("base", "a", "b", "c")), slides)
    path = save_mjcf(shape, tmp_path / "s.xml", tree=tree)
    pairs = {frozenset((e.get("body1"), e.get("body2"))) for e in ET.parse(path).getroot().iter("exclude")}
    assert frozenset("ab") in pairs and frozenset("ac") not in pairs
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    data.joint("sc").qpos[0] = -2.5  # c into a
    mujoco.mj_forward(model, data)
    assert data.ncon > 0


def test_free_shapes_fall_and_fixed_ones_stay(tmp_path):
    brick = zoo.box("brick", (0.2, 0.1, 0.1))
    assert check_in_mujoco(save_mjcf(brick, tmp_path / "still.xml"), 500).max_speed == 0
    report = check_in_mujoco(save_mjcf(brick, tmp_path / "falls.xml", free=True), 500)
    assert report.is_sound and report.max_speed == pytest.approx(9.81, rel=1e-6)


def test_floating_joints_move_freely_from_the_world_and_from_moving_links(tmp_path):
    names = ("a", "b", "c")
    shape = concatenate([zoo.box(n, (0.1, 0.1, 0.1), (0.3 * k, 0, 0)) for k, n in enumerate(names)], "abc")
    joints = (
        Joint("fly", "floating", "a", "b", zoo.posed((0, 0, 1), (0.3, 0, 0))),
        Joint("ride", "floating", "b", "c"),
    )
    tree = JointTree(tuple(Link(n) for n in names), joints)
    path = save_mjcf(shape.with_(frame=Frame("z", 1.0)), tmp_path / "f.xml", tree=tree)
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.jnt_type.tolist() == [0, 2, 2, 2, 1]
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for link in names:
        rest = {j.name: np.zeros(6) for j in joints}
        assert_same_points(
            visual_points(model, data, link),
            zoo.posed_vertices(shape.with_(frame=Frame("z", 1.0)), tree, rest, link),
            1e-6,
        )
    assert check_in_mujoco(path).is_sound


def test_flat_and_empty_links_are_valid_bodies(tmp_path):
    square = np.array([[0, 0, 0], [0.3, 0, 0], [0.3, 0.3, 0], [0, 0.3, 0.0]])
    sheet = Shape(square, np.array([[0, 1, 2], [0, 2, 3]]), "sheet", part_names=("sheet",))
    line = Shape(
        np.array([[0, 0, 1], [0.5, 0, 1], [1, 0, 1.0]]), np.array([[0, 1, 2]]), "line", part_names=("line",)
    )
    shape = concatenate([zoo.box("base", (0.1, 0.1, 0.1)), sheet, line], "flag").with_(frame=Frame("z", 1.0))
    tree = JointTree(
        tuple(Link(n) for n in ("base", "empty", "sheet", "line")),
        (
            Joint("a", "ball", "base", "empty"),
            Joint("b", "revolute", "empty", "sheet", axis=np.array([0, 1.0, 0]), lower=0, upper=0),
            Joint("c", "prismatic", "sheet", "line", lower=0),
        ),
    )
    report = check_in_mujoco(save_mjcf(shape, tmp_path / "flag.xml", tree=tree))
    assert report.is_sound, report


def test_the_picture_of_a_textured_shape_is_in_the_model(tmp_path):
    red = Image.new("RGB", (8, 8), (255, 0, 0))
    texture = Texture.from_image(red, "paint")
    box = zoo.box("body", (1, 1, 1))
    uv = np.random.default_rng(0).random((len(box.vertices), 2))
    shape = box.with_(uv=uv, materials=(Material("paint", (1, 1, 1, 1), textures={"color": texture}),))
    model = mujoco.MjModel.from_xml_path(str(save_mjcf(shape, tmp_path / "t.xml")))
    assert model.ntex == 1 and model.nmeshtexcoord > 0
    assert set(np.unique(model.tex_data)) == {0, 255}
    broken = Material("broken", textures={"color": Texture(b"not a picture", "image/png", "paint")})
    with pytest.raises(InputError, match="paint"):
        save_mjcf(shape.with_(materials=(broken,)), tmp_path / "broken.xml")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.xml", "t_meshes"]


def test_the_frame_is_written_and_too_high_polynomials_are_refused(tmp_path):
    root = ET.parse(save_mjcf(zoo.laptop(), tmp_path / "l.xml")).getroot()
    assert root.find("custom/text[@name='neurok_frame']").get("data") == "up=y metres_per_unit=0.001"
    assert root.find("compiler").get("angle") == "radian"
    with pytest.raises(InputError, match="degree 5"):
        save_mjcf(zoo.geared((0, 1, 0, 0, 0, 1.0)), tmp_path / "g.xml")


def test_a_file_that_mujoco_refuses_is_reported_in_one_line(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>")
    with pytest.raises(InputError, match=r"bad\.xml: MuJoCo refuses it") as error:
        check_in_mujoco(path)
    assert "\n" not in str(error.value)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_random_trees_load_step_and_pose_like_the_definition(tmp_path_factory, seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 7))
    frame = Frame(str(rng.choice(["y", "z"])), float(rng.choice([1.0, 0.01, 0.001])))
    unit = 1 / frame.metres_per_unit
    links = [f"link {k}" for k in range(count)]
    joints, roots = [], {}
    for k in range(1, count):
        if rng.random() < 0.15:
            roots[links[k]] = zoo.posed(rng.normal(size=3), rng.normal(size=3) * 0.3 * unit)
            continue
        kind = str(rng.choice(KINDS))
        rest = {"prismatic": 0.1 * unit, "revolute": 1.0, "continuous": 1.0}.get(kind, 0.0) * rng.normal()
        joints.append(
            Joint(
                f"joint {k}", kind, links[int(rng.integers(k))], links[k],
                zoo.posed(rng.normal(size=3), rng.normal(size=3) * 0.3 * unit),
                rng.normal(size=3), rng.normal(size=3) * 0.1 * unit, damping=0.05, rest=rest,
            )
        )  # fmt: skip
    hinges = [j for j in joints if j.kind in ("revolute", "continuous")]
    if len(hinges) > 1:
        last = joints.index(hinges[-1])
        joints[last] = Joint(**{**vars(hinges[-1]), "coupling": Coupling(hinges[0].name, (0.0, 0.7))})
    parts = [zoo.box(n, rng.uniform(0.05, 0.3, 3) * unit, rng.normal(size=3) * unit, frame) for n in links]
    tree = JointTree(tuple(Link(n) for n in links), tuple(joints), roots=roots)
    shape = concatenate(parts, "random").with_(frame=frame)
    path = save_mjcf(shape, tmp_path_factory.mktemp("r") / "r.xml", tree=tree)
    assert check_in_mujoco(path, 200).is_sound
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    values = random_values(tree, rng, 0.2 * unit)
    set_values(
        model,
        data,
        _renamed(tree),
        {k.replace(" ", "_"): v for k, v in values.items()},
        frame.metres_per_unit,
    )
    mujoco.mj_kinematics(model, data)
    for link in links:
        expected = zoo.posed_vertices(shape, tree, values, link)
        assert_same_points(visual_points(model, data, link.replace(" ", "_")), expected, 1e-5, link)


def _renamed(tree: JointTree) -> JointTree:
    joints = tuple(
        Joint(**{**vars(j), "name": j.name.replace(" ", "_"), "coupling": None}) for j in tree.joints
    )
    return JointTree(tree.links, joints)


def test_hulls_are_few_small_convex_and_enclose_the_pieces():
    rng = np.random.default_rng(0)
    balls = []
    for _ in range(40):
        points = rng.normal(size=(400, 3))
        points /= np.linalg.norm(points, axis=1, keepdims=True) * 5
        hull = collision_hulls(points, _hull_faces(points))[0]
        balls.append(Shape(points + rng.normal(size=3) * 3, _hull_faces(points)))
        assert len(hull.vertices) <= MAX_HULL_VERTICES
        assert (hull.vertices @ _normals(hull).T).max() < 0.21
    many = concatenate(balls, "many")
    hulls = collision_hulls(many.vertices, many.faces)
    assert 1 <= len(hulls) <= MAX_HULLS
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]])
    (flat,) = collision_hulls(square, np.array([[0, 1, 2], [0, 2, 3]]))
    np.testing.assert_allclose(np.ptp(flat.vertices, axis=0), [1, 1, 0.01], atol=1e-9)
    assert collision_hulls(square * 1e-6, np.array([[0, 1, 2]])) == []


def _hull_faces(points: np.ndarray) -> np.ndarray:
    from scipy.spatial import ConvexHull

    return ConvexHull(points).simplices


def _normals(hull) -> np.ndarray:
    a, b, c = (hull.vertices[hull.faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", normals, a - hull.vertices.mean(0)) > 0).all()
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


@pytest.mark.slow
def test_real_objects_survive_the_way_through_both_formats(data_dir, tmp_path):
    folder = data_dir / "articulated_synthetic"
    files = sorted(folder.glob("*/model.urdf"))[::122]
    shapes = {path.parent.name: load_urdf(path) for path in files}
    small = {name: shape for name, shape in shapes.items() if len(shape.faces) < 3000}
    assert len(small) >= 6
    rng = np.random.default_rng(0)
    for name, shape in list(small.items())[:6]:
        mjcf = save_mjcf(shape, tmp_path / f"{name}.xml")
        urdf = save_urdf(shape, tmp_path / f"{name}.urdf")
        assert check_in_mujoco(mjcf, 300).is_sound, name
        assert check_in_mujoco(urdf, 300).is_sound, name
        again = load_urdf(urdf)
        values = random_values(shape.joints, rng, 0.1)
        model = mujoco.MjModel.from_xml_path(str(mjcf))
        data = mujoco.MjData(model)
        set_values(model, data, shape.joints, values, 1.0)
        mujoco.mj_kinematics(model, data)
        for link in shape.part_names:
            expected = zoo.posed_vertices(shape, shape.joints, values, link)
            again_points = zoo.posed_vertices(again, again.joints, values, link)
            np.testing.assert_allclose(
                np.sort(again_points, axis=0), np.sort(expected, axis=0), atol=1e-5, err_msg=name
            )
            ends = np.stack([expected.min(0), expected.max(0)])
            found = visual_points(model, data, link)
            np.testing.assert_allclose(
                np.stack([found.min(0), found.max(0)]), ends, atol=1e-5, err_msg=f"{name} {link}"
            )
