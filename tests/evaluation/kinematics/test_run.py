"""Methods of the evaluation, and figures of their comparison."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neurok.evaluation.kinematics.compare import Comparison, Row
from neurok.evaluation.kinematics.freedom import Freedom, table
from neurok.evaluation.kinematics.keypoints import KeypointConfig, KeypointDeformer, save_deformer
from neurok.evaluation.kinematics.run import KEYPOINTS, LEARNED, Evaluation, figures, methods
from neurok.evaluation.metrics import Errors
from neurok.latent import NeuROK, save_model
from neurok.latent.config import ModelConfig


def row(name: str, method: str, chamfer: float) -> Row:
    return Row(name, name.partition("/")[0], method, 1, Errors(chamfer, chamfer, 0.5, chamfer, 0.0))


def test_the_keypoint_ratio_is_of_means_over_all_objects():
    rows = [row("a/x", LEARNED, 0.01), row("a/x", KEYPOINTS, 0.03), row("b/y", LEARNED, 0.03)]
    found = figures(Comparison([*rows, row("b/y", KEYPOINTS, 0.07)]), [])
    assert found["keypoint_over_ours"] == pytest.approx(0.05 / 0.02)
    assert "keypoint_over_ours" not in figures(Comparison([rows[0], rows[2]]), [])


def test_freedom_is_right_where_there_are_as_many_coordinates_as_joints():
    freedoms = [Freedom("door", 1, 1, True), Freedom("door", 1, 3, False)]
    assert figures(Comparison([]), freedoms)["dof_recovered_fraction"] == 0.5
    assert table(freedoms) == [["door", "2", "50%", "1.0", "2.0", "50%"]]
    assert "dof_recovered_fraction" not in figures(Comparison([]), [])


def test_confidence_is_worth_most_where_the_surer_is_the_better():
    found = [(0.9, 0.01), (0.5, 0.02), (0.2, 0.03)]

    def correlation(pairs):
        rows = [row(f"a/{k}", "no motion", 0.05) for k in range(len(pairs))]
        for k, (sure, chamfer) in enumerate(pairs):
            rows.append(replace(row(f"a/{k}", LEARNED, chamfer), about={"confidence": sure}))
        return figures(Comparison(rows), []).get("confidence_rank_correlation")

    assert correlation(found) == pytest.approx(1)
    assert correlation([(1 - sure, chamfer) for sure, chamfer in found]) == pytest.approx(-1)
    assert correlation(found[:2]) is None  # two objects are not enough


def test_oracles_are_marked_and_the_keypoint_cage_comes_with_its_weights(tmp_path):
    sizes = ModelConfig(width=8, heads=1, tokens=2, common=1)
    model = save_model(tmp_path / "model.safetensors", NeuROK(sizes).state_dict(), sizes)
    small = KeypointConfig(width=8)
    weights = save_deformer(tmp_path / "keypoints.safetensors", KeypointDeformer(small).state_dict(), small)
    names = set(methods(Evaluation(tmp_path, model, weights)))
    assert names - set(methods(Evaluation(tmp_path, model))) == {KEYPOINTS}
    assert {name for name in names if "oracle" in name} == {
        "principal components (oracle)",
        "autoencoder (oracle)",
    }
