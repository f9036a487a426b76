"""Folders in the layout of PartNet-Mobility."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import trimesh
from PIL import Image

from neurok.errors import InputError
from neurok.kinematics.joints import JointKinematics
from neurok.shapes.robots.partnet import load_partnet

TURN = "1.570796326794897 0 -1.570796326794897"
OBJ = (
    "mtllib {name}.mtl\nv -.5 -.5 -.5\nv .5 -.5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nvt 0 0\nvt 1 0\nvt 0 1\n"
    "usemtl wood\nf 1/1 3/3 2/2\nf 1/1 2/2 4/3\nf 1/1 4/2 3/3\nf 2/1 3/2 4/3\n"
)


def visual(name: str, xyz: str = "0 0 0") -> str:
    mesh = f'<geometry><mesh filename="textured_objs/{name}.obj"/></geometry>'
    inside = f'<origin xyz="{xyz}"/>{mesh}'
    return f'<visual name="{name}">{inside}</visual><collision>{inside}</collision>'


def joint(name: str, kind: str, parent: str, child: str, rest: str) -> str:
    ends = f'<child link="{child}"/><parent link="{parent}"/>'
    return f'<joint name="{name}" type="{kind}">{rest}{ends}</joint>'


@pytest.fixture
def cabinet(tmp_path) -> Path:
    """A cabinet: two hinged doors, and a knob that rotates and slides through an empty helper link."""
    folder = tmp_path / "45132"
    (folder / "textured_objs").mkdir(parents=True)
    (folder / "images").mkdir()
    Image.new("RGB", (2, 2), (120, 80, 40)).save(folder / "images" / "texture0.png")
    for name in ("original-1", "original-2", "original-3", "original-4"):
        (folder / "textured_objs" / f"{name}.obj").write_text(OBJ.format(name=name))
        material = "newmtl wood\nKd 1 1 1\nmap_Kd ../images/texture0.png\n"
        (folder / "textured_objs" / f"{name}.mtl").write_text(material)
    limit = '<origin xyz="-0.5 0 0.5"/><axis xyz="0 -1 0"/><limit lower="0" upper="1.5"/>'
    body = [
        '<?xml version="1.0" ?><robot name="partnet_hash"><link name="base"/>',
        f'<link name="link_0">{visual("original-1", "0.5 0 -0.5")}</link>',
        f'<link name="link_1">{visual("original-2", "0.5 0 -0.5")}</link>',
        f'<link name="link_2">{visual("original-3")}</link>',
        f'<link name="link_3">{visual("original-4")}</link><link name="link_3_helper"/>',
        joint("joint_2", "fixed", "base", "link_2", f'<origin rpy="{TURN}" xyz="0 0 0"/>'),
        joint("joint_0", "revolute", "link_2", "link_0", limit),
        joint("joint_1", "revolute", "link_2", "link_1", limit),
        joint("joint_3_helper", "prismatic", "link_2", "link_3_helper",
              '<origin xyz="0 0 0"/><axis xyz="0 0 1"/><limit lower="0" upper="0.2"/>'),
        joint("joint_3", "continuous", "link_3_helper", "link_3", '<origin xyz="0 0 0"/><axis xyz="0 0 1"/>'),
        "</robot>",
    ]  # fmt: skip
    (folder / "mobility.urdf").write_text("".join(body))
    (folder / "semantics.txt").write_text(
        "link_0 hinge door\nlink_1 hinge door\nlink_2 static furniture_body\nlink_3 slider+ knob\n"
    )
    entries = [{"id": i, "parent": 2, "joint": "hinge", "name": f"v2_{i}"} for i in range(4)]
    (folder / "mobility_v2.json").write_text(json.dumps(entries))
    (folder / "meta.json").write_text(json.dumps({"model_cat": "StorageFurniture"}))
    return folder


def test_links_are_named_by_their_meaning_and_stay_unique(cabinet):
    shape = load_partnet(cabinet)
    assert shape.name == "StorageFurniture"
    assert set(shape.part_names) == {"door", "door_2", "furniture_body", "knob"}
    assert [j.child for j in shape.joints.joints if j.name in ("joint_0", "joint_1")] == ["door", "door_2"]
    assert {link.name for link in shape.joints.links} >= {"base", "link_3_helper"}


def test_textures_in_the_folder_of_images_are_found(cabinet):
    assert all("color" in material.textures for material in load_partnet(cabinet).materials)


def test_names_come_from_the_json_when_there_is_no_list(cabinet):
    (cabinet / "semantics.txt").unlink()
    assert set(load_partnet(cabinet).part_names) == {"v2_0", "v2_1", "v2_2", "v2_3"}


def test_the_root_turns_y_up_meshes_to_z_up(cabinet):
    """R_z(−90°) R_x(90°) maps (x, y, z) to (−z, −x, y): the mesh's y becomes the world's z."""
    shape = load_partnet(cabinet)
    body = shape.vertices[np.unique(shape.faces[shape.faces_of("furniture_body")])]
    corners = np.array([[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]])
    expected = np.stack([-corners[:, 2], -corners[:, 0], corners[:, 1]], axis=1)
    distance = np.linalg.norm(body[:, None] - expected, axis=-1)
    assert distance.min(1).max() < 1e-9 and shape.frame.up == "z"


def test_a_cylindrical_joint_slides_and_turns_through_its_helper(cabinet):
    shape = load_partnet(cabinet)
    kinematics = JointKinematics(shape)
    assert kinematics.names == ("joint_0", "joint_1", "joint_3_helper", "joint_3")
    q = torch.tensor([0.0, 0.0, 0.2, np.pi], dtype=torch.float64)
    moved = kinematics.positions(q).numpy()
    knob = np.unique(shape.faces[shape.faces_of("knob")])
    # The knob's axis, z of its frame, is −x of the world: half a turn about it flips y and z.
    assert np.allclose(moved[knob], shape.vertices[knob] * [1, -1, -1] + [-0.2, 0, 0])
    others = np.setdiff1d(np.arange(len(moved)), knob)
    assert np.allclose(moved[others], shape.vertices[others])


def test_missing_files_are_reported(cabinet, tmp_path):
    with pytest.raises(InputError, match=r"mobility\.urdf"):
        load_partnet(tmp_path)
    (cabinet / "textured_objs" / "original-1.obj").unlink()
    with pytest.raises(InputError, match=r"original-1\.obj"):
        load_partnet(cabinet)
    trimesh.creation.box().export(cabinet / "textured_objs" / "original-1.obj")
    (cabinet / "meta.json").write_text("{")
    with pytest.raises(InputError, match="JSON"):
        load_partnet(cabinet)
