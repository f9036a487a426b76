"""Measures the time of a 512 × 512 picture with each backend, from small to large meshes."""

from __future__ import annotations

import time

import numpy as np
import trimesh

from neurok.errors import InputError
from neurok.rendering import look_at, open_renderer
from neurok.rendering.frame_renderer import FrameRenderer
from neurok.rendering.renderer import Backend, Renderer
from neurok.sequences import Sequence
from neurok.shapes import Shape

FACES = {"2k": 2_560, "20k": 20_480, "200k": 200_704}
REPEATS = 4  # the minimum counts, because other load only adds time


def run() -> dict[str, float]:
    """Milliseconds per frame of a moving, smooth ball with shadows, for the available backends."""
    figures: dict[str, float] = {}
    backends: tuple[Backend, ...] = ("gl", "ray")
    for backend in backends:
        try:
            renderer = open_renderer(backend)
        except InputError:
            continue
        with renderer:
            for name, faces in FACES.items():
                colour, full = frame_times(renderer, ball(faces))
                figures[f"{backend}_frame_{name}_ms"] = colour
                figures[f"{backend}_picture_{name}_ms"] = full
    return figures


def frame_times(renderer: Renderer, sequence: Sequence, side: int = 512) -> tuple[float, float]:
    """Minimum times in ms of a colour frame, and of one with depth, points and parts."""
    frames = FrameRenderer(sequence, look_at(sequence, width=side, height=side), renderer)
    frames.picture(0)  # the first frame compiles the shaders
    return tuple(
        1e3 * min(_seconds(draw, index % len(sequence)) for index in range(REPEATS))
        for draw in (frames.rgb, frames.picture)
    )  # type: ignore[return-value]


def ball(faces: int) -> Sequence:
    """Ball with about `faces` faces that grows slightly over two frames."""
    rows = max(3, round(np.sqrt(faces / 8)) + 1)
    mesh = trimesh.creation.uv_sphere(count=[rows, 2 * rows])
    shape = Shape(mesh.vertices, mesh.faces, name="ball", normals=mesh.vertices.astype(np.float32))
    return Sequence(shape, np.stack([mesh.vertices, 1.01 * mesh.vertices]))


def table(figures: dict[str, float]) -> list[tuple[str, ...]]:
    """Rows of backend, faces, ms per frame in colour, ms with depth and points."""
    return [
        (backend, name, *(f"{figures[f'{backend}_{what}_{name}_ms']:.0f}" for what in ("frame", "picture")))
        for backend in ("gl", "ray") for name in FACES if f"{backend}_frame_{name}_ms" in figures
    ]  # fmt: skip


def describe(figures: dict[str, float]) -> str:
    """Table as text."""
    head = ("backend", "faces", "frame [ms]", "with depth and points [ms]")
    rows = [head, *table(figures)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _seconds(draw, index: int) -> float:
    start = time.perf_counter()
    draw(index)
    return time.perf_counter() - start
