"""Statistics and contact sheet of a store."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from store_samples import bar, chain, hinge

from neurok.datasets.motion_statistics import displacement, linear_dimension, vertex_order_changes
from neurok.datasets.statistics import choose, rest_and_farthest, sheet, summarise
from neurok.datasets.store.store import Store, write_index, write_recording
from neurok.errors import InputError
from neurok.jobs.skip_summary import by_source

ANGLES = np.linspace(0, 2, 6)


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    folder = tmp_path_factory.mktemp("store")
    doors = [hinge(ANGLES, f"doors/{k}") for k in range(4)]
    entries = [write_recording(folder, recording) for recording in [*doors, chain(), bar()]]
    write_index(folder, entries, {"tests/broken": "it has no faces"})
    return Store.open(folder)


def test_counts_are_those_of_the_objects(store):
    statistics = summarise(store)
    assert [row[0] for row in statistics.rows] == ["articulated", "elastic", "all"]
    table = {row[0]: dict(zip(statistics.header[1:], row[1:], strict=True)) for row in statistics.rows}
    assert table["articulated"]["objects"] == "5" and table["articulated"]["categories"] == "2"
    assert table["articulated"]["frames"] == str(4 * 6 + 9) and table["articulated"]["DoF"] == "1"
    assert table["articulated"]["fit error"] == "–" and table["elastic"]["DoF"] == "–"
    assert statistics.figures["objects"] == 6 and statistics.figures["frames"] == 37
    assert statistics.figures["elastic_fit_error"] == store.entry("tests/bar").fit_error > 0
    assert statistics.figures["train_objects"] == 6 and store.skipped == {"tests/broken": "it has no faces"}
    assert statistics.licences == [["CC0-1.0", "6"]]
    collections = [["doors", "1", "4", "0", "0"], ["tests", "2", "2", "0", "0"]]
    assert statistics.splits == [*collections, ["all", "3", "6", "0", "0"]]


def test_what_was_skipped_is_counted_by_source():
    made = ["animals/cat", "generated/flag/000000", "generated/flag/000003", "generated/door/000000"]
    skipped = {
        "animals/dog": "it has no faces",
        "generated/flag/000001": "takes 3 s",
        "generated/flag/000002": "tears",
        "generated/flag/000004": "takes 4 s",
    }
    assert by_source(made, skipped) == [
        ("animals", 1, 1, "it has no faces"),
        ("generated/flag", 2, 2, "takes 3 s"),
        ("generated/flag", 2, 1, "tears"),
    ]


def test_a_clip_of_another_order_of_vertices_vertex_order_changes_and_large_motions_are_not():
    ball = trimesh.creation.icosphere(subdivisions=3)
    shape = np.asarray(ball.vertices)
    scrambled = shape[np.random.default_rng(0).permutation(len(shape))]
    assert vertex_order_changes(shape, np.stack([scrambled] * 5), ball.faces, 1.0)
    shrunk, thrown = 0.01 * shape, shape[:, [1, 0, 2]] + 5
    drawn_out = shape + np.where(shape[:, :1] > 0.9, [4.0, 0, 0], 0.0)
    for moved in (shrunk, thrown, drawn_out, 1.4 * shape):
        assert not vertex_order_changes(shape, np.stack([moved] * 5), ball.faces, 1.0)


def test_displacement_of_a_shift_is_its_length():
    rest = np.random.default_rng(0).normal(size=(50, 3))
    moved = rest + np.array([[[0.0, 0, 0]], [[0.3, 0.4, 0]]])
    assert displacement(rest, moved) == pytest.approx((0.25, 0.5))


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_linear_dimension_counts_the_directions_of_motion(rank):
    rng = np.random.default_rng(1)
    directions = np.linalg.qr(rng.normal(size=(3 * 2000, 3)))[0].T.reshape(3, 2000, 3)
    waves = np.linalg.qr(rng.normal(size=(300, 4)) - 0.0)[0][:, :rank]
    moved = rng.normal(size=(2000, 3)) + np.tensordot(waves, directions[:rank], 1) * 50
    assert linear_dimension(moved) == rank


def test_a_sheet_shows_every_family_before_it_repeats_one(store):
    chosen = choose(store, 2, seed=3)
    assert {entry.family for entry in chosen} == {"articulated", "elastic"}
    assert {entry.category for entry in choose(store, 4, seed=0)} == {"door", "chain", "bar"}
    assert len(choose(store, 99, seed=0)) == 6 and choose(store, 3, 5) == choose(store, 3, 5)


def test_the_second_picture_is_the_farthest_frame(store):
    rest, farthest = rest_and_farthest(store, store.entry("doors/1"))
    widest = hinge(ANGLES).clips[-1].positions[-1]
    assert np.abs(farthest.positions[0] - widest).max() < 1e-5
    assert np.abs(rest.positions[0] - rest.shape.vertices).max() < 1e-6


def test_a_sheet_has_two_pictures_per_object_that_differ(store):
    image = np.asarray(sheet(store, 2, seed=1, columns=2, side=96), np.float64)
    assert image.shape[0] > 2 * 96 and image.shape[1] > 2 * 96
    left, right = image[6:80, 6:102], image[6:80, 108:204]  # above the labels
    assert left.std() > 5 and np.abs(left - right).mean() > 1


def test_an_empty_store_is_told(tmp_path):
    write_index(tmp_path, [])
    with pytest.raises(InputError, match="no objects"):
        summarise(Store.open(tmp_path))
