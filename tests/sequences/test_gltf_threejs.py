"""Vertices of animated glTF files agree with three.js at the same times."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gltf_builder import TETRAHEDRON, Builder, arm
from neurok.sequences.gltf import load_gltf_sequences, positions_at, read_clips
from neurok.shapes.gltf import Document, read_scene
from nodejs import PACKAGES, run_node, validate_gltf

MODELS = PACKAGES / "threebox-plugin" / "examples" / "models"
MOMENTS = 10


def assert_three_agrees(path, tmp_path, clip_count: int) -> None:
    """Rest pose and ten times of every clip agree to 10⁻⁵ of the scene's size (three.js keys are float32)."""
    order = json.loads(run_node("pose.mjs", path, tmp_path / "three.f32", str(MOMENTS)))
    scene = read_scene(Document.open(path))
    theirs = np.fromfile(tmp_path / "three.f32", "<f4").reshape(-1, scene.vertex_count, 3)
    size = np.ptp(scene.rest, axis=0).max()
    np.testing.assert_allclose(scene.rest, theirs[0], atol=1e-5 * size)
    clips, _ = read_clips(scene)
    assert len(clips) == len(order["clips"]) == clip_count
    for k, (clip, shown) in enumerate(zip(clips, order["clips"], strict=True)):
        frames = theirs[1 + k * MOMENTS : 1 + (k + 1) * MOMENTS]
        ours = positions_at(scene, clip, np.array(shown["times"]))
        assert np.ptp(frames, axis=0).max() > 1e-3 * size or clip.name == "TPose"  # something moves
        np.testing.assert_allclose(ours, frames, atol=1e-5 * size)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "clips"), [("Soldier.glb", 4), ("windmill_a/windmill_a.gltf", 1), ("plane/plane.glb", 0)]
)
def test_real_files_move_as_in_three(tmp_path, name, clips):
    assert_three_agrees(MODELS / name, tmp_path, clips)


def test_a_real_skinned_character_carries_a_rig_that_is_its_motion():
    clips = load_gltf_sequences(MODELS / "Soldier.glb", fps=15.0)
    assert [clip.name for clip in clips] == ["Idle", "Run", "TPose", "Walk"]
    for clip in clips:
        assert clip.rig is not None
        error = np.abs(clip.rig.positions(clip.shape.vertices) - clip.positions).max()
        assert error < 1e-6 * clip.shape.normalisation.radius


def quaternions(rng, count):
    return Rotation.random(count, rng=rng).as_quat()


def chain_of_skins(interpolation: str) -> Builder:
    """A bent skinned strip at rest away from its bind pose, under a mirrored and stretched root."""
    rng = np.random.default_rng(4)
    b, joints = arm(4)
    b.node(name="root", scale=[1.5, -1, 1], rotation=quaternions(rng, 1)[0].tolist(), children=[0, joints[0]])
    b.json["nodes"][joints[2]]["rotation"] = quaternions(rng, 1)[0].tolist()
    keys = [0.2, 0.5, 1.1, 2.0]
    rows = 12 if interpolation == "CUBICSPLINE" else 4
    b.animate(
        (joints[1], "rotation", keys, quaternions(rng, rows), interpolation),
        (joints[3], "translation", keys, rng.normal(size=(rows, 3)), interpolation),
        (joints[2], "scale", keys[:2], [[1, 1, 1], [2, 0.5, 1]]),
    )
    return b


def morphs_and_nodes(interpolation: str) -> Builder:
    """Morph targets, one sparse, on two primitives of a moving node, below a node with a matrix."""
    rng = np.random.default_rng(6)
    b = Builder()
    targets = [b.sparse(4, [0, 2], rng.normal(size=(2, 3))), b.accessor(rng.normal(size=(4, 3)))]
    base = rng.normal(size=(4, 3)).astype(np.float32)
    mesh = b.mesh(b.primitive(targets=targets), b.primitive(base, targets=targets), weights=[0.3, -0.2])
    child = b.node(name="child", mesh=mesh, translation=[1, 2, 3], weights=[0.5, 0.1])
    matrix = np.eye(4)
    matrix[:3, :3] = Rotation.from_euler("xyz", [0.4, 1.0, -2.0]).as_matrix() * [1, -2, 0.5]
    parent = b.node(name="parent", matrix=matrix.T.ravel().tolist(), children=[child])
    root = b.node(name="root", scale=[1, 1, -3], children=[parent])
    b.node(name="twin", mesh=mesh, translation=[-3, 0, 0])
    rows = 9 if interpolation == "CUBICSPLINE" else 3
    keys = [0.0, 0.7, 1.0]
    b.animate(
        (child, "weights", keys, rng.normal(size=(rows, 2)), interpolation),
        (child, "rotation", keys, quaternions(rng, rows), interpolation),
        (root, "translation", keys, rng.normal(size=(rows, 3)), interpolation),
    )
    return b


def skin_with_morphs(interpolation: str) -> Builder:
    """A skinned mesh that also morphs."""
    b, joints = arm(2)
    primitive = b.json["meshes"][0]["primitives"][0]
    count = b.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
    primitive["targets"] = [{"POSITION": b.accessor(np.random.default_rng(7).normal(size=(count, 3)))}]
    b.json["meshes"][0]["weights"] = [0.0]
    turns = quaternions(np.random.default_rng(8), 2)
    values = np.array(
        [[0.0], [0.2], [0.4], [0.0], [1.0], [0.0]] if interpolation == "CUBICSPLINE" else [[0.2], [1.0]]
    )
    b.animate((0, "weights", [0, 1], values, interpolation), (joints[1], "rotation", [0, 1], turns))
    return b


@pytest.mark.parametrize("interpolation", ["STEP", "LINEAR", "CUBICSPLINE"])
@pytest.mark.parametrize("make", [chain_of_skins, morphs_and_nodes, skin_with_morphs])
def test_generated_files_are_valid_and_move_as_in_three(tmp_path, make, interpolation):
    path = make(interpolation).save(tmp_path / f"{make.__name__}.glb")
    (report,) = validate_gltf([path])
    assert report["errors"] == 0, report["messages"]
    assert_three_agrees(path, tmp_path, 1)


def test_instanced_meshes_stand_as_in_three(tmp_path):
    b = Builder()
    places = np.array([[0, 0, 0], [5, 0, 0], [0, 7, 0]], np.float32)
    attributes = {
        "TRANSLATION": b.accessor(places),
        "ROTATION": b.accessor(quaternions(np.random.default_rng(9), 3)),
        "SCALE": b.accessor(1 + TETRAHEDRON[:3]),
    }
    b.json["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    extension = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    b.node(name="tree", mesh=b.mesh(), scale=[2, -1, 2], extensions=extension)
    assert_three_agrees(b.save(tmp_path / "trees.glb"), tmp_path, 0)
