"""Training task of the push network: random pushes on surfaces, labelled by the patches that move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from neurok.articulation.parts.patch_network import PatchBatch
from neurok.articulation.parts.push_network import PushBatch, PushNetwork
from neurok.nn.ensemble import Ensemble
from neurok.training.articulation import to_device
from neurok.training.distributed import World
from neurok.training.patches import (
    MOVES_WEIGHT,
    PatchesTask,
    PatchLabels,
    batch_of,
    entropy,
)

Array = np.ndarray
MIN_LEVER = (0.3, 0.9)  # least speed of the pushed point relative to the fastest of the part, drawn per push
MAX_TILT = np.pi / 6  # between the push and the motion of its point
MIN_RANGE = 0.02  # radians or radii: a way with less room is not pushed
STILL = 0.15  # share of the pushes on objects with joints that meet the base
AREA_CAP = 3.0  # largest weight of what stays, relative to what moves
PAIRS_WEIGHT, OVERLAP_WEIGHT, VELOCITY_WEIGHT = 0.5, 0.5, 0.3  # of the losses


class PushLabels(NamedTuple):
    """Whether a patch moves with the push, the weight of each patch, and velocities where something moves."""

    moves: Float[Tensor, "b n"]
    weight: Float[Tensor, "b n"]
    velocity: Float[Tensor, "b n 3"]


class Drawn(NamedTuple):
    """One push on one surface, and what moves."""

    patch: int
    point: Float[Array, "3"]
    way: Float[Array, "3"]
    moves: Bool[Array, " n"]
    velocity: Float[Array, "n 3"]


Batch = tuple[PatchBatch, PushBatch, PatchLabels, PushLabels]


class PushesTask(PatchesTask):
    """Surfaces as the parts network sees them, with one random push on each."""

    def batches(self, world: World, start: int) -> Iterator[Batch]:
        """Batches of one form each; the same for any number of processes."""
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            drawn = [(e := self._varied(example, rng), draw_push(e, rng)) for example in self._chosen(rng)]
            yield to_device(world, pushed_batch(drawn[world.rank :: world.size]))

    def held_out(self, world: World) -> Iterator[Batch]:
        rng = np.random.default_rng(0)
        for form in self.validation.values():
            drawn = [(example, draw_push(example, rng)) for example in form]
            for first in range(0, len(form), self.config.batch):
                yield to_device(world, pushed_batch(drawn[first : first + self.config.batch]))

    def terms(self, model: Ensemble[PushNetwork], batch, step: int, world: World) -> dict[str, Tensor]:
        """Cross-entropy and overlap of what moves, error of its velocity, loss of the parts network."""
        surface, push, parts, labels = batch
        scores = [member((surface, push)) for member in model]
        terms = {
            "moved": [entropy(s.moves, labels.moves, labels.weight) for s in scores],
            "overlap": [1 - _overlap(s.moves, labels.moves, parts.share) for s in scores],
            "velocity": [_velocity_error(s.velocity, labels) for s in scores],
            "pairs": [entropy(s.patches.together, parts.same, parts.weight) for s in scores],
            "parts": [entropy(s.patches.moves, parts.moves, parts.share) for s in scores],
        }
        means = {name: torch.stack(values).mean() for name, values in terms.items()}
        loss = (
            means["moved"] + OVERLAP_WEIGHT * means["overlap"] + VELOCITY_WEIGHT * means["velocity"]
            + PAIRS_WEIGHT * (means["pairs"] + MOVES_WEIGHT * means["parts"])
        )  # fmt: skip
        return {"loss": loss} | {name: value.detach() for name, value in means.items()}


def _overlap(odds: Tensor, truth: Tensor, area: Tensor) -> Tensor:
    """Mean intersection over union by area, of probabilities."""
    p = odds.sigmoid()
    both, either = (area * p * truth).sum(1), (area * (p + truth - p * truth)).sum(1)
    return (both / either.clamp(min=1e-6)).mean()


def _velocity_error(velocity: Tensor, labels: PushLabels) -> Tensor:
    """Over the patches that move, by their weight."""
    moving = labels.weight * labels.moves * labels.velocity.square().sum(-1).gt(0)
    error = smooth_l1_loss(velocity, labels.velocity, beta=0.1, reduction="none").sum(-1)
    return (moving * error).sum() / len(velocity)


def draw_push(example: dict[str, Array], rng: np.random.Generator) -> Drawn:
    """A push on a moving body, far from its hinge and roughly along its free motion.

    Some pushes meet the base, or a surface without joints: everything goes with it.
    """
    ways = _ways(example)
    if not ways or rng.random() < STILL:
        base = np.flatnonzero(example["part"] == 0)
        if not ways or len(base):
            return _on_base(example, base if len(base) else np.arange(len(example["part"])), rng)
    goes, own, row, sign = ways[rng.integers(len(ways))]
    axis, pivot = example["motion_axis"][row], example["motion_pivot"][row]

    def velocity(x: Float[Array, "*n 3"]) -> Float[Array, "*n 3"]:
        turned = np.cross(axis, x - pivot)
        return sign * (turned if example["motion_turns"][row] else np.broadcast_to(axis, x.shape))

    patches = np.flatnonzero(own)
    points = example["points"][patches] + example["centres"][patches][:, None]
    speed = np.linalg.norm(velocity(points), axis=-1)
    far = (speed >= rng.uniform(*MIN_LEVER) * speed.max()) * example["share"][patches][:, None]
    k = int(rng.choice(far.size, p=far.ravel() / far.sum()))
    patch, point = int(patches[k // points.shape[1]]), points.reshape(-1, 3)[k]
    fast = max(float(speed.ravel()[k]), 1e-9)
    moved = velocity(example["centres"]) / fast * goes[:, None]
    return Drawn(patch, point, _tilted(velocity(point) / fast, rng), goes, np.clip(moved, -3, 3))


def _ways(example: dict[str, Array]) -> list[tuple[Bool[Array, " n"], Bool[Array, " n"], int, float]]:
    """What moves, the patches of the body that is pushed, the row of the motion, and its sign.

    A body is pushed along the motion of the joint that moves least beside it.
    """
    part, found = example["part"], []
    size = (example["motion_bodies"][:, part] * example["share"]).sum(1)
    for body in np.unique(part):
        rows = np.flatnonzero(example["motion_bodies"][:, body])
        if not len(rows):
            continue
        for row in rows[size[rows] == size[rows].min()]:
            lower, upper = example["motion_range"][row]
            goes = example["motion_bodies"][row][part]
            if not goes.all():
                signs = [s for s, room in ((1.0, upper), (-1.0, -lower)) if room >= MIN_RANGE]
                found += [(goes, part == body, int(row), sign) for sign in signs]
    return found


def _on_base(example: dict[str, Array], patches: Int[Array, " p"], rng: np.random.Generator) -> Drawn:
    """A push on what does not move against the rest, along the normal or in any direction."""
    share = example["share"][patches]
    patch = int(rng.choice(patches, p=share / share.sum()))
    k = rng.integers(example["points"].shape[1])
    point = example["points"][patch, k] + example["centres"][patch]
    way = rng.normal(size=3)
    if rng.random() < 0.7:
        way = _tilted(rng.choice([-1.0, 1.0]) * example["normals"][patch, k], rng)
    whole = np.ones(len(example["part"]), bool)
    return Drawn(patch, point, way / np.linalg.norm(way), whole, np.zeros((len(whole), 3)))


def _tilted(way: Float[Array, "3"], rng: np.random.Generator) -> Float[Array, "3"]:
    """A random unit vector within MAX_TILT of a direction."""
    way = way / max(float(np.linalg.norm(way)), 1e-9)
    aside = np.cross(way, rng.normal(size=3))
    angle = rng.uniform(0.0, MAX_TILT)
    return np.cos(angle) * way + np.sin(angle) * aside / max(float(np.linalg.norm(aside)), 1e-9)


def pushed_batch(drawn: list[tuple[dict[str, Array], Drawn]]) -> Batch:
    """Padded batch. What moves weighs one, and what stays up to AREA_CAP, by area."""
    patches, parts = batch_of([example for example, _ in drawn])
    shape = patches.present.shape
    moves, weight = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    velocity = np.zeros((*shape, 3), np.float32)
    for k, (example, push) in enumerate(drawn):
        n, share = len(example["part"]), example["share"]
        moving, staying = share[push.moves].sum(), share[~push.moves].sum()
        each = np.where(push.moves, 1 / max(moving, 1e-9), 1 / max(moving, staying / AREA_CAP, 1e-9))
        moves[k, :n], velocity[k, :n] = push.moves, push.velocity
        weight[k, :n] = share * each / (share * each).sum()
    push_batch = PushBatch(
        torch.tensor([p.patch for _, p in drawn]),
        torch.tensor(np.stack([p.point for _, p in drawn]), dtype=torch.float32),
        torch.tensor(np.stack([p.way for _, p in drawn]), dtype=torch.float32),
    )
    labels = PushLabels(*(torch.from_numpy(array) for array in (moves, weight, velocity)))
    return patches, push_batch, parts, labels
