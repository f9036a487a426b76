"""Regions around a patch: the nested groups that contain it, and how well they are set apart."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from neurok.articulation.parts.division import grouped, merges
from neurok.articulation.parts.patch_scores import PatchScores
from neurok.articulation.parts.regions import MAX_SHARE, regions_around

BODY = np.repeat([0, 1, 2], [4, 6, 10])


def scores_of(between: float) -> PatchScores:
    """Patches of a body belong together with log-odds 2; those of bodies 0 and 1 with `between`; else −3."""
    odds = np.full((20, 20), -3.0)
    odds[np.isin(BODY, [0, 1])[:, None] & np.isin(BODY, [0, 1])] = between
    odds[BODY[:, None] == BODY] = 2.0
    return PatchScores(odds, np.full((20, 20), 1 / 400))


def test_regions_are_nested_and_contain_the_place():
    regions = regions_around(5, scores_of(-1.0), np.full(20, 0.05))
    assert all(r.member[5] for r in regions) and regions[-1].share <= MAX_SHARE
    pairs = list(pairwise(regions))
    assert pairs and all((~a.member | b.member).all() and b.share > a.share for a, b in pairs)


def test_the_body_around_a_place_is_set_apart_best():
    best = max(regions_around(5, scores_of(-3.0), np.full(20, 0.05)), key=lambda region: region.contrast)
    assert np.array_equal(np.flatnonzero(best.member), np.flatnonzero(BODY == 1))
    assert best.inside == pytest.approx(2.0)
    assert (best.across, best.onward) == pytest.approx((-3.0, -3.0))


def test_merges_go_on_to_one_group_and_grouping_stops_where_odds_turn_negative():
    scores, none = scores_of(1.0), np.zeros((20, 20))
    found = list(merges(np.arange(20), scores.odds, scores.weight, none))
    assert len(found) == 19 and [m.odds for m in found] == sorted((m.odds for m in found), reverse=True)
    group = grouped(scores.odds, scores.weight, none, np.zeros(20, bool))
    assert np.array_equal(group, (BODY == 2).astype(int))
