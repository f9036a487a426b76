"""Measures the candidate motions per second of the geometric simulator, and the time per object."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from neurok.articulation import find_parts
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import predict_joints
from neurok.articulation.features import part_scene
from neurok.articulation.simulator import distinct_motions, simulate_part
from neurok.datasets.generators import generators
from neurok.shapes import Shape

HEADER = ["objects", "parts", "candidate motions", "per second", "object s (median)", "object s (largest)"]
MIN_PARTS, MAX_PARTS = 2, 12


def measure(
    count: int, seed: int, step: Callable[[], None] = lambda: None
) -> tuple[list[list[str]], dict[str, float]]:
    """Row of the table, and figures; the simulation runs on one core."""
    tried, simulated, whole, parts = 0, 0.0, [], 0
    for shape in objects(count, seed):
        clouds = read_parts(shape)
        scene = part_scene(clouds)
        tried += sum(distinct_motions(found) for found in scene.candidates)
        parts += clouds.count
        start = time.perf_counter()
        for k, found in enumerate(scene.candidates):
            simulate_part(clouds, scene.shares, k, scene.base, found)
        simulated += time.perf_counter() - start
        start = time.perf_counter()
        predict_joints(find_parts(shape))
        whole.append(time.perf_counter() - start)
        step()
    rate, middle = tried / simulated, float(np.median(whole))
    row = [str(count), str(parts), f"{tried:,}", f"{rate:,.0f}", f"{middle:.2f}", f"{max(whole):.2f}"]
    return [row], {"candidates_per_s": rate, "object_s": middle, "object_s_most": max(whole)}


def objects(count: int, seed: int) -> Iterator[Shape]:
    """Generated objects of all families in turn, with MIN_PARTS to MAX_PARTS parts."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        for generator in generators().values():
            shape = generator(rng)
            if MIN_PARTS <= len(shape.part_names) <= MAX_PARTS and made < count:
                made += 1
                yield shape
