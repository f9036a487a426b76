"""Pairs have exact transforms, uniform samples and exact augmentations, for any number of readers."""

from __future__ import annotations

import gc
import pickle
import tracemalloc
from collections import Counter

import numpy as np
import pytest
import torch
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from store_samples import AXIS, PIVOT, bar, bar_shape, bent, chain, chain_shape, hinge, origin

from neurok.datasets import pairs as reading
from neurok.datasets.augment import Augment
from neurok.datasets.pair_motion import pair_motion
from neurok.datasets.pairs import Pair, PairConfig, PairDataset, make_pairs
from neurok.datasets.record import Recording
from neurok.datasets.sampling import draw_samples, face_areas
from neurok.datasets.store.store import Store, write_index, write_recording
from neurok.errors import InputError
from neurok.geometry.quaternions import quaternion_to_matrix
from neurok.kinematics import JointKinematics
from neurok.sequences import Sequence
from neurok.sequences.load import load_sequences
from neurok.shapes import Shape

ANGLES = np.linspace(0, 2, 7)
PLAIN = PairConfig(points=256, augment=None)


def make_pair(*arguments) -> Pair:
    return make_pairs(*arguments)[0]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    folder = tmp_path_factory.mktemp("store")
    recordings = [
        hinge(ANGLES),
        hinge(ANGLES, "tests/zed", up="z"),
        chain(),
        bar(),
        bar(name="tests/cloth", family="cloth"),
    ]
    write_index(folder, [write_recording(folder, recording) for recording in recordings])
    return Store.open(folder)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def mapped(pair: Pair) -> np.ndarray:
    """R x + t in float64."""
    return (
        np.einsum("sij,sj->si", quaternion_to_matrix(pair.rotation.astype(float)), pair.points)
        + pair.translation
    )


def assert_sound(pair: Pair) -> None:
    """Checks the invariants of every pair."""
    assert np.abs(mapped(pair) - pair.target).max() < 1e-5
    assert (
        np.allclose(np.linalg.norm(pair.rotation, axis=1), 1, atol=1e-6) and (pair.rotation[:, 0] >= 0).all()
    )
    assert np.allclose(np.linalg.norm(pair.normals, axis=1), 1, atol=1e-5)
    for array in (pair.points, pair.normals, pair.rotation, pair.translation, pair.target):
        assert array.dtype == np.float32 and np.isfinite(array).all()


def ball(vertices: np.ndarray) -> tuple[np.ndarray, float]:
    centre = (vertices.min(0) + vertices.max(0)) / 2
    return centre, np.linalg.norm(vertices - centre, axis=1).max()


@pytest.mark.parametrize("frames", [(0, 6), (5, 2), (3, 3)])
def test_a_door_turns_about_its_hinge(store, frames):
    recording = hinge(ANGLES)
    pair = make_pair(store.load("tests/hinge"), frames, PLAIN, rng())
    assert_sound(pair)
    positions = np.concatenate([clip.positions for clip in recording.clips]).astype(float)
    centre, radius = ball(positions[frames[0]])
    points, target = (x * radius + centre for x in (pair.points, pair.target))
    turn = Rotation.from_rotvec(AXIS * (ANGLES[frames[1]] - ANGLES[frames[0]]))
    door = pair.part == 1
    assert np.abs(target[door] - (turn.apply(points[door] - PIVOT) + PIVOT)).max() < 1e-5
    assert np.abs(target[~door] - points[~door]).max() < 1e-5 and 0 < door.mean() < 1
    assert np.abs(turn.as_matrix() - quaternion_to_matrix(pair.rotation[door].astype(float))).max() < 1e-5
    assert np.abs(pair.translation[door] - pair.translation[door][0]).max() < 1e-5  # one transform per part


def test_points_lie_on_the_first_frame_and_targets_on_the_second(store):
    recording = chain()
    pair = make_pair(store.load("tests/chain"), (2, 7), PLAIN, rng())
    positions = recording.clips[0].positions.astype(float)
    centre, radius = ball(positions[2])
    for x, frame in ((pair.points, 2), (pair.target, 7)):
        mesh = trimesh.Trimesh((positions[frame] - centre) / radius, recording.shape.faces, process=False)
        _, distance, face = trimesh.proximity.closest_point(mesh, x)
        assert distance.max() < 1e-5
        if frame == 2:
            assert np.abs(np.abs((mesh.face_normals[face] * pair.normals).sum(1)) - 1).max() < 1e-3


def test_soft_points_follow_the_bend(store):
    shape, curvatures = bar_shape(), (0.0, 0.3, -0.8, 1.2)
    pair = make_pair(store.load("tests/bar"), (0, 3), PLAIN, rng())
    assert_sound(pair)
    centre, radius = ball(shape.vertices)
    mesh = trimesh.Trimesh(shape.vertices, shape.faces, process=False)
    _, _, face = trimesh.proximity.closest_point(mesh, pair.points * radius + centre)
    weights = trimesh.triangles.points_to_barycentric(mesh.triangles[face], pair.points * radius + centre)
    moved = np.einsum("ski,sk->si", bent(shape.vertices, curvatures[3])[shape.faces[face]], weights)
    assert np.abs((moved - centre) / radius - pair.target).max() < 1e-4
    slope = Rotation.from_rotvec(np.outer(curvatures[3] * (pair.points * radius + centre)[:, 0], [0, 0, 1]))
    off = Rotation.from_matrix(
        quaternion_to_matrix(pair.rotation.astype(float)) @ slope.inv().as_matrix()
    ).magnitude()
    assert np.median(off) < 0.05 and off.max() < 0.35  # edges are 0.13 to 0.25 long


@given(factors=st.tuples(*[st.floats(0.5, 2.0)] * 3), seed=st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_a_stretched_mechanism_is_the_mechanism_of_the_stretched_shape(store, factors, seed):
    """The reference is forward kinematics of a stretched chain, with slides in stretched units."""
    stored, stretch = store.load("tests/chain"), np.array(factors)
    shape, original = chain_shape(stretch), chain_shape()
    q = np.random.default_rng(5).uniform(-1, 1, (9, 2))  # as the recording was made
    frames = tuple(int(f) for f in np.random.default_rng(seed).integers(9, size=2))
    slide = original.joints.joints[1].axis
    q[:, 1] *= np.linalg.norm(slide * stretch)  # unit axes need longer slides
    # The unit ball of the recording has another centre than the chain: compare up to a shift.
    centre, radius = original.normalisation.centre * stretch, original.normalisation.radius
    truth = JointKinematics(shape).positions(torch.tensor(q)).numpy()
    pair = pair_motion(stored, frames, stretch.astype(np.float32))
    assert np.abs(pair.vertices - (truth[frames[0]] - centre) / radius).max() < 1e-5
    maps = pair.transforms[0][stored.handle]
    image = np.einsum("nij,nj->ni", maps[..., :3], pair.vertices) + maps[..., 3]
    assert np.abs(image - (truth[frames[1]] - centre) / radius).max() < 1e-5
    assert np.abs(maps[..., :3] @ maps[..., :3].swapaxes(1, 2) - np.eye(3)).max() < 1e-6


@given(step=st.integers(0, 10**6), turn=st.sampled_from(["none", "up", "any"]))
@settings(max_examples=60, deadline=None)
def test_every_augmented_pair_is_exact_and_rigid_per_part(store, step, turn):
    config = PairConfig(points=64, augment=Augment(turn=turn, drop_part=0.5, stretch=0.5), seed=3)
    pair = PairDataset(store, config=config).pair(step)
    assert_sound(pair)
    assert np.linalg.norm(pair.points, axis=1).max() < 1 + 6 * config.augment.jitter
    if store.names()[pair.object] in ("tests/bar", "tests/cloth"):
        return
    for part in np.unique(pair.part):
        chosen = pair.part == part
        x, y = pair.points[chosen].astype(float), pair.target[chosen].astype(float)
        apart = lambda p: np.linalg.norm(p[:, None] - p, axis=-1)  # noqa: E731
        assert np.abs(apart(x) - apart(y)).max() < 1e-5
        assert np.abs(pair.rotation[chosen] - pair.rotation[chosen][0]).max() < 1e-6


def test_a_mirror_swaps_the_sense_of_turning(store):
    stored = store.load("tests/hinge")
    plain = make_pair(stored, (0, 3), PLAIN, rng())
    only = Augment(turn="none", stretch=0, mirror=1, jitter=0, drop_part=0)
    mirrored = make_pair(stored, (0, 3), PairConfig(points=256, augment=only), rng())
    door = [quaternion_to_matrix(p.rotation[p.part == 1][0].astype(float)) for p in (plain, mirrored)]
    flip = np.diag([-1.0, 1, 1])
    assert np.abs(flip @ door[0] @ flip - door[1]).max() < 1e-6
    assert plain.points[plain.part == 1][:, 0].mean() > 0 > mirrored.points[mirrored.part == 1][:, 0].mean()
    outward = lambda p: (p.points * p.normals)[p.part == 0].sum(1)  # noqa: E731  # the frame is a box about its middle
    assert np.sign(np.median(outward(plain))) == np.sign(np.median(outward(mirrored)))


def test_z_up_objects_are_turned_upright(store):
    y, z = (make_pair(store.load(name), (0, 0), PLAIN, rng()) for name in ("tests/hinge", "tests/zed"))
    assert np.abs(z.points - y.points[:, [0, 2, 1]] * [1, 1, -1]).max() < 1e-6


def test_the_first_frame_fills_the_unit_ball(store):
    for name in store.names():
        pair = make_pair(store.load(name), (1, 2), PairConfig(points=4096, augment=None), rng())
        assert 0.93 < np.linalg.norm(pair.points, axis=1).max() <= 1 + 1e-5
        assert np.abs(pair.points.min(0) + pair.points.max(0)).max() < 0.06


@pytest.mark.parametrize("subdivisions", [0, 7])
def test_samples_are_uniform_by_the_area_of_the_moved_surface(subdivisions):
    """Sheet whose right half is three times as long in the frame as at rest."""
    mesh = trimesh.Trimesh([[-1, 0, 0], [0, 0, 0], [1, 0, 0], [-1, 1, 0], [0, 1, 0], [1, 1, 0]],
                           [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]], process=False)  # fmt: skip
    for _ in range(subdivisions):
        mesh = mesh.subdivide()
    moved = mesh.vertices * np.where(mesh.vertices[:, :1] > 0, [3.0, 1, 1], 1.0)
    draws = [
        draw_samples(moved, mesh.faces, face_areas(mesh.vertices, mesh.faces), 1000, rng(k))
        for k in range(10)
    ]
    points = np.concatenate([samples.of(moved) for samples in draws])
    assert (points[:, 0] > 0).mean() == pytest.approx(0.75, abs=0.015)
    counts, *_ = np.histogram2d(points[:, 0], points[:, 1], bins=(8, 4), range=((-1, 3), (0, 1)))
    assert np.abs(counts / counts.mean() - 1).max() < 0.3  # 312 a cell: five standard deviations
    first = np.concatenate([samples.of(moved)[:50] for samples in draws])
    assert (first[:, 0] > 0).mean() == pytest.approx(0.75, abs=0.1)


def test_a_dropped_part_is_gone_and_the_rest_stays_exact(store):
    config = PairConfig(points=128, augment=Augment(drop_part=1.0))
    for seed in range(8):
        pair = make_pair(store.load("tests/chain"), (0, 4), config, rng(seed))
        assert len(np.unique(pair.part)) == 3
        assert_sound(pair)
    assert (
        len(np.unique(make_pair(store.load("tests/hinge"), (0, 1), config, rng()).part)) == 2
    )  # two stay two


def same(a: Pair, b: Pair) -> bool:
    return a.step == b.step and a.object == b.object and a.frames == b.frames and all(
        (getattr(a, k) == getattr(b, k)).all()
        for k in ("points", "normals", "rotation", "translation", "target", "part", "component")
    )  # fmt: skip


def test_a_pair_depends_on_seed_and_step_alone(store):
    config = PairConfig(points=32, seed=9)
    data, again = PairDataset(store, config=config), PairDataset(store, store.names()[::-1], config)
    forwards = [data.pair(step) for step in range(12)]
    backwards = [again.pair(step) for step in reversed(range(12))][::-1]
    assert all(map(same, forwards, backwards))
    assert same(pickle.loads(pickle.dumps(data)).pair(5), forwards[5])
    assert not same(PairDataset(store, config=PairConfig(points=32, seed=10)).pair(0), forwards[0])


@pytest.mark.parametrize("name", ["tests/chain", "tests/bar"])
def test_several_targets_share_their_points_and_equal_single_pairs(store, name):
    config = PairConfig(points=64, augment=Augment(stretch=0.4, drop_part=0.5), seed=3)
    stored, frames = store.load(name), (1, 3, 0, 1)
    together = make_pairs(stored, frames, config, rng(4))
    assert [pair.frames for pair in together] == [(1, 3), (1, 0), (1, 1)]
    for pair, second in zip(together, frames[1:], strict=True):
        assert_sound(pair)
        assert same(pair, make_pair(stored, (1, second), config, rng(4)))
        assert (pair.points == together[0].points).all() and pair.scale == together[0].scale
    assert np.abs(together[2].target - together[2].points).max() < 1e-6


def test_batches_hold_several_targets_of_every_shape(store):
    from neurok.datasets.batches import PairBatches

    data = PairDataset(store, config=PairConfig(points=16))
    batch = next(iter(PairBatches(data, 3, targets=2)))
    assert batch["points"].shape == (3, 16, 3) and batch["component"].shape == (3, 16)
    assert batch["target"].shape == (3, 2, 16, 3) and batch["rotation"].shape == (3, 2, 16, 4)
    for step in range(3):
        for d, pair in enumerate(data.pairs(step, 2)):
            assert (batch["target"][step, d].numpy() == pair.target).all()
            assert (batch["points"][step].numpy() == pair.points).all()


def test_components_of_points_are_those_of_their_faces(store):
    pair = make_pair(store.load("tests/chain"), (0, 1), PLAIN, rng())
    pieces = set(zip(pair.part.tolist(), pair.component.tolist(), strict=True))
    assert len(pieces) == 4 and {component for _, component in pieces} == set(range(4))


@given(world=st.integers(1, 5), start=st.integers(0, 20), length=st.integers(0, 12))
@settings(max_examples=20, deadline=None)
def test_shards_cover_every_step_once(store, world, start, length):
    data = PairDataset(store, config=PairConfig(points=4))
    steps = [p.step for rank in range(world) for p in data.shard(rank, world, start, start + length)]
    assert sorted(steps) == list(range(start, start + length))
    endless = data.shard(world - 1, world, start)
    assert [next(endless).step for _ in range(2)] == [start + world - 1, start + 2 * world - 1]


def test_batches_are_the_same_for_any_number_of_workers_and_ranks(store):
    from torch.utils.data import DataLoader

    from neurok.datasets.batches import PairBatches

    data = PairDataset(store, config=PairConfig(points=16))
    streams = []
    for workers in (0, 2):
        loader = iter(DataLoader(PairBatches(data, 3), batch_size=None, num_workers=workers))
        streams.append([next(loader) for _ in range(4)])
    ranks = [iter(PairBatches(data, 3, rank=rank, world=2)) for rank in (0, 1)]
    streams.append([next(ranks[k % 2]) for k in range(4)])
    for batches in zip(*streams, strict=True):
        assert batches[0]["points"].shape == (3, 16, 3)
        for key in batches[0]:
            assert all(torch.equal(batches[0][key], other[key]) for other in batches[1:])


def test_frames_are_drawn_evenly_and_rarely_alike(store):
    draws = [reading.draw_frames(5, 1, 0.02, 0.0, np.random.default_rng([0, k])) for k in range(4000)]
    alike = np.mean([a == b for a, b in draws])
    assert 0.01 < alike < 0.035
    counts = Counter(d for d in draws if d[0] != d[1])
    assert len(counts) == 20 and min(counts.values()) > 130  # 196 expected
    assert reading.draw_frames(1, 1, 0.0, 0.5, rng()) == (0, 0)


@pytest.mark.parametrize(
    "balance, expected",
    [("object", [1, 1, 1, 1, 1]), ("category", [1, 2, 1, 1, 1]), ("family", [8, 4, 8, 2, 2])],
)
def test_objects_are_balanced_as_asked(store, balance, expected):
    """A bar, a chain, a cloth of the category bar, and two doors."""
    data = PairDataset(store, config=PairConfig(points=1, balance=balance, augment=None))
    assert data.names == ("tests/bar", "tests/chain", "tests/cloth", "tests/hinge", "tests/zed")
    entries = [store.entry(name) for name in data.names]
    weights = reading.object_weights([(e.family, e.category) for e in entries], balance)
    assert np.allclose(weights / weights.sum(), np.array(expected) / np.sum(expected))


def test_objects_are_drawn_by_their_weights(store):
    data = PairDataset(store, config=PairConfig(points=1, augment=None))
    draws = Counter(data.pair(step).object for step in range(300))
    share = np.array([draws[k] for k in range(5)]) / 300
    assert np.abs(share - np.array([8, 4, 8, 2, 2]) / 24).max() < 0.11


@pytest.mark.slow
def test_memory_stays_flat(tmp_path, monkeypatch):
    names = [f"tests/{k}" for k in range(12)]
    write_index(tmp_path, [write_recording(tmp_path, hinge(ANGLES, name)) for name in names])
    monkeypatch.setattr(reading, "MAX_OPEN_OBJECTS", 3)
    data = PairDataset(Store.open(tmp_path), config=PairConfig(points=64))
    tracemalloc.start()
    for step in range(60):
        data.pair(step)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for step in range(60, 200):
        data.pair(step)
    gc.collect()  # what other tests left behind and cycles of this one
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(data._open) == 3 and grown < 200_000


def test_wrong_settings_are_told(store):
    for make in (
        lambda: PairConfig(points=0), lambda: PairConfig(seed=-1), lambda: Augment(mirror=2),
        lambda: Augment(stretch=3), lambda: PairDataset(store, []), lambda: PairDataset(store, ["chair"]),
        lambda: PairDataset(store).shard(2, 2),
    ):  # fmt: skip
        with pytest.raises(InputError):
            make()


def test_a_frame_flattened_to_a_line_still_gives_points(tmp_path):
    shape = Shape(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    flat = shape.vertices * [1, 0, 0]
    write_index(
        tmp_path, [write_recording(tmp_path, Recording(origin(), (Sequence(shape, np.stack([flat, flat])),)))]
    )
    pair = make_pair(Store.open(tmp_path).load("tests/thing"), (0, 1), PLAIN, rng())
    assert np.isfinite(pair.points).all() and np.abs(pair.points[:, 1:]).max() < 1e-4


@pytest.mark.slow
def test_animated_animals_are_reproduced_to_the_quantisation(tmp_path, data_dir):
    path = sorted((data_dir / "animated_free").rglob("*.npz"), key=lambda p: p.stat().st_size)[20]
    recording = Recording(origin("animal", "animated"), tuple(load_sequences(path)))
    write_index(tmp_path, [write_recording(tmp_path, recording)])
    data = PairDataset(Store.open(tmp_path), config=PairConfig(points=512, augment=None))
    positions = np.concatenate([clip.positions for clip in recording.clips]).astype(float)
    used = np.unique(recording.shape.faces)
    for step in range(4):
        pair = data.pair(step)
        assert_sound(pair)
        centre, radius = ball(positions[pair.frames[0]][used])
        mesh = trimesh.Trimesh(
            (positions[pair.frames[1]] - centre) / radius, recording.shape.faces, process=False
        )
        assert trimesh.proximity.closest_point(mesh, pair.target)[1].max() < 2e-4
