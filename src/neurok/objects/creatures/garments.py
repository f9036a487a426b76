"""Garments: shirts, dresses and trousers that follow a body inside, with folds that run through them."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.objects.creatures.creature import check_skinned, skinned
from neurok.objects.creatures.flesh import skin_of, weights_of
from neurok.objects.creatures.gaits import gait, poses
from neurok.objects.creatures.registry import creature_family
from neurok.objects.creatures.skeleton import Plan, Skeleton, Swing, vec
from neurok.objects.soft.clips import make_shape, random_material, random_timing
from neurok.sequences import Sequence
from neurok.shapes.normals import vertex_normals

Array = np.ndarray
FOLD = (0.01, 0.04)  # sizes: largest depth of the folds
OPEN = 0.85  # share of its last bones along which a sleeve, a leg or a skirt is cut off


@creature_family(number=10)
def garment(rng: np.random.Generator) -> list[Sequence]:
    """Clips of a garment with open ends: a gait or poses of its skeleton, and running folds."""
    skeleton, ends = _pattern(rng)
    vertices, faces = skin_of(skeleton, 0.03, int(rng.integers(56, 80)), int(rng.integers(2000, 5000)))
    vertices, faces = _cut_open(skeleton, ends, vertices, faces)
    weights = weights_of(skeleton, vertices, faces, rng.uniform(0.8, 1.6))
    size = rng.uniform(0.5, 1.0)
    shape = make_shape(size * vertices, faces, "garment", random_material(rng, "cloth", 0.9), "garment")
    timing, clips = random_timing(rng), []
    normals = vertex_normals(shape.vertices, shape.faces)
    for k in range(timing.clips):
        maps = skeleton.posed(*(gait if rng.random() < 0.5 else poses)(rng, skeleton, timing.frames))
        maps[..., 3] *= size
        folds = size * _folds(rng, vertices, timing.frames)
        positions = skinned(shape.vertices, weights, maps)
        positions = positions + folds[..., None] * np.einsum(
            "nb,fbij,nj->fni", weights, maps[..., :3], normals, optimize=True
        )
        check_skinned(positions, shape.vertices, shape.faces)
        clips.append(Sequence(shape, positions, timing.fps, f"worn_{k}"))
    return clips


def _pattern(rng: np.random.Generator) -> tuple[Skeleton, list[tuple[int, float]]]:
    """A skeleton within the garment, and its open ends: bone, and the way along it (1 tail, −1 head)."""
    plan, ends = Plan(), []
    wide, tall = rng.uniform(0.16, 0.24), rng.uniform(0.45, 0.7)
    bend: Swing = (0.2, 0.2, 0.15)
    up = (0.0, -1.0, 0.0)
    kind = rng.choice(["shirt", "dress", "trousers"])
    if kind != "trousers":
        path = np.linspace([0, 0, 0.2], [0, 0, tall + 0.2], 4)
        widths = wide * np.array([1.1, 0.95, 1.0, 0.9])
        trunk = plan.limb(-1, path, widths, bend, flat=0.6, up=up, lag=0.1)
        collar = path[-1] + vec(0, 0, 0.15)
        ends.append((plan.bone(trunk[-1], path[-1], collar, (wide * 0.5, wide * 0.45), bend, up=up), 1.0))
        sleeve, droop = rng.uniform(0.15, 0.6), rng.choice([0.0, 0.6, 1.1])
        for side in (-1.0, 1.0) if rng.random() < 0.85 else ():
            out = np.array([side * np.cos(droop), 0, -np.sin(droop)])
            start = np.array([side * wide * 0.8, 0, tall + 0.1])
            path = start + np.linspace(0, sleeve, 3)[:, None] * out
            arm = plan.limb(trunk[-1], path, wide * np.array([0.5, 0.42, 0.38]), (0.6, 0.3, 0.6),
                            phase=0.25 + side / 4, up=up)  # fmt: skip
            ends.append((arm[-1], 1.0))
        if kind == "dress":
            flare = rng.uniform(1.2, 2.2)
            path = np.linspace([0, 0, 0.2], [0, 0, 0.2 - rng.uniform(0.3, 0.8)], 4)
            skirt = plan.limb(trunk[0], path, wide * np.linspace(1.1, flare, 4), (0.25, 0.1, 0.25), flat=0.75,
                              up=up, lag=-0.1)  # fmt: skip
            ends.append((skirt[-1], 1.0))
        else:
            ends.append((trunk[0], -1.0))
    else:
        hips = plan.bone(-1, [0, 0, 0.05], [0, 0, 0.25], (wide, wide * 0.95), bend, flat=0.65, up=up)
        ends.append((hips, 1.0))
        length = rng.uniform(0.35, 0.9)
        for side in (-1.0, 1.0):
            path = np.linspace([side * 0.5 * wide, 0, 0.05], [side * 0.7 * wide, 0, 0.05 - length], 3)
            widths = wide * np.array([0.55, 0.45, rng.uniform(0.35, 0.6)])
            leg = plan.limb(hips, path, widths, (0.6, 0.1, 0.2), phase=0.25 + side / 4, up=up)
            ends.append((leg[-1], 1.0))
    return plan.built(), ends


def _cut_open(
    skeleton: Skeleton, ends: list[tuple[int, float]], vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]
) -> tuple[Float[Array, "p 3"], Int[Array, "q 3"]]:
    """Without the caps beyond the open ends, where only the bone itself is near."""
    gone, middle = np.zeros(len(faces), bool), vertices[faces].mean(1)
    for bone, way in ends:
        head, tail = skeleton.head[bone], skeleton.tail[bone]
        start, along = (head, tail - head) if way > 0 else (tail, head - tail)
        share = (middle - start) @ along / (along @ along)
        across = np.linalg.norm(middle - start - share[:, None] * along, axis=1)
        gone |= (share > OPEN) & (across < 1.3 * skeleton.width[bone].max())
    used, index = np.unique(faces[~gone], return_inverse=True)
    return vertices[used], index.reshape(-1, 3)


def _folds(rng: np.random.Generator, vertices: Float[Array, "n 3"], frames: int) -> Float[Array, "f n"]:
    """Depth of folds: waves that run down the garment and grow towards its hem."""
    t = np.linspace(0, 1, frames)[:, None]
    low, high = vertices[:, 2].min(), vertices[:, 2].max()
    hem = ((high - vertices[:, 2]) / (high - low)) ** 1.5
    angle = np.arctan2(vertices[:, 1], vertices[:, 0])
    depth = np.zeros((frames, len(vertices)))
    for _ in range(3):
        around, down = rng.integers(1, 6), rng.uniform(0, 12)
        phase, speed = rng.uniform(0, 2 * np.pi), rng.uniform(-2, 2)
        still = np.sin(around * angle + down * vertices[:, 2] + phase)
        moving = np.sin(around * angle + down * vertices[:, 2] + phase + 2 * np.pi * speed * t)
        depth += rng.uniform(*FOLD) * hem * (moving - still)
    return depth
