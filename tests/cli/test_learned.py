"""Commands of the learned space end to end, on shipped meshes with a small model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import trimesh
from PIL import Image

from neurok.assets import SHIPPED
from neurok.cli.main import run
from neurok.datasets.build import build
from neurok.datasets.sources import generator_jobs
from neurok.kinematics.inverse import FitConfig
from neurok.latent import ModelConfig, NeuROK, save_model
from neurok.sequences.load import load_sequences
from neurok.shapes.load import load_shape

CABINET = str(SHIPPED["cabinet"])


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> Path:
    """Weights of an untrained model, in which near points move together."""
    torch.manual_seed(0)
    config = ModelConfig(width=32, heads=2, tokens=8, shape_blocks=2, decoder_blocks=1)
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    return save_model(path, NeuROK(config).state_dict(), config)


@pytest.mark.slow
def test_sample_writes_sheets_and_animations(weights, tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["sample", CABINET, "--kinematics", "latent", "--model", str(weights), "-o", str(out),
                 "--count", "3", "--max-coordinates", "4"]  # fmt: skip
    assert run([*arguments, "--json", str(tmp_path / "s.json")]) == 0
    names = ["coordinates.glb", "coordinates.png", "samples.glb", "samples.png"]
    assert sorted(p.name for p in out.iterdir()) == names
    assert "latent coordinates" in capsys.readouterr().out
    (clip,) = load_sequences(out / "samples.glb")
    assert clip.travel > 0.01 * clip.shape.normalisation.radius
    figures = json.loads((tmp_path / "s.json").read_text())
    assert 1 <= len(figures["coordinates"]) <= 4
    assert sum(figures["share_of_motion"]) == pytest.approx(1.0)
    before = {name: (out / name).read_bytes() for name in names}
    assert run(arguments) == 0
    assert {name: (out / name).read_bytes() for name in names} == before


def test_pose_sweeps_learned_coordinates(weights, tmp_path, capsys):
    out = tmp_path / "sweep.glb"
    arguments = ["pose", CABINET, "--kinematics", "latent", "-o", str(out), "--seconds", "0.2"]
    assert run([*arguments, "--model", str(tmp_path / "none.safetensors")]) == 2
    assert "none.safetensors" in capsys.readouterr().err and not out.exists()
    assert run([*arguments, "--model", str(weights)]) == 0
    assert "latent coordinates" in capsys.readouterr().out and out.is_file()


@pytest.mark.slow
def test_fit_reads_a_cloud_and_writes_the_mesh(weights, tmp_path, capsys):
    shape = load_shape(CABINET)
    trimesh.Trimesh(shape.vertices, shape.faces, process=False).export(tmp_path / "cabinet.ply")
    np.save(tmp_path / "seen.npy", shape.vertices + 0.05)
    arguments = ["fit", str(tmp_path / "cabinet.ply"), str(tmp_path / "seen.npy"), "--starts", "2"]
    learned = ["--kinematics", "latent", "--model", str(weights)]
    assert run([*arguments, *learned, "-o", str(tmp_path / "fitted.ply")]) == 0
    assert (tmp_path / "fitted.ply").is_file()
    assert "without correspondence" in capsys.readouterr().out
    assert run(["fit", str(tmp_path / "cabinet.ply")]) == 2
    assert "target" in capsys.readouterr().err


def test_fit_finds_the_joints_of_a_mechanism(tmp_path, capsys):
    """Drags the door to its position at 0.8 rad."""
    from neurok.kinematics import JointKinematics

    kinematics = JointKinematics(load_shape(CABINET))
    q = kinematics.rest.clone()
    q[kinematics.names.index("door_hinge")] = 0.8
    moved = kinematics.positions(q).numpy()
    corner = int(np.linalg.norm(moved - kinematics.shape.vertices, axis=1).argmax())
    place = ",".join(str(x) for x in moved[corner])
    assert run(["fit", CABINET, "--drag", f"{corner}={place}", "--json", "-"]) == 0
    pose = json.loads(capsys.readouterr().out)["pose"]
    assert abs(pose["door_hinge"] - 0.8) < 0.05 and abs(pose["lid_hinge"]) < 0.02


@pytest.mark.slow
def test_eval_compares_methods_on_held_out_objects(weights, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("neurok.evaluation.kinematics.run.FitConfig", lambda: FitConfig(starts=2, steps=6))
    build(generator_jobs(12, 0, seed=5, frames=8), tmp_path / "store")
    arguments = ["eval", "kinematics", "--data", str(tmp_path / "store"), "--model", str(weights)]
    page, config = tmp_path / "page", ModelConfig(width=32, heads=2, tokens=8, decoder="attention")
    attention = save_model(tmp_path / "attention.safetensors", NeuROK(config).state_dict(), config)
    more = ["--objects", "1", "--poses", "1", "--freedom", "1", "--max-coordinates", "8", "--workers", "1",
            "--pictures", str(page), "--json", str(tmp_path / "e.json"),
            "--ablations", f"other decoder={attention}"]  # fmt: skip
    assert run([*arguments, *more]) == 0
    assert "no motion" in capsys.readouterr().out
    assert run([*arguments, "--ablations", "none=such.safetensors"]) == 2
    data = json.loads((tmp_path / "e.json").read_text())
    by_method = {row["method"]: row["errors"]["chamfer_l1"] for row in data["rows"]}
    assert by_method["principal components (oracle)"] < by_method["no motion"]
    assert data["figures"]["static_chamfer_l1"] == pytest.approx(by_method["no motion"])
    errors = {name: found["error"] for name, found in data["decoders"].items()}
    assert errors.keys() == {"other decoder", "learned"} and all(0 < e < 1 for e in errors.values())
    (strip,) = page.glob("*.png")
    assert strip.name in (page / "index.html").read_text()
    assert Image.open(strip).width > 7 * 200  # rest, target, and five methods
