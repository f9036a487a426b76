"""Training task of the articulation networks: objects in parts, labelled with joints or survivors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from neurok.articulation.annotations import KINDS
from neurok.articulation.ensemble import ArticulationEnsemble
from neurok.articulation.features import SURFACE, points_to_read
from neurok.articulation.network import SCALED, PartsBatch
from neurok.articulation.objective import Joints, Survivors, joint_losses, survivor_losses
from neurok.datasets import articulation_examples, oversegmentation, refits
from neurok.datasets.articulation_examples import diverse_objects
from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.mixture_sampling import GENERATED, pools, sample_group

Array = np.ndarray
SLIDES = KINDS.index("prismatic")
VARIANTS = {
    "oversegmented": (oversegmentation.CACHE, 1),
    "refitted": (refits.CACHE, 2),
    "fused": (articulation_examples.FUSED_CACHE, 1),
}  # and the number of objects of each category that have one
HELD_OUT_PER_CATEGORY = 4  # validation objects of each category whose loss is printed
GROUP_BATCHES = 8  # batches that are sampled together and sorted by number of parts, to reduce padding


@dataclass(frozen=True)
class ArticulationData:
    """Sampling and augmentation of the training objects."""

    labels: Literal["survivors", "joints"] = "joints"
    """Labels: candidates that survive the simulator, or the annotated joints."""
    annotated: float = 0.5
    """Share of annotated objects; 0: generated objects only, for pretraining."""
    oversegmented: float = 0.2
    """Share of the annotated objects that are split into more parts than joints."""
    refitted: float = 0.25
    """Share of the annotated objects whose moving parts are scaled by some per cent and shifted slightly."""
    fused: float = 0.15
    """Share of the annotated objects that are shown as fused scans."""
    drop_parts: float = 0.5
    """Share of the objects that lose some parts without children."""
    jitter: float = 0.1
    """Noise on all features, in standard deviations; on points, in units of 0.05 radii."""
    hide: float = 0.1
    """Share of the objects without the free motion of candidates as input."""
    unnamed: float = 0.7
    """Share of the objects without part names; in the others a fifth of the parts have no name."""
    per_category: int = 6
    """Objects of each category that are shown."""
    classes: float = 1.0
    """Share of the categories that are shown, to measure what their number brings."""
    targets: int = 1  # examples per shape, for the rate in pairs/s
    workers: int = 2
    """Number of processes that compute the examples in the first call."""


class ArticulationTask:
    """Batches of the objects with joints of a store, and the terms of their objective."""

    def __init__(self, store: Store, config: TrainConfig, data: ArticulationData) -> None:
        self.config, self.data = config, data
        self.names, self.examples, self.validation = load_examples(
            articulation_examples.CACHE, store, data.per_category, config.batch, data.workers, data.classes
        )
        self.pools = pools(self.names, data.annotated)
        self.plain = {i for i, name in enumerate(self.names) if name.startswith(GENERATED)}
        made = [
            (share, _variants(cache, store, most, data.workers, data.classes))
            for name, (cache, most) in VARIANTS.items()
            if (share := getattr(data, name)) and data.annotated
        ]
        self.variants = [(share, examples) for share, examples in made if examples]
        self.numbers = {name: _mean_and_spread(self.examples, name) for name in SCALED}

    def scale(self, ensemble: ArticulationEnsemble) -> ArticulationEnsemble:
        """Sets the mean and the standard deviation of the input features."""
        for name, (mean, spread) in self.numbers.items():
            for member in ensemble:
                member.mean[name].data, member.spread[name].data = torch.tensor(mean), torch.tensor(spread)
        return ensemble

    def batches(self, world: World, start: int) -> Iterator[tuple[PartsBatch, Survivors, Joints]]:
        """Batches without replacement within an epoch; the same for any number of processes."""
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            chosen = self._chosen(step)
            drawn = [self._drawn(i, rng) for i in chosen][world.rank :: world.size]
            yield to_device(world, batch_of(drawn))

    def held_out(self, world: World) -> Iterator[tuple[PartsBatch, Survivors, Joints]]:
        rng = np.random.default_rng(self.config.seed)
        for first in range(0, len(self.validation), self.config.batch):
            group = self.validation[first : first + self.config.batch]
            yield to_device(world, batch_of([_thinned(example, rng) for example in group]))

    def terms(self, model: ArticulationEnsemble, batch, step: int, world: World) -> dict[str, Tensor]:
        parts, free, joints = batch
        if self.data.labels == "survivors":  # the labels are hidden from the input
            parts = parts._replace(
                free_turn=-torch.ones_like(parts.free_turn), free_slide=-torch.ones_like(parts.free_slide)
            )
        each = [self._losses(member, parts, free, joints) for member in model]
        return {name: torch.stack([terms[name] for terms in each]).mean() for name in each[0]}

    def _losses(self, member, parts, free, joints) -> dict[str, Tensor]:
        if self.data.labels == "survivors":
            return survivor_losses(member(parts), parts, free)
        ahead = member.ahead(parts, joints.axis, joints.pivot, joints.kind == SLIDES)
        return joint_losses(member(parts), ahead, parts, joints)

    def _chosen(self, step: int) -> list[int]:
        """Objects of a step, from a group of GROUP_BATCHES batches sorted by number of parts."""
        size, (group, place) = self.config.batch * GROUP_BATCHES, divmod(step, GROUP_BATCHES)
        pool = sample_group(self.pools, size, group, [self.config.seed, 7])
        order = np.argsort([len(self.examples[i]["kind"]) for i in pool], kind="stable")
        slot = np.random.default_rng([self.config.seed, 8, group]).permutation(GROUP_BATCHES)[place]
        return pool[order][slot * self.config.batch : (slot + 1) * self.config.batch].tolist()

    def _drawn(self, index: int, rng: np.random.Generator) -> dict[str, Array]:
        example = self.examples[index] if index in self.plain else self._perhaps_varied(index, rng)
        if rng.random() < self.data.drop_parts:
            example = without_leaves(example, rng)
        if self.data.labels == "joints" and rng.random() < self.data.hide:
            example = example | {n: -np.ones_like(example[n]) for n in ("free_turn", "free_slide")}
        named = (rng.random() >= self.data.unnamed) * (rng.random((len(example["kind"]), 1)) >= 0.2)
        example = example | {"words": (example["words"] * named).astype(np.float32)}
        return self._with_noise(_thinned(example, rng), rng)

    def _perhaps_varied(self, index: int, rng: np.random.Generator) -> dict[str, Array]:
        """An annotated object, or in its place a variant of any."""
        place = rng.random()
        for share, variants in self.variants:
            if place < share:
                return variants[rng.integers(len(variants))]
            place -= share
        return self.examples[index]

    def _with_noise(self, example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
        jitter = self.data.jitter
        noisy = {
            n: example[n] + jitter * spread * rng.standard_normal(example[n].shape, np.float32)
            for n, (_, spread) in self.numbers.items()
        }
        points = example["points"] + 0.05 * jitter * rng.standard_normal(example["points"].shape, np.float32)
        return example | noisy | {"points": points}


def load_examples(
    cache: ExampleCache, store: Store, per_category: int, least: int, workers: int, classes: float = 1.0
) -> tuple[list[str], list[dict[str, Array]], list[dict[str, Array]]]:
    """Names and examples of the training objects with joints, `per_category` of each category, and the
    examples of the validation objects. `classes` is the share of the categories."""
    shown = {"train": (per_category, classes), "validation": (HELD_OUT_PER_CATEGORY, 1.0)}
    names, held = (
        cache.prepare(store, diverse_objects(store, split, *most), workers) for split, most in shown.items()
    )
    if len(names) < least:
        raise InputError(
            store.folder, f"has {len(names)} objects with joints to train on",
            f"Build a store with at least {least}, or lower --train.batch",
        )  # fmt: skip
    return names, [cache.load(store, n) for n in names], [cache.load(store, n) for n in held]


def _variants(
    cache: ExampleCache, store: Store, per_category: int, workers: int, classes: float
) -> list[dict[str, Array]]:
    """Examples of one variant of the annotated objects that have it.

    Generated objects are excluded: their parts already fit in many ways, and their parts have few components.
    """
    varied = diverse_objects(store, "train", per_category, classes)
    names = cache.prepare(store, [n for n in varied if not n.startswith(GENERATED)], workers)
    return [cache.load(store, name) for name in names]


def _mean_and_spread(examples: list[dict[str, Array]], name: str) -> tuple[Array, Array]:
    """Mean and standard deviation of a feature, with equal weight per object."""
    flat = [e[name].reshape(-1, e[name].shape[-1]).astype(np.float64) for e in examples]
    mean = np.mean([x.mean(0) for x in flat], axis=0)
    spread = np.sqrt(np.mean([((x - mean) ** 2).mean(0) for x in flat], axis=0))
    return mean.astype(np.float32), np.maximum(spread, 1e-3).astype(np.float32)


def without_leaves(example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """Removes up to a third of the parts, among those without children; at least two parts remain."""
    count = len(example["kind"])
    leaves = np.setdiff1d(np.arange(count), example["parent"])
    most = min(len(leaves), count // 3, count - 2)
    gone = rng.permutation(leaves)[: rng.integers(0, most + 1) if most > 0 else 0]
    kept = np.setdiff1d(np.arange(count), gone)
    number = np.full(count + 1, len(kept))  # the world has the last index
    number[kept] = np.arange(len(kept))
    some = {name: array[kept] for name, array in example.items()}
    return some | {"pairs": some["pairs"][:, kept], "parent": number[some["parent"]]}


def _thinned(example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    kept = points_to_read(example["gaps"], rng.permutation(example["gaps"].shape[1]))
    rows = np.arange(len(kept))[:, None]
    return example | {name: example[name][rows, kept] for name in SURFACE}


def batch_of(examples: list[dict[str, Array]]) -> tuple[PartsBatch, Survivors, Joints]:
    """Batch of objects, padded to the same number of parts."""
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
    if name == "parent":  # the world has the index after all parts
        array = np.where(array == len(array), most, array)
    width = [(0, missing)] + [
        (0, missing) if name == "pairs" and d == 1 else (0, 0) for d in range(1, array.ndim)
    ]
    return np.pad(array, width, constant_values=-1 if name in ("kind", "parent") else 0)


def to_device(world: World, batch):
    """Batch of named tuples on the device of the process."""
    return tuple(type(group)(*(t.to(world.device) for t in group)) for group in batch)
