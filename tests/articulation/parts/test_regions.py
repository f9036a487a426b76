"""Regions around a push: groups that contain the place, likely sets, the whole, and their numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from neurok.articulation.parts.division import grouped, merges
from neurok.articulation.parts.patch_scores import PatchScores
from neurok.articulation.parts.regions import (
    ALONE,
    MAX_SHARE,
    UNMERGED,
    PushedSurface,
    numbers_of,
    regions_around,
)

BODY = np.repeat([0, 1, 2], [4, 6, 10])
LINKS = np.array([(k, k + 1) for k in range(19)])
SHARE = np.full(20, 0.05)


def scores_of(between: float) -> PatchScores:
    """Patches of a body belong together with log-odds 2; those of bodies 0 and 1 with `between`; else −3."""
    odds = np.full((20, 20), -3.0)
    odds[np.isin(BODY, [0, 1])[:, None] & np.isin(BODY, [0, 1])] = between
    odds[BODY[:, None] == BODY] = 2.0
    return PatchScores(odds, np.full((20, 20), 1 / 400))


def seen(between: float, moves=None) -> PushedSurface:
    """A push on patch 5, of body 1."""
    odds = np.where(BODY == 1, 1.0, -1.0) if moves is None else moves
    return PushedSurface(5, SHARE, LINKS, odds, scores_of(between), scores_of(between))


def members(regions, source):
    return [r.member for r in regions if r.source == source]


@pytest.mark.parametrize("source", ["surface", "push"])
def test_groups_are_nested_and_contain_the_place(source):
    groups = members(regions_around(seen(-1.0)), source)
    assert all(g[5] for g in groups) and SHARE[groups[-1]].sum() <= MAX_SHARE
    pairs = list(pairwise(groups))
    assert pairs and all((~a | b).all() and b.sum() > a.sum() for a, b in pairs)
    assert any(np.array_equal(g, BODY == 1) for g in groups)


def test_the_body_around_a_place_holds_together_best():
    surface = seen(-3.0)
    groups = [r for r in regions_around(surface) if r.source == "surface"]
    best = max(groups, key=lambda region: numbers_of(region, surface)[8])
    assert np.array_equal(best.member, BODY == 1)
    inside, across = numbers_of(best, surface)[[4, 5]]
    assert (inside, across) == pytest.approx((2.0, -3.0))


def test_likely_sets_leave_out_what_is_not_connected_to_the_place():
    moves = np.where(np.isin(np.arange(20), [4, 5, 6, 15, 16]), 4.0, -4.0)
    sets = members(regions_around(seen(-1.0, moves)), "level")
    assert all(np.array_equal(np.flatnonzero(s), [4, 5, 6]) for s in sets[:-1])
    assert sets[-1].all()


def test_the_expected_overlap_is_that_of_independent_patches_to_first_order():
    surface = seen(-1.0, np.log(np.full(20, 3.0)))  # each moves with probability 3/4, the pushed one for sure
    half = np.arange(20) < 10
    assert surface.overlap(half) == pytest.approx((9 * 0.75 + 1) / (10 + 10 * 0.75))
    assert surface.overlap(np.ones(20, bool)) == pytest.approx((19 * 0.75 + 1) / 20)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_outside_the_whole_surface_nothing_moves(kind):
    share = np.random.default_rng(0).random(20).astype(kind)
    surface = replace(seen(-1.0), share=share / share.sum())
    whole = regions_around(surface)[-1]
    numbers = numbers_of(whole, surface)
    assert whole.member.all() and np.isfinite(numbers).all()
    assert (numbers[3], numbers[5], numbers[7]) == (UNMERGED, ALONE, ALONE)


def test_a_rest_without_area_counts_as_none():
    share = np.where(np.arange(20) < 19, 1 / 19, 0.0)
    surface = replace(seen(-1.0), share=share)
    numbers = [numbers_of(region, surface) for region in regions_around(surface)]
    assert np.isfinite(numbers).all()


def test_merges_go_on_to_one_group_and_grouping_stops_where_odds_turn_negative():
    scores, none = scores_of(1.0), np.zeros((20, 20))
    found = list(merges(np.arange(20), scores.odds, scores.weight, none))
    assert len(found) == 19 and [m.odds for m in found] == sorted((m.odds for m in found), reverse=True)
    group = grouped(scores.odds, scores.weight, none, np.zeros(20, bool))
    assert np.array_equal(group, (BODY == 2).astype(int))
