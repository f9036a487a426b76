"""URDF files against MuJoCo, yourdfpy and closed forms."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest
import robot_zoo as zoo
import trimesh
import yourdfpy

from neurok.errors import InputError
from neurok.export.robots.mujoco_check import check_in_mujoco
from neurok.export.robots.urdf import save_urdf
from neurok.shapes import Shape
from neurok.shapes.mass import part_inertia
from neurok.shapes.robots.tree import Inertia, Joint, JointTree, Link
from neurok.shapes.robots.urdf import load_urdf
from neurok.shapes.shape import Frame, concatenate


def random_values(tree: JointTree, rng, scale: float) -> dict[str, float]:
    """One value per joint that satisfies the couplings."""
    values = {}
    for joint in tree.joints:
        if joint.coupling is None:
            values[joint.name] = joint.rest + rng.uniform(-1, 1) * (scale if joint.kind == "prismatic" else 1)
        else:
            leader = next(j for j in tree.joints if j.name == joint.coupling.joint)
            offset = values[leader.name] - leader.rest
            values[joint.name] = joint.rest + sum(
                c * offset**k for k, c in enumerate(joint.coupling.coefficients)
            )
    return values


def visual_points(robot: yourdfpy.URDF, link: str, folder: Path) -> np.ndarray:
    """World positions of the face corners of a link's visuals in yourdfpy."""
    pose = robot.get_transform(link)
    corners = []
    for visual in robot.link_map[link].visuals:
        mesh = trimesh.load(folder / visual.geometry.mesh.filename, force="mesh", process=False)
        corners.append(np.asarray(mesh.triangles).reshape(-1, 3))
    return np.concatenate(corners) @ pose[:3, :3].T + pose[:3, 3]


@pytest.mark.parametrize("make", [zoo.cabinet, zoo.laptop, zoo.geared], ids=lambda f: f.__name__)
def test_it_loads_and_steps_in_mujoco_without_complaint(make, tmp_path):
    shape = make()
    report = check_in_mujoco(save_urdf(shape, tmp_path / "model.urdf"), steps=1000)
    assert report.is_sound, report
    assert report.joints == tuple(j.name for j in shape.joints.joints)
    expected = sum(part_inertia(shape, name).mass for name in shape.part_names)
    assert report.total_mass == pytest.approx(expected, rel=1e-9)
    assert report.max_speed < 50


@pytest.mark.parametrize("make", [zoo.cabinet, zoo.laptop, zoo.geared], ids=lambda f: f.__name__)
def test_a_second_reader_poses_every_vertex_where_the_joints_say(make, tmp_path):
    shape = make()
    path = save_urdf(shape, tmp_path / "model.urdf")
    robot = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)
    rng = np.random.default_rng(0)
    unit = shape.frame.metres_per_unit
    for _ in range(5):
        values = random_values(shape.joints, rng, 0.1 / unit)
        slides = {j.name for j in shape.joints.joints if j.kind == "prismatic"}
        robot.update_cfg(
            {
                n: v * (unit if n in slides else 1)
                for n, v in values.items()
                if n in robot.actuated_joint_names
            }
        )
        for link in shape.part_names:
            expected = zoo.posed_vertices(shape, shape.joints, values, link)
            np.testing.assert_allclose(
                visual_points(robot, link, tmp_path), expected, atol=1e-6, err_msg=link
            )


def test_mujoco_has_the_closed_form_inertia_at_the_right_place(tmp_path):
    path = save_urdf(zoo.laptop(), tmp_path / "laptop.urdf")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for joint, rest in (("lid_hinge", 0.3), ("eject", 0.015)):
        data.joint(joint).qpos[0] = rest
    mujoco.mj_forward(model, data)
    mass = 0.3 * 0.01 * 0.2 * 500
    lid = model.body("lid")
    assert lid.mass[0] == pytest.approx(mass)
    closed = mass / 12 * np.array([0.01**2 + 0.2**2, 0.3**2 + 0.2**2, 0.3**2 + 0.01**2])
    np.testing.assert_allclose(np.sort(lid.inertia), np.sort(closed), rtol=1e-6)
    np.testing.assert_allclose(data.body("lid").xipos, [0, 0, 0.016], atol=1e-9)  # Y-up 16 mm is Z-up 0.016 m


def test_limits_dynamics_and_frame_are_written_in_si(tmp_path):
    root = ET.parse(save_urdf(zoo.laptop(), tmp_path / "laptop.urdf")).getroot()
    assert root.find("neurok").attrib == {"up": "y", "metres_per_unit": "0.001"}
    eject = root.find("joint[@name='eject']")
    limit = {key: float(value) for key, value in eject.find("limit").attrib.items()}
    assert limit == {"lower": 0.0, "upper": 0.1, "effort": 1000.0, "velocity": 100.0}
    assert float(eject.find("dynamics").get("damping")) == 1.0
    np.testing.assert_allclose([float(x) for x in eject.find("axis").get("xyz").split()], [1, 0, 0])
    assert root.find("joint[@name='lid_hinge']").get("type") == "revolute"


def test_couplings_become_mimics_that_keep_their_meaning(tmp_path):
    root = ET.parse(save_urdf(zoo.geared(), tmp_path / "gears.urdf")).getroot()
    follow, push = (root.find(f"joint[@name='{n}']/mimic").attrib for n in ("follow", "push"))
    assert (follow["joint"], float(follow["multiplier"])) == ("drive", -2.0)
    assert float(follow["offset"]) == pytest.approx(0.3 + 2.0 * 0.1)
    assert push["joint"] == "drive"  # 3 cm per radian of a joint that follows another
    assert float(push["multiplier"]) == pytest.approx(0.03 * -2.0)
    assert float(push["offset"]) == pytest.approx(0.03 * (0.5 - 0.3))


def test_joints_that_urdf_cannot_express_are_refused_with_an_alternative(tmp_path):
    with pytest.raises(InputError, match=r"is a ball.*Export MJCF"):
        save_urdf(zoo.ball_chain(), tmp_path / "chain.urdf")
    with pytest.raises(InputError, match=r"along a curve.*Export MJCF"):
        save_urdf(zoo.geared((0.0, 1.0, 0.5)), tmp_path / "gears.urdf")
    with pytest.raises(InputError, match=r"does not end in \.urdf"):
        save_urdf(zoo.cabinet(), tmp_path / "cabinet.obj")
    assert list(tmp_path.iterdir()) == []


def test_a_shape_without_joints_is_one_link(tmp_path):
    shape = zoo.box("brick", (0.2, 0.1, 0.1)).with_(name="my brick")
    path = save_urdf(shape, tmp_path / "brick.urdf")
    assert [link.get("name") for link in ET.parse(path).getroot().findall("link")] == ["my_brick"]
    report = check_in_mujoco(path, 100)
    assert report.is_sound and report.joints == () and report.total_mass == pytest.approx(1.0)


def test_empty_links_and_flat_parts_are_valid_bodies(tmp_path):
    square = np.array([[0, 0, 0], [0.3, 0, 0], [0.3, 0.3, 0], [0, 0.3, 0.0]])
    sheet = Shape(square, np.array([[0, 1, 2], [0, 2, 3]]), "sheet", part_names=("sheet",))
    shape = concatenate([zoo.box("base", (0.1, 0.1, 0.1)), sheet], "flag").with_(frame=Frame("z", 1.0))
    tree = JointTree(
        (Link("base"), Link("knuckle"), Link("sheet"), Link("tip")),
        (
            Joint("a", "revolute", "base", "knuckle"),
            Joint("b", "revolute", "knuckle", "sheet", axis=np.array([0, 1.0, 0])),
            Joint("c", "prismatic", "sheet", "tip", lower=0, upper=0.1),
        ),
    )
    report = check_in_mujoco(save_urdf(shape, tmp_path / "flag.urdf", tree=tree))
    assert report.is_sound, report
    assert report.total_mass == pytest.approx(0.5 + 0.09 * 0.002 * 500 + 2 * 0.0005, rel=1e-6)


def test_the_inertia_of_the_file_is_kept_and_an_impossible_one_is_corrected(tmp_path):
    shape = zoo.cabinet()
    kept = Inertia(7.0, np.array([0.1, 0.2, 0.3]), np.diag([0.3, 0.4, 0.5]))
    wrong = Inertia(2.0, np.zeros(3), np.diag([0.1, 0.1, 5.0]))  # violates A + B ≥ C
    links = (Link("body"), Link("door", kept), Link("drawer", wrong))
    tree = JointTree(links, shape.joints.joints, "cabinet")
    path = save_urdf(shape, tmp_path / "c.urdf", tree=tree)
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.body("door").mass[0] == pytest.approx(7) and model.body("drawer").mass[0] == pytest.approx(2)
    np.testing.assert_allclose(np.sort(model.body("door").inertia), [0.3, 0.4, 0.5])
    assert check_in_mujoco(path, 200).is_sound


def test_several_roots_hang_from_one_world(tmp_path):
    shape = zoo.cabinet()
    tree = JointTree(
        shape.joints.links, shape.joints.joints[:1], "two", {"drawer": zoo.posed((0, 0, 0.5), (1, 2, 3))}
    )
    path = save_urdf(shape, tmp_path / "two.urdf", tree=tree)
    robot = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)
    assert robot.base_link == "world"
    expected = zoo.posed_vertices(shape, tree, {"hinge": 0.0}, "drawer")
    np.testing.assert_allclose(visual_points(robot, "drawer", tmp_path), expected, atol=1e-6)
    assert check_in_mujoco(path, 200).is_sound


def test_floating_and_planar_joints_load(tmp_path):
    shape = zoo.cabinet()
    joints = (Joint("fly", "floating", "body", "door", zoo.posed(at=(0, -1, 0))),
              Joint("glide", "planar", "body", "drawer", axis=np.array([0, 0, 1.0])))  # fmt: skip
    path = save_urdf(shape, tmp_path / "m.urdf", tree=JointTree(shape.joints.links, joints))
    model = mujoco.MjModel.from_xml_path(str(path))
    assert sorted(model.jnt_type.tolist()) == [0, 2, 2, 3]
    assert check_in_mujoco(path).is_sound


HOSTILE = [
    "../../etc/passwd",
    "..",
    "",
    "a/b",
    "a b",
    "q\"<&>'",
    "Tür",
    "门",
    "A",
    "a",
    "world",
    "con",
    "x" * 300,
    "\x07",
]


def test_hostile_names_stay_inside_the_folder_and_unique(tmp_path):
    parts = [zoo.box(f"p{k}", (0.1, 0.1, 0.1), (0.3 * k, 0, 0)) for k in range(len(HOSTILE))]
    shape = concatenate(parts, "../x").with_(part_names=tuple(HOSTILE), frame=Frame("z", 1.0))
    joints = tuple(Joint(n, "revolute", HOSTILE[0], n) for n in HOSTILE[1:])
    tree = JointTree(tuple(Link(n) for n in HOSTILE), joints, "<robot>")
    path = save_urdf(shape, tmp_path / "in" / "wild & free.urdf", tree=tree)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in"]
    assert sorted(p.name for p in (tmp_path / "in").iterdir()) == ["wild & free.urdf", "wild & free_meshes"]
    report = check_in_mujoco(path, 50)
    assert report.is_sound and len(set(report.joints)) == len(HOSTILE) - 1
    assert "Tür" in report.joints and "门" in report.joints


def test_a_failure_leaves_the_old_export_untouched(tmp_path, monkeypatch):
    path = save_urdf(zoo.cabinet(), tmp_path / "c.urdf")
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("neurok.export.robots.urdf.write_xml", full)
    with pytest.raises(InputError, match="disk is full"):
        save_urdf(zoo.laptop(), path)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_exporting_again_replaces_but_never_a_strangers_file(tmp_path):
    path = save_urdf(zoo.laptop(), tmp_path / "c.urdf")
    save_urdf(zoo.cabinet(), path)
    assert not list(tmp_path.rglob("*lid*")) and list(tmp_path.rglob("door_visual0.obj"))
    (tmp_path / "c_meshes" / "urdf" / "thesis.docx").write_text("mine")
    with pytest.raises(InputError, match=r"thesis\.docx"):
        save_urdf(zoo.cabinet(), path)


def test_frames_that_stretch_and_axes_without_direction_are_refused(tmp_path):
    shape = zoo.cabinet()
    for change, message in (
        ({"origin": np.diag([2.0, 1, 1, 1])}, "stretches"),
        ({"axis": np.zeros(3)}, "axis of length zero"),
        ({"lower": 1.0, "upper": -1.0}, "lower limit 1 above"),
    ):
        joint = Joint("hinge", "revolute", "body", "door", **change)
        with pytest.raises(InputError, match=message):
            save_urdf(shape, tmp_path / "m.urdf", tree=JointTree(shape.joints.links, (joint,)))


def test_our_own_reader_gets_the_mechanism_back(tmp_path):
    shape = zoo.cabinet()
    again = load_urdf(save_urdf(shape, tmp_path / "c.urdf"))
    assert set(again.part_names) == set(shape.part_names)
    for values in ({"hinge": -1.0, "rail": 0.2}, {"hinge": 0.3, "rail": 0.0}):
        for link in shape.part_names:
            ours = zoo.posed_vertices(shape, shape.joints, values, link)
            theirs = zoo.posed_vertices(again, again.joints, values, link)
            np.testing.assert_allclose(theirs, ours, atol=1e-6)
