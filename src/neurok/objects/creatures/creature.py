"""From a skeleton to checked clips of a creature."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float, Int

from neurok.errors import Rejected
from neurok.objects.creatures.flesh import skin_of, weights_of
from neurok.objects.creatures.gaits import gait, poses
from neurok.objects.creatures.skeleton import Skeleton
from neurok.objects.soft import checks
from neurok.objects.soft.clips import make_shape, random_material, random_timing
from neurok.sequences import Sequence

Array = np.ndarray
GRID = (56, 88)  # points of the grid along the longest side
FACES = (1200, 5000)
MAX_STRAIN = 2.0  # 99th percentile over the edges


def clips_of(
    rng: np.random.Generator, name: str, skeleton: Skeleton, eyes: int | None = None
) -> list[Sequence]:
    """One to three clips of a creature: gaits and walks through poses. `eyes` is the bone that has them."""
    blend = rng.uniform(0.15, 0.4) * float(np.median(skeleton.width))
    points, faces = int(rng.integers(*GRID)), int(rng.integers(*FACES))
    vertices, triangles = skin_of(skeleton, blend, points, faces)
    weights = weights_of(skeleton, vertices, triangles, rng.uniform(0.4, 1.2))
    if eyes is not None and rng.random() < 0.5:
        vertices, triangles, weights = _with_eyes(rng, skeleton, eyes, vertices, triangles, weights)
    size = rng.uniform(0.1, 2.0)
    shape = make_shape(size * vertices, triangles, name, random_material(rng, "skin"), name)
    timing, clips = random_timing(rng), []
    for k in range(timing.clips):
        move = gait if k == 0 else poses
        maps = skeleton.posed(*move(rng, skeleton, timing.frames))
        maps[..., 3] *= size
        positions = skinned(shape.vertices, weights, maps)
        check_skinned(positions, shape.vertices, shape.faces)
        clips.append(Sequence(shape, positions, timing.fps, f"{move.__name__}_{k}"))
    return clips


def skinned(
    rest: Float[Array, "n 3"], weights: Float[Array, "n b"], maps: Float[Array, "f b 3 4"]
) -> Float[Array, "f n 3"]:
    """Linear blend skinning: x = Σ_b w_b A_b (X, 1)."""
    blended = np.einsum("nb,fbij->fnij", weights, maps, optimize=True)
    return np.einsum("fnij,nj->fni", blended[..., :3], rest) + blended[..., 3]


def check_skinned(
    positions: Float[Array, "f n 3"], rest: Float[Array, "n 3"], faces: Int[Array, "m 3"]
) -> None:
    checks.check_finite(positions)
    checks.check_moves(positions, rest)
    checks.check_jumps(positions, rest, faces)
    strained = np.abs(checks.strain(positions, rest, checks.edges_of(faces)))
    if np.quantile(strained, 0.99, axis=1).max() > MAX_STRAIN:
        raise Rejected("is torn")


def _with_eyes(
    rng: np.random.Generator, skeleton: Skeleton, bone: int, vertices: Float[Array, "n 3"],
    faces: Int[Array, "m 3"], weights: Float[Array, "n b"],
) -> tuple[Float[Array, "p 3"], Int[Array, "q 3"], Float[Array, "p b"]]:  # fmt: skip
    """The creature with two balls on a bone as loose pieces."""
    wide = float(skeleton.width[bone].mean())
    ball = trimesh.creation.icosphere(subdivisions=1, radius=wide * rng.uniform(0.12, 0.3))
    middle = (skeleton.head[bone] + skeleton.tail[bone]) / 2
    side, along, upper = skeleton.frame[bone].T
    high = wide * float(skeleton.flat[bone])
    for sign in (-1.0, 1.0):
        place = middle + sign * 0.6 * wide * side + 0.75 * high * upper + rng.uniform(0, 0.3) * wide * along
        faces = np.concatenate([faces, np.asarray(ball.faces) + len(vertices)])
        vertices = np.concatenate([vertices, np.asarray(ball.vertices) + place])
        weights = np.concatenate([weights, np.tile(np.eye(weights.shape[1])[bone], (len(ball.vertices), 1))])
    return vertices, faces, weights
