"""Springs: coils, hoses and rubber bands, swept along curves."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from scipy.interpolate import CubicSpline

from neurok.objects.soft.clips import make_shape, random_material, random_timing, soft_clip
from neurok.objects.soft.forces import near, push, random_direction, sway, whole_periods
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.solver import Force, simulate
from neurok.objects.soft.solver_scene import FREE, GRAVITY, WORLD, Elasticity, Rigid, Soft, SolverScene
from neurok.objects.soft.swept_bodies import Sweep, along_path, cells, superellipse, tube
from neurok.objects.soft.tetrahedra import Solid, embed, from_cells
from neurok.sequences import Sequence

Array = np.ndarray
CELLS_PER_WIDTH = 0.6  # sections along the path, per width of the wire


@soft_family(number=4, group="elastic")
def spring(rng: np.random.Generator) -> list[Sequence]:
    """A coil, hose or band, held at one or two ends and pulled, released, or driven by the other end."""
    sweep, droop = [_coil, _hose, _band][rng.integers(3)](rng)
    solid = from_cells(*cells(sweep, (1, 1)))
    sections = int(min(3 * len(sweep.centres), 240))
    section = superellipse(rng.uniform(2, 5))
    vertices, faces = tube(sweep, section, 10, sections)
    shape = make_shape(vertices, faces, "spring", random_material(rng, "rubber", 0.5), "spring")
    embedding, timing, density = embed(vertices, solid), random_timing(rng), rng.uniform(300, 1200)
    # one linear cell across is too stiff in bending: the modulus follows from the droop
    young = density * GRAVITY * droop
    elasticity = Elasticity(float(young), 0.3, float(rng.uniform(0.003, 0.012)))
    clips = []
    for way in rng.permutation(["pull", "lead", "swing"])[: timing.clips]:
        scene, force = _scene(rng, str(way), solid, sweep, density, elasticity, timing.seconds)
        motion = simulate(scene, timing.frames, timing.fps, force)
        clips.append(soft_clip(shape, solid, embedding, motion, str(way)))
    return clips


def _coil(rng: np.random.Generator) -> tuple[Sweep, float]:
    """A helix that hangs from its top: wire of radius w, coil of radius r, n turns.

    Its own weight lengthens it by about ρ g (2π r n)(4 n r³)/(w² G) / 2; E follows from 10 to 40 %.
    """
    turns, radius = rng.uniform(3, 5), rng.uniform(0.03, 0.1)
    wire = radius * rng.uniform(0.16, 0.26)
    pitch = wire * rng.uniform(2.8, 4.0)
    angle = np.linspace(0, 2 * np.pi * turns, int(17 * turns))
    widen = 1 + rng.uniform(-0.3, 0.3) * angle / angle[-1]
    centres = np.column_stack([
        radius * widen * np.cos(angle), radius * widen * np.sin(angle), -pitch * angle / (2 * np.pi)
    ])  # fmt: skip
    sweep = along_path(centres, np.array([0.0, 0, 1]), np.full((len(angle), 2), wire))
    longer = rng.uniform(0.1, 0.4) * pitch * turns
    droop = 2.6 * 8 * np.pi * radius**4 * turns**2 / (wire**2 * longer) / 2
    return sweep, float(droop)


def _hose(rng: np.random.Generator) -> tuple[Sweep, float]:
    """A tube along a smooth random curve."""
    length, knots = rng.uniform(0.4, 1.0), 5
    way = np.cumsum(np.array([1.0, 0, 0]) + rng.normal(size=(knots, 3)) * [0.2, 0.6, 0.4], axis=0)
    fine = CubicSpline(np.arange(knots), way)(np.linspace(0, knots - 1, 200))
    steps = np.r_[0, np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))]
    wire = length / rng.uniform(22, 36)
    count = int(np.clip(CELLS_PER_WIDTH * length / wire, 24, 60)) * 2
    even = np.linspace(0, steps[-1], count)
    centres = np.stack([np.interp(even, steps, fine[:, k]) for k in range(3)], axis=1) * length / steps[-1]
    sweep = along_path(_smooth(centres), np.array([0.0, 0, 1]), np.full((count, 2), wire))
    return sweep, float(3 * length**4 / (8 * rng.uniform(0.1, 0.35) * length * wire**2) / 2)


def _band(rng: np.random.Generator) -> tuple[Sweep, float]:
    """A closed loop, wider than thick, that hangs from one place."""
    radius, count = rng.uniform(0.06, 0.2), 64
    angle = np.arange(count) * 2 * np.pi / count
    wave = 1 + rng.uniform(0, 0.15) * np.cos(rng.integers(2, 5) * angle + rng.uniform(0, 6))
    centres = radius * np.column_stack([
        wave * np.cos(angle) * rng.uniform(0.6, 1.0), np.zeros(count), wave * np.sin(angle)
    ])  # fmt: skip
    thick = radius * rng.uniform(0.06, 0.1)
    widths = np.tile([thick * rng.uniform(1.0, 2.0), thick], (count, 1))
    sweep = along_path(centres, np.array([0.0, 1, 0]), widths[:, ::-1], closed=True)
    return sweep, float(0.35 * radius**3 / thick**2 / rng.uniform(0.08, 0.25))


def _smooth(centres: Float[Array, "s 3"]) -> Float[Array, "s 3"]:
    inner = (centres[:-2] + centres[1:-1] + centres[2:]) / 3
    return np.concatenate([centres[:1], inner, centres[-1:]])


def _scene(
    rng: np.random.Generator, way: str, solid: Solid, sweep: Sweep, density: float, elasticity: Elasticity,
    seconds: float,
) -> tuple[SolverScene, Force | None]:  # fmt: skip
    nodes, mass = solid.nodes, solid.mass(density)
    size = float(np.ptp(nodes, axis=0).max())
    ring = np.repeat(np.arange(len(sweep.centres)), 4)
    if sweep.closed:
        ring = (ring - sweep.centres[:, 2].argmax()) % len(sweep.centres)
    last = len(sweep.centres) // 2 if sweep.closed else len(sweep.centres) - 1
    holder, force = np.full(len(nodes), FREE), None
    holder[ring < 3] = WORLD
    far = (
        sweep.centres[(last + sweep.centres[:, 2].argmax()) % len(ring[::4])]
        if sweep.closed
        else sweep.centres[last]
    )
    rigid: tuple[Rigid, ...] = ()
    calm = rng.uniform(0.3, 0.5) * seconds
    if way == "lead":
        holder[np.abs(ring - last) < 3] = 1
        axis = random_direction(rng)
        reach = float(rng.uniform(0.15, 0.45) * size)
        period = float(rng.uniform(0.6, 1.2))
        drive, calm = sway(reach, period, 0.7 * seconds), whole_periods(period, 0.7 * seconds)
        rigid = (Rigid((), "slide", tuple(float(a) for a in axis), drive=drive),)
    else:
        strength = GRAVITY * (rng.uniform(1.5, 4) if way == "pull" else rng.uniform(1, 2.5))
        direction = np.array([0, 0, -1.0]) if way == "pull" else random_direction(rng, level=0.1)
        weight = near(nodes, far, 0.3 * size)[:, None] if way == "pull" else 1.0
        force = push(strength * direction * weight * np.ones_like(nodes), mass, 0.0, calm)
    soft = Soft(nodes, solid.tetrahedra, mass, elasticity, holder, touches=False, drag=rng.uniform(0.3, 1.5))
    return SolverScene(soft, rigid, calm=calm), force
