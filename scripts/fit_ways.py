"""Fit which way parts slide (`neurok.articulation.slide_direction`) on the training objects of a store.

Prints the weights and how often they are right, beside the way that the simulator finds freer.

python scripts/fit_ways.py STORE --objects 1000
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro
from jaxtyping import Float
from scipy.optimize import minimize

from neurok.articulation.annotations import TrueJoint, true_joints
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import FARTHEST
from neurok.articulation.kinematic_tree import carried
from neurok.articulation.ranges import ONE_WAY
from neurok.articulation.simulator import free_range
from neurok.articulation.slide_direction import way_facts
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.store.store import Store
from neurok.shapes import Shape
from neurok.training.mixture_sampling import GENERATED

Array = np.ndarray
RIDGE = 0.3


@dataclass(frozen=True)
class Fit:
    """Fit on training objects, annotated and generated ones alike, and judge on validation objects."""

    store: tyro.conf.Positional[Path]
    """Folder of the store."""
    objects: int = 1000
    """Objects of each kind and split, at most."""
    seed: int = 0
    """Which ones."""

    def run(self) -> None:
        store = Store.open(self.store)
        found = {s: [self._facts(store, s, ours) for ours in (False, True)] for s in ("train", "validation")}
        x, weight = (np.concatenate(arrays) for arrays in zip(*found["train"], strict=True))
        w = fitted(x, weight).round(2)
        print("WEIGHTS = np.array([" + ", ".join(f"{value:.2f}" for value in w) + "])")
        for split, kinds in found.items():
            for kind, (facts, _) in zip(("annotated", "generated"), kinds, strict=True):
                likelier, freer = right(facts @ w), right(facts[:, 0] + facts[:, 6])  # long and short ways
                print(
                    f"{split}, {kind}: {len(facts)} slides, right {likelier:.2f}, the freer way {freer:.2f}"
                )

    def _facts(self, store: Store, split: str, ours: bool) -> tuple[Float[Array, "n 12"], Float[Array, " n"]]:
        """Facts along the true way of every slide that goes one way only; each object counts by the root of
        how many it has."""
        names = [name for name in usable_objects(store, split) if name.startswith(GENERATED) == ours]
        names = np.random.default_rng(self.seed).permutation(names)[: self.objects].tolist()
        rows = [(n, x) for n in names for x in ways_of(store.recording(n).clips[0].shape)]
        count = Counter(name for name, _ in rows)
        facts = np.array([x for _, x in rows]).reshape(-1, 12)
        return facts, np.array([count[name] ** -0.5 for name, _ in rows])


def ways_of(shape: Shape) -> list[Float[Array, "12"]]:
    """Facts of the slides of one object, each along the way that it truly goes."""
    truth = true_joints(shape)
    ways = {t.part: way for t in truth if (way := _way(t))}
    if not ways:
        return []
    clouds = read_parts(shape)
    index = {name: i for i, name in enumerate(clouds.names)}
    parents = np.array([clouds.count if t.parent is None else index[t.parent] for t in truth])
    found = []
    for t in truth:
        if t.part in ways and t.parent is not None:
            k, length = index[t.part], (t.upper - t.lower) / clouds.radius
            axis, most = ways[t.part] * clouds.direction_from_shape(t.axis), min(2 * length, FARTHEST)
            free = free_range(clouds, carried(parents, k), "prismatic", axis, np.zeros(3), most)
            found.append(way_facts(axis, length, clouds.points[k], clouds.points[parents[k]], free))
    return found


def _way(true: TrueJoint) -> int:
    """1 or −1 along the axis; 0 for what does not slide, or slides both ways."""
    length = true.upper - true.lower
    if true.kind != "prismatic" or not 0 < length < np.inf:
        return 0
    if min(-true.lower, true.upper) > ONE_WAY * length:
        return 0
    return 1 if true.upper > -true.lower else -1


def fitted(x: Float[Array, "n f"], weight: Float[Array, " n"]) -> Float[Array, " f"]:
    """The w with the least Σ weight log(1 + e^(−w·x)) + RIDGE |w|²."""

    def loss(w: Float[Array, " f"]) -> tuple[float, Float[Array, " f"]]:
        odds = x @ w
        value = float(weight @ np.logaddexp(0, -odds) + RIDGE * w @ w)
        return value, 2 * RIDGE * w - x.T @ (weight / (1 + np.exp(odds)))

    return minimize(loss, np.zeros(x.shape[1]), jac=True).x


def right(odds: Float[Array, " n"]) -> float:
    """The share of ways that are found; where the odds are even, by half."""
    return float(((odds > 0) + 0.5 * (odds == 0)).mean()) if len(odds) else float("nan")


if __name__ == "__main__":
    tyro.cli(Fit).run()
