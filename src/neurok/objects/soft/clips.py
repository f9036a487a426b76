"""Turns simulated motions into checked clips; the last step of every soft family."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import Rejected
from neurok.objects.soft import checks
from neurok.objects.soft.solver import Motion
from neurok.objects.soft.tetrahedra import Embedding, Solid
from neurok.sequences import Sequence
from neurok.shapes import Frame, Material, Shape
from neurok.shapes.normals import vertex_normals

Array = np.ndarray


@dataclass(frozen=True)
class Timing:
    """Number of clips and frames: 30 to 60 frames in all, so that every object costs about the same."""

    clips: int
    frames: int
    fps: float

    @property
    def seconds(self) -> float:
        return (self.frames - 1) / self.fps


def random_timing(rng: np.random.Generator, most_clips: int = 3) -> Timing:
    """One to three clips of at least 16 frames."""
    clips = int(rng.integers(1, most_clips + 1))
    total = int(rng.integers(48, 61)) if clips == 3 else int(rng.integers(36, 55))
    return Timing(clips, total // clips, fps=float(rng.choice([20, 24, 25])))


def random_material(rng: np.random.Generator, name: str, roughness: float = 0.8) -> Material:
    """A random hue of medium saturation and brightness."""
    hue, saturation, value = rng.uniform(0, 1), rng.uniform(0.35, 0.8), rng.uniform(0.45, 0.85)
    wheel = np.clip(np.abs((hue * 6 + np.array([0.0, 4.0, 2.0])) % 6 - 3) - 1, 0, 1)
    red, green, blue = (float(c) for c in value * (1 + saturation * (wheel - 1)))
    return Material(name, (red, green, blue, 1.0), roughness=roughness)


def make_shape(
    vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], name: str, material: Material, part: str
) -> Shape:
    """A shape of one part in metres, z up, with smooth normals."""
    return Shape(
        vertices, faces, name=name, part_names=(part,), materials=(material,),
        normals=vertex_normals(vertices, faces), frame=Frame("z", 1.0),
    )  # fmt: skip


def soft_clip(shape: Shape, solid: Solid, embedding: Embedding, motion: Motion, name: str) -> Sequence:
    """A checked clip of a solid; its surface is embedded in the tetrahedra."""
    checks.check_finite(motion.nodes)
    checks.check_solid(motion.nodes, solid.nodes, solid.tetrahedra)
    return checked_clip(shape, embedding.carry(motion.nodes), motion, name)


def cloth_clip(shape: Shape, motion: Motion, name: str) -> Sequence:
    """A checked clip of a sheet; the sheet is the surface."""
    checks.check_finite(motion.nodes)
    checks.check_cloth_stretch(motion.nodes, shape.vertices, shape.faces)
    return checked_clip(shape, motion.nodes, motion, name)


def checked_clip(shape: Shape, positions: Float[Array, "frames n 3"], motion: Motion, name: str) -> Sequence:
    """The clip, if it starts at rest, moves without jumps and jitter, and then comes to rest."""
    if np.abs(positions[0] - shape.vertices).max() > 1e-5 * shape.normalisation.radius:
        raise Rejected("does not start from its rest shape")
    checks.check_moves(positions, shape.vertices)
    checks.check_jumps(positions, shape.vertices, shape.faces)
    checks.check_jitter(positions, shape.vertices, shape.faces)
    if (len(positions) - 1) / motion.fps - motion.calm >= checks.SETTLING_TIME:
        checks.check_comes_to_rest(positions)
    return Sequence(shape, positions, fps=motion.fps, name=name)


def rigid_points(points: Float[Array, "n 3"], maps: Float[Array, "frames 3 4"]) -> Float[Array, "frames n 3"]:
    """x = R X + p."""
    return np.einsum("fij,nj->fni", maps[..., :3], points) + maps[:, None, :, 3]
