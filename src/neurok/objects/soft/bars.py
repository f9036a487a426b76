"""Soft bars: straight, tapered or arched; clamped, bridging, dropped or twisted."""

from __future__ import annotations

import numpy as np

from neurok.objects.soft.clips import make_shape, random_material, random_timing, soft_clip
from neurok.objects.soft.forces import go_and_stay, near, push, random_direction
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.solver import Force, simulate
from neurok.objects.soft.solver_scene import FREE, GRAVITY, WORLD, Elasticity, Geom, Rigid, Soft, SolverScene
from neurok.objects.soft.swept_bodies import Section, Sweep, along_path, cells, polygon, superellipse, tube
from neurok.objects.soft.tetrahedra import Solid, embed, from_cells
from neurok.sequences import Sequence

Array = np.ndarray


@soft_family(number=0, group="elastic")
def bar(rng: np.random.Generator) -> list[Sequence]:
    """Clips of one bar, held in up to three ways."""
    sweep, section = random_bar(rng)
    solid = from_cells(*cells(sweep, (2, 2)))
    shape = make_shape(*tube(sweep, section, 24, 36), "bar", random_material(rng, "rubber"), "bar")
    embedding = embed(shape.vertices, solid)
    density, timing = rng.uniform(200, 1200), random_timing(rng)
    elasticity = softness(rng, sweep, density)
    setups = rng.permutation(["cantilever", "bridge", "drop", "twist"])[: timing.clips]
    clips = []
    for setup in setups:
        scene, force = _scene(rng, str(setup), solid, sweep, density, elasticity, timing.seconds)
        motion = simulate(scene, timing.frames, timing.fps, force)
        clips.append(soft_clip(shape, solid, embedding, motion, str(setup)))
    return clips


def random_bar(rng: np.random.Generator) -> tuple[Sweep, Section]:
    """A path along x with a bow, and widths that may taper."""
    length, slender = rng.uniform(0.3, 1.2), rng.uniform(4, 9)
    s = np.linspace(0, 1, 28)
    bow = rng.choice([0.0, rng.uniform(0.05, 0.25)]) * length
    centres = np.column_stack([length * s, np.zeros_like(s), bow * np.sin(np.pi * s)])
    taper = 1 - rng.choice([0.0, rng.uniform(0.1, 0.5)]) * s
    half = length / slender / 2 * np.array([1.0, rng.uniform(0.5, 1.0)])
    sections = [superellipse(2), superellipse(4), superellipse(10), polygon(6), polygon(5)]
    sweep = along_path(centres, np.array([0.0, 0, 1]), taper[:, None] * half[None, :])
    return sweep, sections[rng.integers(len(sections))]


def softness(rng: np.random.Generator, sweep: Sweep, density: float) -> Elasticity:
    """A modulus with which the bar, clamped at one end, sags by 6 to 25 % of its length.

    δ = ρ g A L⁴ / (8 E I) with I / A = h² / 3, h the half height. Damped by 3 to 10 % at that frequency.
    """
    length = np.linalg.norm(np.diff(sweep.centres, axis=0), axis=1).sum()
    sag = rng.uniform(0.06, 0.25) * length
    young = 3 * density * GRAVITY * length**4 / (8 * sag * sweep.widths[0, 1] ** 2)
    damping = 2 * rng.uniform(0.03, 0.1) * np.sqrt(sag / GRAVITY)
    return Elasticity(float(young), float(rng.uniform(0.2, 0.42)), float(damping))


def _scene(
    rng: np.random.Generator, way: str, solid: Solid, sweep: Sweep, density: float, elasticity: Elasticity,
    seconds: float,
) -> tuple[SolverScene, Force | None]:  # fmt: skip
    nodes, mass, size = solid.nodes, solid.mass(density), float(np.ptp(solid.nodes[:, 0]))
    along = np.repeat(np.linspace(0, 1, len(sweep.centres)), len(nodes) // len(sweep.centres))
    holder = np.full(len(nodes), FREE)
    rigid: tuple[Rigid, ...] = ()
    obstacles: tuple[Geom, ...] = ()
    velocity, force, calm = None, None, np.inf
    if way in ("cantilever", "bridge", "twist"):
        holder[along < 0.03] = WORLD
    if way in ("cantilever", "bridge"):
        where = nodes[np.abs(along - (1.0 if way == "cantilever" else 0.5)).argmin()]
        pull = GRAVITY * rng.uniform(2, 7) * (1 if way == "cantilever" else 16)
        weight = near(nodes, where, 0.25 * size)[:, None]
        direction, calm = random_direction(rng), seconds * rng.uniform(0.2, 0.5)
        force = push(pull * direction * weight, mass, 0.0, calm)
    if way == "bridge":
        holder[along > 0.97] = WORLD
    if way == "twist":
        holder[along > 0.97] = 1
        anchor = tuple(float(c) for c in sweep.centres[-1])
        turn = go_and_stay(float(rng.choice([-1, 1]) * rng.uniform(1.0, 3.0)), 0.1, 0.7 * seconds)
        calm = 0.1 + 0.7 * seconds
        rigid = (Rigid((), "hinge", (1.0, 0.0, 0.0), anchor, drive=turn),)
    if way == "drop":
        floor = float(nodes[:, 2].min()) - rng.uniform(0.05, 0.4) * size
        obstacles = (Geom("plane", (9, 9, 0.1), (0.0, 0.0, floor)),)
        spin = random_direction(rng) * rng.uniform(0.5, 3)
        velocity = np.cross(spin, nodes - nodes.mean(0)) + random_direction(rng, level=0) * rng.uniform(
            0, 0.5
        )
    soft = Soft(nodes, solid.tetrahedra, mass, elasticity, holder, touches=way == "drop", radius=0.01 * size)
    return SolverScene(soft, rigid, obstacles, velocity=velocity, calm=calm), force
