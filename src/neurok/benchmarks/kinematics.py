"""Measures the time to encode a mesh into its learned space, and to decode a pose."""

from __future__ import annotations

import time
from collections.abc import Callable

import fast_simplification
import numpy as np
import trimesh

from neurok.assets import SHIPPED
from neurok.kinematics import sample_poses
from neurok.latent import NeuROK
from neurok.latent.kinematics import latent_space_of
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

HEADER = ["vertices", "encode and reduce s", "code of a pose ms", "vertices of a pose ms"]
FACES = {"2k": 4_000, "20k": 40_000, "80k": 160_000}  # faces; twice the number of vertices
REPEATS = 5  # the minimum counts, because other load only adds time


def measure(
    model: NeuROK, step: Callable[[], None] = lambda: None
) -> tuple[list[list[str]], dict[str, float]]:
    """Rows of the table, and figures by mesh size."""
    rows, figures = [], {}
    for name, faces in FACES.items():
        shape = teddy(faces)
        start = time.perf_counter()
        kinematics = latent_space_of(shape, model)
        encode = time.perf_counter() - start
        q = sample_poses(kinematics, 1)[0]
        code = _best(lambda k=kinematics, q=q: k.code(q))
        decode = _best(lambda k=kinematics, q=q: k.positions(q))
        rows.append([f"{len(shape.vertices):,}", f"{encode:.2f}", f"{1e3 * code:.1f}", f"{1e3 * decode:.1f}"])
        figures |= {f"encode_{name}_s": encode, f"decode_{name}_s": decode}
        step()
    return rows, figures


def teddy(faces: int) -> Shape:
    """The shipped teddy, subdivided and then decimated to `faces` faces."""
    shape = load_shape(SHIPPED["teddy"])
    mesh = trimesh.Trimesh(shape.vertices, shape.faces, process=True)
    while len(mesh.faces) < faces:
        mesh = mesh.subdivide()
    points, triangles = fast_simplification.simplify(
        np.array(mesh.vertices, np.float64), np.array(mesh.faces, np.int32), target_count=faces
    )[:2]
    return Shape(points.astype(np.float64), triangles.astype(np.int32), name="teddy", frame=shape.frame)


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
