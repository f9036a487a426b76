"""Part agreement in cases with known figures."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.assets import SHIPPED
from neurok.cli.main import run
from neurok.evaluation.articulation.parts import part_agreement


def agreement(found, true, area=None):
    return part_agreement(np.array(found), np.array(true), np.ones(len(found)) if area is None else area)


def test_the_same_parts_under_other_numbers_agree_perfectly() -> None:
    score = agreement([5, 5, 2, 9], [0, 0, 1, 2])
    assert (score.rand_index, score.matched, score.pure, score.whole) == pytest.approx((1, 1, 1, 1))


def test_everything_in_one_part_is_whole_but_not_pure() -> None:
    score = agreement([0, 0, 0, 0], [0, 0, 1, 1])
    assert (score.rand_index, score.matched, score.pure, score.whole) == pytest.approx((0, 0.5, 0.5, 1))


def test_a_large_face_weighs_more_than_a_small_one() -> None:
    found, true = [0, 0, 1], [0, 1, 1]
    small = agreement(found, true, np.array([1.0, 0.01, 1.0]))
    large = agreement(found, true, np.array([1.0, 1.0, 1.0]))
    assert small.rand_index > 0.95 > large.rand_index


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 20))
def test_splitting_a_face_in_two_changes_nothing(seed: int, faces: int) -> None:
    rng = np.random.default_rng(seed)
    found, true, area = rng.integers(0, 4, faces), rng.integers(0, 4, faces), rng.uniform(0.1, 5, faces)
    once = part_agreement(found, true, area)
    twice = part_agreement(np.repeat(found, 2), np.repeat(true, 2), np.repeat(area / 2, 2))
    assert once.rand_index == pytest.approx(twice.rand_index) and once.matched == pytest.approx(twice.matched)
    assert once.rand_index <= 1 + 1e-9 and once.matched <= min(once.pure, once.whole) + 1e-9


@pytest.mark.slow
def test_the_command_prints_the_agreement_beside_that_of_loose_pieces(tmp_path, capsys) -> None:
    shutil.copy(SHIPPED["cabinet"], tmp_path)
    written = tmp_path / "parts.json"
    assert (
        run(["eval", "articulation", "--data", str(tmp_path), "--found-parts", "3", "--json", str(written)])
        == 0
    )
    printed = capsys.readouterr().out
    assert "1 objects" in printed and "every loose piece" in printed
    result = json.loads(written.read_text())
    (row,) = result["rows"]
    found, loose = row["parts"]["found parts"], row["parts"]["every loose piece"]
    assert loose["pure"] == pytest.approx(1) and loose["found"] > loose["true"] == found["true"]
    assert result["figures"]["parts_rand_index"] == pytest.approx(found["rand_index"])
    assert f"parts_rand_index {found['rand_index']:.4g}" in printed
