"""Animals without a spine, hands, and creatures of random limbs."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.objects.creatures.creature import clips_of
from neurok.objects.creatures.registry import creature_family
from neurok.objects.creatures.skeleton import STIFF, Plan, Swing, vec
from neurok.sequences import Sequence

Array = np.ndarray


@creature_family(number=5)
def insect(rng: np.random.Generator) -> list[Sequence]:
    """Spider, ant, beetle or crab: six or eight bent legs, perhaps feelers or claws."""
    plan, girth = Plan(), rng.uniform(0.12, 0.3)
    body = plan.bone(
        -1, [0, 0.25, 0.3], [0, -0.15, 0.3], (girth, girth * 0.8), STIFF, flat=rng.uniform(0.5, 1.0)
    )
    head = plan.bone(body, [0, -0.15, 0.3], [0, -0.4, 0.28], (girth * 0.6, girth * 0.4), (0.2, 0.1, 0.25))
    if rng.random() < 0.7:
        end = [0, rng.uniform(0.5, 0.9), rng.uniform(0.25, 0.5)]
        plan.bone(body, [0, 0.25, 0.3], end, (girth * 0.8, girth), (0.3, 0.05, 0.3))
    pairs, thick, reach = int(rng.integers(3, 5)), rng.uniform(0.025, 0.05), rng.uniform(0.4, 0.8)
    for k in range(pairs):
        for side in (-1.0, 1.0):
            out = np.array([side, rng.uniform(-0.1, 0.1) + 0.9 * (k / (pairs - 1) - 0.5), 0])
            root = np.array([side * girth * 0.6, 0.3 * (k / (pairs - 1) - 0.5), 0.28])
            knee = root + 0.5 * reach * out + vec(0, 0, rng.uniform(0.1, 0.25))
            foot = root + reach * out - vec(0, 0, 0.27)
            phase = (k % 2) * 0.5 + (0.5 if side > 0 else 0.0)
            widths = thick * np.array([1.3, 1.0, 0.6])
            plan.limb(body, np.stack([root, knee, foot]), widths, (0.35, 0.15, 0.35), phase=phase, lag=-0.2)
    kind = rng.integers(3)
    for side in (-1.0, 1.0) if kind else ():
        root = np.array([side * girth * 0.35, -0.36, 0.32])
        if kind == 1:  # feelers
            tips = root + np.linspace(0, 1, 4)[:, None] * [side * 0.2, -0.35, 0.25]
            plan.limb(head, tips, np.linspace(0.03, 0.02, 4), (0.3, 0.1, 0.3), lag=-0.1)
        else:  # claws
            path = np.stack([root, root + vec(side * 0.25, -0.1, 0.05), root + vec(side * 0.2, -0.35, 0)])
            arm = plan.limb(body, path, [0.05, 0.05, 0.07], (0.3, 0.2, 0.3), phase=0.25)
            for jaw in (-1.0, 1.0):
                end = plan.tail(arm[-1])
                plan.bone(
                    arm[-1],
                    end,
                    end + vec(jaw * 0.07, -0.2, 0),
                    (0.05, 0.025),
                    (0.05, 0.0, 0.4),
                    phase=jaw / 4,
                )
    return clips_of(rng, "insect", plan.built(), head)


@creature_family(number=6)
def octopus(rng: np.random.Generator) -> list[Sequence]:
    """Octopus, squid, starfish or anemone: arms around a body that curl in a wave."""
    plan, arms, bones = Plan(), int(rng.integers(4, 10)), int(rng.integers(3, 6))
    girth, reach, drop = rng.uniform(0.15, 0.3), rng.uniform(0.5, 1.0), rng.uniform(-0.8, 0.8)
    top = [0, 0, 0.3 + rng.uniform(0.05, 0.5)]
    body = plan.bone(-1, [0, 0, 0.3], top, (girth, girth * rng.uniform(0.6, 1.3)), STIFF)
    thick = min(0.1, girth * 1.8 / arms)
    for k in range(arms):
        angle = 2 * np.pi * k / arms
        out = np.array([np.cos(angle), np.sin(angle), 0])
        s = np.linspace(0, 1, bones + 1)[:, None]
        path = [0, 0, 0.3] + girth * 0.6 * out + reach * (s * out + vec(0, 0, drop) * s**1.5)
        plan.limb(
            body,
            path,
            np.linspace(thick, thick * 0.35, bones + 1),
            (0.4, 0.05, 0.3),
            phase=k / arms,
            lag=-0.1,
        )
    return clips_of(rng, "octopus", plan.built(), body)


@creature_family(number=7)
def hand(rng: np.random.Generator) -> list[Sequence]:
    """Hand, glove or paw: fingers that curl and spread, and a thumb, on a forearm."""
    plan, fingers = Plan(), int(rng.integers(3, 5))
    broad, thick = rng.uniform(0.2, 0.28), rng.uniform(0.05, 0.075)
    arm = plan.bone(-1, [0, 0.6, 0], [0, 0.2, 0], (broad * 0.7, broad * 0.6), STIFF, flat=0.8)
    palm = plan.bone(arm, [0, 0.2, 0], [0, -0.2, 0], (broad * 0.8, broad), (0.5, 0.2, 0.3), flat=0.35)
    for k in range(fingers):
        x = broad * (2 * k / (fingers - 1) - 1) * 0.85
        length = rng.uniform(0.4, 0.5) * (1 - 0.25 * abs(k - 0.4 * (fingers - 1)) / fingers)
        path = np.linspace([x, -0.22, 0], [x * 1.25, -0.22 - length, 0], 4)
        plan.limb(palm, path, thick * np.array([1, 0.95, 0.85, 0.7]), (0.7, 0.03, 0.1), phase=0.08 * k)
    side = rng.choice([-1.0, 1.0])
    path = np.linspace([side * broad * 0.8, 0.1, 0], [side * (broad + 0.28), -0.2, 0.05], 4)
    plan.limb(palm, path, thick * np.array([1.3, 1.1, 1.0, 0.8]), (0.4, 0.1, 0.4), phase=0.3)
    return clips_of(rng, "hand", plan.built())


@creature_family(number=8)
def random_limbs(rng: np.random.Generator) -> list[Sequence]:
    """A body of a few bones with random limbs, mostly in mirrored pairs."""
    plan, girth = Plan(), rng.uniform(0.1, 0.25)
    path, widths = (
        _wander(rng, np.zeros(3), [0, -1, 0], int(rng.integers(1, 5)), 0.3),
        rng.uniform(0.6, 1.2, 6),
    )
    body = plan.limb(-1, path, girth * widths, _swing(rng, 0.2), lag=rng.uniform(-0.15, 0.15))
    for _ in range(int(rng.integers(2, 6))):
        carrier = int(rng.choice(body))
        row = plan.rows[carrier]
        start = row["head"] + rng.uniform() * (row["tail"] - row["head"])
        way, count = rng.normal(size=3), int(rng.integers(1, 5))
        thick, flat = girth * rng.uniform(0.2, 0.6), rng.choice([1.0, 1.0, rng.uniform(0.2, 0.5)])
        path = _wander(rng, start, way, count, rng.uniform(0.15, 0.4))
        swing, phase, lag = _swing(rng, 0.6), rng.uniform(), rng.uniform(-0.2, 0.2)
        for side in (1.0, -1.0) if rng.random() < 0.75 else (1.0,):
            shown = path * [side, 1, 1]
            widths = np.linspace(thick, thick * rng.uniform(0.4, 1.0), count + 1)
            plan.limb(
                carrier, shown, widths, swing, flat=flat, phase=phase + (0.5 if side < 0 else 0), lag=lag
            )
    return clips_of(rng, "random_limbs", plan.built())


def _wander(rng: np.random.Generator, start, way, bones: int, step: float) -> Float[Array, "k 3"]:
    """A path that bends a little at every bone."""
    points, way = [np.asarray(start, float)], np.asarray(way, float)
    for _ in range(bones):
        way = way / np.linalg.norm(way) + 0.35 * rng.normal(size=3)
        points.append(points[-1] + step * way / np.linalg.norm(way))
    return np.stack(points)


def _swing(rng: np.random.Generator, most: float) -> Swing:
    side, along, upper = most * rng.uniform(0.1, 1.0, 3) * [1.0, 0.4, 1.0]
    return float(side), float(along), float(upper)
