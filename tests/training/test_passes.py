"""Mixture sampling keeps the shares and repeats no object within an epoch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurok.errors import InputError
from neurok.training.mixture_sampling import passes, pools, sample_group

NAMES = ["folder/a", "generated/b", "folder/c", "generated/d", "generated/e"]


def shares(annotated: float) -> list[tuple[list[int], float]]:
    return [(pool.tolist(), share) for pool, share in pools(NAMES, annotated)]


def test_annotated_and_generated_objects_get_their_shares():
    assert shares(0.25) == [([0, 2], 0.25), ([1, 3, 4], 0.75)]


def test_a_share_of_nothing_leaves_all_of_it_to_the_others():
    assert shares(0.0) == [([1, 3, 4], 1.0)]
    assert shares(1.0) == [([0, 2], 1.0)]


@pytest.mark.parametrize("name", ["folder/a", "generated/a"])
def test_a_store_of_one_kind_is_trained_on_alone(name):
    assert [share for _, share in pools([name], 0.3)] == [1.0]


def test_shares_that_nothing_can_fill_are_refused():
    with pytest.raises(InputError, match="no objects"):
        pools(["folder/a"], 0.0)
    with pytest.raises(InputError, match="from 0 to 1"):
        pools(NAMES, 1.5)


@given(annotated=st.floats(0.0, 1.0), size=st.integers(8, 64), group=st.integers(0, 20))
def test_every_group_is_full_and_keeps_the_share(annotated, size, group):
    names = [f"folder/{k}" for k in range(200)] + [f"generated/{k}" for k in range(300)]
    numbers = sample_group(pools(names, annotated), size, group, [5])
    assert len(numbers) == size
    assert abs(np.mean(numbers < 200) - annotated) <= 1 / size
    assert len(set(numbers.tolist())) == size or (group + 1) * size > 200


@given(size=st.integers(1, 40), passed=st.integers(0, 5), cut=st.integers(0, 200))
def test_every_pass_shows_each_once_however_it_is_cut(size, passed, cut):
    whole = passes(size, passed * size, size, [3, 1])
    assert sorted(whole.tolist()) == list(range(size))
    cut = min(cut, size)
    first, rest = (
        passes(size, passed * size, cut, [3, 1]),
        passes(size, passed * size + cut, size - cut, [3, 1]),
    )
    assert np.array_equal(np.concatenate([first, rest]), whole)


def test_passes_differ_from_each_other_and_by_the_seed():
    first, second = passes(30, 0, 30, [3, 1]), passes(30, 30, 30, [3, 1])
    assert not np.array_equal(first, second)
    assert not np.array_equal(first, passes(30, 0, 30, [4, 1]))
