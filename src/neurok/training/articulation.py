"""What the articulation network trains on: objects in parts, turned and mirrored; survivors or joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from neurok.articulation.ensemble import Jury
from neurok.articulation.network import SCALED, PartsBatch
from neurok.articulation.objective import Joints, Survivors, joint_losses, survivor_losses
from neurok.datasets import taken_apart
from neurok.datasets.articulations import KEPT, usable
from neurok.datasets.kept_examples import Kept
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.mixture_sampling import GENERATED, drawn_together, pools

Array = np.ndarray
SORTED = 8  # batches that are drawn together and sorted by the number of parts, so that little is padded


@dataclass(frozen=True)
class ArticulationData:
    """What a step shows of an object."""

    labels: Literal["survivors", "joints"] = "joints"
    """Learn which candidates survive the simulator, or the true joints."""
    annotated: float = 0.5
    """Share of the objects whose joints somebody annotated; 0: generated ones alone, to pretrain on."""
    points: int = 48
    """Points of each part, drawn anew every time."""
    apart: float = 0.4
    """Share of the objects that were not generated which are shown taken apart into more parts than move."""
    drop_parts: float = 0.5
    """Share of objects that lose some of the parts that carry nothing."""
    jitter: float = 0.1
    """Standard deviation of noise on all numbers, in their spreads, and, times 0.05 radii, on points."""
    hide: float = 0.1
    """Share of objects that do not tell how far candidates move freely."""
    unnamed: float = 0.5
    """Share of objects whose parts have no names; of the others a fifth of the parts have none."""
    targets: int = 1  # shapes are counted once
    workers: int = 2
    """Processes that make the examples, the first time."""


class ArticulationTask:
    """Objects with joints of a store → terms of the objective."""

    def __init__(self, store: Store, config: TrainConfig, data: ArticulationData) -> None:
        self.config, self.data = config, data
        self.names, self.examples, self.validation = kept_splits(KEPT, store, config.batch, data.workers)
        self.pools = pools(self.names, data.annotated)
        shown = [self.names[i] for pool, _ in self.pools for i in pool] if data.apart else []
        self.apart = _taken_apart(store, self.names, shown, data.workers)
        self.numbers = {name: _mean_and_spread(self.examples, name) for name in SCALED}

    def scale(self, jury: Jury) -> Jury:
        """The networks, told the mean and the spread of the numbers that they read."""
        for name, (mean, spread) in self.numbers.items():
            for member in jury.each():
                member.mean[name].data, member.spread[name].data = torch.tensor(mean), torch.tensor(spread)
        return jury

    def batches(self, world: World, start: int) -> Iterator[tuple[PartsBatch, Survivors, Joints]]:
        """Each object once before another of its kind comes again; the same for any number of processes."""
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            chosen = self._chosen(step)
            drawn = [self._drawn(i, rng) for i in chosen][world.rank :: world.size]
            yield on(world, batch_of(drawn))

    def held_out(self, world: World) -> Iterator[tuple[PartsBatch, Survivors, Joints]]:
        rng = np.random.default_rng(self.config.seed)
        for first in range(0, len(self.validation), self.config.batch):
            group = self.validation[first : first + self.config.batch]
            yield on(world, batch_of([_thinned(example, self.data.points, rng) for example in group]))

    def terms(self, model: Jury, batch, step: int, world: World) -> dict[str, Tensor]:
        parts, free, joints = batch
        if self.data.labels == "survivors":  # what it is to say, it is not told
            parts = parts._replace(
                free_turn=-torch.ones_like(parts.free_turn), free_slide=-torch.ones_like(parts.free_slide)
            )
        each = [self._judged(member(parts), parts, free, joints) for member in model.each()]
        return {name: torch.stack([terms[name] for terms in each]).mean() for name in each[0]}

    def _judged(self, scores, parts, free, joints) -> dict[str, Tensor]:
        if self.data.labels == "survivors":
            return survivor_losses(scores, parts, free)
        return joint_losses(scores, parts, joints)

    def _chosen(self, step: int) -> list[int]:
        """Objects of a step: of SORTED batches drawn together, sorted by their number of parts."""
        size, (group, place) = self.config.batch * SORTED, divmod(step, SORTED)
        pool = drawn_together(self.pools, size, group, [self.config.seed, 7])
        order = np.argsort([len(self.examples[i]["kind"]) for i in pool], kind="stable")
        slot = np.random.default_rng([self.config.seed, 8, group]).permutation(SORTED)[place]
        return pool[order][slot * self.config.batch : (slot + 1) * self.config.batch].tolist()

    def _drawn(self, index: int, rng: np.random.Generator) -> dict[str, Array]:
        example = self.examples[index]
        if self.data.apart and rng.random() < self.data.apart:
            example = self.apart.get(index, example)
        if rng.random() < self.data.drop_parts:
            example = without_leaves(example, rng)
        if self.data.labels == "joints" and rng.random() < self.data.hide:
            example = example | {n: -np.ones_like(example[n]) for n in ("free_turn", "free_slide")}
        named = (rng.random() >= self.data.unnamed) * (rng.random((len(example["kind"]), 1)) >= 0.2)
        example = example | {"words": (example["words"] * named).astype(np.float32)}
        return self._shaken(_thinned(example, self.data.points, rng), rng)

    def _shaken(self, example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
        jitter = self.data.jitter
        noisy = {
            n: example[n] + jitter * spread * rng.standard_normal(example[n].shape, np.float32)
            for n, (_, spread) in self.numbers.items()
        }
        points = example["points"] + 0.05 * jitter * rng.standard_normal(example["points"].shape, np.float32)
        return example | noisy | {"points": points}


def kept_splits(
    kept: Kept, store: Store, least: int, workers: int
) -> tuple[list[str], list[dict[str, Array]], list[dict[str, Array]]]:
    """Names and examples of the objects with joints of train, and the examples of validation."""
    names, held = (kept.prepare(store, usable(store, split), workers) for split in ("train", "validation"))
    if len(names) < least:
        raise InputError(
            store.folder, f"has {len(names)} objects with joints to train on",
            f"Build a store with at least {least}, or lower --train.batch",
        )  # fmt: skip
    return names, [kept.load(store, n) for n in names], [kept.load(store, n) for n in held]


def _taken_apart(
    store: Store, names: list[str], shown: list[str], workers: int
) -> dict[int, dict[str, Array]]:
    """The examples, by number, of objects that are shown and can be taken apart. Generated ones stay whole:
    their parts are of few pieces."""
    found = taken_apart.KEPT.prepare(store, [n for n in shown if not n.startswith(GENERATED)], workers)
    index = {name: i for i, name in enumerate(names)}
    return {index[name]: taken_apart.KEPT.load(store, name) for name in found}


def _mean_and_spread(examples: list[dict[str, Array]], name: str) -> tuple[Array, Array]:
    """Of one kind of numbers over examples; each object counts alike."""
    flat = [e[name].reshape(-1, e[name].shape[-1]).astype(np.float64) for e in examples]
    mean = np.mean([x.mean(0) for x in flat], axis=0)
    spread = np.sqrt(np.mean([((x - mean) ** 2).mean(0) for x in flat], axis=0))
    return mean.astype(np.float32), np.maximum(spread, 1e-3).astype(np.float32)


def without_leaves(example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """The object without up to a third of its parts, of those that carry no other; two parts stay."""
    count = len(example["kind"])
    leaves = np.setdiff1d(np.arange(count), example["parent"])
    most = min(len(leaves), count // 3, count - 2)
    gone = rng.permutation(leaves)[: rng.integers(0, most + 1) if most > 0 else 0]
    kept = np.setdiff1d(np.arange(count), gone)
    number = np.full(count + 1, len(kept))  # the world stays the last
    number[kept] = np.arange(len(kept))
    some = {name: array[kept] for name, array in example.items()}
    return some | {"pairs": some["pairs"][:, kept], "parent": number[some["parent"]]}


def _thinned(example: dict[str, Array], points: int, rng: np.random.Generator) -> dict[str, Array]:
    keep = rng.permutation(example["points"].shape[1])[:points]
    return example | {name: example[name][:, keep] for name in ("points", "normals", "gaps")}


def batch_of(examples: list[dict[str, Array]]) -> tuple[PartsBatch, Survivors, Joints]:
    """Objects padded to the same number of parts."""
    most = max(len(e["kind"]) for e in examples)
    padded = {
        name: torch.tensor(np.stack([_padded(name, e, most) for e in examples])) for name in examples[0]
    }
    present = torch.arange(most) < torch.tensor([len(e["kind"]) for e in examples])[:, None]
    inputs = PartsBatch(present=present, **{f: padded[f] for f in PartsBatch._fields if f != "present"})
    survivors = Survivors(padded["free_turn"], padded["free_slide"])
    return (
        inputs,
        survivors,
        Joints(*(padded[n] for n in ("kind", "true_axis", "true_pivot", "parent", "limits"))),
    )


def _padded(name: str, example: dict[str, Array], most: int) -> Array:
    array = example[name]
    missing = most - len(array)
    if name == "parent":  # the world comes after all parts
        array = np.where(array == len(array), most, array)
    width = [(0, missing)] + [
        (0, missing) if name == "pairs" and d == 1 else (0, 0) for d in range(1, array.ndim)
    ]
    return np.pad(array, width, constant_values=-1 if name in ("kind", "parent") else 0)


def on(world: World, batch):
    return tuple(type(group)(*(t.to(world.device) for t in group)) for group in batch)
