"""Flags on poles and curtains on rings, moved by wind and hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float

from neurok.objects.soft.clips import cloth_clip, random_timing
from neurok.objects.soft.forces import (
    calm,
    go_and_stay,
    gusts,
    near,
    push,
    random_direction,
    wind_force,
)
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.sheets import cloth_shape, fabric, grid, held, in_air, random_size
from neurok.objects.soft.solver import Force
from neurok.objects.soft.solver_scene import WORLD, Rigid, Soft, SolverScene
from neurok.sequences import Sequence

Array = np.ndarray


@soft_family(number=5, group="cloth")
def flag(rng: np.random.Generator) -> list[Sequence]:
    """A rectangle, a pennant or a swallowtail on a pole; the wind blows, turns, or dies down."""
    width, ratio = rng.uniform(0.5, 1.6), rng.uniform(0.9, 1.9)
    points, faces = grid(*random_size(rng, ratio), rng)
    shape = cloth_shape(rng, _outline(rng, points) * [width, 1, width / ratio], faces, "flag")
    soft, timing = fabric(rng, shape, stiff=4.0), random_timing(rng, 2)
    pole = points[:, 0] == 0
    soft = held(soft, WORLD, pole if rng.uniform() < 0.6 else pole & _ends(points[:, 1]))
    clips = []
    for way in rng.permutation(["breeze", "gale", "lull"])[: timing.clips]:
        speed = rng.uniform(6, 10) if way == "gale" else rng.uniform(3.5, 6)
        end = 0.3 * timing.seconds if way == "lull" else np.inf
        angle = rng.uniform(-0.6, 0.6)
        wind = gusts(rng, np.array([np.cos(angle), np.sin(angle), 0.0]), speed, end)
        scene = SolverScene(soft, calm=end)
        motion = in_air(scene, timing.frames, timing.fps, wind_force(soft.elements, wind))
        clips.append(cloth_clip(shape, motion, str(way)))
    return clips


def _outline(rng: np.random.Generator, points: Float[Array, "n 2"]) -> Float[Array, "n 3"]:
    """Maps (s, t) to a unit flag in the x–z plane: straight, tapered, or notched at its end."""
    s, t = points.T
    kind = rng.integers(3)
    narrow = rng.uniform(0.3, 0.7) if kind == 1 else 0.0
    notch = rng.uniform(0.1, 0.3) if kind == 2 else 0.0
    x = s * (1 - notch * (1 - np.abs(2 * t - 1)))
    return np.column_stack([x, np.zeros_like(s), (t - 0.5) * (1 - narrow * s)])


def _ends(t: Float[Array, " n"]) -> Bool[Array, " n"]:
    return (t == 0) | (t == 1)


@soft_family(number=6, group="cloth")
def curtain(rng: np.random.Generator) -> list[Sequence]:
    """A pleated sheet on rings that is drawn aside, blown at, or brushed by a hand, then comes to rest."""
    width, ratio = rng.uniform(0.7, 1.6), rng.uniform(0.6, 1.3)
    columns, rows = random_size(rng, ratio, 380)
    rings = int(rng.integers(4, 8))
    columns = (columns - 1) // (rings - 1) * (rings - 1) + 1
    points, faces = grid(columns, rows, rng)
    depth = rng.uniform(0.012, 0.045)
    x = (points[:, 0] - 0.5) * width
    folds = depth * width * np.sin(2 * np.pi * (rings - 1) * points[:, 0])
    vertices = np.column_stack([x, folds, (points[:, 1] - 1) * width / ratio])
    shape = cloth_shape(rng, vertices, faces, "curtain")
    soft, timing = replace(fabric(rng, shape, stiff=2.0), drag=1.5), random_timing(rng, 2)
    step = (columns - 1) // (rings - 1)
    hung = np.flatnonzero(points[:, 1] == 1)[::step]
    clips = []
    for way in rng.permutation(["draw", "blow", "brush"])[: timing.clips]:
        scene, forces = _hang(rng, str(way), soft, hung, width, timing.seconds)
        motion = in_air(scene, timing.frames, timing.fps, *forces)
        clips.append(cloth_clip(shape, motion, str(way)))
    return clips


def _hang(
    rng: np.random.Generator, way: str, soft: Soft, hung: Array, width: float, seconds: float
) -> tuple[SolverScene, list[Force]]:
    chosen = np.zeros(len(soft.nodes), bool)
    chosen[hung] = True
    air = wind_force(soft.elements, calm)
    if way == "draw":
        return _drawn(rng, soft, hung, seconds), [air]
    soft = held(soft, WORLD, chosen)
    if way == "blow":
        across = random_direction(rng, level=0) * [0.3, 1, 0]
        wind = gusts(rng, across / np.linalg.norm(across), rng.uniform(2, 4.5), 0.7 * seconds)
        return SolverScene(soft, calm=0.7 * seconds), [wind_force(soft.elements, wind)]
    where = soft.nodes[rng.integers(len(soft.nodes))]
    pull = rng.choice([-1, 1]) * rng.uniform(12, 30) * near(soft.nodes, where, 0.25 * width)
    brush = push(pull[:, None] * np.array([0.0, 1, 0]), soft.mass, 0.0, 0.3 * seconds)
    return SolverScene(soft, calm=0.3 * seconds), [air, brush]


def _drawn(rng: np.random.Generator, soft: Soft, hung: Array, seconds: float) -> SolverScene:
    """Rings driven along the rail towards one end, each by the same fraction of its distance."""
    share, side = rng.uniform(0.25, 0.55), rng.choice([0, -1])
    rigid = []
    for index, node in enumerate(hung, start=1):
        distance = share * (soft.nodes[hung[side], 0] - soft.nodes[node, 0])
        one = np.arange(len(soft.nodes)) == node
        soft = held(soft, index, one)
        rigid.append(
            Rigid((), "slide", (1.0, 0.0, 0.0), drive=go_and_stay(float(distance), 0.0, 0.6 * seconds))
        )
    return SolverScene(soft, tuple(rigid), calm=0.6 * seconds)
