"""The measurement of reading, cut short."""

from __future__ import annotations

import numpy as np
import trimesh

from neurok.benchmarks.data import HEADER, run
from neurok.datasets.record import Origin, Recording
from neurok.datasets.store import write_index, write_recording
from neurok.sequences import Sequence
from neurok.shapes import Shape


def test_reading_is_measured_in_pairs_and_bytes(tmp_path):
    mesh = trimesh.creation.icosphere(subdivisions=2)
    shape = Shape(mesh.vertices, mesh.faces)
    recording = Recording(
        Origin("ball", "ball", "elastic", "CC0-1.0", "made up"),
        (Sequence(shape, np.stack([mesh.vertices, 1.1 * mesh.vertices])),),
    )
    write_index(tmp_path, [write_recording(tmp_path, recording)])
    rows, figures = run(tmp_path, pairs=60, first=20)
    assert [len(row) for row in rows] == [len(HEADER)] and rows[0][:3] == ["1", "1,024", "60"]
    assert figures["pairs_per_s_per_core"] > 0
    assert 0.9 < figures["memory_growth_ratio"] < 1.5
