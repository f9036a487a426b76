"""Features distinguish slipping motions from others, in any orientation of the shape."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from carpentry import board, carcass, chest, joined
from neurok.articulation.clouds import read_parts
from neurok.articulation.features import part_scene, scene_features
from neurok.articulation.parts.components import face_components
from neurok.shapes import Shape
from neurok.shapes.shape import concatenate

TOUCHING = 11  # axis feature: squared cosine of normals in contact with the axis
OWN_SLIP = 24  # line feature
LONG, OFF = 31, 32  # axis features: length of fittings along the axis, distance from the centre
FITTINGS, OUT = 38, 43  # line features: distance of fittings, and of protrusions, from the line


def facts(shape: Shape, part: str):
    scene = part_scene(read_parts(shape))
    return scene, scene_features(scene), shape.part_names.index(part)


def test_a_drawer_slips_along_its_walls():
    scene, read, drawer = facts(chest(), "drawer")
    along = [int(np.argmax(np.abs(scene.candidates[drawer].axes @ axis))) for axis in np.eye(3)]
    pointing = read.axis_numbers[drawer, along, TOUCHING]
    turned = scene.clouds.direction_from_shape(np.eye(3))
    depth = int(np.argmax(np.abs(turned[2])))  # the chest is open towards z
    assert pointing[depth] == pointing.min()


def test_a_wheel_slips_about_its_axle_only():
    wheel = trimesh.creation.cylinder(radius=0.3, height=0.1, sections=64).subdivide()
    wheel = Shape(np.array(wheel.vertices), np.array(wheel.faces), "wheel", part_names=("wheel",))
    cart = concatenate([joined("body", board((-0.5, -0.4, -0.3), (0.5, 0.4, -0.06))), wheel], "cart")
    scene, read, k = facts(cart, "wheel")
    axle = int(np.argmax(np.abs(scene.candidates[k].axes @ scene.clouds.direction_from_shape(np.eye(3)[2]))))
    slip = read.line_numbers[k, :, :, OWN_SLIP]
    assert slip[axle, 13] < 0.1
    others = [a for a in np.flatnonzero(scene.candidates[k].valid) if a != axle]
    assert slip[others].min() > 0.3
    assert slip[axle, 0] > 0.3


def handle_of_a_door(glued: bool) -> Shape:
    """A locker whose door has an upright bar at x = 0.42, in one piece with it or of its own."""
    door, bar = board((-0.5, -0.5, 0.505), (0.5, 0.5, 0.545)), board((0.4, -0.15, 0.545), (0.44, 0.15, 0.6))
    if glued:
        both = trimesh.boolean.union([trimesh.Trimesh(s.vertices, s.faces) for s in (door, bar)])
        both = both.subdivide_to_size(0.06)
        door = Shape(np.array(both.vertices), np.array(both.faces), "door", part_names=("door",))
    return concatenate([carcass(), door if glued else joined("door", door, bar)], "locker")


@pytest.mark.parametrize(("glued", "fact"), [(False, FITTINGS), (False, OUT), (True, OUT)])
def test_a_handle_is_far_from_the_hinge(glued: bool, fact: int):
    scene, read, k = facts(handle_of_a_door(glued), "door")
    x, y = scene.clouds.direction_from_shape(np.eye(3))[:2]
    upright = int(np.argmax(np.abs(scene.candidates[k].axes @ y)))
    place = scene.clouds.point_to_shape(scene.candidates[k].pivots)[:, 0]
    distances = read.line_numbers[k, upright, :, fact]
    assert distances[place < -0.45].min() > 0.85 > 0.2 > distances[place > 0.45].max()
    if fact == FITTINGS:
        across = int(np.argmax(np.abs(scene.candidates[k].axes @ x)))
        numbers = read.axis_numbers[k]
        assert numbers[upright, LONG] > 0.4 > 0.1 > numbers[across, LONG]
        assert numbers[across, OFF] > 0.8 > 0.1 > numbers[upright, OFF]


def test_a_handle_that_is_a_separate_part_is_a_fitting_of_its_carrier():
    both = handle_of_a_door(glued=False)
    apart = both.with_(
        part=np.where(both.part == 1, 1 + (face_components(both, both.part) == 6), both.part).astype(
            np.int32
        ),
        part_names=("body", "door", "bar"),
    )
    assert sum(apart.part == 2) == sum(both.part == 1) // 2
    numbers = [facts(shape, "door")[1].axis_numbers[1, :2, OFF] for shape in (both, apart)]
    np.testing.assert_allclose(*numbers, atol=0.03)


@pytest.mark.parametrize("sliver", [False, True], ids=["whole", "with a sliver"])
def test_a_board_without_fittings_has_neutral_features(sliver: bool):
    """A face without area is no fitting."""
    shape = chest()
    if sliver:
        line = np.linspace([0.45, -0.45, -0.44], [0.45, 0.45, 0.5], 3)
        flat = Shape(line, np.array([[0, 1, 2]]), "drawer", part_names=("drawer",))
        shape = concatenate(
            [carcass(), joined("drawer", board((-0.45, -0.45, -0.44), (0.45, 0.45, 0.5)), flat)], "chest"
        )
    _, read, drawer = facts(shape, "drawer")
    assert not read.axis_numbers[drawer, :, LONG:].any()
    centre = 11  # line fact: distance of the middle in reaches
    np.testing.assert_allclose(
        read.line_numbers[drawer, :, :, FITTINGS], read.line_numbers[drawer, :, :, centre]
    )
