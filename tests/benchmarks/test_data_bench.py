"""The benchmarks of reading and building, at a small size."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from neurok.benchmarks.data import BUILDING, READING, measure_building, measure_reading
from neurok.datasets.build import build
from neurok.datasets.record import Origin, Recording
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import write_index, write_recording
from neurok.sequences import Sequence
from neurok.shapes import Shape


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """A new process gives separate figures for memory and time; `neurok bench` in the docs starts it."""
    for name in ("in_new_process", "stream_from_new_process"):
        monkeypatch.setattr(f"neurok.benchmarks.data.{name}", lambda work, *arguments: work(*arguments))


def test_reading_is_measured_in_pairs_and_bytes(tmp_path):
    mesh = trimesh.creation.icosphere(subdivisions=2)
    shape = Shape(mesh.vertices, mesh.faces)
    recording = Recording(
        Origin("ball", "ball", "elastic", "CC0-1.0", "made up"),
        (Sequence(shape, np.stack([mesh.vertices, 1.1 * mesh.vertices])),),
    )
    write_index(tmp_path, [write_recording(tmp_path, recording)])
    counts = []
    rows, figures = measure_reading(tmp_path, pairs=65, first=20, step=counts.append)
    assert counts == [20, 40, 60, 65] and [row[0] for row in rows] == ["20", "65"]
    assert {len(row) for row in rows} == {len(READING)} and rows[0][2] == "–"
    assert figures["pairs_per_s_per_core"] > 0
    assert 0.9 < figures["memory_growth_ratio"] < 1.5


@pytest.mark.slow
def test_building_is_measured_with_one_and_two_processes(monkeypatch):
    """`tests/datasets/test_build.py` builds with two; here it is enough that two are asked for."""
    asked = []
    monkeypatch.setattr(
        "neurok.benchmarks.data.build",
        lambda jobs, folder, workers: asked.append(workers) or build(jobs, folder),
    )
    rows, figures = measure_building(generator_jobs(2, 0, 0, 8))
    assert [row[:2] for row in rows] == [["1", "2"], ["2", "2"]] and len(rows[0]) == len(BUILDING)
    assert asked == [1, 2] and figures["build_scaling_2_processes"] > 0
