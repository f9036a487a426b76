"""Surfaces are shown in part: some of their patches, or without one of their bodies."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import locker
from neurok.articulation.parts.patch_batches import batch_of_patches
from neurok.datasets.patch_examples import fused_example
from neurok.shapes import Joint, JointTree, Link
from neurok.training.patches import PatchesData, some_patches, without_a_body


@pytest.fixture(scope="module")
def example():
    joints = (Joint("hinge", "revolute", "body", "door"), Joint("turn", "revolute", "door", "knob"))
    made = fused_example(
        locker().with_(joints=JointTree(tuple(Link(n) for n in ("body", "door", "knob")), joints))
    )
    return {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in made.items()}


def test_links_of_shown_patches_join_the_same_places(example):
    kept = np.sort(np.random.default_rng(0).permutation(len(example["piece"]))[:40])
    fewer = some_patches(example, kept)
    assert np.array_equal(fewer["centres"], example["centres"][kept])
    wanted = {tuple(pair) for pair in example["links"].tolist() if np.isin(pair, kept).all()}
    assert wanted and {tuple(kept[pair]) for pair in fewer["links"]} == wanted
    assert batch_of_patches([fewer]).links.shape[1:3] == (40, 40)


def test_one_body_is_left_out_while_two_remain(example):
    bodies = set(np.unique(example["part"]))
    fewer = without_a_body(example, np.random.default_rng(1))
    assert len(bodies - set(np.unique(fewer["part"]))) == 1
    fewest = without_a_body(fewer, np.random.default_rng(1))
    assert len(fewest["part"]) == len(fewer["part"])


def test_shares_of_the_forms_are_one_in_all():
    assert sum(PatchesData(fused=0.4, rigid=0.1, soft=0.1).shares.values()) == pytest.approx(1)
    assert PatchesData(fused=0.4, rigid=0.1, soft=0.1).shares["own"] == pytest.approx(0.4)
