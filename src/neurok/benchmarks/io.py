"""Measures time and memory of loading, welding, decimating, binding and exporting by number of faces."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from neurok.export import save
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.shapes.proxy import make_proxy

SIZES = {"1k": 1_000, "20k": 20_000, "200k": 200_000, "1m": 1_000_000}
STAGES = ("load_glb", "load_obj", "proxy_and_bind", "deform", "export_glb")
HEADER = ["faces", *(s.replace("_", " ") for s in STAGES), "peak GB"]


def wavy_torus(faces: int) -> Shape:
    """Closed surface with about `faces` faces and no symmetry that would help decimation."""
    rows = max(3, round((faces / 4) ** 0.5))
    columns = max(3, round(faces / 2 / rows))
    u, v = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    a, b = 2 * np.pi * u / rows, 2 * np.pi * v / columns
    radius = 0.3 + 0.02 * np.sin(7 * a + 3 * b) + 0.01 * np.sin(31 * a - 17 * b)
    ring = 1 + radius * np.cos(b)
    vertices = np.stack([ring * np.cos(a), radius * np.sin(b), ring * np.sin(a)], axis=-1).reshape(-1, 3)
    index = lambda i, j: (i % rows) * columns + j % columns  # noqa: E731
    p, q, r, s = index(u, v), index(u + 1, v), index(u + 1, v + 1), index(u, v + 1)
    quads = np.stack([p, s, r, q], axis=-1).reshape(-1, 4)
    return Shape(vertices, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), name="torus")


def write_inputs(faces: int, folder: str) -> None:
    """Writes the input files; runs in another process, so that it is not measured."""
    torus = wavy_torus(faces)
    save(torus, Path(folder) / "torus.glb")
    save(torus, Path(folder) / "torus.obj")


def measure(folder: str) -> dict[str, float]:
    """Seconds of each stage, and the peak memory of this process."""
    seconds: dict[str, float] = {}

    def clock(stage: str, work):
        start = time.perf_counter()
        result = work()
        seconds[stage] = time.perf_counter() - start
        return result

    shape = clock("load_glb", lambda: load_shape(Path(folder) / "torus.glb"))
    proxy = clock("proxy_and_bind", lambda: make_proxy(shape))
    moved = clock("deform", lambda: proxy.binding.positions(proxy.shape.vertices * 1.01))
    clock("export_glb", lambda: save(shape.moved(moved), Path(folder) / "out.glb"))
    seconds["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    clock("load_obj", lambda: load_shape(Path(folder) / "torus.obj", unit="m"))
    return seconds | {"faces": len(shape.faces)}


def measure_all(sizes: Mapping[str, int] = SIZES) -> tuple[list[list[str]], dict[str, float]]:
    """Rows of the table and figures; every size runs in a new process, so that memory peaks are separate."""
    rows, figures, load = [], {}, {}
    for name, faces in sizes.items():
        with tempfile.TemporaryDirectory() as folder:
            in_new_process(write_inputs, faces, folder)
            seconds = in_new_process(measure, folder)
        stages = (f"{seconds[s]:.3f}" for s in STAGES)
        rows.append([f"{int(seconds['faces']):,}", *stages, f"{seconds['peak_gb']:.2f}"])
        load[name] = seconds["load_glb"] + seconds["proxy_and_bind"]
        figures[f"load_{name}_faces_s"] = load[name]
        figures[f"peak_memory_{name}_gb"] = seconds["peak_gb"]
    before, last = list(sizes)[-2:]
    # 1: time proportional to the number of faces
    figures["growth_per_face"] = load[last] / load[before] / (sizes[last] / sizes[before])
    return rows, figures


def in_new_process(work, *arguments):
    """Result of a function that runs in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()
