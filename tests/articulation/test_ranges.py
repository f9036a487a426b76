"""Lengths of ranges maximise the expected overlap."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.articulation.ranges import (
    LENGTHS,
    SLIDE_LENGTHS,
    TURN_LENGTHS,
    best_length,
    joint_range,
    length_class,
)


@pytest.mark.parametrize("centres", [TURN_LENGTHS, SLIDE_LENGTHS])
def test_a_length_is_in_the_class_of_its_centre(centres):
    classes = length_class(torch.tensor(centres * 1.02), centres)
    assert classes.tolist() == list(range(LENGTHS))


def test_the_best_length_lies_between_two_that_are_as_likely_and_is_the_sure_one_where_one_is_sure():
    sure = np.eye(LENGTHS)[3]
    assert best_length(sure, TURN_LENGTHS) == TURN_LENGTHS[3]
    torn = np.zeros(LENGTHS)
    torn[[2, 4]] = 0.5
    assert TURN_LENGTHS[2] <= best_length(torn, TURN_LENGTHS) <= TURN_LENGTHS[4]


@pytest.mark.parametrize(
    ("free", "length", "one_way", "ahead", "limits"),
    [
        ((-0.2, 3.0), 1.5, 0.9, True, (0.0, 1.5)),
        ((-0.2, 3.0), 1.5, 0.9, False, (-1.5, 0.0)),
        ((-0.2, 1.0), 1.0, 0.1, True, (-0.5, 0.5)),  # both ways, alike
        ((0.0, 0.0), 0.7, 0.9, True, (0.0, 0.7)),  # nothing is free: the likely length stands
        ((-0.4, 0.3), np.inf, 0.0, True, (-0.4, 0.3)),  # nothing is known: as far as it is free
    ],
)
def test_limits(free, length, one_way, ahead, limits):
    np.testing.assert_allclose(joint_range(*free, length, one_way, ahead), limits, atol=1e-12)
