"""The store returns what was written, writes the same bytes every time, and reports damage."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from store_samples import bar, bar_shape, bent, box, chain, hinge, hinge_shape, origin

from neurok.datasets.hinges import hinges_of
from neurok.datasets.record import Recording
from neurok.datasets.rigid_motion import normalised_transforms
from neurok.datasets.store.store import Store, write_index, write_recording
from neurok.errors import InputError, Rejected
from neurok.kinematics import ElasticKinematics, JointKinematics, animate, sweep
from neurok.sequences import Rig, Sequence, Skin
from neurok.sequences.load import load_sequences
from neurok.shapes import Material, Shape, concatenate

ANGLES = np.linspace(0, 2, 7)


def stored(folder: Path, *recordings: Recording) -> Store:
    write_index(folder, [write_recording(folder, recording) for recording in recordings])
    return Store.open(folder)


@given(
    scale=st.floats(1e-3, 1e3),
    shift=st.floats(-100, 100),
    angles=st.lists(st.floats(-3, 3), min_size=1, max_size=5),
)
@settings(max_examples=15, deadline=None)
def test_joints_return_exactly_in_the_users_units(tmp_path_factory, scale, shift, angles):
    recording = hinge(angles, scale=scale, offset=(shift * scale, 0.0, -shift * scale))
    store = stored(tmp_path_factory.mktemp("store"), recording)
    back = store.recording("tests/hinge")
    size = recording.shape.normalisation.radius + abs(shift) * scale
    assert [c.name for c in back.clips] == [c.name for c in recording.clips]
    for ours, theirs in zip(back.clips, recording.clips, strict=True):
        assert np.abs(ours.positions - theirs.positions).max() < 1e-5 * size
        assert ours.rig is not None and ours.rig.skin.is_rigid and ours.fps == theirs.fps
    assert (back.shape.faces == recording.shape.faces).all() and (
        back.shape.part == recording.shape.part
    ).all()
    assert back.shape.part_names == recording.shape.part_names and back.origin == recording.origin


@given(curvatures=st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=4), scale=st.floats(1e-2, 1e2))
@settings(max_examples=10, deadline=None)
def test_soft_motion_returns_to_the_stated_error(tmp_path_factory, curvatures, scale):
    shape = bar_shape()
    positions = (
        np.stack([bent(shape.vertices, k) for k in curvatures]) + np.arange(len(curvatures))[:, None, None]
    )
    recording = Recording(
        origin(), (Sequence(shape.with_(vertices=scale * shape.vertices), scale * positions),)
    )
    store = stored(tmp_path_factory.mktemp("store"), recording)
    entry = store.entries[0]
    radius = recording.shape.normalisation.radius
    off = np.linalg.norm(
        store.recording(entry.name).clips[0].positions - recording.clips[0].positions, axis=-1
    )
    assert off.max() / radius <= entry.quantisation_error + 2e-6
    assert entry.motion == "soft" and entry.quantisation_error < 1e-4
    step = store.load(entry.name).file.get_tensor("step")
    assert step.max() <= 1e-4


def test_the_true_joints_return(tmp_path):
    for recording in (hinge(ANGLES, scale=7.0, offset=(3.0, -2.0, 50.0)), chain()):
        back = stored(tmp_path, recording).recording(recording.origin.name).shape
        q = np.random.default_rng(0).uniform(-1, 1, (4, recording.shape.joints.dim))
        true, again = JointKinematics(recording.shape), JointKinematics(back)
        assert again.names == true.names and np.allclose(again.limits, true.limits)
        import torch

        poses = torch.tensor(q)
        off = (
            true.positions(poses) - again.positions(poses)
        ).abs().max() / recording.shape.normalisation.radius
        assert off < 1e-5


def test_stored_joint_values_are_those_that_were_played(tmp_path):
    store = stored(tmp_path, hinge(ANGLES))
    hinges = store.load("tests/hinge").hinges
    assert hinges is not None
    assert np.allclose(hinges.values[:, 1], ANGLES, atol=1e-6) and (hinges.values[:, 0] == 0).all()


def components(folder: Path, shape: Shape) -> np.ndarray:
    recording = Recording(origin(), (Sequence(shape, np.stack([shape.vertices, 1.01 * shape.vertices])),))
    return stored(folder, recording).load("tests/thing").component


def test_touching_boxes_are_two_components_and_a_welded_box_is_one(tmp_path):
    apart = concatenate([box("table", (2, 1, 2), (0, 0, 0)), box("lamp", (0.5, 1, 0.5), (0, 1, 0))], "apart")
    component = components(tmp_path / "apart", apart)
    assert len(component) == 24 and set(component) == {0, 1}
    assert all(len(set(component[apart.part == part])) == 1 for part in (0, 1))
    glued = apart.with_(part=np.zeros(24, np.int32), part_names=("thing",))
    assert (components(tmp_path / "glued", glued) == component).all(), "parts play no role"
    stacked = concatenate([box("low", (1, 1, 1), (0, 0, 0)), box("high", (1, 1, 1), (0, 1, 0))], "stacked")
    assert (components(tmp_path / "stacked", stacked) == 0).all(), "shared corners join, whatever the parts"


def test_texture_seams_do_not_split_a_component(tmp_path):
    whole = box("box", (1, 2, 3), (0, 0, 0))
    cut = Shape(whole.vertices[whole.faces].reshape(-1, 3), np.arange(36).reshape(12, 3), name="cut")
    assert (components(tmp_path, cut) == 0).all()


def test_what_no_hinge_explains_has_no_hinges():
    recording = hinge(ANGLES)
    rig, shape = recording.clips[0].rig, recording.shape
    maps = normalised_transforms(rig.transforms, shape.normalisation)
    maps[0, 1, :, 3] += 0.01
    assert hinges_of(shape.joints, rig.skin.names, maps, shape.normalisation) is None


def test_the_same_recording_makes_the_same_bytes_in_any_order(tmp_path):
    recordings = [hinge(ANGLES), bar(), chain()]
    for folder, order in (("a", recordings), ("b", recordings[::-1])):
        stored(tmp_path / folder, *order)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert len(files) == 4
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_the_index_says_what_the_object_is(tmp_path):
    entry = write_recording(tmp_path, hinge(ANGLES), "validation")
    assert (entry.motion, entry.split, entry.frames, entry.clips, entry.parts) == (
        "rigid",
        "validation",
        7,
        2,
        2,
    )
    assert entry.degrees_of_freedom == 1 and entry.linear_dimension == 2  # a circle spans a plane
    assert entry.fit_error == 0 and entry.quantisation_error == 0
    recording = hinge(ANGLES)
    assert entry.displacement_max == pytest.approx(max(clip.travel for clip in recording.clips), rel=1e-3)
    soft = write_recording(tmp_path, bar())
    assert soft.degrees_of_freedom is None and 0 < soft.fit_error < soft.fit_error_max < 0.05
    assert write_recording(tmp_path, bar((0.1, 0.2))).topology == soft.topology != entry.topology
    assert write_recording(tmp_path, bar((0.1, 0.2))).content != soft.content


def test_a_store_that_trains_on_a_held_out_topology_is_refused(tmp_path):
    """Store assembled by hand with the same faces in train and test, which no build makes."""
    entry = write_recording(tmp_path, hinge(ANGLES), "train")
    other = replace(entry, name="tests/other", split="test")
    write_index(tmp_path, [entry, other])
    with pytest.raises(InputError, match="'tests/other', which is held out"):
        Store.open(tmp_path)
    write_index(tmp_path, [entry, replace(other, topology="another")])
    assert len(Store.open(tmp_path)) == 2


def test_colours_of_materials_and_vertices_stay(tmp_path):
    shape = hinge_shape()
    red = Material(color=(1.0, 0.0, 0.0, 1.0))
    shape = shape.with_(materials=(Material(), red), material=shape.part)
    recording = Recording(origin(), (Sequence(shape, shape.vertices[None]),))
    colors = stored(tmp_path, recording).recording("tests/thing").shape.colors
    assert (colors[shape.vertex_part == 1] == [255, 0, 0, 255]).all()
    assert (colors[shape.vertex_part == 0][:, :3] == 231).all()  # linear 0.8 in sRGB


def test_vertices_without_a_face_are_left_out(tmp_path):
    shape = bar_shape()
    loose = shape.with_(vertices=np.vstack([[99.0, 0, 0], shape.vertices]), faces=shape.faces + 1)
    store = stored(tmp_path, Recording(origin(), (Sequence(loose, loose.vertices[None]),)))
    assert store.entries[0].vertices == len(shape.vertices)
    assert np.abs(store.load("tests/thing").rest).max() <= 1


@pytest.mark.slow
def test_motion_that_is_not_rigid_everywhere_is_stored_soft(tmp_path):
    elastic = ElasticKinematics.from_shape(bar_shape(), modes=2)
    skinned = Recording(origin("a"), (animate(elastic, sweep(elastic, 4)),))
    one = hinge(ANGLES).clips[0]
    handles = one.rig.skin.handles.copy()
    handles[one.shape.faces[-1, 0]] = 0  # a corner of the door stays behind
    rig = Rig(Skin(handles, one.rig.skin.weights, one.rig.skin.names), one.rig.transforms)
    spanning = Recording(origin("b"), (one.with_(rig=rig, positions=rig.positions(one.shape.vertices)),))
    grown = Rig(one.rig.skin, one.rig.transforms * 1.001)
    scaled = Recording(origin("c"), (one.with_(rig=grown, positions=grown.positions(one.shape.vertices)),))
    liar = Recording(origin("d"), (one.with_(positions=one.positions[::-1]),))
    bare = Recording(origin("e"), (one, one.with_(rig=None)))
    for recording in (skinned, spanning, scaled, liar, bare):
        assert write_recording(tmp_path, recording).motion == "soft"


def test_what_has_no_surface_or_explodes_is_rejected(tmp_path):
    shape = bar_shape()
    blown = Recording(origin(), (Sequence(shape, np.stack([shape.vertices, 9 * shape.vertices])),))
    line = Shape(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]]))
    empty = Shape(np.zeros((3, 3)), np.zeros((0, 3), int))
    for recording in (blown, *(Recording(origin(), (Sequence(s, s.vertices[None]),)) for s in (line, empty))):
        with pytest.raises(Rejected):
            write_recording(tmp_path, recording)


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc/thing", "a b/ü:*?", ".hidden", "", "x" * 300, "con/./../.."]
)
def test_no_name_leads_out_of_the_store(tmp_path, name):
    folder = tmp_path / "store"
    recording = replace(hinge(ANGLES), origin=origin(name))
    store = stored(folder, recording, hinge(ANGLES, "other"))
    assert store.recording(name).origin.name == name
    assert {p.parent for p in tmp_path.iterdir()} == {tmp_path} and list(tmp_path.iterdir()) == [folder]
    assert len(list((folder / "objects").rglob("*.safetensors"))) == 2


def test_names_that_look_alike_when_cleaned_keep_their_own_files(tmp_path):
    names = ["a b", "a_b", "a:b", "a/b", "a//b"]
    store = stored(tmp_path, *(hinge(ANGLES, name) for name in names))
    assert len({entry.file for entry in store.entries}) == len(names)


def damaged(folder: Path, change) -> str:
    """The error of loading a soft object after its file was changed."""
    store = stored(folder, bar())
    path = folder / store.entries[0].file
    change(path)
    with pytest.raises(InputError) as error:
        store.load("tests/bar")
    assert str(path) in str(error.value) and "data build" in str(error.value)
    return error.value.cause


def test_a_cut_or_garbled_file_is_told(tmp_path):
    for keep in (0, 5, 100, -1):
        damaged(tmp_path, lambda p, k=keep: p.write_bytes(p.read_bytes()[:k]))
    damaged(tmp_path, lambda p: p.write_bytes(b"\xff" * 1000))
    damaged(tmp_path, lambda p: p.write_bytes((2**62).to_bytes(8, "little") + b"{}"))
    assert "missing" in damaged(tmp_path, Path.unlink)


@pytest.mark.parametrize(
    "change, cause",
    [
        (lambda a: a["faces"].__setitem__((0, 0), 10**6), "faces"),
        (lambda a: a["faces"].__setitem__((0, 0), -1), "faces"),
        (lambda a: a["part"].__setitem__(0, 3), "part"),
        (lambda a: a["rest"].__setitem__((0, 0), np.nan), "rest"),
        (lambda a: a["step"].__setitem__(0, np.inf), "step"),
        (lambda a: a["area"].__setitem__(0, -1.0), "area"),
        (lambda a: a["clip_start"].__setitem__(1, 99), "clips"),
        (lambda a: a.pop("rotations"), "rotations"),
        (lambda a: a.update(positions=a["positions"][:, :-1].copy()), "positions"),
        (lambda a: a.update(rest=a["rest"].astype(np.float64)), "rest"),
    ],
)
def test_arrays_that_do_not_fit_are_told(tmp_path, change, cause):
    def spoil(path: Path) -> None:
        arrays = load_file(path)
        change(arrays)
        save_file(arrays, path, metadata={"neurok": "{}"})

    assert cause in damaged(tmp_path, spoil)


def test_metadata_that_is_not_ours_is_told(tmp_path):
    store = stored(tmp_path, bar())
    path = tmp_path / store.entries[0].file
    for text in ("{}", "[]", "no json"):
        save_file(load_file(path), path, metadata={"neurok": text})
        with pytest.raises(InputError, match="damaged"):
            store.recording("tests/bar")


def test_one_flipped_bit_fails_verification(tmp_path):
    store = stored(tmp_path, bar())
    store.verify("tests/bar")
    path = tmp_path / store.entries[0].file
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="index"):
        store.verify("tests/bar")


def test_hinges_in_a_circle_are_told(tmp_path):
    store = stored(tmp_path, chain())
    path = tmp_path / store.entries[0].file
    arrays = load_file(path)
    arrays["hinge_parent"][1] = 3
    save_file(arrays, path, metadata={"neurok": "{}"})
    with pytest.raises(InputError, match="cycle"):
        store.load("tests/chain")


def test_a_damaged_index_is_told(tmp_path):
    stored(tmp_path, bar())
    index = tmp_path / "index.json"
    good = json.loads(index.read_text())
    row = good["objects"][0]
    bad = [
        "", "[]", "\x00", json.dumps(good | {"version": 99}), json.dumps(good | {"objects": [row, row]}),
        json.dumps(good | {"objects": [{}]}), json.dumps(good | {"objects": [row | {"frames": "many"}]}),
        json.dumps(good | {"objects": [row | {"file": "../../x"}]}), json.dumps(good | {"objects": 3}),
    ]  # fmt: skip
    for text in bad:
        index.write_text(text)
        with pytest.raises(InputError, match=r"index\.json"):
            Store.open(tmp_path)
    index.unlink()
    with pytest.raises(InputError, match="no data store"):
        Store.open(tmp_path)


def test_an_unknown_name_is_told(tmp_path):
    store = stored(tmp_path, bar(), hinge(ANGLES))
    with pytest.raises(InputError, match="'chair'"):
        store.load("chair")
    assert store.subset(["tests/bar"]).names() == ("tests/bar",)
    assert store.names("train") == ("tests/bar", "tests/hinge") and store.names("test") == ()


def test_animated_files_return_to_the_stated_error(tmp_path, data_dir):
    files = sorted((data_dir / "animated_free").rglob("*.npz"), key=lambda p: p.stat().st_size)[10:50:8]
    for path in files:
        recording = Recording(origin(path.stem, "animated"), tuple(load_sequences(path)))
        entry = write_recording(tmp_path, recording)
        write_index(tmp_path, [entry])
        store = Store.open(tmp_path)
        store.verify(entry.name)
        back = store.recording(entry.name)
        used = np.unique(recording.shape.faces)
        for ours, theirs in zip(back.clips, recording.clips, strict=True):
            off = np.linalg.norm(ours.positions - theirs.positions[:, used], axis=-1).max()
            assert off / recording.shape.normalisation.radius <= entry.quantisation_error + 1e-5
