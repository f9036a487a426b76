"""`neurok eval io` finds objects and reports their loading and poses."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import trimesh

from neurok.assets import SHIPPED
from neurok.cli.main import run
from neurok.datasets.sources import find_objects
from neurok.evaluation.io import evaluate, summarise


def test_meshes_of_a_description_are_not_objects_and_loose_ones_are(tmp_path):
    (tmp_path / "robot").mkdir()
    (tmp_path / "loose").mkdir()
    shutil.copy(SHIPPED["cabinet"], tmp_path / "robot" / "cabinet.urdf")
    trimesh.creation.box().export(tmp_path / "robot" / "part.obj")
    trimesh.creation.box().export(tmp_path / "loose" / "box.obj")
    found = [p.relative_to(tmp_path).as_posix() for p in find_objects(tmp_path)]
    assert found == ["loose/box.obj", "robot/cabinet.urdf"]


def test_reports_what_loaded_what_was_refused_and_why(tmp_path, capsys):
    shutil.copy(SHIPPED["cabinet"], tmp_path / "cabinet.urdf")
    (tmp_path / "broken.glb").write_bytes(b"nothing")
    assert run(["eval", "io", "--data", str(tmp_path), "--json", str(tmp_path / "r.json")]) == 0
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["figures"]["objects_loaded"] == 1
    assert report["figures"]["objects_refused"] == 1
    assert report["figures"]["fk_vs_mujoco_max"] < 1e-9
    assert list(report["refused"]) == ["broken.glb"]
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[1:4] for row in rows if row[:1] == ["all"]] == [["1", "1", "1"]]


@pytest.mark.slow
def test_a_spread_of_mechanisms_moves_as_in_mujoco(data_dir):
    """The summary of `neurok eval io --data`."""
    real = find_objects(data_dir / "articulated_real")[::16]
    synthetic = sorted((data_dir / "articulated_synthetic").glob("*/model.urdf"))[::300]
    rows = evaluate([*real, *synthetic], poses=3)
    summary = summarise(rows, data_dir)
    assert summary.figures["mechanisms_compared"] > 12
    assert summary.figures["fk_vs_mujoco_max"] < 1e-6
    assert not [r for r in rows if r.path in synthetic and r.refused]
    assert all(np.isfinite(r.pose_error) for r in rows if r.pose_error is not None)
