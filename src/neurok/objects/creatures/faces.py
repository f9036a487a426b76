"""Faces: heads whose skin moves around eyes, brows, cheeks and mouth while the skull stands."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float

from neurok.objects.creatures.creature import check_skinned
from neurok.objects.creatures.registry import creature_family
from neurok.objects.soft.clips import make_shape, random_material, random_timing
from neurok.sequences import Sequence
from neurok.shapes.normals import vertex_normals

Array = np.ndarray

# Features of the relief, as directions from the middle of the head (x to its left, −y ahead, z up): width in
# radians, height in radii. Those off the middle are mirrored.
RELIEF = {
    "nose": ((0.0, -1.0, -0.05), 0.16, 0.28), "chin": ((0.0, -0.85, -0.75), 0.25, 0.18),
    "brow": ((0.35, -0.9, 0.33), 0.2, 0.06), "eye": ((0.35, -0.95, 0.15), 0.14, -0.08),
    "cheek": ((0.55, -0.8, -0.25), 0.28, 0.06), "lips": ((0.0, -0.95, -0.4), 0.2, 0.06),
    "ear": ((1.0, 0.05, 0.05), 0.14, 0.2),
}  # fmt: skip
# What moves: place, width in radians, and the shift in radii along (outwards across, outwards, up).
EXPRESSIONS = {
    "smile": ((0.3, -0.95, -0.42), 0.22, (0.10, 0.02, 0.08)),
    "frown": ((0.3, -0.95, -0.42), 0.22, (0.02, 0.0, -0.09)),
    "pout": ((0.0, -0.95, -0.42), 0.22, (0.0, 0.10, 0.0)),
    "jaw": ((0.0, -0.8, -0.85), 0.5, (0.0, -0.05, -0.22)),
    "raised brows": ((0.35, -0.9, 0.36), 0.24, (0.0, 0.0, 0.11)),
    "knit brows": ((0.2, -0.95, 0.33), 0.2, (-0.06, 0.0, -0.05)),
    "blink": ((0.35, -0.95, 0.19), 0.15, (0.0, 0.02, -0.08)),
    "puffed cheeks": ((0.6, -0.8, -0.3), 0.3, (0.0, 0.14, 0.0)),
    "sneer": ((0.12, -1.0, -0.12), 0.15, (0.02, 0.0, 0.06)),
}  # fmt: skip


@creature_family(number=9)
def face(rng: np.random.Generator) -> list[Sequence]:
    """Clips in which some expressions come and go, also on one side only."""
    ball = trimesh.creation.icosphere(subdivisions=4)
    way = np.asarray(ball.vertices)
    radius = np.ones(len(way))
    for place, width, height in RELIEF.values():
        for side in _sides(place):
            radius += height * rng.uniform(0.4, 1.6) * _bump(way, side, width * rng.uniform(0.8, 1.3))
    size = rng.uniform(0.09, 0.2) * np.array([rng.uniform(0.75, 1.0), 1.0, rng.uniform(1.0, 1.4)])
    vertices = way * radius[:, None] * size
    kept = np.asarray(ball.faces)
    if rng.random() < 0.3:  # a mask: the front alone
        kept = kept[way[kept].mean(1)[:, 1] < rng.uniform(-0.2, 0.3)]
        used, kept = np.unique(kept, return_inverse=True)
        kept, vertices, way = kept.reshape(-1, 3), vertices[used], way[used]
    shape = make_shape(vertices, kept, "face", random_material(rng, "skin"), "face")
    moves = _moves(rng, way, vertex_normals(vertices, kept)) * float(size.mean())
    timing, clips = random_timing(rng), []
    for k in range(timing.clips):
        share = _shares(rng, timing.frames, len(moves))
        positions = vertices + np.einsum("fe,eni->fni", share, moves)
        check_skinned(positions, vertices, shape.faces)
        clips.append(Sequence(shape, positions, timing.fps, f"expressions_{k}"))
    return clips


def _moves(
    rng: np.random.Generator, way: Float[Array, "n 3"], normals: Float[Array, "n 3"]
) -> Float[Array, "e n 3"]:
    """The shifts of all expressions, those off the middle for each side and for both."""
    found = []
    for place, width, (across, outwards, up) in EXPRESSIONS.values():
        strength, wide = rng.uniform(0.7, 1.3), width * rng.uniform(0.85, 1.2)
        halves = []
        for side in _sides(place):
            shift = np.array([across * np.sign(side[0]), 0.0, up]) + outwards * normals
            halves.append(strength * _bump(way, side, wide)[:, None] * shift)
        found += halves if rng.random() < 0.4 else [sum(halves)]
    return np.stack(found)


def _shares(rng: np.random.Generator, frames: int, count: int) -> Float[Array, "f e"]:
    """How much of each expression is shown: a few come and go, one after the other."""
    t, share = np.linspace(0, 1, frames), np.zeros((frames, count))
    for e in rng.permutation(count)[: rng.integers(2, 6)]:
        middle, length = rng.uniform(0.25, 0.9), rng.uniform(0.2, 0.5)
        share[:, e] = rng.uniform(0.5, 1.0) * np.cos(np.clip((t - middle) / length, -0.5, 0.5) * np.pi) ** 2
    return share * np.minimum(1.0, 6 * t)[:, None]


def _sides(place: tuple[float, float, float]) -> list[Array]:
    """The direction of a feature, and its mirror image if it is off the middle."""
    one = np.asarray(place) / np.linalg.norm(place)
    return [one] if place[0] == 0 else [one, one * [-1, 1, 1]]


def _bump(way: Float[Array, "n 3"], place: Array, width: float) -> Float[Array, " n"]:
    angle = np.arccos(np.clip(way @ place, -1, 1))
    return np.exp(-((angle / width) ** 2))
