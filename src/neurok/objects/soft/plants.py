"""Potted plants with a soft stem and leaves."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float, Int

from neurok.objects.soft.clips import make_shape, random_material, random_timing, soft_clip
from neurok.objects.soft.forces import gusts, push, random_direction, total, wind_force
from neurok.objects.soft.registry import soft_family
from neurok.objects.soft.solver import simulate
from neurok.objects.soft.solver_scene import FREE, GRAVITY, WORLD, Elasticity, Soft, SolverScene
from neurok.objects.soft.swept_bodies import Sweep, along_path, cells, superellipse, tube, unit
from neurok.objects.soft.tetrahedra import Embedding, Solid, embed, from_cells, surface_faces
from neurok.sequences import Sequence
from neurok.shapes import Material, Shape, concatenate

Array = np.ndarray
STEM_RINGS = 16  # sections of the stem
LEAF_RINGS = 7


@soft_family(number=2, group="elastic")
def plant(rng: np.random.Generator) -> list[Sequence]:
    """A potted plant in the wind, or pushed and let go."""
    stem = _stem(rng)
    leaves = [_leaf(rng, stem, ring, side) for ring, side in _places(rng)]
    solid = _grown(stem, leaves)
    shape, embedding = _surface(rng, stem, [leaf for leaf, _ in leaves], solid)
    timing, density = random_timing(rng), rng.uniform(150, 500)
    holder = np.where(np.arange(len(solid.nodes)) < 8, WORLD, FREE)  # the pot holds the two lowest rings
    mass, elasticity = solid.mass(density), _softness(rng, stem, density)
    soft = Soft(
        solid.nodes, solid.tetrahedra, mass, elasticity, holder, touches=False, drag=rng.uniform(0.5, 2)
    )
    faces, clips = surface_faces(solid), []
    for way in rng.permutation(["wind", "push", "gust"])[: timing.clips]:
        end = np.inf if way == "wind" else 0.4 * timing.seconds
        wind = gusts(rng, random_direction(rng, level=0.1), rng.uniform(2, 6), end)
        force = wind_force(faces, wind)
        if way == "push":
            lean = random_direction(rng, level=0) * GRAVITY * rng.uniform(1.5, 4)
            height = (solid.nodes[:, 2:] / solid.nodes[:, 2].max()).clip(0)
            force = total(wind_force(faces, lambda t, x: 0 * x), push(lean * height, mass, 0.0, end))
        motion = simulate(SolverScene(soft, calm=end), timing.frames, timing.fps, force, max_time_step=0.01)
        clips.append(soft_clip(shape, solid, embedding, motion, str(way)))
    return clips


def _softness(rng: np.random.Generator, stem: Sweep, density: float) -> Elasticity:
    """A modulus with which a horizontal beam like the stem would sag by 40 to 120 % of its length.

    The mesh is three to five times stiffer: it has one linear cell across, and leaves stiffen it.
    """
    length, width = float(np.ptp(stem.centres[:, 2])), float(stem.widths[:, 0].mean())
    young = 3 * density * GRAVITY * length**3 / (8 * rng.uniform(0.4, 1.2) * width**2)
    return Elasticity(young, 0.3, float(rng.uniform(0.005, 0.02)))


def _stem(rng: np.random.Generator) -> Sweep:
    """An upright curve, thinner towards its top."""
    height, s = rng.uniform(0.25, 0.9), np.linspace(0, 1, STEM_RINGS)
    lean, phase = rng.uniform(0, 0.15, 2) * height, rng.uniform(0, 6)
    centres = np.column_stack([
        lean[0] * (np.sin(2.5 * s + phase) - np.sin(phase)), lean[1] * (1 - np.cos(2 * s)), height * s
    ])  # fmt: skip
    width = height * rng.uniform(0.024, 0.036) * (1 - 0.5 * s)
    return along_path(centres, np.array([0.0, 1, 0]), np.column_stack([width, width]))


def _places(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Rings and sides (0 … 3) of the stem where leaves grow, without repetition."""
    count, first = int(rng.integers(4, 8)), int(rng.integers(4, 7))
    rings = np.unique(np.linspace(first, STEM_RINGS - 2, count).astype(int))
    turn = int(rng.integers(4))
    return [(int(ring), int((turn + k + k // 2) % 4)) for k, ring in enumerate(rings)]


def _quad(ring: int, side: int) -> Int[Array, "4"]:
    """Nodes of one side of the stem between two rings: (low, −), (low, +), (high, −), (high, +).

    Nodes of a ring are (u, v) = (−, −), (−, +), (+, −), (+, +); sides are u = +1, v = +1, u = −1, v = −1.
    """
    pair = [(2, 3), (3, 1), (1, 0), (0, 2)][side]
    return np.array([4 * ring + pair[0], 4 * ring + pair[1], 4 * ring + 4 + pair[0], 4 * ring + 4 + pair[1]])


def _leaf(rng: np.random.Generator, stem: Sweep, ring: int, side: int) -> tuple[Sweep, Int[Array, "4"]]:
    """A blade that grows outward and up, then arches down, and the stem nodes it starts from."""
    outward = [stem.side, stem.up, -stem.side, -stem.up][side][ring]
    height = float(np.ptp(stem.centres[:, 2]))
    length = height * rng.uniform(0.3, 0.55)
    start = (stem.centres[ring] + stem.centres[ring + 1]) / 2 + outward * stem.widths[ring, 0]
    t = np.linspace(0, 1, LEAF_RINGS)[:, None]
    rise, fall = rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.9)
    up = np.array([0.0, 0, 1])
    centres = start + length * (t * outward + (rise * t - fall * t**2) * up)
    blade = np.sin(np.pi * (0.08 + 0.87 * t)) ** 0.8
    wide = length * rng.uniform(0.12, 0.24)
    stem_width = stem.widths[ring, 0]
    widths = np.column_stack(
        [np.maximum(wide * blade, 0.3 * stem_width), np.full(LEAF_RINGS, 0.4 * stem_width)]
    )
    widths[0] = [stem_width, np.linalg.norm(stem.centres[ring + 1] - stem.centres[ring]) / 2]
    return along_path(centres, unit(up - outward * (up @ outward)), widths), _quad(ring, side)


def _grown(stem: Sweep, leaves: list[tuple[Sweep, Int[Array, "4"]]]) -> Solid:
    """One mesh in which the first ring of each leaf is a side of the stem."""
    nodes, corners = cells(stem, (1, 1))
    points, cubes = [nodes], [corners]
    count = len(nodes)
    for leaf, quad in leaves:
        own, leaf_corners = cells(leaf, (1, 1))
        # a ring of the leaf is (u, v) = (−, −), (−, +), (+, −), (+, +); v is up: low, high, low, high
        joint = quad[[0, 2, 1, 3]]
        along = own[2] - own[0]
        if along @ (nodes[joint[2]] - nodes[joint[0]]) < 0:
            joint = quad[[1, 3, 0, 2]]
        index = np.r_[joint, count + np.arange(len(own) - 4)]
        points.append(own[4:])
        cubes.append(index[leaf_corners])
        count += len(own) - 4
    return from_cells(np.concatenate(points), np.concatenate(cubes))


def _surface(
    rng: np.random.Generator, stem: Sweep, leaves: list[Sweep], solid: Solid
) -> tuple[Shape, Embedding]:
    """Surface of stem, leaves and pot; the pot is embedded in fixed nodes."""
    green = random_material(rng, "leaf", 0.6)
    tint = (0.15 + 0.3 * green.color[0], 0.35 + 0.3 * green.color[1], 0.1 + 0.1 * green.color[2], 1.0)
    leaf_material, stem_material = (
        Material("leaf", tint, roughness=0.6),
        Material("stem", (0.3, 0.4, 0.15, 1.0)),
    )
    shapes = [make_shape(*tube(stem, superellipse(2), 10, 40), "stem", stem_material, "stem")]
    for blade in leaves:
        vertices, faces = tube(blade, superellipse(2), 12, 14)
        shapes.append(make_shape(vertices, faces, "leaf", leaf_material, "leaf"))
    soft = np.concatenate([s.vertices for s in shapes])
    size = float(np.ptp(stem.centres[:, 2]))
    pot = _pot(size * rng.uniform(0.12, 0.18), float(stem.centres[1, 2]))
    shapes.append(make_shape(*pot, "pot", random_material(rng, "clay"), "pot"))
    riding, still = embed(soft, solid), embed(pot[0], Solid(solid.nodes, _held(solid)))
    return concatenate(shapes, "plant"), Embedding(
        np.concatenate([riding.corners, still.corners]), np.concatenate([riding.weights, still.weights])
    )


def _held(solid: Solid) -> Int[Array, "t 4"]:
    """Tetrahedra whose nodes are all in the pot."""
    return solid.tetrahedra[(solid.tetrahedra < 8).all(1)]


def _pot(radius: float, top: float) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """A conical frustum, wider at the rim."""
    height = 1.5 * radius
    profile = np.array(
        [
            [0, -height],
            [0.7, -height],
            [0.85, -0.5 * height],
            [1, -0.1 * height],
            [1.08, -0.1 * height],
            [1.08, 0.05 * height],
            [0.9, 0.05 * height],
            [0.85, -0.05 * height],
            [0, -0.05 * height],
        ]
    )
    profile[:, 0] *= radius
    mesh = trimesh.creation.revolve(profile + np.array([0, top]), sections=24)
    return np.asarray(mesh.vertices), np.asarray(mesh.faces)
