"""Objects with a rigid and a soft part: cushions on swings, tools with soft handles."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float, Int

from neurok.objects.soft import checks
from neurok.objects.soft.blobs import softness as foam
from neurok.objects.soft.clips import (
    Timing,
    checked_clip,
    make_shape,
    random_material,
    random_timing,
    rigid_points,
)
from neurok.objects.soft.forces import push, random_direction, sway, whole_periods
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.solver import Force, Motion, simulate
from neurok.objects.soft.solver_scene import FREE, GRAVITY, Elasticity, Geom, Rigid, Soft, SolverScene
from neurok.objects.soft.swept_bodies import along_path, cells, superellipse, tube
from neurok.objects.soft.tetrahedra import Embedding, Solid, embed, fill, from_cells
from neurok.sequences import Sequence
from neurok.shapes import Shape, concatenate

Array = np.ndarray


@soft_family(number=10, group="mixed")
def cushion_on_swing(rng: np.random.Generator) -> list[Sequence]:
    """A seat on ropes or rods that swings about a beam, with a cushion fixed to it."""
    half = np.array([rng.uniform(0.18, 0.35), rng.uniform(0.15, 0.25), rng.uniform(0.012, 0.025)])
    drop, height = rng.uniform(0.5, 1.1), rng.uniform(0.08, 0.16)
    cushion = make_shape(
        *_cushion(rng, half, height), "cushion", random_material(rng, "foam", 0.95), "cushion"
    )
    swing = _swing(rng, half, drop)
    shape, solid = concatenate([cushion, swing], "cushion_on_swing"), fill(cushion, 9)
    embedding, timing, density = embed(cushion.vertices, solid), random_timing(rng), rng.uniform(60, 250)
    elasticity = foam(rng, height, density)
    holder = np.where(solid.nodes[:, 2] < half[2] + 0.2 * height, 1, FREE)
    clips = []
    for way in rng.permutation(["swing", "stop", "sit"])[: timing.clips]:
        scene, force = _swinging(rng, str(way), solid, density, elasticity, holder, half, drop, timing)
        motion = simulate(scene, timing.frames, timing.fps, force)
        clips.append(_clip(shape, cushion, swing, solid, embedding, motion, str(way)))
    return clips


def _cushion(
    rng: np.random.Generator, half: Array, height: float
) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """A rounded box on the seat, thickest in the middle."""
    sphere = trimesh.creation.icosphere(subdivisions=3, radius=1.0)
    direction = np.asarray(sphere.vertices)
    power = rng.uniform(3, 5)
    points = direction / (np.abs(direction) ** power).sum(1, keepdims=True) ** (1 / power)
    crown = 1 - rng.uniform(0.1, 0.35) * (points[:, :2] ** 2).sum(1) / 2
    points[:, 2] *= np.where(points[:, 2] > 0, crown, 1)
    size = np.array([half[0] * 0.86, half[1] * 0.86, height / 2])
    return points * size + [0, 0, half[2] + height / 2], np.asarray(sphere.faces)


def _swing(rng: np.random.Generator, half: Array, drop: float) -> Shape:
    """The seat's board, two rods on each side, as one rigid part."""
    board = trimesh.creation.box(2 * half)
    meshes = [board.subdivide().subdivide()]
    for x in (-0.92, 0.92):
        for y in (-0.85, 0.85):
            foot, top = np.array([x * half[0], y * half[1], 0.0]), np.array([x * half[0], 0.0, drop])
            meshes.append(trimesh.creation.cylinder(radius=0.012, segment=np.stack([foot, top]), sections=10))
    offset = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = np.concatenate([np.asarray(mesh.vertices) for mesh in meshes])
    faces = np.concatenate([np.asarray(mesh.faces) + o for mesh, o in zip(meshes, offset, strict=False)])
    material = random_material(rng, "wood", 0.7)
    shape = make_shape(vertices, faces, "swing", material, "swing")
    return shape.with_(normals=None)


def _swinging(
    rng: np.random.Generator, way: str, solid: Solid, density: float, elasticity: Elasticity, holder: Array,
    half: Array, drop: float, timing: Timing,
) -> tuple[SolverScene, Force | None]:  # fmt: skip
    """A free swing after a push, a driven and stopped swing, or a swing with a force on the cushion."""
    mass = solid.mass(density)
    soft = Soft(solid.nodes, solid.tetrahedra, mass, elasticity, holder, touches=False)
    anchor, axis = (0.0, 0.0, float(drop)), (1.0, 0.0, 0.0)
    geoms = (Geom("box", tuple(float(h) for h in half), touches=False),)
    if way == "stop":
        angle, period, end = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.5, 0.9)), 0.6 * timing.seconds
        led = Rigid(geoms, "hinge", axis, anchor, drive=sway(angle, period, end))
        return SolverScene(soft, (led,), calm=whole_periods(period, end)), None
    speed = float(rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) * np.sqrt(GRAVITY / drop))
    velocity = np.cross(speed * np.array(axis), solid.nodes - np.array(anchor))
    scene = SolverScene(
        soft, (Rigid(geoms, "hinge", axis, anchor, damping=0.05, speed=speed),), velocity=velocity
    )
    if way == "swing":
        return scene, None
    high = np.ptp(solid.nodes[:, 2])
    lean = (random_direction(rng, level=0.5) - [0, 0, 1.0]) * 0.1 * elasticity.young / density / high
    share = ((solid.nodes[:, 2:] - solid.nodes[:, 2].min()) / high).clip(0, 1)
    return scene, push(lean * share, mass, 0.1, 0.5 * timing.seconds)


@soft_family(number=11, group="mixed")
def soft_handle_tool(rng: np.random.Generator) -> list[Sequence]:
    """A mallet, brush or paddle: a rigid head at the end of a hand-held rubber handle."""
    length, width = rng.uniform(0.18, 0.45), rng.uniform(0.014, 0.024)
    s = np.linspace(0, 1, 22)
    bow = rng.uniform(-0.1, 0.1) * length
    centres = np.column_stack([length * s, np.zeros_like(s), bow * np.sin(np.pi * s)])
    swell = 1 + rng.uniform(-0.25, 0.25) * np.sin(2 * np.pi * s + rng.uniform(0, 6))
    widths = width * swell[:, None] * np.array([1.0, rng.uniform(0.8, 1.0)])
    sweep = along_path(centres, np.array([0.0, 0, 1]), widths)
    solid = from_cells(*cells(sweep, (2, 2)))
    vertices, faces = tube(sweep, superellipse(rng.uniform(2, 4)), 20, 44)
    handle = make_shape(vertices, faces, "handle", random_material(rng, "rubber", 0.6), "handle")
    head, geom = _head(rng, length)
    shape, embedding = concatenate([handle, head], "soft_handle_tool"), embed(vertices, solid)
    timing, density = random_timing(rng), rng.uniform(700, 1200)
    # the head's weight m at the end bends the handle by m g L³ / 3 E I, I = (2 w)⁴ / 12: 15 to 50 % of L
    weight = geom.density * float(np.prod(2 * np.array(geom.size)))
    young = weight * GRAVITY * length**2 / (4 * width**4 * rng.uniform(0.15, 0.5))
    elasticity = Elasticity(float(young), 0.35, float(rng.uniform(0.003, 0.01)))
    ring = np.repeat(np.arange(len(s)), 9)
    clips = []
    for way in rng.permutation(["wave", "strike", "twist"])[: timing.clips]:
        holder = np.select([ring < 4, ring > len(s) - 3], [2, 1], FREE)
        scene = _waved(rng, str(way), solid, density, elasticity, holder, geom, timing)
        clips.append(
            _clip(shape, handle, head, solid, embedding, simulate(scene, timing.frames, timing.fps), str(way))
        )
    return clips


def _head(rng: np.random.Generator, length: float) -> tuple[Shape, Geom]:
    """A box or drum at the handle's end, and a box with its mass."""
    half = length * np.array([rng.uniform(0.07, 0.13), rng.uniform(0.12, 0.3), rng.uniform(0.07, 0.16)])
    centre = np.array([length + 0.7 * half[0], 0.0, 0.0])
    if rng.uniform() < 0.5:
        mesh = trimesh.creation.box(2 * half).subdivide().subdivide().subdivide()
    else:
        half[2] = half[0]
        mesh = trimesh.creation.cylinder(radius=half[0], height=2 * half[1], sections=28).subdivide()
        mesh.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0]))
    mesh.apply_translation(centre)
    shape = make_shape(
        np.asarray(mesh.vertices), np.asarray(mesh.faces), "head", random_material(rng, "wood", 0.5), "head"
    ).with_(normals=None)
    size, place = tuple(float(h) for h in half), tuple(float(c) for c in centre)
    return shape, Geom("box", size, place, touches=False, density=float(rng.uniform(400, 1500)))


def _waved(
    rng: np.random.Generator, way: str, solid: Solid, density: float, elasticity: Elasticity, holder: Array,
    geom: Geom, timing: Timing,
) -> SolverScene:  # fmt: skip
    """The hand turns the handle's end: up and down, once with a jerk, or about its length."""
    axis = (1.0, 0.0, 0.0) if way == "twist" else (0.0, 1.0, 0.0)
    angle = float(rng.choice([-1, 1]) * rng.uniform(0.3, 0.8) * (2 if way == "twist" else 1))
    period = float(rng.uniform(0.5, 0.8) if way == "strike" else rng.uniform(0.8, 1.3))
    end = 0.2 if way == "strike" else 0.8 * timing.seconds
    hand = Rigid((), "hinge", axis, drive=sway(angle, period, end))
    soft = Soft(solid.nodes, solid.tetrahedra, solid.mass(density), elasticity, holder, touches=False)
    return SolverScene(soft, (Rigid((geom,), "free"), hand), calm=whole_periods(period, end))


def _clip(
    shape: Shape, soft: Shape, rigid: Shape, solid: Solid, embedding: Embedding, motion: Motion, name: str
) -> Sequence:
    """A checked clip: soft vertices first, then those of rigid body 1."""
    checks.check_finite(motion.nodes)
    checks.check_solid(motion.nodes, solid.nodes, solid.tetrahedra)
    riding, turned = embedding.carry(motion.nodes), rigid_points(rigid.vertices, motion.rigid[:, 0])
    return checked_clip(shape, np.concatenate([riding, turned], axis=1), motion, name)
