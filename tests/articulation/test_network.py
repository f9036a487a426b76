"""The articulation network treats parts as a set, is invariant to turns, and learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from neurok.articulation.network import ArticulationConfig, Articulator, PartsBatch, pooled
from neurok.articulation.objective import Joints, joint_losses, survivor_losses
from neurok.training.articulation import SLIDES, batch_of, without_leaves
from neurok.training.parts import quarter_turn

VECTORS = ("points", "normals", "gaps", "met", "centres", "axes", "pivots")
SMALL = ArticulationConfig(width=32, heads=2, layers=1)


@pytest.mark.slow
def test_padding_changes_nothing(examples):
    torch.manual_seed(0)
    network = Articulator(SMALL).eval()
    alone, together = batch_of(examples[:1])[0], batch_of(examples)[0]
    count = alone.present.shape[1]
    one, all_of_them = network(alone), network(together)
    for name in ("kind", "turn_axis", "slide_axis", "line", "pull", "turn_length", "slide_length", "one_way"):
        found, wanted = getattr(all_of_them, name)[0, :count], getattr(one, name)[0]
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(
        all_of_them.parent[0, :count, :count], one.parent[0, :, :-1], rtol=1e-4, atol=1e-4
    )


def test_the_order_of_parts_changes_nothing(examples):
    torch.manual_seed(0)
    network = Articulator(SMALL).eval()
    batch = batch_of(examples[:1])[0]
    order = torch.randperm(batch.present.shape[1])
    turned = batch._replace(
        **{f: getattr(batch, f)[:, order] for f in batch._fields if f != "pairs"},
        pairs=batch.pairs[:, order][:, :, order],
    )
    torch.testing.assert_close(network(turned).kind, network(batch).kind[:, order], rtol=1e-4, atol=1e-4)


def test_turning_and_mirroring_changes_nothing(examples):
    torch.manual_seed(0)
    network = Articulator(SMALL).eval()
    wanted = network(batch_of(examples[:1])[0])
    for turn in {t.tobytes(): t for t in map(quarter_turn, [np.random.default_rng(3)] * 30)}.values():
        turned = {name: examples[0][name] @ turn.T for name in VECTORS}
        found = network(batch_of([examples[0] | turned])[0])
        for name in found._fields:
            torch.testing.assert_close(getattr(found, name), getattr(wanted, name), rtol=1e-3, atol=1e-3)


def ahead_of_truth(network: Articulator, parts: PartsBatch, joints: Joints) -> Tensor:
    """Log-odds of the directions along the true axes."""
    return network.ahead(parts, joints.axis, joints.pivot, joints.kind == SLIDES)


@pytest.mark.slow
def test_it_overfits_three_objects(examples):
    torch.manual_seed(0)
    network = Articulator(SMALL)
    parts, free, joints = batch_of(examples)
    optimiser = torch.optim.AdamW(network.parameters(), 3e-3)
    for with_joints in (False, True):
        first = last = None
        for _ in range(60):
            scores = network(parts)
            losses = (
                joint_losses(scores, ahead_of_truth(network, parts, joints), parts, joints)
                if with_joints
                else survivor_losses(scores, parts, free)
            )
            loss = losses["loss"]
            first = float(loss.detach()) if first is None else first
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            last = float(loss.detach())
        assert first is not None and last is not None
        assert np.isfinite(last) and last < 0.85 * first
    known = parts.present & (joints.kind >= 0)
    right = network(parts).kind.argmax(-1) == joints.kind
    assert right[known].float().mean() > 0.9


def test_the_opposite_direction_has_the_opposite_odds(examples):
    torch.manual_seed(0)
    network = Articulator(SMALL).eval()
    parts, _, joints = batch_of(examples)
    along = ahead_of_truth(network, parts, joints)
    against = ahead_of_truth(network, parts, joints._replace(axis=-joints.axis))
    moves = joints.kind > 0
    assert along[moves].abs().min() > 0
    torch.testing.assert_close(against[moves], -along[moves], rtol=1e-4, atol=1e-5)


def test_rows_are_pooled_as_if_every_set_were_padded():
    torch.manual_seed(0)
    rows = torch.rand(3, 4, 7) < 0.4
    rows[1, 2] = False
    x = torch.randn(int(rows.sum()), 5, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(len(x), 1, dtype=torch.float64, requires_grad=True)
    place = rows.nonzero(as_tuple=True)
    full = torch.zeros(*rows.shape, 5, dtype=x.dtype).index_put(place, x)
    score = torch.full(rows.shape, -torch.inf, dtype=x.dtype).index_put(place, weight[:, 0])
    score = torch.where(rows.any(-1, keepdim=True), score, 0.0)
    mean = (full * score.softmax(-1)[..., None]).sum(-2)
    largest = full.masked_fill(~rows[..., None], -torch.inf).amax(-2)
    padded = torch.cat([mean, torch.where(rows.any(-1)[..., None], largest, 0.0)], dim=-1)
    sparse = pooled(x, weight, rows)
    torch.testing.assert_close(sparse, padded)
    assert (sparse[1, 2] == 0).all()
    way = torch.randn_like(sparse)
    wanted, found = (torch.autograd.grad(y, (x, weight), way) for y in (padded, sparse))
    torch.testing.assert_close(found, wanted)


def test_quarter_turns_keep_up_upright():
    rng = np.random.default_rng(0)
    turns = [quarter_turn(rng) for _ in range(40)]
    assert len({turn.tobytes() for turn in turns}) == 8
    for turn in turns:
        np.testing.assert_allclose(turn @ turn.T, np.eye(3))
        np.testing.assert_allclose(turn[1], (0, 1, 0))


def test_dropped_parts_carry_nothing_and_parents_stay_the_same(examples):
    rng = np.random.default_rng(0)
    for example in examples * 4:
        names = np.arange(len(example["kind"]))
        marked = example | {"name": names}
        fewer = without_leaves(marked, rng)
        count = len(fewer["kind"])
        assert count >= min(2, len(names))
        for part, parent in zip(fewer["name"], fewer["parent"], strict=True):
            before = example["parent"][part]
            assert (before == len(names) and parent == count) or fewer["name"][parent] == before
