"""GLB files against the Khronos validator, playback in three.js, closed forms and `load_gltf`."""

from __future__ import annotations

import json

import numpy as np
import pytest
from export_samples import (
    HOSTILE_NAMES,
    all_forms,
    box_and_ball,
    glb_json,
    hinge,
    in_metres,
    rigged,
    rigid_skin,
    sheared,
    soft_skin,
    swing,
    textured,
    written_order,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neurok.errors import InputError
from neurok.export import animation_form, save_glb
from neurok.export.gltf import document as glb_document
from neurok.sequences import Rig, Sequence, Skin
from neurok.sequences.gltf import load_gltf_sequences
from neurok.shapes import Frame, Material, Shape, Texture
from neurok.shapes.gltf.load import load_gltf
from nodejs import run_node, validate_gltf

FORMS = all_forms()
EXPECTED = {
    "static": "static", "textured": "static", "colored": "static",
    "nodes": "nodes", "nodes_found": "nodes", "nodes_sheared": "nodes", "two_swings": "nodes",
    "still": "nodes",
    "skin": "skin", "morph": "morph", "morph_colored": "morph", "two_clips": "morph",
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("glb")
    return {name: save_glb(item, folder / f"{name}.glb") for name, item in FORMS.items()}


def play(path, tmp_path, times: int):
    """Vertices in three.js: at rest, and at evenly spaced times of each clip."""
    clips_played = json.loads(run_node("pose.mjs", path, tmp_path / "out.bin", str(times)))
    frames = np.fromfile(tmp_path / "out.bin", np.float32).reshape(
        1 + times * len(clips_played["clips"]), -1, 3
    )
    return frames[0], frames[1:].reshape(len(clips_played["clips"]), times, -1, 3), clips_played["clips"]


def clips_of(item) -> list[Sequence]:
    return [item] if isinstance(item, Sequence) else item


@pytest.mark.parametrize("name", FORMS)
def test_the_form_follows_the_motion(name):
    assert animation_form(FORMS[name]) == EXPECTED[name]


def test_the_khronos_validator_accepts_every_form(files):
    for report in validate_gltf(list(files.values())):
        # The shape has no tangents; glTF lets viewers generate them.
        codes = {m["code"] for m in report["messages"] if m["severity"] <= 1}
        assert report["errors"] == 0, report
        assert codes <= {"MESH_PRIMITIVE_GENERATED_TANGENT_SPACE"}, report
        assert not codes or "textured" in report["file"] or "sheared" in report["file"]


@pytest.mark.parametrize("name", [n for n, form in EXPECTED.items() if form != "static"])
def test_three_js_plays_the_positions_of_the_sequence(name, files, tmp_path):
    clips = clips_of(FORMS[name])
    shape, order = clips[0].shape, written_order(clips[0].shape)
    rest, played, clips_played = play(files[name], tmp_path, len(clips[0]))
    metre = shape.normalisation.radius * shape.frame.metres_per_unit
    tolerance = (1e-3 if EXPECTED[name] == "morph" else 1e-5) * metre
    assert np.abs(rest - in_metres(shape, shape.vertices[order])).max() < 1e-6 * metre
    assert [c["name"] for c in clips_played] == [c.name for c in clips]
    for clip, frames, times in zip(clips, played, clips_played, strict=True):
        assert times["times"][-1] == pytest.approx(clip.seconds, rel=1e-6)
        assert np.abs(frames - in_metres(shape, clip.positions[:, order])).max() < tolerance


def test_a_hinge_follows_its_arc_between_key_frames(files, tmp_path):
    shape, order = FORMS["nodes"].shape, written_order(FORMS["nodes"].shape)
    _, played, _ = play(files["nodes"], tmp_path, 37)  # three moments per frame
    for k, frame in enumerate(played[0]):
        turned = hinge(0.15 * k / 3)
        truth = np.where(
            shape.vertex_part[:, None] == 1, shape.vertices @ turned[:, :3].T + turned[:, 3], shape.vertices
        )
        assert np.abs(frame - in_metres(shape, truth[order])).max() < 2e-6 * 1e-3


@pytest.mark.parametrize("skin", [rigid_skin, soft_skin])
def test_shear_between_key_frames_is_right_to_second_order(skin, tmp_path):
    """Playback between keyframes is nearer to the smooth motion than linear interpolation of vertices."""
    shape = box_and_ball(frame=Frame())
    weights, order, errors = skin(shape), written_order(shape), []
    for frames in (13, 25):
        fine = Rig(weights, sheared(np.linspace(0, 1, 2 * frames - 1))).positions(shape.vertices)[:, order]
        coarse = rigged(shape, weights, sheared(np.linspace(0, 1, frames)))
        _, played, _ = play(save_glb(coarse, tmp_path / "shear.glb"), tmp_path, 2 * frames - 1)
        assert np.abs(played[0][::2] - fine[::2]).max() < 2e-6
        errors.append(np.abs(played[0] - fine).max())
        chord = np.abs((fine[:-2:2] + fine[2::2]) / 2 - fine[1::2]).max()  # error of morph targets
        assert errors[-1] < chord / 3
    assert np.log2(errors[0] / errors[1]) > 1.8


def test_stretch_that_starts_at_rest_keeps_its_axes(tmp_path):
    """Stretch axes are undetermined at rest but must be right on the way to the first stretch."""
    shape = box_and_ball(frame=Frame())
    axes = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]

    def maps(s: float) -> np.ndarray:
        stretch = axes @ np.diag([1 + s, 1, 1 - s / 2]) @ axes.T
        return np.array([[hinge(0), np.c_[stretch, np.zeros(3)]]])

    sequence = rigged(shape, rigid_skin(shape), np.concatenate([maps(0.0), maps(0.6)]))
    _, played, _ = play(save_glb(sequence, tmp_path / "stretch.glb"), tmp_path, 3)
    halfway = Rig(rigid_skin(shape), maps(0.3)).positions(shape.vertices)[0]
    assert np.abs(played[0, 1] - halfway[written_order(shape)]).max() < 2e-6


def test_a_mirrored_part_plays(tmp_path):
    shape = box_and_ball(frame=Frame())
    mirror = np.c_[np.diag([-1.0, 1.0, 1.0]), [0.0, 0.5, 0.0]]
    sequence = rigged(shape, rigid_skin(shape), np.array([[hinge(0), hinge(0)], [hinge(0), mirror]]))
    _, played, _ = play(save_glb(sequence, tmp_path / "mirror.glb"), tmp_path, 2)
    assert np.abs(played[0] - sequence.positions[:, written_order(shape)]).max() < 2e-6


@pytest.mark.parametrize("name", ["static", "textured", "colored"])
def test_our_reader_gives_back_the_shape(name, files):
    shape, back = FORMS[name], load_gltf(files[name])
    order = written_order(shape)
    assert back.frame == shape.frame and back.part_names == shape.part_names
    np.testing.assert_allclose(back.vertices, shape.vertices[order].astype(np.float32), rtol=0, atol=1e-9)
    assert np.array_equal(np.bincount(back.part), np.bincount(shape.part))
    np.testing.assert_allclose(back.normals, shape.normals[order], atol=1e-6)
    if shape.colors is not None:
        assert np.array_equal(back.colors, shape.colors[order])
    if shape.uv is not None:
        np.testing.assert_allclose(back.uv, shape.uv[order], atol=1e-6)


def test_faces_come_back_in_order_per_part_and_material(files):
    shape, back = FORMS["textured"], load_gltf(files["textured"])
    names = [m.name for m in back.materials]
    for part in range(2):
        for material in range(2):
            one = shape.vertices[shape.faces[(shape.part == part) & (shape.material == material)]]
            chosen = (back.part == part) & (back.material == names.index(shape.materials[material].name))
            assert np.abs(back.vertices[back.faces[chosen]] - one).max() < 1e-6


def test_materials_and_textures_come_back_as_they_were(files):
    back = {m.name: m for m in load_gltf(files["textured"]).materials}
    for material in FORMS["textured"].materials:
        twin = back[material.name]
        assert {r: t.data for r, t in twin.textures.items()} == {
            r: t.data for r, t in material.textures.items()
        }
        assert twin.alpha_mode == material.alpha_mode and twin.double_sided == material.double_sided
        assert twin.color == pytest.approx(material.color) and twin.emissive == pytest.approx(
            material.emissive
        )


@pytest.mark.parametrize("name", [n for n, form in EXPECTED.items() if form != "static"])
def test_our_reader_gives_back_the_motion(name, files):
    clips = clips_of(FORMS[name])
    order = written_order(clips[0].shape)
    for clip, index in zip(clips, range(len(clips)), strict=True):
        back = load_gltf_sequences(files[name], fps=clip.fps)[index]
        assert back.name == clip.name and len(back) == len(clip) and back.shape.frame == clip.shape.frame
        tolerance = (1e-3 if EXPECTED[name] == "morph" else 1e-5) * clip.shape.normalisation.radius
        assert np.abs(back.positions - clip.positions[:, order]).max() < tolerance


def test_a_part_that_two_handles_share_is_split(tmp_path):
    shape = box_and_ball()
    fused = shape.with_(part=np.zeros(len(shape.faces), int), part_names=("laptop",))
    sequence = rigged(fused, rigid_skin(shape), swing())
    assert animation_form(sequence) == "nodes"
    assert animation_form(sequence.with_(rig=None)) == "morph"
    assert load_gltf(save_glb(sequence, tmp_path / "a.glb")).part_names == ("laptop_hand_0", "laptop_hand_1")


def test_the_handle_with_the_weight_moves_the_piece(tmp_path):
    """Unused slots of a skin have a handle with weight zero."""
    shape = box_and_ball(frame=Frame())
    handles = np.stack([1 - shape.vertex_part, shape.vertex_part], axis=1)
    skin = Skin(handles, np.tile([0.0, 1.0], (len(handles), 1)), ("hand_0", "hand_1"))
    sequence = rigged(shape, skin, swing())
    assert animation_form(sequence) == "nodes"
    back = load_gltf_sequences(save_glb(sequence, tmp_path / "a.glb"), fps=24.0)[0]
    assert np.abs(back.positions - sequence.positions[:, written_order(shape)]).max() < 1e-5


def test_a_rig_that_does_not_give_the_positions_is_not_believed():
    shape = box_and_ball()
    honest = rigged(shape, soft_skin(shape), sheared(np.linspace(0, 1, 5)))
    assert animation_form(honest) == "skin"
    lying = honest.with_(rig=Rig(honest.rig.skin, sheared(np.linspace(0, 0.9, 5))))
    assert animation_form(lying) == "morph"


def test_more_than_four_joints_are_written_as_morph_targets_unless_four_suffice():
    shape, rng = box_and_ball(), np.random.default_rng(0)
    transforms = np.array([[hinge(0.1 * t * h) for h in range(6)] for t in range(5)])
    handles = np.tile(np.arange(6), (len(shape.vertices), 1))
    dense = rng.dirichlet(np.ones(6), len(shape.vertices))
    names = tuple("abcdef")
    assert animation_form(rigged(shape, Skin(handles, dense, names), transforms)) == "morph"
    sparse = np.c_[dense[:, :2], np.full((len(dense), 4), 1e-6)]
    sparse /= sparse.sum(axis=1, keepdims=True)
    assert animation_form(rigged(shape, Skin(handles, sparse, names), transforms)) == "skin"


def test_handles_named_twice_by_a_vertex_are_merged(tmp_path):
    shape = box_and_ball()
    soft = soft_skin(shape)
    doubled = Skin(np.tile(soft.handles, 2), np.tile(soft.weights / 2, 2), soft.names)
    path = save_glb(rigged(shape, doubled, sheared(np.linspace(0, 1, 5))), tmp_path / "twice.glb")
    assert "skins" in glb_json(path)
    assert validate_gltf([path])[0]["errors"] == 0


def test_a_tremor_far_below_the_tolerance_survives(tmp_path):
    shape = box_and_ball(frame=Frame())
    bump = 1e-4 * np.random.default_rng(0).normal(size=(9, *shape.vertices.shape))
    sequence = Sequence(shape, shape.vertices + bump)
    back = load_gltf_sequences(save_glb(sequence, tmp_path / "a.glb"), fps=30.0)[0]
    assert (
        np.abs(back.positions - sequence.positions[:, written_order(shape)]).max() < 0.05 * np.abs(bump).max()
    )


def test_many_frames_become_few_morph_targets(tmp_path):
    shape = box_and_ball()
    modes = np.random.default_rng(0).normal(size=(3, *shape.vertices.shape))
    weights = np.sin(np.outer(np.linspace(0, 9, 60), [1.0, 2.0, 3.0]))
    sequence = Sequence(shape, shape.vertices + 0.1 * np.einsum("fk,knj->fnj", weights, modes))
    mesh = glb_json(save_glb(sequence, tmp_path / "a.glb"))["meshes"][0]
    assert len(mesh["primitives"][0]["targets"]) == 3
    assert "NORMAL" in mesh["primitives"][0]["targets"][0]


@pytest.mark.parametrize("name", FORMS)
def test_same_input_same_bytes(name, files, tmp_path):
    again = save_glb(FORMS[name], tmp_path / "again.glb")
    assert again.read_bytes() == files[name].read_bytes()


def test_coordinates_and_units_are_those_of_the_standard(files):
    json_ = glb_json(files["static"])
    assert json_["asset"]["extras"] == {"neurok": {"up": "z", "metres_per_unit": 0.001}}
    frame = json_["nodes"][json_["scenes"][0]["nodes"][0]]
    assert frame["name"] == "neurok_frame" and frame["scale"] == [0.001] * 3
    half = np.sqrt(0.5)  # −90° about x
    np.testing.assert_allclose(frame["rotation"], [-half, 0, 0, half], atol=1e-12)


def test_large_meshes_take_wide_indices(tmp_path):
    n = 70_000
    vertices = np.random.default_rng(0).random((n, 3))
    faces = np.arange(n - n % 3).reshape(-1, 3)
    path = save_glb(Shape(vertices, faces), tmp_path / "a.glb")
    assert load_gltf(path).faces.max() == n - n % 3 - 1


def test_a_file_that_is_too_large_is_refused_and_nothing_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(glb_document, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="4 GiB"):
        save_glb(box_and_ball(), tmp_path / "a.glb")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Shape(np.zeros((3, 3)), np.zeros((0, 3), int)), "no faces"),
        (Shape(np.zeros((3, 3)), np.array([[0, 1, 7]])), "missing vertices"),
        (
            Shape(np.array([[0, 0, 0], [1, 0, 0], [0, np.nan, 0]]), np.array([[0, 1, 2]])),
            "1 vertices are NaN",
        ),
        (box_and_ball(materials=(Material(textures={"color": Texture(b"GIF89a")}),)), "PNG"),
    ],
)
def test_an_invalid_shape_is_refused_with_a_reason(shape, words, tmp_path):
    with pytest.raises(InputError, match=words):
        save_glb(shape, tmp_path / "a.glb")
    assert list(tmp_path.iterdir()) == []


def test_clips_of_different_shapes_are_refused(tmp_path):
    one, other = box_and_ball(), box_and_ball(vertices=box_and_ball().vertices * 2)
    clips = [Sequence(s, s.vertices[None]) for s in (one, other)]
    with pytest.raises(InputError, match="another shape"):
        save_glb(clips, tmp_path / "a.glb")


def test_hostile_names_give_valid_files(tmp_path):
    paths = []
    for k, name in enumerate(HOSTILE_NAMES):
        shape = textured().with_(name=name, part_names=(name, name))
        shape = shape.with_(materials=tuple(Material(name, textures=m.textures) for m in shape.materials))
        sequence = rigged(shape, rigid_skin(shape), swing(3), name)
        paths += [save_glb(shape, tmp_path / f"{k}.glb"), save_glb(sequence, tmp_path / f"{k}m.glb")]
    assert all(report["errors"] == 0 for report in validate_gltf(paths))
    assert sorted(tmp_path.rglob("*")) == sorted(paths)


@st.composite
def random_sequence(draw) -> Sequence:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, m, parts, frames = (draw(st.integers(low, high)) for low, high in ((3, 30), (1, 40), (1, 4), (1, 6)))
    size = 10.0 ** draw(st.integers(-4, 4))
    vertices = size * rng.normal(size=(n, 3)).astype(np.float32)
    shape = Shape(
        vertices,
        rng.integers(0, n, (m, 3)),
        part=rng.integers(0, parts, m),
        part_names=tuple(f"p{k}" for k in range(parts)),
        normals=rng.normal(size=(n, 3)) if draw(st.booleans()) else None,
        colors=rng.integers(0, 256, (n, 4), dtype=np.uint8) if draw(st.booleans()) else None,
        frame=Frame(draw(st.sampled_from(["y", "z"])), 10.0 ** draw(st.integers(-3, 1))),
    )
    kind = draw(st.sampled_from(["still", "rigid", "noise"]))
    moved = np.tile(vertices, (frames, 1, 1))
    if kind == "rigid":
        moved = np.stack([vertices @ (h := hinge(0.3 * t))[:, :3].T + size * h[:, 3] for t in range(frames)])
    if kind == "noise":
        moved = moved + 0.2 * size * rng.normal(size=moved.shape)
    return Sequence(shape, moved, draw(st.sampled_from([1.0, 24.0, 30.0, 59.94])), "m")


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=random_sequence())
def test_positions_of_any_sequence_survive(sequence, tmp_path):
    path = save_glb(sequence, tmp_path / "a.glb")
    back = load_gltf_sequences(path, fps=sequence.fps)[0]
    order = written_order(sequence.shape)
    reach = max(sequence.shape.normalisation.radius, float(np.abs(sequence.positions).max()))
    assert len(back) == len(sequence)
    assert np.abs(back.positions - sequence.positions[:, order]).max() <= 1.1e-3 * reach


def test_random_sequences_are_valid_files(tmp_path):
    paths = []

    @settings(max_examples=25, deadline=None, derandomize=True)
    @given(sequence=random_sequence())
    def write(sequence):
        paths.append(save_glb(sequence, tmp_path / f"{len(paths)}.glb"))

    write()
    reports = validate_gltf(paths)
    assert all(r["errors"] == 0 and r["warnings"] == 0 for r in reports), [r["messages"] for r in reports]


def test_real_motions_are_valid_and_play_right(data_dir, tmp_path):
    from neurok.sequences.npz import load_npz_sequences

    paths = []
    for name in (
        "animated_free/qt_animals_Fox",
        "animated_free/pmn_windturbine_model",
        "animated_free/khr_RiggedFigure",
    ):
        clips = load_npz_sequences(data_dir / f"{name}.npz")[:2]
        path = save_glb(clips, tmp_path / f"{name.split('/')[1]}.glb")
        paths.append(path)
        for k, clip in enumerate(clips):
            back = load_gltf_sequences(path, fps=clip.fps)[k]
            error = np.abs(back.positions - clip.positions[:, written_order(clip.shape)]).max()
            assert error < 1e-3 * clip.shape.normalisation.radius
    assert all(report["errors"] == report["warnings"] == 0 for report in validate_gltf(paths))
