"""Fit the direction in which parts slide (`neurok.articulation.slide_direction`) and store it with the
weights.

Fits on the training objects of a store and writes the result into a file of `neurok train articulation`.
Prints the accuracy, beside that of the direction that the simulator finds freer.

python scripts/fit_slide_direction.py STORE FILE --objects 1000
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from jaxtyping import Float
from scipy.optimize import minimize

from neurok.articulation.annotations import TrueJoint, true_joints
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import MAX_SLIDE
from neurok.articulation.kinematic_tree import subtree
from neurok.articulation.ranges import MAX_ONE_WAY_SHARE
from neurok.articulation.simulator import free_range
from neurok.articulation.slide_direction import FEATURES, UNFITTED, slide_features
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.store.store import Store
from neurok.nn.weights import replace_tensor
from neurok.shapes import Shape
from neurok.training.mixture_sampling import GENERATED

Array = np.ndarray
RIDGE = 0.3  # weight of |w|² in the loss


@dataclass(frozen=True)
class Fit:
    """Fits on annotated and generated training objects; reports the accuracy on validation objects too."""

    store: tyro.conf.Positional[Path]
    """Folder of the store."""
    weights: tyro.conf.Positional[Path]
    """Weights of `neurok train articulation`, which get the fitted direction."""
    objects: int = 1000
    """Most objects of each origin and split."""
    seed: int = 0
    """Seed of their selection."""

    def run(self) -> None:
        store = Store.open(self.store)
        splits = ("train", "validation")
        found = {s: [self._features(store, s, generated) for generated in (False, True)] for s in splits}
        x, weight = (np.concatenate(arrays) for arrays in zip(*found["train"], strict=True))
        w = fitted(x, weight).round(2)
        replace_tensor(self.weights, "slide_direction", torch.tensor(w, dtype=torch.float32))
        print(f"wrote {self.weights}: " + ", ".join(f"{value:.2f}" for value in w))
        for split, origins in found.items():
            for origin, (rows, _) in zip(("annotated", "generated"), origins, strict=True):
                likelier, freer = accuracy(rows @ w), accuracy(rows @ UNFITTED)
                print(f"{split}, {origin}: {len(rows)} slides, right {likelier:.2f}, freer {freer:.2f}")

    def _features(
        self, store: Store, split: str, generated: bool
    ) -> tuple[Float[Array, "n 12"], Float[Array, " n"]]:
        """Features along the true direction of every one-way slide, and their weights.

        A slide weighs 1/√n if its object has n of them.
        """
        names = [name for name in usable_objects(store, split) if name.startswith(GENERATED) == generated]
        names = np.random.default_rng(self.seed).permutation(names)[: self.objects].tolist()
        rows = [(n, x) for n in names for x in true_slides(store.recording(n).clips[0].shape)]
        count = Counter(name for name, _ in rows)
        features = np.array([x for _, x in rows]).reshape(-1, FEATURES)
        return features, np.array([count[name] ** -0.5 for name, _ in rows])


def true_slides(shape: Shape) -> list[Float[Array, "12"]]:
    """Features of the one-way slides of an object, each along its true direction."""
    truth = true_joints(shape)
    signs = {t.part: sign for t in truth if (sign := _sign(t))}
    if not signs:
        return []
    clouds = read_parts(shape)
    index = {name: i for i, name in enumerate(clouds.names)}
    parents = np.array([clouds.count if t.parent is None else index[t.parent] for t in truth])
    found = []
    for t in truth:
        if t.part in signs and t.parent is not None:
            k, length = index[t.part], (t.upper - t.lower) / clouds.radius
            axis, most = signs[t.part] * clouds.direction_from_shape(t.axis), min(2 * length, MAX_SLIDE)
            free = free_range(clouds, subtree(parents, k), "prismatic", axis, np.zeros(3), most)
            found.append(slide_features(axis, length, clouds.points[k], clouds.points[parents[k]], free))
    return found


def _sign(true: TrueJoint) -> int:
    """1 along the axis, −1 against it, 0 for joints that do not slide or slide both ways."""
    length = true.upper - true.lower
    if true.kind != "prismatic" or not 0 < length < np.inf:
        return 0
    if min(-true.lower, true.upper) > MAX_ONE_WAY_SHARE * length:
        return 0
    return 1 if true.upper > -true.lower else -1


def fitted(x: Float[Array, "n f"], weight: Float[Array, " n"]) -> Float[Array, " f"]:
    """The w that minimises Σ weight log(1 + e^(−w·x)) + RIDGE |w|²."""

    def loss(w: Float[Array, " f"]) -> tuple[float, Float[Array, " f"]]:
        odds = x @ w
        value = float(weight @ np.logaddexp(0, -odds) + RIDGE * w @ w)
        return value, 2 * RIDGE * w - x.T @ (weight / (1 + np.exp(odds)))

    return minimize(loss, np.zeros(x.shape[1]), jac=True).x


def accuracy(odds: Float[Array, " n"]) -> float:
    """Share of directions that are right; even odds count one half."""
    return float(((odds > 0) + 0.5 * (odds == 0)).mean()) if len(odds) else float("nan")


if __name__ == "__main__":
    tyro.cli(Fit).run()
