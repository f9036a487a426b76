"""Splits hold out whole categories, are stable, and share nothing between training and test."""

from __future__ import annotations

import pytest

from neurok.datasets.jobs import Job
from neurok.datasets.record import Origin
from neurok.datasets.sources import folder_jobs
from neurok.datasets.splits import leaks, split_of


def origin(name: str, category: str = "thing") -> Origin:
    return Origin(name, category, "articulated", "x", "tests")


COLLECTIONS = ("animated_free", "animated_sharealike", "articulated_real", "articulated_synthetic", "static")


@pytest.fixture(scope="module")
def jobs(data_dir) -> list[Job]:
    others = tuple(f"{path.name}/*" for path in data_dir.iterdir() if path.name not in COLLECTIONS)
    return folder_jobs(data_dir, seed=0, frames=8, leave_out=others)


@pytest.mark.slow
def test_what_may_not_be_trained_on_never_is(jobs):
    for job in jobs:
        collection = job.origin.name.partition("/")[0]
        if collection in ("articulated_real", "animated_sharealike"):
            assert split_of(job.origin) != "train", job.origin.name
        assert collection != "static"


def test_tested_categories_are_not_trained_on(jobs):
    jobs = [j for j in jobs if j.origin.name.startswith("articulated_synthetic/")]
    categories = {
        split: {j.origin.category for j in jobs if split_of(j.origin) == split} for split in ("train", "test")
    }
    assert not categories["train"] & categories["test"]
    assert len(categories["test"]) == 35
    share = sum(split_of(j.origin) == "train" for j in jobs) / len(jobs)
    assert 0.7 < share < 0.8


def test_every_object_of_the_collections_is_listed_by_name(jobs):
    from neurok.datasets.splits import _listed

    for job in jobs:
        assert any(_listed(split).matches(job.origin.name) for split in ("train", "validation", "test"))


def test_generated_categories_are_held_out_whole():
    assert split_of(origin("generated/scissors/000001")) == "test"
    assert split_of(origin("generated/laptop/000777")) == "validation"
    assert split_of(origin("generated/door/000001")) == "train"


def test_unlisted_collections_are_split_by_category():
    splits = {k: {split_of(origin(f"mine/{k}_{i}", f"category_{k}")) for i in range(5)} for k in range(200)}
    assert all(len(found) == 1 for found in splits.values())
    every = [found.pop() for found in splits.values()]
    assert 0.65 < every.count("train") / len(every) < 0.95
    assert every.count("test") > 5


def test_shared_topology_is_found_and_only_the_easier_side_is_named():
    split = {"a": "train", "b": "test", "c": "validation", "d": "train", "e": "test"}
    topology = {"a": "t1", "b": "t1", "c": "t1", "d": "t2", "e": "t3"}
    assert leaks(split, topology) == {"a": "b", "c": "b"}
