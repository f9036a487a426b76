"""Draws random objects, valid and degenerate, with any kind of kinematics."""

from __future__ import annotations

from functools import cache

import numpy as np
import trimesh

from neurok.evaluation.dynamics.objects import ONE_BODY, rods
from neurok.kinematics import Kinematics, elastic_modes_of, joints_of
from neurok.latent import NeuROK
from neurok.latent.kinematics import latent_space_of
from neurok.latent.reduction import ReductionConfig
from neurok.objects import families
from neurok.shapes import Frame, Shape

Array = np.ndarray
LOOSE_TRIANGLES = 500


def random_kinematics(rng: np.random.Generator) -> tuple[str, Kinematics]:
    """Kind of the object and its kinematics."""
    kind = str(
        rng.choice(["rods", "generated", "rigid", "elastic", "learned"], p=[0.2, 0.2, 0.35, 0.15, 0.1])
    )
    if kind == "rods":
        return kind, rods(*rng.uniform(0.1, 1.0, rng.integers(1, 5)), mass=float(10 ** rng.uniform(-3, 3)))
    if kind == "generated":
        name = str(rng.choice(list(families())))
        return kind, joints_of(families()[name](rng))
    name, shape = random_shape(rng)
    if kind == "rigid":
        return f"rigid {name}", joints_of(shape.with_(part_names=("body",)), ONE_BODY)
    if kind == "elastic":
        return f"elastic {name}", elastic_modes_of(shape, modes=int(rng.integers(1, 5)), handles=6)
    few = ReductionConfig(samples=8, probes=4, held_out=8, max_coordinates=4)
    return f"learned {name}", latent_space_of(shape, _network(), few, samples=256)


@cache
def _network() -> NeuROK:
    return NeuROK.from_pretrained()


def random_shape(rng: np.random.Generator) -> tuple[str, Shape]:
    """Primitive or degenerate shape, from a micrometre to a thousand kilometres in size."""
    name = str(rng.choice(list(SHAPES)))
    vertices, faces = SHAPES[name](rng)
    size = 1.0 if rng.random() < 0.7 else 10 ** rng.uniform(-6, 6)
    up = "y" if rng.random() < 0.5 else "z"
    return name, Shape(np.array(vertices) * size, np.array(faces), name, frame=Frame(up))


def _mesh(mesh: trimesh.Trimesh) -> tuple[Array, Array]:
    return np.array(mesh.vertices), np.array(mesh.faces)


def _loose(rng: np.random.Generator) -> tuple[Array, Array]:
    middle = rng.normal(size=(LOOSE_TRIANGLES, 1, 3))
    vertices = (middle + 0.05 * rng.normal(size=(LOOSE_TRIANGLES, 3, 3))).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


def _with_nan(rng: np.random.Generator) -> tuple[Array, Array]:
    vertices = rng.normal(size=(5, 3))
    vertices[rng.integers(5), rng.integers(3)] = rng.choice([np.nan, np.inf])
    return vertices, np.array([[0, 1, 2], [2, 3, 4]])


SHAPES = {
    "box": lambda rng: _mesh(trimesh.creation.box(rng.uniform(0.05, 1.0, 3))),
    "ball": lambda rng: _mesh(trimesh.creation.icosphere(subdivisions=1, radius=rng.uniform(0.1, 1))),
    "tube": lambda rng: _mesh(trimesh.creation.cylinder(0.05, rng.uniform(0.2, 2), sections=8)),
    "one triangle": lambda rng: (rng.normal(size=(3, 3)), np.array([[0, 1, 2]])),
    "no area": lambda rng: (
        np.outer(rng.normal(size=4), rng.normal(size=3)), np.array([[0, 1, 2], [1, 2, 3]])
    ),
    "one point": lambda rng: (np.tile(rng.normal(size=3), (3, 1)), np.array([[0, 1, 2]])),
    "sliver": lambda rng: (
        np.array([[0, 0, 0], [1, 0, 0], [0.5, 1e-9, 0], [0.5, 0, 1.0]]), np.array([[0, 1, 2], [0, 1, 3]])
    ),
    "soup": lambda rng: (rng.normal(size=(30, 3)), rng.integers(0, 30, (12, 3))),
    "loose parts": _loose,
    "not a number": _with_nan,
    "no faces": lambda rng: (rng.normal(size=(3, 3)), np.zeros((0, 3), int)),
}  # fmt: skip
