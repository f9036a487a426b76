"""Blobs: jellies, cushions and balls that are dropped, thrown or pushed."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float, Int

from neurok.objects.soft.clips import Timing, make_shape, random_material, random_timing, soft_clip
from neurok.objects.soft.forces import near, push, random_direction, total
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.solver import Force, simulate
from neurok.objects.soft.solver_scene import FREE, GRAVITY, WORLD, Elasticity, Geom, Soft, SolverScene
from neurok.objects.soft.tetrahedra import Solid, embed, fill
from neurok.sequences import Sequence
from neurok.shapes import Shape

Array = np.ndarray
MAX_PUSH_TIME = 0.3  # s


@soft_family(number=1, group="elastic")
def blob(rng: np.random.Generator) -> list[Sequence]:
    """Clips of a ball, a cushion or a jelly in up to three scenes."""
    vertices, faces = random_blob(rng)
    shape = make_shape(vertices, faces, "blob", random_material(rng, "jelly", 0.4), "blob")
    return shaken_and_dropped(rng, shape, resolution=7, strength=0.8)


def shaken_and_dropped(
    rng: np.random.Generator, shape: Shape, resolution: int, strength: float
) -> list[Sequence]:
    """Clips of a soft body that is dropped, thrown, or shaken on a fixed foot.

    `strength` scales loads: 0.8 suits a compact body (1 inverts cells of a third of them), less suits limbs.
    """
    solid = fill(shape, resolution)
    embedding, timing = embed(shape.vertices, solid), random_timing(rng)
    density = rng.uniform(100, 1000)
    elasticity = softness(rng, float(np.ptp(shape.vertices[:, 2])), density, strength)
    clips = []
    for way in rng.permutation(["drop", "throw", "shake"])[: timing.clips]:
        scene, force = _scene(rng, str(way), solid, density, elasticity, timing, strength)
        motion = simulate(scene, timing.frames, timing.fps, force)
        clips.append(soft_clip(shape, solid, embedding, motion, str(way)))
    return clips


def softness(rng: np.random.Generator, height: float, density: float, strength: float = 1.0) -> Elasticity:
    """A modulus with which the body's own weight compresses it by ρ g h / E = 0.8 to 4 %.

    `strength` below 1 reduces the compression, for bodies on thin legs.
    """
    squash = strength**2 * rng.uniform(0.008, 0.04)
    damping = 2 * rng.uniform(0.03, 0.12) * np.sqrt(squash * height / GRAVITY)
    return Elasticity(
        float(density * GRAVITY * height / squash), float(rng.uniform(0.25, 0.4)), float(damping)
    )


def random_blob(rng: np.random.Generator) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """A sphere pulled into a ball with bumps, a pillow, or a fluted jelly that stands on a flat foot."""
    sphere = trimesh.creation.icosphere(subdivisions=3, radius=1.0)
    direction, kind = np.asarray(sphere.vertices), rng.integers(3)
    scale = rng.uniform(0.08, 0.3) * np.array([1.0, rng.uniform(0.7, 1.0), rng.uniform(0.6, 1.0)])
    if kind == 0:
        points = direction * (1 + _bumps(rng, direction))[:, None]
    elif kind == 1:
        power = rng.uniform(2.5, 5)  # a rounded square from above that thins to its seam
        flat = direction[:, :2] / np.maximum(np.linalg.norm(direction[:, :2], axis=1, keepdims=True), 1e-9)
        square = (np.abs(flat) ** power).sum(1, keepdims=True).clip(1e-3) ** (-1 / power)
        points = np.column_stack([direction[:, :2] * square, direction[:, 2]])
        scale[2] *= rng.uniform(0.35, 0.6)
    else:
        angle, lobes = np.arctan2(direction[:, 1], direction[:, 0]), rng.integers(5, 11)
        flute = 1 + rng.uniform(0.02, 0.09) * np.cos(lobes * angle) * (1 - direction[:, 2] ** 2)
        height = np.sign(direction[:, 2]) * np.abs(direction[:, 2]) ** 0.6
        taper = 1 - rng.uniform(0.1, 0.35) * height
        points = np.column_stack([direction[:, :2] * (flute * taper)[:, None], height.clip(-0.75)])
    return points * scale, np.asarray(sphere.faces)


def _bumps(rng: np.random.Generator, direction: Float[Array, "n 3"]) -> Float[Array, " n"]:
    """A few smooth waves over the sphere."""
    waves = rng.normal(size=(5, 3)) * rng.uniform(1, 3)
    return rng.uniform(0, 0.07) * np.sin(direction @ waves.T + rng.uniform(0, 6, 5)).sum(1)


def _scene(
    rng: np.random.Generator, way: str, solid: Solid, density: float, elasticity: Elasticity,
    timing: Timing, strength: float,
) -> tuple[SolverScene, Force | None]:  # fmt: skip
    nodes, mass = solid.nodes, solid.mass(density)
    size, low = float(np.ptp(nodes, axis=0).max()), float(nodes[:, 2].min())
    holder, velocity, force = np.full(len(nodes), FREE), np.zeros_like(nodes), None
    obstacles: tuple[Geom, ...] = ()
    calm = np.inf
    if way == "shake":
        calm = 0.3 * timing.seconds + MAX_PUSH_TIME
        holder[nodes[:, 2] < low + 0.2 * np.ptp(nodes[:, 2])] = WORLD
        squat = float(np.clip(np.ptp(nodes[:, :2], axis=0).min() / np.ptp(nodes[:, 2]), 0.5, 2.0))
        strongest = 1.0 * squat**2 * strength**3 * elasticity.young / density / size
        force = shaking(rng, nodes, mass, strongest, timing.seconds)
    else:
        obstacles = _below(rng, size, low - _fall(rng, elasticity, density, size, strength))
    if way == "throw":
        spin = random_direction(rng) * rng.uniform(1, 6)
        velocity = np.cross(spin, nodes - nodes.mean(0)) + random_direction(rng, level=0) * rng.uniform(
            0.3, 1.0
        )
    soft = Soft(nodes, solid.tetrahedra, mass, elasticity, holder, radius=0.01 * size, touches=way != "shake")
    return SolverScene(soft, (), obstacles, velocity=velocity, calm=calm), force


def _fall(
    rng: np.random.Generator, elasticity: Elasticity, density: float, size: float, strength: float
) -> float:
    """A drop height with an impact strain v / c of 4 to 11 % (c² = E / ρ, v² = 2 g h)."""
    height = (strength * rng.uniform(0.04, 0.11)) ** 2 * elasticity.young / density / (2 * GRAVITY)
    return float(np.clip(height, 0.05 * size, 1.5 * size))


def shaking(rng: np.random.Generator, nodes, mass, strongest: float, seconds: float) -> Force:
    """One to three pushes at random places that begin in the first third; `strongest` in m/s²."""
    size = float(np.ptp(nodes, axis=0).max())
    pushes = []
    for _ in range(rng.integers(1, 4)):
        where = nodes[rng.integers(len(nodes))] + [0, 0, 0.2 * size]
        weight = near(nodes, where, rng.uniform(0.3, 0.8) * size)[:, None]
        strength = strongest * rng.uniform(0.1, 0.25)
        start, length = rng.uniform(0, 0.3) * seconds, rng.uniform(0.12, MAX_PUSH_TIME)
        pushes.append(push(strength * random_direction(rng, level=0.4) * weight, mass, start, length))
    return total(*pushes)


def _below(rng: np.random.Generator, size: float, top: float) -> tuple[Geom, ...]:
    """A floor, alone or with a ball or a box on it; the highest point is at `top`."""
    x, y = (float(v) for v in rng.uniform(-0.25, 0.25, 2) * size)
    small, kind = float(rng.uniform(0.2, 0.4) * size), rng.integers(3)
    high = [0.0, 0.6 * small, 0.4 * small][kind]
    floor = Geom("plane", (9, 9, 0.1), (0.0, 0.0, top - high))
    ball = Geom("sphere", (small,), (x, y, top - small))
    box = Geom("box", (small, 2 * small, high / 2 + 0.01), (x, y, top - high / 2 - 0.01))
    return [(floor,), (floor, ball), (floor, box)][kind]
