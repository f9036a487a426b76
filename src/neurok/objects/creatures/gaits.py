"""Motions of a skeleton: gaits, in which bones swing in turn, and walks through random poses."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.objects.creatures.skeleton import Skeleton

Array = np.ndarray
TOGETHER = 0.8  # share of a bone's angle that its chain has in common
ALIKE = 0.3  # probability that all moving chains of a random pose curl alike
BOB = 0.03  # sizes: largest lift of the first bone


def gait(
    rng: np.random.Generator, skeleton: Skeleton, frames: int
) -> tuple[Float[Array, "f b 3"], Float[Array, "f 3"]]:
    """θ_b(t) = a(t) A_b sin 2π(n t + φ_b): a starts at 0, so that the clip starts at rest.

    Gives the rotation vectors of the bones and the lift of the first.
    """
    t = np.linspace(0, 1, frames)[:, None, None]
    cycles = rng.uniform(1.0, 2.5)
    size = rng.uniform(0.4, 1.0) * skeleton.swing * rng.choice([-1.0, 1.0], (1, 3))
    wave = np.sin(2 * np.pi * (cycles * t + skeleton.phase[:, None] * np.ones(3)))
    grows = np.minimum(1.0, 4 * t)
    lift = np.zeros((frames, 3))
    lift[:, 2] = BOB * rng.uniform(0, 1) * (1 - np.cos(4 * np.pi * cycles * t[:, 0, 0])) * grows[:, 0, 0]
    return grows * size * wave, lift


def poses(
    rng: np.random.Generator, skeleton: Skeleton, frames: int
) -> tuple[Float[Array, "f b 3"], Float[Array, "f 3"]]:
    """Smooth steps from rest through two to four random poses."""
    stops = int(rng.integers(2, 5))
    keys = np.concatenate(
        [np.zeros((1, *skeleton.swing.shape)), [_pose(rng, skeleton) for _ in range(stops)]]
    )
    place = np.linspace(0, stops, frames)
    k = np.minimum(place.astype(int), stops - 1)
    share = (place - k)[:, None, None]
    share = share * share * (3 - 2 * share)
    return (1 - share) * keys[k] + share * keys[k + 1], np.zeros((frames, 3))


def _pose(rng: np.random.Generator, skeleton: Skeleton) -> Float[Array, "b 3"]:
    """Angles within the swing of each bone; chains curl as one, and often only some of them move."""
    count = int(skeleton.chain.max()) + 1
    moving = rng.random((count, 1)) < rng.uniform(0.3, 1.0)
    common = (rng.uniform(-1, 1, 3) if rng.random() < ALIKE else rng.uniform(-1, 1, (count, 3))) * moving
    own = rng.uniform(-1, 1, skeleton.swing.shape)
    still = np.abs(common[skeleton.chain]).max(1, keepdims=True) == 0
    return skeleton.swing * np.where(
        still, 0.1 * own, TOGETHER * common[skeleton.chain] + (1 - TOGETHER) * own
    )
