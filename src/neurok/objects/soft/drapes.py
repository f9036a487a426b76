"""Draped cloth: towels over bars, tablecloths over tables, skirts and tunics on a moving body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from neurok.objects.soft.clips import cloth_clip, random_timing
from neurok.objects.soft.forces import calm, gusts, random_direction, sway, whole_periods, wind_force
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.sheets import cloth_shape, fabric, grid, held, in_air, random_size, tube_grid
from neurok.objects.soft.solver_scene import Geom, Rigid, SolverScene
from neurok.sequences import Sequence

Array = np.ndarray
LANDING_TIME = 0.5  # s until a dropped cloth lies on its support


@soft_family(number=7, group="cloth")
def towel(rng: np.random.Generator) -> list[Sequence]:
    """A rectangle that falls over a bar, a ball or a box and hangs there."""
    width, ratio = rng.uniform(0.4, 0.9), rng.uniform(1.2, 2.2)
    points, faces = grid(*random_size(rng, ratio, 300), rng)
    vertices = np.column_stack([(points - 0.5) * [width, width / ratio], np.zeros(len(points))])
    shape = cloth_shape(rng, vertices, faces, "towel")
    timing = random_timing(rng, 2)
    soft = replace(fabric(rng, shape, stiff=2.0), touches=True, friction=1.0)
    clips = []
    for way in rng.permutation(["bar", "ball", "box"])[: timing.clips]:
        scene = SolverScene(soft, (), _below(rng, str(way), width), calm=LANDING_TIME)
        clips.append(cloth_clip(shape, in_air(scene, timing.frames, timing.fps), str(way)))
    return clips


def _below(rng: np.random.Generator, way: str, width: float) -> tuple[Geom, ...]:
    """The support just below the cloth, and a floor that the cloth may or may not reach."""
    gap = float(rng.uniform(0.01, 0.06))
    x, y = (float(v) for v in rng.uniform(-0.06, 0.06, 2) * width)
    floor = Geom("plane", (9, 9, 0.1), (0.0, 0.0, -float(rng.uniform(0.3, 0.8) * width)))
    if way == "bar":
        radius = float(rng.uniform(0.02, 0.05))
        tilt = float(rng.uniform(-0.3, 0.3))
        return (Geom("capsule", (radius, width), (x, 0.0, -radius - gap), (tilt, 1.0, 0.0)), floor)
    radius = float(rng.uniform(0.15, 0.25) * width)
    if way == "ball":
        return (Geom("sphere", (radius,), (x, y, -radius - gap)), floor)
    return (Geom("box", (radius, radius, radius / 2), (x, y, -radius / 2 - gap)), floor)


@soft_family(number=8, group="cloth")
def tablecloth(rng: np.random.Generator) -> list[Sequence]:
    """A square or round cloth that hangs over the edge of a table; sometimes a draught lifts its hem."""
    width = rng.uniform(0.7, 1.5)
    points, faces = grid(*random_size(rng, rng.uniform(0.8, 1.25), 340), rng)
    flat = (2 * points - 1) if rng.uniform() < 0.5 else _disc(2 * points - 1)
    shape = cloth_shape(rng, np.column_stack([flat * width / 2, np.zeros(len(flat))]), faces, "tablecloth")
    soft = replace(fabric(rng, shape), touches=True, friction=1.0)
    timing, reach = random_timing(rng, 2), width / 2 * rng.uniform(0.5, 0.72)
    top = -soft.radius - 0.02
    table = (
        Geom("cylinder", (reach, 0.02), (0.0, 0.0, top))
        if rng.uniform() < 0.5
        else Geom("box", (reach * 0.9, reach * 0.75, 0.02), (0.0, 0.0, top))
    )
    clips = []
    for way in ("lay", "draught")[: timing.clips]:
        force, end = wind_force(soft.elements, calm), LANDING_TIME
        if way == "draught":
            end = 0.6 * timing.seconds
            wind = gusts(rng, random_direction(rng, level=0.2), rng.uniform(1.5, 3.5), end)
            force = wind_force(soft.elements, wind)
        motion = in_air(SolverScene(soft, (), (table,), calm=end), timing.frames, timing.fps, force)
        clips.append(cloth_clip(shape, motion, way))
    return clips


def _disc(square: Float[Array, "n 2"]) -> Float[Array, "n 2"]:
    """Maps the square [−1, 1]² to the unit disc: (x √(1 − y²/2), y √(1 − x²/2))."""
    x, y = square.T
    return np.column_stack([x * np.sqrt(1 - y**2 / 2), y * np.sqrt(1 - x**2 / 2)])


@soft_family(number=9, group="cloth")
def clothes_on_body(rng: np.random.Generator) -> list[Sequence]:
    """A skirt or tunic on a body of capsules that turns, sways or steps aside; the upper edge is fixed."""
    radius, ratio = rng.uniform(0.1, 0.2), rng.uniform(1.6, 3.2)
    length, flare = radius * ratio, rng.uniform(0.3, 1.0)
    around, rows = 2 * int(rng.integers(13, 16)), int(rng.integers(9, 12))
    points, faces = tube_grid(around, rows, rng)
    angle, down = 2 * np.pi * points[:, 0], points[:, 1]
    folds = 1 + rng.uniform(0, 0.06) * down * np.cos(int(rng.integers(4, 8)) * angle)
    reach = radius * (1 + flare * down) * folds
    vertices = np.column_stack([reach * np.cos(angle), reach * np.sin(angle), -length * down])
    shape = cloth_shape(rng, vertices, faces, "garment")
    soft = held(replace(fabric(rng, shape), touches=True, friction=0.0), 1, down == 0)
    body = _body(rng, radius, length)
    timing, clips = random_timing(rng, 2), []
    for way in rng.permutation(["turn", "sway", "step"])[: timing.clips]:
        rigid, stops = _led(rng, str(way), body, radius, timing.seconds)
        scene = SolverScene(soft, (rigid,), calm=stops)
        clips.append(cloth_clip(shape, in_air(scene, timing.frames, timing.fps), str(way)))
    return clips


def _body(rng: np.random.Generator, radius: float, length: float) -> tuple[Geom, ...]:
    """Hips and two legs inside the garment."""
    leg = float(0.36 * radius)
    apart = float(rng.uniform(0.42, 0.55) * radius)
    legs = [
        Geom("capsule", (leg, 0.6 * length), (0.0, side * apart, -0.75 * length), density=100.0)
        for side in (-1, 1)
    ]
    return (Geom("sphere", (0.8 * radius,), (0.0, 0.0, -0.1 * length)), *legs)


def _led(
    rng: np.random.Generator, way: str, body: tuple[Geom, ...], radius: float, seconds: float
) -> tuple[Rigid, float]:
    """The joint driven there and back. Returns it and the end of the driving."""
    period, end = float(rng.uniform(0.9, 1.4)) * (1.3 if way == "turn" else 1.0), 0.7 * seconds
    stops = whole_periods(period, end)
    if way == "turn":
        turn = sway(float(rng.choice([-1, 1]) * rng.uniform(2.5, 5.0)), period, end)
        return Rigid(body, "hinge", (0.0, 0.0, 1.0), drive=turn), stops
    across = random_direction(rng, level=0)
    axis = (float(across[0]), float(across[1]), 0.0)
    if way == "sway":
        return Rigid(body, "hinge", axis, drive=sway(float(rng.uniform(0.3, 0.6)), period, end)), stops
    return Rigid(body, "slide", axis, drive=sway(float(radius * rng.uniform(1.5, 3)), period, end)), stops
