"""Fronts open outwards about the named edge, away from their grip, however they meet the carcass."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from neurok.objects.kit.casework import EDGES, Casework
from neurok.objects.kit.fits import Fit, draw_carcass, draw_fit, hinge_front, slide_front, split
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.placing import turned

SEEDS = range(300)


def fits() -> list[tuple[Fit, bool]]:
    solid = [bool(seed % 4 == 0) for seed in SEEDS]
    return [
        (draw_fit(np.random.default_rng(seed), 0.02, is_solid=s), s)
        for seed, s in zip(SEEDS, solid, strict=True)
    ]


def test_fronts_are_inset_or_overlaid_apart_in_touch_and_sunk():
    clearances = {True: [], False: []}
    for fit, _ in fits():
        clearances[fit.is_inset].append(fit.gap if fit.is_inset else fit.out)
    assert min(map(len, clearances.values())) > 60
    for clearance in map(np.array, clearances.values()):
        assert (clearance < 0).mean() > 0.1 and (clearance > 0.0008).mean() > 0.1
    assert not any(fit.is_inset for fit, is_solid in fits() if is_solid)


@pytest.mark.parametrize("side", EDGES)
def test_a_front_opens_outwards_about_its_edge_and_its_grip_is_opposite(side):
    dx, dz = EDGES[side]
    for seed in range(12):
        case = Casework(np.random.default_rng(seed), "box", "body")
        bay, is_solid = draw_carcass(case, (0.6, 0.4, 0.7), 0.02)
        fit = draw_fit(case.rng, 0.02, is_solid=is_solid, grips=("pull",), styles=("flat",))
        hinge_front(case, fit, "door", fit.cover(bay), side, 1.5)
        joint = case.made.joints[-1]
        grip = np.concatenate([piece.vertices for piece in case.fittings[-1][2]]).mean(0)
        towards = grip - joint.at
        assert towards[0] * dx + towards[2] * dz < -0.4, (seed, towards)
        leaf = next(piece for link, piece in case.made.pieces if link == "door")
        opened = turned(leaf, joint.axis, joint.upper, joint.at)
        assert opened.vertices[:, 1].min() < bay.y - 0.5, seed


def test_a_drawer_comes_out_and_only_a_hollow_body_gives_it_a_tray():
    for is_solid in (False, True):
        case = Casework(np.random.default_rng(0), "box", "body")
        case.is_solid = is_solid
        slide_front(
            case, draw_fit(case.rng, 0.02, is_solid=True), "drawer", Bay(0, 0.2, 0.4, 0.15, -0.3), 0.4, 0.5
        )
        depth = np.ptp(np.concatenate([piece.vertices[:, 1] for _, piece in case.made.pieces]))
        assert (depth < 0.05) == is_solid
        assert np.allclose(case.made.joints[0].axis, (0, -1, 0)) and case.made.joints[0].upper == 0.2


def test_fronts_side_by_side_fill_their_width_and_keep_their_gaps():
    parts = split(Bay(0.1, 0.0, 1.0, 0.5, 0.0), [1, 2, 3], 0.004)
    assert [p.w for p in parts] == pytest.approx(np.array([1, 2, 3]) / 6 * 0.992)
    ends = [(p.x - p.w / 2, p.x + p.w / 2) for p in parts]
    assert ends[0][0] == pytest.approx(-0.4) and ends[-1][1] == pytest.approx(0.6)
    assert [b[0] - a[1] for a, b in pairwise(ends)] == pytest.approx([0.004, 0.004])
