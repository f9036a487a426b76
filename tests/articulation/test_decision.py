"""Kinds of joints chosen from the scores of the networks."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from carpentry import board, locker
from neurok.articulation.articulation import JointHint
from neurok.articulation.choice import choose_joints
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import networks, parts_batch, score
from neurok.articulation.features import part_scene
from neurok.articulation.simulator import simulate_parts
from neurok.shapes.shape import concatenate


@pytest.fixture(scope="module")
def scored():
    """A scene of three parts without copies, and its scores."""
    scene = part_scene(read_parts(locker()))
    return scene, score(parts_batch(scene, simulate_parts(scene)), networks(None))


def kind_scores(stands) -> torch.Tensor:
    """Scores under which parts are fixed with these probabilities, and turn otherwise."""
    likely = np.array([[p, 0.9 * (1 - p), 0.1 * (1 - p), 1e-9] for p in stands])
    return torch.tensor(np.log(likely))[None]


def kinds(scored, stands: list[float], hints=None) -> list[str]:
    """Chosen kinds if parts are fixed with these probabilities, and turn otherwise."""
    scene, scores = scored
    chosen, _ = choose_joints(scene, scores._replace(kind=kind_scores(stands)), hints or {})
    return [c.kind for c in chosen]


def test_each_part_has_its_likeliest_kind_if_some_move(scored) -> None:
    assert kinds(scored, [0.9, 0.2, 0.6]) == ["fixed", "revolute", "fixed"]


def test_if_all_parts_seem_to_move_one_is_fixed(scored) -> None:
    assert kinds(scored, [0.1, 0.1, 0.1]).count("fixed") == 1


def test_if_it_is_unlikely_that_all_are_fixed_the_likeliest_moves(scored) -> None:
    assert kinds(scored, [0.7, 0.65, 0.8]) == ["fixed", "revolute", "fixed"]
    assert kinds(scored, [0.9, 0.7, 0.9]) == ["fixed", "fixed", "fixed"]


def test_parts_fixed_by_the_user_do_not_make_others_move(scored) -> None:
    fixed = {k: JointHint("fixed") for k in (1, 2)}
    assert kinds(scored, [0.7, 0.65, 0.8], fixed) == ["fixed", "fixed", "fixed"]
    assert kinds(scored, [0.7, 0.65, 0.6], {1: JointHint("fixed")}) == [
        "fixed",
        "fixed",
        "revolute",
    ]


def test_a_push_explains_what_moves_so_that_nothing_else_must(scored) -> None:
    scene, scores = scored
    pushed = scores._replace(
        kind=kind_scores((0.95, 0.55, 0.9)), parent=torch.tensor(np.eye(4)[[3, 0, 0]] * 50)[None]
    )
    chosen, _ = choose_joints(scene, pushed, moved=[2])
    assert [c.kind for c in chosen] == ["fixed", "fixed", "revolute"]


def test_only_turning_parts_are_refined(scored, monkeypatch) -> None:
    scene, scores = scored
    kind = torch.tensor(np.log([[0.9, 0.09, 0.01, 1e-9], [0.1, 0.8, 0.1, 1e-9], [0.1, 0.1, 0.8, 1e-9]]))[None]
    before, _ = choose_joints(scene, scores._replace(kind=kind))
    monkeypatch.setattr("neurok.articulation.choice.refined_pivot", lambda axis, pivot, *_: np.full(3, 7.0))
    after, _ = choose_joints(scene, scores._replace(kind=kind))
    assert [c.kind for c in after] == ["fixed", "revolute", "prismatic"]
    assert (after[1].pivot == 7.0).all()
    assert all((after[k].pivot == before[k].pivot).all() for k in (0, 2))


@pytest.mark.parametrize("parent", [0, 2])
def test_a_line_passes_where_a_part_touches_its_parent_not_where_it_carries_another(parent) -> None:
    """An arm between two posts: the networks slightly prefer a line at the other end."""
    ends = [
        board((-0.7, -0.3, -0.1), (-0.5, 0.1, 0.1), "post"),
        board((0.5, -0.3, -0.1), (0.7, 0.1, 0.1), "end"),
    ]
    arm = board((-0.5, -0.04, -0.05), (0.5, 0.04, 0.05), "arm")
    scene = part_scene(read_parts(concatenate([ends[0], arm, ends[1]], "crane")))
    scores = score(parts_batch(scene, simulate_parts(scene)), networks(None))
    middles = scene.clouds.points.mean(1)
    other = int(np.linalg.norm(scene.candidates[1].pivots - middles[2 - parent], axis=1).argmin())
    line = torch.zeros_like(scores.line)
    line[0, 1, :, other] = 2.0
    stands = [0.01, 0.01, 0.01]
    stands[parent] = 0.99
    links = np.full((3, 4), -50.0)
    links[parent, 3] = links[1, parent] = links[2 - parent, 1] = 0.0
    fixed = scores._replace(
        kind=kind_scores(stands),
        line=line,
        pull=torch.zeros_like(scores.pull),
        parent=torch.tensor(links)[None],
    )
    chosen, parents = choose_joints(scene, fixed)
    assert parents[1] == parent and chosen[1].kind == "revolute"
    away = np.linalg.norm(np.cross(middles - chosen[1].pivot, chosen[1].axis), axis=1)
    assert away[parent] < away[2 - parent]


def test_a_confidence_is_given_that_some_part_moves(scored) -> None:
    scene, scores = scored
    alone, _ = choose_joints(scene, scores._replace(kind=kind_scores([1 - 1e-6, 0.45, 1 - 1e-6])))
    beside, _ = choose_joints(scene, scores._replace(kind=kind_scores([1 - 1e-6, 0.45, 0.01])))
    assert alone[1].kind == beside[1].kind == "revolute"
    assert alone[1].confidence > beside[1].confidence + 0.1


def test_confidences_keep_their_order_and_lie_below_the_networks_own(scored) -> None:
    scene, scores = scored
    found = []
    for stands in (0.4, 0.2, 0.05):
        chosen, _ = choose_joints(scene, scores._replace(kind=kind_scores([1 - 1e-6, stands, 0.01])))
        found.append(chosen[1].confidence)
    assert found == sorted(found) and found[-1] < 0.95
