"""Pushed doors and lids of furniture open with default settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
import trimesh

import neurok
from neurok.dynamics import Push, SimulationConfig
from neurok.pipelines import simulate
from neurok.shapes import Shape
from neurok.shapes.shape import concatenate

pytestmark = pytest.mark.xdist_group("doors")

SECOND = SimulationConfig(seconds=1.0, fps=15)
MIN_TURN = 0.3  # radians by which a pushed door or lid opens within a second


def board(low, high, name: str) -> Shape:
    """A box between two corners, finely meshed; Y up, metres."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    mesh = trimesh.creation.box(extents=high - low).subdivide().subdivide()
    return Shape(np.array(mesh.vertices) + (low + high) / 2, np.array(mesh.faces), name, part_names=(name,))


def part(name: str, *boards: Shape) -> Shape:
    """Boards glued to one part."""
    whole = concatenate(boards, name)
    return whole.with_(part=np.zeros(len(whole.faces), np.int32), part_names=(name,))


@dataclass(frozen=True, eq=False)
class Furniture:
    """An object, the part that is pushed, where, along which motion, and the hinge line of its truth."""

    shape: Shape
    pushed: str
    point: tuple[float, float, float]
    force: tuple[float, float, float]
    axis: tuple[float, float, float]
    pivot: tuple[float, float, float]


def door_to_the_floor() -> Furniture:
    """A door leaf in a frame of two posts and a lintel, all of which stand on the floor."""
    frame = part(
        "frame",
        board((-0.52, 0, -0.06), (-0.45, 2.05, 0.06), "left"),
        board((0.45, 0, -0.06), (0.52, 2.05, 0.06), "right"),
        board((-0.45, 1.98, -0.06), (0.45, 2.05, 0.06), "lintel"),
    )
    leaf = part(
        "door",
        board((-0.445, 0, -0.02), (0.445, 1.975, 0.02), "leaf"),
        board((0.36, 0.98, 0.02), (0.42, 1.04, 0.09), "knob"),
    )
    return Furniture(
        concatenate([frame, leaf], "doorway"), "door", (0.42, 1.0, 0.02), (0, 0, 40.0),
        (0, 1, 0), (-0.445, 0, 0),
    )  # fmt: skip


def cabinet_with_doors_to_the_floor() -> Furniture:
    """A carcass with two doors in front of it that reach as low as the carcass."""
    t = 0.03
    carcass = part(
        "carcass",
        board((-0.5, 0, -0.4), (0.5, t, 0), "bottom"),
        board((-0.5, 1.2 - t, -0.4), (0.5, 1.2, 0), "top"),
        board((-0.5, t, -0.4), (-0.5 + t, 1.2 - t, 0), "left"),
        board((0.5 - t, t, -0.4), (0.5, 1.2 - t, 0), "right"),
        board((-0.5 + t, t, -0.4), (0.5 - t, 1.2 - t, -0.4 + t), "back"),
    )
    doors = [
        part(
            f"{side}_door",
            board((low, 0, 0.002), (high, 1.2, 0.025), "leaf"),
            board((grip, 0.55, 0.025), (grip + 0.03, 0.7, 0.06), "handle"),
        )
        for side, low, high, grip in (("left", -0.5, -0.003, -0.07), ("right", 0.003, 0.5, 0.04))
    ]
    return Furniture(
        concatenate([carcass, *doors], "cabinet"), "right_door", (0.05, 0.6, 0.06), (0, 0, 15.0),
        (0, 1, 0), (0.5, 0, 0),
    )  # fmt: skip


def bin_with_a_lid() -> Furniture:
    """A box of four walls and a bottom, its lid hinged on the back wall."""
    t = 0.02
    walls = part(
        "bin",
        board((-0.25, 0, -0.2), (0.25, t, 0.2), "bottom"),
        board((-0.25, t, -0.2), (-0.25 + t, 0.6, 0.2), "left"),
        board((0.25 - t, t, -0.2), (0.25, 0.6, 0.2), "right"),
        board((-0.25 + t, t, -0.2), (0.25 - t, 0.6, -0.2 + t), "back"),
        board((-0.25 + t, t, 0.2 - t), (0.25 - t, 0.6, 0.2), "front"),
        board((-0.06, 0.58, -0.23), (0.06, 0.61, -0.2), "hinge"),
    )
    lid = part(
        "lid",
        board((-0.26, 0.602, -0.205), (0.26, 0.62, 0.21), "panel"),
        board((-0.05, 0.605, 0.21), (0.05, 0.615, 0.24), "lip"),
    )
    return Furniture(
        concatenate([walls, lid], "bin"), "lid", (0.0, 0.61, 0.23), (0, 12.0, 0), (-1, 0, 0), (0, 0.61, -0.2)
    )


def bare(shape: Shape) -> Shape:
    """The surface alone."""
    return Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)


def turn_about(furniture: Furniture, moved: np.ndarray) -> tuple[float, float]:
    """The best angle about the true hinge, and the share of the motion that this turn does not explain."""
    axis, pivot = np.asarray(furniture.axis, float), np.asarray(furniture.pivot, float)
    shape = furniture.shape
    own = shape.vertex_part == shape.part_names.index(furniture.pushed)
    rest, now = shape.vertices[own] - pivot, moved[: len(shape.vertices)][own] - pivot
    flat, there = (x - np.outer(x @ axis, axis) for x in (rest, now))
    angle = np.arctan2((np.cross(flat, there) @ axis).sum(), (flat * there).sum())
    turned = trimesh.transformations.rotation_matrix(angle, axis)[:3, :3]
    missed = np.linalg.norm(now - rest @ turned.T) / max(np.linalg.norm(now - rest), 1e-9)
    return float(angle), float(missed)


@pytest.mark.slow
@pytest.mark.parametrize("given", ["parts", "bare"])
@pytest.mark.parametrize("make", [door_to_the_floor, cabinet_with_doors_to_the_floor, bin_with_a_lid])
def test_it_opens_when_it_is_pushed(make: Callable[[], Furniture], given: str):
    furniture = make()
    shape = furniture.shape if given == "parts" else bare(furniture.shape)
    run = simulate(shape, [Push(furniture.force, at=furniture.point)], config=SECOND)
    positions = run.sequence().positions
    turns = [turn_about(furniture, frame) for frame in positions]
    angle, missed = max(turns, key=lambda pair: abs(pair[0]))
    assert abs(angle) > MIN_TURN, run.notes
    assert missed < 0.1, run.notes
    standing = furniture.shape.vertex_part == 0
    shift = np.abs(positions[-1][: len(standing)][standing] - furniture.shape.vertices[standing]).max()
    assert shift < 0.01 * furniture.shape.normalisation.radius


@pytest.mark.slow
def test_the_joint_that_is_found_has_the_name_of_its_part():
    run = neurok.simulate(door_to_the_floor().shape, config=SimulationConfig(seconds=0.05, fps=20))
    assert run.kinematics.names == ("door_hinge",)
    assert "1 joint found: door (revolute" in run.notes[0]
