"""Training task of the patch network: batches of surfaces in patches, labelled by common part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from neurok.articulation.parts.patch_batches import batch_of_patches
from neurok.articulation.parts.patch_network import SCALED, PatchBatch, PatchNetwork
from neurok.datasets.articulation_examples import diverse_objects
from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.patch_examples import CACHE, FUSED_CACHE, RIGID_CACHE, SOFT_CACHE, soft_objects
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.nn.ensemble import Ensemble
from neurok.training.articulation import to_device
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.parts import quarter_turn

Array = np.ndarray
FEATURE_OF = {"numbers": "numbers", "links": "link_features", "contacts": "contact_features"}
TURNED = ("points", "normals", "centres", "motion_axis", "motion_pivot")
OF_PATCHES = ("points", "normals", "cues", "centres", "numbers", "piece", "part", "share")
FORMS = {"own": (CACHE, 2), "fused": (FUSED_CACHE, 4), "rigid": (RIGID_CACHE, 2)}
"""Forms of the objects with joints, and the number of objects of each category that are shown in it."""
MOVES_WEIGHT = 0.2  # weight of the loss of `moves`


@dataclass(frozen=True)
class PatchesData:
    """Choice and preparation of the training objects."""

    fused: float = 0.5
    """Share of the batches that show fused scans."""
    rigid: float = 0.12
    """Share of the batches that show single rigid bodies."""
    soft: float = 0.08
    """Share of the batches that show soft bodies."""
    drop_bodies: float = 0.3
    """Share of the objects that lose one of their rigid bodies."""
    patches: int = 112
    """Patches of a surface that are shown at a time."""
    jitter: float = 0.2
    """Noise on the features of patches, links and contacts, in standard deviations; on points, in units of
    0.05 radii."""
    targets: int = 1  # examples per shape, for the rate in pairs/s
    workers: int = 2
    """Number of processes that compute the examples in the first call."""

    @property
    def shares(self) -> dict[str, float]:
        """Share of the batches that show each form."""
        some = {"fused": self.fused, "rigid": self.rigid, "soft": self.soft}
        return {"own": 1 - sum(some.values()), **some}


Networks = TypeVar("Networks", bound=Iterable[PatchNetwork])


class PatchLabels(NamedTuple):
    """Whether two patches belong to the same part, the weight of the pair, whether a patch moves; areas."""

    same: Float[Tensor, "b n n"]
    weight: Float[Tensor, "b n n"]
    moves: Float[Tensor, "b n"]
    share: Float[Tensor, "b n"]


class PatchesTask:
    """Batches of surfaces, fused scans and rigid bodies of the objects with joints, and the loss."""

    def __init__(self, store: Store, config: TrainConfig, data: PatchesData) -> None:
        self.store, self.config, self.data = store, config, data
        self.names = sorted({name for _, names in self._shown("train").values() for name in names})
        self.forms = self._examples("train")
        if min(len(self.forms[name]) for name in FORMS) < config.batch:
            raise InputError(
                store.folder, f"has {len(self.forms['own'])} objects with joints to train on",
                f"Build a store with at least {config.batch}, or lower --train.batch",
            )  # fmt: skip

    def scale(self, networks: Networks) -> Networks:
        """Sets the mean and the standard deviation of the input features."""
        for name in SCALED:
            rows = [e[FEATURE_OF[name]] for form in self.forms.values() for e in form]
            seen = torch.tensor(np.concatenate(rows))
            for member in networks:
                member.mean[name].data, member.spread[name].data = seen.mean(0), seen.std(0).clamp(min=1e-3)
        return networks

    def batches(self, world: World, start: int) -> Iterator[tuple[PatchBatch, PatchLabels]]:
        """Batches of one form each; the same for any number of processes."""
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            drawn = [self._varied(example, rng) for example in self._chosen(rng)]
            yield to_device(world, batch_of(drawn[world.rank :: world.size]))

    def held_out(self, world: World) -> Iterator[tuple[PatchBatch, PatchLabels]]:
        for form in self.validation.values():
            for first in range(0, len(form), self.config.batch):
                yield to_device(world, batch_of(form[first : first + self.config.batch]))

    def terms(self, model: Ensemble[PatchNetwork], batch, step: int, world: World) -> dict[str, Tensor]:
        """Weighted cross-entropies over pairs of patches and over patches, averaged over objects and
        networks."""
        patches, labels = batch
        scores = [member(patches) for member in model]
        pairs = torch.stack([entropy(s.together, labels.same, labels.weight) for s in scores]).mean()
        moves = torch.stack([entropy(s.moves, labels.moves, labels.share) for s in scores]).mean()
        return {"loss": pairs + MOVES_WEIGHT * moves, "pairs": pairs.detach(), "moves": moves.detach()}

    @cached_property
    def validation(self) -> dict[str, list[dict[str, Array]]]:
        return self._examples("validation")

    def _shown(self, split: str) -> dict[str, tuple[ExampleCache, list[str]]]:
        """Cache and objects of each form; of validation objects, one of each category."""
        jointed = {
            form: (cache, diverse_objects(self.store, split, most if split == "train" else 1))
            for form, (cache, most) in FORMS.items()
        }
        return jointed | {"soft": (SOFT_CACHE, soft_objects(self.store, split))}

    def _examples(self, split: str) -> dict[str, list[dict[str, Array]]]:
        return {
            form: [cache.load(self.store, n) for n in cache.prepare(self.store, names, self.data.workers)]
            for form, (cache, names) in self._shown(split).items()
        }

    def _chosen(self, rng: np.random.Generator) -> list[dict[str, Array]]:
        """Examples of one random form."""
        form = self.forms[self._form(rng)]
        chosen = rng.choice(len(form), self.config.batch, replace=len(form) < self.config.batch)
        return [form[i] for i in chosen]

    def _form(self, rng: np.random.Generator) -> str:
        """A random form that the store has."""
        shares = {name: share for name, share in self.data.shares.items() if self.forms[name]}
        return str(rng.choice(list(shares), p=np.array(list(shares.values())) / sum(shares.values())))

    def _varied(self, example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
        """Some patches of the example, turned, with noise; perhaps without one of its bodies."""
        if rng.random() < self.data.drop_bodies:
            example = without_a_body(example, rng)
        kept = np.sort(rng.permutation(len(example["piece"]))[: self.data.patches])
        example, turn = some_patches(example, kept), quarter_turn(rng)
        varied = example | {name: example[name] @ turn.T for name in TURNED}
        if np.linalg.det(turn) < 0:  # in a mirror, turns go the other way
            varied["motion_axis"][example["motion_turns"]] *= -1
        for name in ("numbers", "link_features", "contact_features"):
            spread = example[name].std(0) if len(example[name]) else 0.0
            noise = rng.standard_normal(example[name].shape, np.float32)
            varied[name] = example[name] + self.data.jitter * spread * noise
        noise = rng.standard_normal(example["points"].shape, np.float32)
        return varied | {"points": varied["points"] + 0.05 * self.data.jitter * noise}


def entropy(odds: Tensor, truth: Tensor, weight: Tensor) -> Tensor:
    """Sum of weighted cross-entropies per object."""
    return binary_cross_entropy_with_logits(odds, truth, weight, reduction="sum") / len(odds)


def batch_of(examples: list[dict[str, Array]]) -> tuple[PatchBatch, PatchLabels]:
    """Padded batch. Half of the weight is on all pairs by the product of their areas, as the Rand index
    counts them, half on linked pairs by the root of the smaller area."""
    patches = batch_of_patches(examples)
    shape = patches.present.shape
    part, share = np.full(shape, -1), np.zeros(shape, np.float32)
    for k, example in enumerate(examples):
        part[k, : len(example["part"])] = example["part"]
        share[k, : len(example["part"])] = example["share"]
    area, body = torch.from_numpy(share), torch.from_numpy(part)
    everywhere = area[:, :, None] * area[:, None]
    linked = torch.minimum(area[:, :, None], area[:, None]).sqrt() * patches.links[..., -1]
    weight = (_normalised(everywhere) + _normalised(linked)) / 2
    same = (body[:, :, None] == body[:, None]).float()
    return patches, PatchLabels(same, weight, (body > 0).float(), area)


def _normalised(weight: Float[Tensor, "b n n"]) -> Float[Tensor, "b n n"]:
    return weight / weight.sum((1, 2), keepdim=True).clamp(min=1e-9)


def without_a_body(example: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """The example without the patches of one of its bodies, of which at least two remain."""
    bodies = np.unique(example["part"])
    if len(bodies) < 3:
        return example
    return some_patches(example, np.flatnonzero(example["part"] != rng.choice(bodies)))


def some_patches(example: dict[str, Array], kept: Int[Array, " k"]) -> dict[str, Array]:
    """Only these patches of an example, and their links."""
    index = np.full(len(example["piece"]), -1)
    index[kept] = np.arange(len(kept))
    linked = (index[example["links"]] >= 0).all(1)
    fewer = {name: example[name][kept] for name in OF_PATCHES}
    links = {"links": index[example["links"][linked]], "link_features": example["link_features"][linked]}
    return example | fewer | links
