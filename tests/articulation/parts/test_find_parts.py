"""Parts come from labels, from names, or from the surface, and are at most thirty."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurok.articulation import find_parts
from neurok.articulation.parts.components import face_components
from neurok.articulation.parts.find import MAX_PARTS, found_parts
from neurok.assets import SHIPPED
from neurok.datasets.fused import fused_by_name
from neurok.errors import InputError
from neurok.evaluation.articulation.parts import COMPONENTS, FOUND, agreements, found_agreement
from neurok.objects import families
from neurok.shapes import Shape, concatenate
from neurok.shapes.load import load_shape


def solid(mesh: trimesh.Trimesh, name: str = "body") -> Shape:
    return Shape(np.asarray(mesh.vertices), np.asarray(mesh.faces), name, part_names=(name,))


def box(size=(1.0, 1.0, 1.0), at=(0.0, 0.0, 0.0), name: str = "body") -> Shape:
    return solid(trimesh.creation.box(size, trimesh.transformations.translation_matrix(at)), name)


def forgotten(shape: Shape) -> Shape:
    """The same surface without part names."""
    return shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=("mesh",), joints=None)


def test_labels_that_are_given_are_the_parts() -> None:
    shape = box()
    labels = np.where(np.arange(12) < 6, 7, 3)
    parts = find_parts(shape, labels)
    assert parts.source == "labels" and parts.shape.part_names == ("part_3", "part_7")
    assert (parts.shape.part == (labels == 7)).all()
    ends = [set(parts.shape.faces[parts.shape.part == k].ravel().tolist()) for k in range(2)]
    assert not ends[0] & ends[1], "parts that share no vertex can move apart"


def test_labels_must_be_one_for_each_face() -> None:
    with pytest.raises(InputError, match="for 12 faces"):
        find_parts(box(), np.zeros(5, np.int64))


def test_parts_that_the_file_names_stay_though_they_are_many_loose_pieces() -> None:
    legs = concatenate([box((0.1, 0.1, 1), (x, y, 0)) for x in (-1, 1) for y in (-1, 1)], "legs")
    legs = forgotten(legs).with_(part_names=("legs",))
    parts = find_parts(concatenate([box((3, 3, 0.1), (0, 0, 0.6), "top"), legs], "table"))
    assert parts.source == "file" and parts.shape.part_names == ("top", "legs")


def test_joints_of_the_file_are_set_aside() -> None:
    assert find_parts(families()["laptop"](np.random.default_rng(0))).shape.joints is None


def test_two_boxes_far_apart_are_two_parts() -> None:
    parts = find_parts(forgotten(concatenate([box(), box(at=(5, 0, 0))], "pair")))
    assert parts.source == "components" and len(parts.shape.part_names) == 2
    assert any("copies" in note for note in parts.notes)


def test_a_screw_is_merged_into_its_body() -> None:
    screw = solid(trimesh.creation.cylinder(0.02, 0.06).apply_translation((0.3, 0.3, 0.5)))
    shape = forgotten(concatenate([box(), box(at=(5, 0, 0)), screw], "screwed"))
    part = find_parts(shape).shape.part
    assert (part[24:] == part[0]).all() and part[0] != part[12]


def test_boxes_that_share_an_edge_are_loose_and_a_texture_seam_is_not() -> None:
    touching = concatenate([box(), box(at=(1, 1, 0))], "diagonal")
    assert face_components(touching).max() == 1
    soup = Shape(box().vertices[box().faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert face_components(soup).max() == 0


def test_a_box_without_a_seam_is_one_part_with_a_note() -> None:
    parts = find_parts(solid(trimesh.creation.box((1, 2, 3))))
    assert parts.source == "one part" and "one part" in parts.notes[0]


@pytest.mark.parametrize(
    "mesh",
    [
        trimesh.creation.icosphere(3),
        trimesh.creation.torus(1.0, 0.3),
        trimesh.creation.annulus(0.6, 1.0, 0.3),
        trimesh.creation.box((1, 0.1, 2)).subdivide().subdivide().subdivide(),
        trimesh.creation.box((1, 2, 3)).subdivide().subdivide(),
    ],
    ids=["ball", "torus", "ring", "plank", "block"],
)
def test_a_rigid_body_without_a_seam_is_one_part(mesh) -> None:
    assert find_parts(solid(mesh)).source == "one part"


def test_one_triangle_is_one_part() -> None:
    parts = find_parts(Shape(np.eye(3), np.array([[0, 1, 2]])))
    assert parts.shape.part_names == ("body",)


def test_a_shape_without_faces_is_refused() -> None:
    with pytest.raises(InputError, match="no faces"):
        find_parts(Shape(np.zeros((3, 3)), np.zeros((0, 3), np.int32)))


def test_many_loose_boxes_make_no_more_than_thirty_parts() -> None:
    places = np.random.default_rng(0).uniform(-10, 10, (60, 3))
    shape = forgotten(concatenate([box(at=tuple(p)) for p in places], "rubble"))
    parts = find_parts(shape)
    assert 1 < len(parts.shape.part_names) <= MAX_PARTS
    assert len(parts.shape.faces) == len(shape.faces)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@example([(0.0, 0.0, 0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0, 1.0, 6.8e-180)])  # an area that squares to 0
@given(st.lists(st.tuples(*[st.floats(-3, 3)] * 3, *[st.floats(0, 2)] * 3), min_size=1, max_size=12))
def test_any_boxes_flat_ones_too_get_parts_that_keep_every_piece_whole(rows) -> None:
    shape = forgotten(concatenate([box(row[3:], row[:3]) for row in rows], "boxes"))
    parts = find_parts(shape).shape
    assert (
        set(np.unique(parts.part)) == set(range(len(parts.part_names))) and len(parts.part_names) <= MAX_PARTS
    )
    assert np.array_equal(parts.vertices[parts.faces], shape.vertices[shape.faces])


@pytest.mark.slow
def test_the_same_shape_gives_the_same_parts() -> None:
    shape = families()["laptop"](np.random.default_rng(2))
    assert np.array_equal(found_parts(shape).shape.part, found_parts(shape).shape.part)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gear_train", "drawer_unit", "excavator", "umbrella"])
def test_parts_of_generated_objects_are_found_again(name: str) -> None:
    scores = [agreements(families()[name](np.random.default_rng(seed))) for seed in range(50, 52)]
    found, pieces = ([own[method] for own in scores] for method in (FOUND, COMPONENTS))
    assert np.mean([s.rand_index for s in found]) > max(0.6, np.mean([s.rand_index for s in pieces]))
    assert np.mean([s.pure for s in found]) > 0.8


@pytest.mark.slow
def test_a_fused_scan_is_divided_better_than_not_at_all() -> None:
    scans = [fused_by_name(families()["drawer_unit"](np.random.default_rng(seed))) for seed in range(50, 52)]
    assert np.mean([found_agreement(scan).rand_index for scan in scans]) > 0.3


@pytest.mark.slow
def test_the_screen_of_a_scanned_laptop_is_cut_from_its_base(data_dir) -> None:
    parts = find_parts(load_shape(data_dir / "static" / "gso_Travel_Mate_P_series_Notebook.glb"))
    assert parts.source == "surface" and len(parts.shape.part_names) == 2


@pytest.mark.slow
def test_a_higher_merge_threshold_gives_more_parts() -> None:
    """The shipped laptop as a bare mesh: from its two parts to its pieces, none smaller than a screw."""
    laptop = load_shape(SHIPPED["laptop"])
    bare = Shape(laptop.vertices, laptop.faces, "laptop", frame=laptop.frame)
    counts = [len(find_parts(bare, merge_threshold=r).shape.part_names) for r in (-50.0, 0.0, 50.0)]
    assert counts[0] <= counts[1] < counts[2]
