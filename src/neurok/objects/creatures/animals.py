"""Animals with a spine: on four legs, on two, with wings, with fins, or without limbs."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.objects.creatures.creature import clips_of
from neurok.objects.creatures.registry import creature_family
from neurok.objects.creatures.skeleton import Plan, Swing, vec
from neurok.sequences import Sequence

Array = np.ndarray
HIP: Swing = (0.6, 0.1, 0.15)
NECK: Swing = (0.35, 0.25, 0.35)
TAIL: Swing = (0.2, 0.05, 0.35)


@creature_family(number=0)
def quadruped(rng: np.random.Generator) -> list[Sequence]:
    """Dog, horse, cat or lizard: four legs, a neck and perhaps a tail."""
    plan, length, girth = Plan(), rng.uniform(0.8, 1.6), rng.uniform(0.13, 0.28)
    tall = rng.uniform(0.25, 0.9)
    chest = [0, -length / 2, tall + rng.uniform(-0.1, 0.1)]
    path = _line([0, length / 2, tall], chest, int(rng.integers(2, 5)))
    spine = plan.limb(
        -1, path,
        girth * rng.uniform(0.8, 1.2, 5), (0.12, 0.08, 0.15), flat=rng.uniform(0.8, 1.3), lag=0.05,
    )  # fmt: skip
    head = _head(rng, plan, spine[-1], girth)
    thick = girth * rng.uniform(0.22, 0.45)
    wide, sprawl = girth * rng.uniform(0.5, 0.9), rng.choice([0.0, rng.uniform(0.2, 0.5)])
    diagonal = rng.random() < 0.6
    for side in (-1.0, 1.0):
        for k, bone in enumerate((spine[0], spine[-1])):
            start = plan.rows[bone]["head"] if k == 0 else plan.tail(bone)
            hip = start + vec(side * wide, (0.1 if k else -0.1) * length, -0.3 * girth)
            phase = (0.5 if side > 0 else 0.0) + (0.5 * k if diagonal else 0.1 * k)
            _leg(rng, plan, bone, hip, thick, side * sprawl, phase, 1.0 if k else -1.0)
    if rng.random() < 0.8:
        start = plan.rows[spine[0]]["head"]
        end = start + vec(0, rng.uniform(0.2, 1.0), rng.uniform(-0.3, 0.4))
        widths = np.linspace(girth * rng.uniform(0.15, 0.7), 0.03, 7)
        plan.limb(spine[0], _line(start, end, int(rng.integers(2, 6))), widths, TAIL, lag=-0.12)
    return clips_of(rng, "quadruped", plan.built(), head)


@creature_family(number=1)
def biped(rng: np.random.Generator) -> list[Sequence]:
    """Humanoid: arms, legs, hands, in a T-pose, an A-pose or with hanging arms."""
    plan, girth, tall = Plan(), rng.uniform(0.12, 0.24), rng.uniform(0.4, 1.0)
    pelvis, chest = np.array([0, 0, tall]), np.array([0, 0, tall + rng.uniform(0.4, 0.8)])
    spine = plan.limb(-1, _line(pelvis, chest, int(rng.integers(2, 4))), girth * rng.uniform(0.8, 1.2, 4),
                      (0.2, 0.2, 0.15), flat=rng.uniform(0.6, 0.9), up=(0, -1, 0), lag=0.1)  # fmt: skip
    neck = plan.bone(
        spine[-1], chest, chest + vec(0, 0, 0.15), (girth * 0.4, girth * 0.4), NECK, up=(0, -1, 0)
    )
    skull = rng.uniform(0.09, 0.3)
    top = plan.tail(neck) + vec(0, -0.02, 1.2 * skull)
    head = plan.bone(neck, plan.tail(neck), top, (skull * 0.8, skull), NECK, up=(0, -1, 0))
    droop, arm = rng.choice([0.0, 0.6, 1.25]), rng.uniform(0.45, 0.85)
    thick = girth * rng.uniform(0.25, 0.45)
    for side in (-1.0, 1.0):
        out = np.array([side * np.cos(droop), 0, -np.sin(droop)])
        start = chest + vec(side * girth * 1.05, 0, -0.08)
        found = plan.limb(spine[-1], _line(start, start + arm * out, 2), [thick, thick * 0.85, thick * 0.7],
                          (0.8, 0.4, 0.7), phase=0.5 if side > 0 else 0.0, up=(0, -1, 0))  # fmt: skip
        hand = plan.tail(found[-1])
        plan.bone(found[-1], hand, hand + 0.14 * out, (thick * 0.9, thick * 0.9), (0.5, 0.3, 0.4), flat=0.5)
        hip = pelvis + vec(side * girth * 0.55, 0, -0.05)
        phase = 0.0 if side > 0 else 0.5
        _leg(rng, plan, spine[0], hip, girth * rng.uniform(0.4, 0.55), 0.0, phase, 1.0)
    if rng.random() < 0.3:
        end = pelvis + vec(0, rng.uniform(0.4, 0.9), rng.uniform(-0.3, 0.1))
        plan.limb(
            spine[0],
            _line(pelvis + vec(0, 0.05, 0), end, 4),
            np.linspace(girth * 0.7, 0.03, 5),
            TAIL,
            lag=-0.1,
        )
    return clips_of(rng, "biped", plan.built(), head)


@creature_family(number=2)
def winged(rng: np.random.Generator) -> list[Sequence]:
    """Bird, bat, butterfly or dragon: two or four spread wings that flap."""
    plan, girth, length = Plan(), rng.uniform(0.06, 0.2), rng.uniform(0.3, 0.8)
    body = plan.limb(-1, _line([0, length / 2, 0.3], [0, -length / 2, 0.35], 2),
                     girth * rng.uniform(0.7, 1.2, 3), (0.12, 0.05, 0.1), lag=0.1)  # fmt: skip
    head = _head(rng, plan, body[-1], girth)
    span, broad = rng.uniform(0.5, 1.2), rng.uniform(0.12, 0.3)
    pairs, wings = 2 if rng.random() < 0.25 else 1, []
    for pair in range(pairs):
        for side in (-1.0, 1.0):
            root = np.array([side * 0.5 * girth, (-0.15 + 0.35 * pair) * length, 0.36])
            tip = root + vec(
                side * span * (1 - 0.25 * pair),
                rng.uniform(-0.1, 0.25) * span,
                rng.uniform(0, 0.15),
            )
            widths = broad * np.array([0.9, 1.0, 0.8, 0.3])
            wings += plan.limb(
                body[-1 if pair == 0 else 0], _line(root, tip, 3), widths, (0.55, 0.15, 0.1),
                flat=rng.uniform(0.12, 0.2), phase=0.25 * pair, lag=-0.06,
            )  # fmt: skip
    for row in (plan.rows[k] for k in wings):  # so that the same angles raise both wings
        if row["frame"][1, 0] < 0:
            row["frame"] = row["frame"] * [-1, 1, -1]
    end = [0, length / 2 + rng.uniform(0.15, 0.5), 0.3]
    plan.limb(
        body[0], _line([0, length / 2, 0.3], end, 2), girth * np.array([0.6, 0.9, 1.1]), TAIL, flat=0.25
    )
    return clips_of(rng, "winged", plan.built(), head)


@creature_family(number=3)
def fish(rng: np.random.Generator) -> list[Sequence]:
    """Fish, shark or whale: a body that waves towards its tail fin, with fins."""
    plan, length, girth = Plan(), rng.uniform(0.9, 1.6), rng.uniform(0.08, 0.22)
    level = rng.random() < 0.3  # whales wave up and down
    count = int(rng.integers(4, 8))
    profile = girth * np.sin(np.pi * np.linspace(0.18, 0.96, count + 1)) ** 0.7 + 0.02
    swing: Swing = (0.28, 0.03, 0.03) if level else (0.03, 0.03, 0.28)
    body = plan.limb(-1, _line([0, -length / 2, 0], [0, length / 2, 0], count), profile, swing,
                     flat=rng.uniform(0.8, 1.9) if not level else rng.uniform(0.5, 1), lag=-0.13)  # fmt: skip
    tail, up = plan.tail(body[-1]), (1.0, 0.0, 0.0)
    for sign in (-1.0, 1.0):
        across = np.array([sign, 0.6, 0]) if level else np.array([0, 0.6, sign])
        plan.bone(body[-1], tail - vec(0, 0.04, 0), tail + rng.uniform(0.15, 0.35) * across, (0.09, 0.05),
                  (0.1, 0.05, 0.1), flat=0.2, up=(0, 0, 1) if level else up)  # fmt: skip
        root = np.array([sign * profile[1] * 0.8, -0.25 * length, -0.2 * girth])
        plan.bone(body[1], root, root + vec(sign * rng.uniform(0.15, 0.35), rng.uniform(0.1, 0.25), -0.05),
                  (0.08, 0.04), (0.5, 0.3, 0.3), flat=0.22, phase=0.25)  # fmt: skip
    if rng.random() < 0.8:
        root = np.array([0, rng.uniform(-0.1, 0.1), girth * 0.7])
        end = root + vec(0, rng.uniform(0.1, 0.3), rng.uniform(0.15, 0.3))
        plan.bone(body[count // 2], root, end, (0.1, 0.04), (0.1, 0.1, 0.15), flat=0.2, up=(1.0, 0.0, 0.0))
    return clips_of(rng, "fish", plan.built())


@creature_family(number=4)
def snake(rng: np.random.Generator) -> list[Sequence]:
    """Snake, eel, caterpillar or worm: a body without limbs, straight or curled at rest."""
    plan, count, girth = Plan(), int(rng.integers(6, 15)), rng.uniform(0.03, 0.09)
    turn = rng.uniform(-0.5, 0.5, count).cumsum() * rng.choice([0.0, 1.0])
    steps = np.stack([np.sin(turn), -np.cos(turn), np.zeros(count)], axis=1) * rng.uniform(0.08, 0.16)
    path = np.concatenate([np.zeros((1, 3)), steps.cumsum(0)])
    widths = girth * np.interp(np.linspace(0, 1, count + 1), [0, 0.3, 0.85, 1], [0.3, 1, 1, 0.9])
    swing: Swing = (0.35, 0.05, 0.1) if rng.random() < 0.35 else (0.08, 0.05, 0.4)
    bones = plan.limb(-1, path, widths, swing, lag=-rng.uniform(0.06, 0.15))
    return clips_of(rng, "snake", plan.built(), bones[-1])


def _line(start, end, bones: int) -> Float[Array, "k 3"]:
    return np.linspace(np.asarray(start, float), np.asarray(end, float), bones + 1)


def _leg(
    rng: np.random.Generator, plan: Plan, parent: int, hip: Array, thick: float, sprawl: float, phase: float,
    knee: float,
) -> None:  # fmt: skip
    """A leg of two bones and a foot, down to the ground. `knee` is the way in which it bends."""
    ground = thick * 0.6
    foot = np.array([hip[0] + sprawl, hip[1], ground])
    middle = (hip + foot) / 2 + vec(0.4 * sprawl, -0.06 * knee, 0.3 * abs(sprawl))
    widths = thick * np.array([1.0, 0.8, 0.6])
    swing: Swing = HIP if sprawl == 0 else (0.3, 0.2, 0.5)
    found = plan.limb(
        parent, np.stack([hip, middle, foot]), widths, swing, phase=phase, lag=-0.15, up=(0, -1, 0)
    )
    ahead = foot - vec(0, rng.uniform(0.8, 2.2) * thick, 0)
    plan.bone(found[-1], foot, ahead, (thick * 0.6, thick * 0.6), (0.4, 0.05, 0.1), flat=0.7, phase=phase)


def _head(rng: np.random.Generator, plan: Plan, chest: int, girth: float) -> int:
    """A neck, a head with a snout, a jaw or a beak, and perhaps ears; returns the head."""
    start = plan.tail(chest)
    rise, reach = rng.uniform(0.0, 0.5), rng.uniform(0.1, 0.3)
    top = start + vec(0, -reach, rise)
    count = int(rng.integers(1, 4)) if rise > 0.2 else 1
    neck = plan.limb(chest, _line(start, top, count), girth * np.linspace(0.8, 0.5, count + 1), NECK, lag=0.1)
    skull = girth * rng.uniform(0.55, 0.9)
    nose = top + vec(0, -rng.uniform(1.2, 3.0) * skull, -rng.uniform(0, 0.8) * skull)
    head = plan.bone(neck[-1], top, nose, (skull, skull * rng.uniform(0.3, 0.7)), NECK)
    if rng.random() < 0.5:
        low = top - vec(0, 0, 0.75 * skull)
        plan.bone(
            head, low, low + 0.9 * (nose - top), (skull * 0.6, skull * 0.3), (0.35, 0.0, 0.05), flat=0.5
        )
    if rng.random() < 0.6:
        for side in (-1.0, 1.0):
            root = top + vec(side * 0.6 * skull, 0, 0.7 * skull)
            tip = root + skull * rng.uniform(0.5, 1.6) * np.array([side * 0.4, 0.1, 1.0])
            plan.bone(head, root, tip, (skull * 0.35, skull * 0.15), (0.3, 0.2, 0.3), flat=0.5)
    return head
