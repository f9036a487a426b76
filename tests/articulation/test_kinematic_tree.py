"""The most likely tree of parts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Float

from neurok.articulation.kinematic_tree import ancestors, likely_parents, subtree


def test_a_chain_is_found():
    likely = np.log(np.array([[0.01, 0.1, 0.1, 0.8], [0.8, 0.01, 0.1, 0.1], [0.1, 0.8, 0.01, 0.1]]))
    parents = likely_parents(likely, np.array([False, True, True]))
    assert parents.tolist() == [3, 0, 1]
    assert subtree(parents, 1).tolist() == [1, 2]
    assert ancestors(parents, 2) == [2, 1, 0]


@given(st.integers(2, 8), st.integers(0, 10_000))
def test_every_part_reaches_the_world_and_what_moves_is_carried(count, seed):
    rng = np.random.default_rng(seed)
    likely: Float[np.ndarray, "k k1"] = rng.normal(size=(count, count + 1)) * 3
    moves = rng.random(count) < 0.7
    moves[rng.integers(count)] = False
    parents = likely_parents(likely, moves)
    for part in range(count):
        at, steps = part, 0
        while at != count:
            at, steps = parents[at], steps + 1
            assert steps <= count
    assert not (parents[moves] == count).any()
