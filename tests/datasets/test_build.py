"""Builds are parallel, deterministic, resumable, and list skipped objects."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import trimesh

from neurok.assets import SHIPPED
from neurok.datasets.build import JOURNAL, build
from neurok.datasets.jobs import Job
from neurok.datasets.record import Origin
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.export import save
from neurok.sequences import Sequence
from neurok.shapes import Shape


def cabinet_jobs(count: int) -> list[Job]:
    """The shipped cabinet, swept by different seeds."""
    path = str(SHIPPED["cabinet"])
    return [
        Job(
            Origin(f"tests/cabinet_{k:03d}", "cabinet", "articulated", "Apache-2.0", "tests"),
            "mechanism",
            path,
            seed=k,
        )
        for k in range(count)
    ]


def content(folder) -> dict[str, bytes]:
    """Content of every file of a store except the journal, whose order is that of completion."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != JOURNAL
    }


@pytest.mark.slow
def test_same_store_for_any_number_of_workers(tmp_path):
    jobs = cabinet_jobs(4)
    build(jobs, tmp_path / "one", workers=1)
    build(list(reversed(jobs)), tmp_path / "two", workers=2)
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.slow
def test_goes_on_after_a_kill_and_ends_the_same(tmp_path):
    jobs = cabinet_jobs(4)
    whole = build(jobs, tmp_path / "whole")
    build(jobs[:2], tmp_path / "cut")
    journal = tmp_path / "cut" / JOURNAL
    journal.write_text(journal.read_text() + '{"name": "tests/cab')  # an incomplete line
    made = []
    report = build(jobs, tmp_path / "cut", step=lambda outcome: made.append(outcome.name))
    assert made == [job.origin.name for job in jobs[2:]], "what was finished is not made again"
    assert report.frames == whole.frames
    assert content(tmp_path / "cut") == content(tmp_path / "whole")


def test_a_changed_job_is_made_again(tmp_path):
    jobs = cabinet_jobs(2)
    build(jobs, tmp_path)
    made = []
    build([jobs[0], replace(jobs[1], frames=12)], tmp_path, step=lambda o: made.append(o.name))
    assert made == [jobs[1].origin.name]
    assert Store.open(tmp_path).entries[1].frames == 12


def test_what_cannot_be_recorded_is_skipped_with_its_reason(tmp_path):
    (tmp_path / "broken.urdf").write_text("<robot")
    (tmp_path / "still.urdf").write_text(
        '<robot name="s"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link>'
        "</robot>"
    )
    bad = [
        Job(
            Origin(f"tests/{name}", name, "articulated", "x", "tests"),
            "mechanism",
            str(tmp_path / f"{name}.urdf"),
        )
        for name in ("broken", "still", "missing")
    ]
    report = build([*cabinet_jobs(1), *bad], tmp_path / "store")
    assert len(report.entries) == 1
    assert report.skipped["tests/still"] == "nothing in it moves"
    assert "does not exist" in report.skipped["tests/missing"]
    assert "tests/broken" in report.skipped


def test_clips_with_another_order_of_vertices_are_left_out(tmp_path):
    ball = trimesh.creation.icosphere(subdivisions=2)
    shape, order = Shape(ball.vertices, ball.faces), np.random.default_rng(0).permutation(len(ball.vertices))
    whole = Sequence(shape, np.stack([shape.vertices, 1.3 * shape.vertices]), name="grow")
    torn = Sequence(shape, np.stack([shape.vertices[order]] * 2), name="torn")
    for name, clips in (("some", [whole, torn]), ("none", [torn])):
        save(clips, tmp_path / f"{name}.glb")
    jobs = [
        Job(Origin(f"tests/{n}", n, "animated", "x", "tests"), "sequence", str(tmp_path / f"{n}.glb"))
        for n in ("some", "none")
    ]
    report = build(jobs, tmp_path / "store")
    assert [(entry.name, entry.clips) for entry in report.entries] == [("tests/some", 1)]
    assert "different orders of vertices" in report.skipped["tests/none"]


def test_two_objects_of_one_name_are_refused(tmp_path):
    with pytest.raises(InputError, match="two objects have the name"):
        build(cabinet_jobs(1) * 2, tmp_path)


def test_the_journal_says_what_became_of_every_job(tmp_path):
    build(cabinet_jobs(2), tmp_path)
    lines = [json.loads(line) for line in (tmp_path / JOURNAL).read_text().splitlines()]
    assert [line["name"] for line in lines] == ["tests/cabinet_000", "tests/cabinet_001"]
    assert all(line["entry"] and not line["skipped"] for line in lines)


def test_a_store_of_an_older_format_is_made_again(tmp_path, monkeypatch):
    jobs = cabinet_jobs(1)
    build(jobs, tmp_path)
    monkeypatch.setattr("neurok.datasets.build.VERSION", 0)
    made = []
    build(jobs, tmp_path, step=lambda outcome: made.append(outcome.name))
    assert made == ["tests/cabinet_000"]
