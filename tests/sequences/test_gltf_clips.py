"""glTF animation against closed forms: interpolation, skins, morphs, and the rig of a clip."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

from gltf_builder import TETRAHEDRON, Builder, arm
from neurok.errors import InputError
from neurok.sequences.gltf import has_animation, load_gltf_sequences, positions_at, read_clips
from neurok.sequences.keyframes import sample
from neurok.shapes.gltf import Document, load_gltf, read_scene, scene_shape

KEYS = np.array([0.5, 1.0, 2.5, 3.0])
TIMES = np.linspace(-1, 4, 101)


def parsed(builder: Builder):
    scene = read_scene(Document.parse(builder.bytes(), "made.glb"))
    return scene, read_clips(scene)[0]


def single(*channel) -> tuple:
    b = Builder()
    b.node(mesh=b.mesh())
    b.animate((0, *channel))
    return parsed(b)


def test_step_holds_each_value_until_the_next_key():
    values = np.array([[1.0], [5.0], [2.0], [7.0]])
    found = sample(KEYS, values, "STEP", np.array([0.0, 0.5, 0.99, 1.0, 2.4999, 2.5, 3.0, 9.0]), False)
    np.testing.assert_array_equal(found[:, 0], [1, 1, 1, 5, 5, 2, 7, 7])


def test_linear_is_numpys_interp_and_clamps_outside_the_keys():
    values = np.random.default_rng(0).normal(size=(4, 3))
    found = sample(KEYS, values, "LINEAR", TIMES, False)
    np.testing.assert_allclose(found, np.stack([np.interp(TIMES, KEYS, v) for v in values.T], 1), atol=1e-12)


def test_linear_rotation_is_slerp_along_the_shorter_arc():
    turns = Rotation.random(4, rng=np.random.default_rng(3))
    quaternions = turns.as_quat() * [[1], [-1], [1], [-1]]  # signs must not matter
    found = Rotation.from_quat(sample(KEYS, quaternions, "LINEAR", TIMES, True))
    expected = Slerp(KEYS, turns)(np.clip(TIMES, KEYS[0], KEYS[-1]))
    assert (found * expected.inv()).magnitude().max() < 1e-7


def test_rotations_almost_alike_interpolate_without_dividing_by_zero():
    angle = 1e-9
    a, b = Rotation.identity().as_quat(), Rotation.from_rotvec([angle, 0, 0]).as_quat()
    found = sample(np.array([0.0, 1.0]), np.stack([a, b]), "LINEAR", np.array([0.5]), True)
    np.testing.assert_allclose(found, [[angle / 4, 0, 0, 1]], atol=1e-15)


def test_cubic_spline_is_the_hermite_spline_of_its_tangents():
    rng = np.random.default_rng(1)
    values, tangents = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    stored = np.stack([tangents, values, tangents], 1).reshape(12, 3)
    found = sample(KEYS, stored, "CUBICSPLINE", TIMES, False)
    expected = CubicHermiteSpline(KEYS, values, tangents)(np.clip(TIMES, KEYS[0], KEYS[-1]))
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_cubic_spline_uses_the_out_tangent_before_and_the_in_tangent_after_a_key():
    stored = np.array([[9.0], [0.0], [2.0], [-4.0], [1.0], [9.0]])  # (in, value, out) twice
    middle = sample(np.array([0.0, 2.0]), stored, "CUBICSPLINE", np.array([1.0]), False)[0, 0]
    assert middle == pytest.approx(0.5 * 0 + 0.125 * 2 * 2 + 0.5 * 1 - 0.125 * 2 * -4)


def test_cubic_rotations_have_length_one():
    stored = np.random.default_rng(2).normal(size=(12, 4))
    found = sample(KEYS, stored, "CUBICSPLINE", TIMES, True)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-12)


def test_a_single_key_holds_for_ever():
    for interpolation, rows in (("STEP", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)):
        values = np.full((rows, 3), 4.0)
        np.testing.assert_array_equal(
            sample(KEYS[:1], values, interpolation, TIMES, False), np.full((101, 3), 4.0)
        )


def test_a_translated_node_carries_its_vertices():
    scene, (clip,) = single("translation", [0, 2], [[0, 0, 0], [4, 0, 0]])
    found = positions_at(scene, clip, np.array([-1.0, 0.5, 2.0, 3.0]))
    np.testing.assert_allclose(
        found, TETRAHEDRON + np.array([0, 1, 4, 4])[:, None, None] * [1, 0, 0], atol=1e-6
    )


def test_animating_one_property_keeps_the_nodes_others_even_when_given_as_a_matrix():
    turn = Rotation.from_euler("xyz", [0.3, -0.8, 1.1])
    b = Builder()
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn.as_matrix() * [-1, 2, 3], [7, 8, 9]
    b.node(mesh=b.mesh(), matrix=matrix.T.ravel().tolist())
    b.animate((0, "translation", [0, 1], [[0, 0, 0], [1, 1, 1]]))
    scene, (clip,) = parsed(b)
    expected = turn.apply(TETRAHEDRON * [-1, 2, 3]) + 0.5
    np.testing.assert_allclose(positions_at(scene, clip, np.array([0.5]))[0], expected, atol=1e-5)


def test_morph_weights_add_their_targets():
    b = Builder()
    bump = b.sparse(4, [2], [[0, 0, 6]])
    b.node(mesh=b.mesh(b.primitive(targets=[bump, TETRAHEDRON]), weights=[0, 0]))
    b.animate((0, "weights", [0, 1], [[0, 1], [1, 0]]))
    scene, (clip,) = parsed(b)
    found = positions_at(scene, clip, np.array([0.0, 0.25, 1.0]))
    sparse = np.zeros((4, 3))
    sparse[2, 2] = 6
    for frame, u in zip(found, (0, 0.25, 1), strict=True):
        np.testing.assert_allclose(frame, TETRAHEDRON * (2 - u) + u * sparse, atol=1e-6)


def test_a_skin_blends_its_joints_and_ignores_its_nodes_own_transform():
    b, joints = arm(2)
    half = [0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)]  # 90° about z
    b.animate((joints[1], "rotation", [0, 1], [[0, 0, 0, 1], half]))
    scene, (clip,) = parsed(b)
    bind = scene.instances[0].block.positions
    np.testing.assert_allclose(scene.rest, bind, atol=1e-6)
    turned = np.stack([1 - bind[:, 1], bind[:, 0] - 1, bind[:, 2]], 1)  # about the second joint at (1, 0, 0)
    pull = np.clip(bind[:, :1], 0, 1)  # of the second joint
    np.testing.assert_allclose(
        positions_at(scene, clip, np.array([1.0]))[0], bind + pull * (turned - bind), atol=1e-6
    )


def test_eight_joints_in_two_sets_and_weights_that_do_not_sum_to_one():
    b = Builder()
    rng = np.random.default_rng(5)
    weights = rng.uniform(0.1, 1, (4, 8)).astype(np.float32)
    low, high = np.tile([0, 1, 2, 3], (4, 1)).astype("u1"), np.tile([4, 5, 6, 7], (4, 1)).astype("u1")
    primitive = b.primitive(JOINTS_0=low, WEIGHTS_0=weights[:, :4], JOINTS_1=high, WEIGHTS_1=weights[:, 4:])
    b.node(mesh=b.mesh(primitive), skin=0)
    shifts = rng.normal(size=(8, 3))
    for _ in shifts:
        b.node()
    b.skin(range(1, 9))
    b.animate(*((i + 1, "translation", [0], [shift]) for i, shift in enumerate(shifts)))
    scene, (clip,) = parsed(b)
    expected = TETRAHEDRON + weights / weights.sum(1, keepdims=True) @ shifts
    np.testing.assert_allclose(positions_at(scene, clip, np.array([0.0]))[0], expected, atol=1e-6)


def test_a_frame_root_is_undone_in_clips_too():
    b, joints = arm(2)
    root = b.node(
        name="neurok_frame",
        rotation=[-np.sqrt(0.5), 0, 0, np.sqrt(0.5)],
        scale=[0.01] * 3,
        children=[0, joints[0]],
    )
    b.json["asset"]["extras"] = {"neurok": {"up": "z", "metres_per_unit": 0.01}}
    b.animate((joints[0], "translation", [0, 1], [[0, 0, 0], [0, 0, 3]]))
    scene, (clip,) = parsed(b)
    assert root == scene.graph.frame_root
    bind = scene.instances[0].block.positions
    np.testing.assert_allclose(
        positions_at(scene, clip, np.array([1.0]))[0], bind + np.array([0, 0, 3]), atol=1e-6
    )


def assert_rig_is_the_motion(sequence) -> None:
    assert sequence.rig is not None
    radius = sequence.shape.normalisation.radius
    np.testing.assert_allclose(sequence.rig.skin.weights.sum(1), 1, atol=1e-6)
    assert np.abs(sequence.rig.positions(sequence.shape.vertices) - sequence.positions).max() < 2e-5 * radius


def test_clips_share_the_shape_of_the_file_and_carry_its_rig(tmp_path):
    b, joints = arm(3)
    b.node(name="box", mesh=b.mesh(), translation=[0, 2, 0], scale=[1, -2, 1])
    b.animate((joints[1], "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]]), name="bend")
    b.animate((len(b.json["nodes"]) - 1, "rotation", [0.5, 2.5], [[0, 0, 0, 1], [1, 0, 0, 0]]), name="bend")
    path = b.save(tmp_path / "toy.glb")
    assert has_animation(path)
    rest, clips = load_gltf(path), load_gltf_sequences(path, fps=10.0)
    assert [clip.name for clip in clips] == ["bend", "bend_2"]
    assert [len(clip) for clip in clips] == [11, 21]  # from the first key to the last
    assert clips[0].rig.skin.names == ("bone1", "bone2", "bone3", "box")
    for clip in clips:
        assert clip.shape is clips[0].shape
        np.testing.assert_array_equal(clip.shape.vertices, rest.vertices)
        np.testing.assert_array_equal(clip.shape.faces, rest.faces)
        assert_rig_is_the_motion(clip)
    assert clips[0].travel > 0.5


@pytest.mark.parametrize("frames", [2, 31, 100, 1001])
def test_a_clip_has_as_many_frames_as_it_was_written_with(tmp_path, frames):
    keys = np.arange(frames, dtype=np.float32) / np.float32(30)
    b = Builder()
    b.node(mesh=b.mesh())
    b.animate((0, "translation", keys, np.outer(keys, [1, 0, 0])))
    (clip,) = load_gltf_sequences(b.save(tmp_path / "count.glb"))
    assert len(clip) == frames
    np.testing.assert_allclose(clip.positions[:, 0, 0], keys, atol=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_whenever_there_is_a_rig_it_reproduces_the_motion(tmp_path_factory, seed):
    """Random chains, some at rest away from their bind pose: a rig is returned only if it is exact."""
    rng = np.random.default_rng(seed)
    b, joints = arm(3, seed)
    rests_in_bind_pose = bool(rng.integers(2))
    if not rests_in_bind_pose:
        b.json["nodes"][joints[1]]["rotation"] = (
            Rotation.from_euler("z", rng.uniform(0.5, 2)).as_quat().tolist()
        )
    channels = [
        (j, "rotation", [0, 0.3], Rotation.random(2, rng=rng).as_quat()) for j in joints if rng.integers(2)
    ] + [(joints[0], "translation", [0, 0.3], rng.normal(size=(2, 3)))]
    b.animate(*channels)
    (clip,) = load_gltf_sequences(b.save(tmp_path_factory.mktemp("rig") / "chain.glb"))
    assert (clip.rig is not None) == rests_in_bind_pose
    if clip.rig is not None:
        assert_rig_is_the_motion(clip)


def test_rigidly_skinned_parts_have_a_rig_even_away_from_their_bind_pose(tmp_path):
    b, joints = arm(3)
    index = b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    count = b.json["accessors"][index]["count"]
    b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = b.accessor(
        np.tile([1.0, 0, 0, 0], (count, 1))
    )
    b.json["nodes"][joints[1]]["rotation"] = [0, 0, 0.6, 0.8]
    b.animate((joints[2], "rotation", [0, 1], [[0, 0, 0, 1], [0, 1, 0, 0]]))
    (clip,) = load_gltf_sequences(b.save(tmp_path / "robot.glb"))
    assert_rig_is_the_motion(clip)
    assert clip.rig.skin.is_rigid


def test_morphing_and_flattened_clips_have_no_rig(tmp_path):
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(targets=[TETRAHEDRON])))
    b.node(mesh=b.mesh())
    b.animate((0, "weights", [0, 1], [0, 1]))
    assert load_gltf_sequences(b.save(tmp_path / "morph.glb"))[0].rig is None
    b.json["nodes"][1]["scale"] = [1, 0, 1]
    b.animate((1, "scale", [0, 1], [[1, 0, 1], [1, 1, 1]]))
    assert load_gltf_sequences(b.save(tmp_path / "flat.glb"))[1].rig is None


def test_files_without_motion_give_no_clips(tmp_path):
    b = Builder()
    b.node(mesh=b.mesh())
    path = b.save(tmp_path / "still.glb")
    assert not has_animation(path)
    assert load_gltf_sequences(path) == []


def test_animation_pointers_are_ignored_with_a_note(tmp_path):
    b = Builder()
    b.node(mesh=b.mesh())
    b.animate((0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]]))
    b.json["animations"][0]["channels"].append({"sampler": 0, "target": {"path": "pointer"}})
    (clip,) = load_gltf_sequences(b.save(tmp_path / "pointer.glb"))
    assert any("KHR_animation_pointer" in note for note in clip.shape.notes)


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf")])
def test_a_rate_that_is_no_rate_is_refused(tmp_path, fps):
    b = Builder()
    b.node(mesh=b.mesh())
    with pytest.raises(InputError, match="fps"):
        load_gltf_sequences(b.save(tmp_path / "a.glb"), fps=fps)


def test_scene_shape_and_rest_frame_are_one():
    b, joints = arm(2)
    b.json["nodes"][joints[1]]["rotation"] = [0, 0, 0.6, 0.8]
    b.animate((joints[1], "rotation", [0, 1], [[0, 0, 0.6, 0.8], [0, 0, 0, 1]]))
    scene, (clip,) = parsed(b)
    first = positions_at(scene, clip, np.array([0.0]))[0]
    np.testing.assert_allclose(scene_shape(scene, "x").vertices, first, atol=1e-6)
