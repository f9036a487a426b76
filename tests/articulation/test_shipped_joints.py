"""The shipped weights find the joints of the shipped objects, and these joints simulate."""

from __future__ import annotations

import numpy as np
import pytest

import neurok
from neurok.articulation import find_parts
from neurok.articulation.annotations import true_joints
from neurok.articulation.decision import predict_joints
from neurok.assets import SHIPPED
from neurok.cli.main import run
from neurok.evaluation.articulation.metrics import axis_angle, line_distance
from neurok.export import save
from neurok.shapes import Shape
from neurok.shapes.load import load_shape


@pytest.fixture(scope="module")
def cabinet() -> Shape:
    return load_shape(SHIPPED["cabinet"])


@pytest.fixture(scope="module")
def found(cabinet):
    """The cabinet's joints, from its parts alone."""
    return predict_joints(find_parts(cabinet.with_(joints=None)))


@pytest.mark.slow
def test_door_and_drawers_of_the_cabinet_are_found(cabinet, found):
    truth = {t.part: t for t in true_joints(cabinet)}
    for name in ("door", "upper_drawer", "lower_drawer"):
        joint = next(j for j in found.joints if j.part == name)
        assert joint.kind == truth[name].kind
        assert axis_angle(joint.axis, truth[name].axis) < 5
        assert joint.parent == "carcass"
        way, true_way = (j.axis * (j.lower + j.upper) for j in (joint, truth[name]))
        assert way @ true_way > 0, name
    door = next(j for j in found.joints if j.part == "door")
    assert line_distance(door.pivot, truth["door"]) < 0.1 * cabinet.normalisation.radius
    assert next(j for j in found.joints if j.part == "carcass").kind == "fixed"


@pytest.mark.slow
def test_the_laptops_screen_turns_about_its_back_edge():
    shape = load_shape(SHIPPED["laptop"])
    kinematics = neurok.articulate(shape).kinematics
    assert kinematics.names == ("screen_hinge",)
    rest, moved = (kinematics.positions(kinematics.rest + q).numpy() for q in (0.0, 0.3))
    still = kinematics.shape.vertex_part == kinematics.shape.part_names.index("base")
    np.testing.assert_allclose(moved[still], rest[still], atol=1e-9)
    assert np.linalg.norm(moved - rest, axis=1).max() > 0.05


@pytest.mark.slow
def test_a_cabinet_without_joints_in_its_file_opens_its_door(cabinet, tmp_path, capsys):
    path = save(cabinet.with_(joints=None), tmp_path / "cabinet.glb")[0]
    out = tmp_path / "open.npz"
    flags = ["--kinematics", "joints", "--push", "door=0,-3,0", "--seconds", "1"]
    assert run(["simulate", str(path), *flags, "-o", str(out)]) == 0
    assert "joints found: door (revolute" in capsys.readouterr().out
    clip = neurok.load_sequences(out)[0]
    door = clip.shape.vertex_part == clip.shape.part_names.index("door")
    radius = cabinet.normalisation.radius
    moved = np.linalg.norm(clip.positions - clip.positions[0], axis=-1).max(axis=0) / radius
    assert moved[door].max() > 0.1
    assert moved[clip.shape.vertex_part == clip.shape.part_names.index("carcass")].max() < 1e-6


def test_one_closed_surface_has_nothing_that_moves():
    import trimesh

    ball = trimesh.creation.icosphere(subdivisions=3)
    shape = Shape(np.array(ball.vertices), np.array(ball.faces), "ball")
    answer = predict_joints(find_parts(shape))
    assert not answer.moving
    assert any("nothing" in note.lower() or "one part" in note.lower() for note in answer.notes)


@pytest.mark.slow
def test_a_bare_laptop_falls_into_base_and_screen():
    """Its loose pieces are merged, without part names."""
    shape = load_shape(SHIPPED["laptop"])
    bare = Shape(shape.vertices, shape.faces, "laptop", frame=shape.frame)
    parts = find_parts(bare)
    assert parts.source == "components"
    from neurok.articulation.parts.components import face_areas
    from neurok.evaluation.articulation.parts import part_agreement

    assert part_agreement(parts.shape.part, shape.part, face_areas(shape)).rand_index > 0.8
