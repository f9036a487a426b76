"""Slipping motions are told from others, whichever way the shape stands."""

from __future__ import annotations

import numpy as np
import trimesh

from articulation.carpentry import board, chest, joined
from neurok.articulation.clouds import read_parts
from neurok.articulation.reading import part_scene, read_scene
from neurok.shapes import Shape
from neurok.shapes.shape import concatenate

TOUCHING = 11  # axis fact: how far normals in contact point along the axis
OWN_SLIP = 24  # line fact


def facts(shape: Shape, part: str):
    scene = part_scene(read_parts(shape))
    return scene, read_scene(scene), shape.part_names.index(part)


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
