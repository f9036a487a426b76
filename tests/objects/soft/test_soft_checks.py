"""The checks reject clips that are unfit for learning, and pass fast smooth motion."""

from __future__ import annotations

import numpy as np
import pytest
from soft_samples import flat_sheet, straight_bar, waving_sheet

from neurok.errors import Rejected
from neurok.objects.soft import checks, clips
from neurok.objects.soft.sheets import cloth_shape
from neurok.objects.soft.solver import Motion


def test_check_rejects_what_is_not_finite():
    rest, _ = flat_sheet()
    with pytest.raises(Rejected, match="finite"):
        checks.check_finite(np.where(np.arange(36)[:, None] == 7, np.nan, rest)[None])


@pytest.mark.parametrize(("factor", "passes"), [(1.04, True), (1.06, False), (0.8, True)])
def test_check_rejects_cloth_stretched_beyond_five_percent(factor, passes):
    rest, faces = flat_sheet()
    if passes:
        checks.check_cloth_stretch(factor * rest[None], rest, faces)
    else:
        with pytest.raises(Rejected, match="5 %"):
            checks.check_cloth_stretch(factor * rest[None], rest, faces)


def test_check_rejects_solids_that_swell_stretch_or_turn_inside_out():
    solid = straight_bar(3)
    rest, tetrahedra = solid.nodes, solid.tetrahedra
    checks.check_solid(np.stack([rest, 1.05 * rest]), rest, tetrahedra)
    one = rest.copy()
    one[0] += [0.3, 0, 0]  # past its neighbours
    for bad, why in ((1.2 * rest, "volume"), (3 * rest, "stretched"), (one, "inside out")):
        with pytest.raises(Rejected, match=why):
            checks.check_solid(bad[None], rest, tetrahedra)


def test_check_rejects_what_stays_put():
    rest, _ = flat_sheet()
    with pytest.raises(Rejected, match="hardly"):
        checks.check_moves(np.stack([rest, rest + 0.01]), rest)


def test_check_tells_a_dying_swing_from_a_lasting_one():
    rest, _ = flat_sheet()
    time = np.linspace(0, 10, 60)[:, None, None]
    checks.check_comes_to_rest(rest + np.exp(-0.5 * time) * np.sin(3 * time))
    with pytest.raises(Rejected, match="rest"):
        checks.check_comes_to_rest(rest + np.sin(3 * time))


def test_fast_smooth_waves_neither_jump_nor_jitter():
    rest, faces, moved = waving_sheet()
    assert np.linalg.norm(np.diff(moved, axis=0), axis=-1).max() > 0.15  # a tenth of its size in a frame
    checks.check_jumps(moved, rest, faces)
    checks.check_jitter(moved, rest, faces)
    shaken = moved + 0.1 * np.random.default_rng(0).normal(size=moved.shape)
    with pytest.raises(Rejected):
        checks.check_jitter(shaken, rest, faces)


def test_falling_fast_is_no_jump_but_teleporting_is():
    rest, faces, moved = waving_sheet()
    radius = checks.radius_of(rest)
    assert radius == pytest.approx(0.5**0.5)
    for step, passes in ((1.2, True), (1.8, False)):
        falling = moved - step * radius * np.arange(40)[:, None, None] * np.array([0.0, 0, 1])
        if passes:
            checks.check_jumps(falling, rest, faces)
        else:
            with pytest.raises(Rejected, match="jumps"):
                checks.check_jumps(falling, rest, faces)


def test_one_vertex_that_shoots_out_for_one_frame_is_a_jump():
    rest, faces, moved = waving_sheet()
    moved[17, 205] += [0.0, 0.0, 0.3]
    with pytest.raises(Rejected, match="jumps"):
        checks.check_jumps(moved, rest, faces)


@pytest.mark.parametrize("still", [False, True])
def test_noise_on_a_motion_is_jitter(still):
    """Through the clip, or only after it has come to lie still."""
    rest, faces, moved = waving_sheet()
    if still:
        moved[20:] = moved[20]
        checks.check_jitter(moved, rest, faces)
    noise = np.random.default_rng(0).normal(size=moved.shape) * (0.005 if still else 0.2)
    with pytest.raises(Rejected, match="jitters"):
        checks.check_jitter(moved + noise, rest, faces)


def test_every_clip_that_is_left_alone_long_enough_must_come_to_rest():
    rest, faces, _ = waving_sheet()
    shape = cloth_shape(np.random.default_rng(0), rest, faces, "sheet")
    time = np.arange(40)[:, None, None] / 20  # two seconds
    sway = np.array([0.0, 0, 0.2]) * rest[:, :1] * np.sin(6 * time)
    lasting, dying = rest + sway, rest + sway * np.exp(-2 * time)
    for ends, moved, passes in ((1.0, dying, True), (1.0, lasting, False), (1.3, lasting, True)):
        motion = Motion(moved, np.zeros((40, 0, 3, 4)), 20.0, ends)
        if passes:
            assert len(clips.checked_clip(shape, moved, motion, "sway")) == 40
        else:
            with pytest.raises(Rejected, match="come to rest"):
                clips.checked_clip(shape, moved, motion, "sway")
