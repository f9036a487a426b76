"""Carts, toy cars, wheelbarrows, bicycles and office chairs."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casters import wheel
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, curve
from neurok.objects.kit.placing import X, Z, aimed, shifted, sideways
from neurok.objects.kit.solids import ball, block, dowel, extrude, lathe, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=16)
def wheeled(rng: np.random.Generator) -> Shape:
    """A cart, a toy car, a wheelbarrow, a bicycle, or an office chair on casters."""
    made = Mechanism("wheeled")
    kind = rng.choice(["cart", "car", "barrow", "bicycle", "chair"], p=[0.25, 0.25, 0.15, 0.15, 0.2])
    {"cart": _cart, "car": _car, "barrow": _barrow, "bicycle": _bicycle, "chair": _office_chair}[str(kind)](
        made, rng
    )
    return made.finish(rng, mirror=False)


def _axle_wheels(made, rng, xs, ys, radius, width, axle) -> None:
    """Equal wheels on the ground at every x and y, each on an axle across."""
    seed, spokes = int(rng.integers(2**32)), int(rng.choice([0, 0, 4, 5, 6, 8]))
    left, right = min(xs) - 0.6 * width, max(xs) + 0.6 * width
    for j, y in enumerate(ys):
        made.add("body", axle, rod((left, y, radius), (right, y, radius), 0.12 * radius, 8))
        for i, x in enumerate(xs):
            name, hub = f"wheel_{j * len(xs) + i + 1}", (x, y, radius)
            made.part(name, shifted(wheel(np.random.default_rng(seed), radius, width, spokes), hub))
            made.spin("body", name, hub, X)


def _cart(made, rng) -> None:
    width, length, deep = rng.uniform(0.3, 0.6), rng.uniform(0.5, 1.0), rng.uniform(0.05, 0.35)
    r, w = rng.uniform(0.05, 0.14), rng.uniform(0.02, 0.05)
    body, axle = finish(rng, "paint", "wood", "plastic"), finish(rng, "metal", "dark")
    floor = 1.5 * r
    made.add("body", body, block((width, length, 0.03), (0, 0, floor), 0.004))
    for s in (-1, 1):
        made.add(
            "body", body, block((0.02, length, deep), (s * (width / 2 - 0.01), 0, floor + deep / 2), 0.003)
        )
        made.add(
            "body", body, block((width, 0.02, deep), (0, s * (length / 2 - 0.01), floor + deep / 2), 0.003)
        )
        legs = [
            rod(
                (s * 0.3 * width, y * 0.36 * length, r), (s * 0.3 * width, y * 0.36 * length, floor), 0.015, 8
            )
            for y in (-1, 1)
        ]
        made.add("body", axle, legs)
    xs = np.array([-1, 1]) * (width / 2 + 0.6 * w)
    _axle_wheels(made, rng, xs, np.array([-0.36, 0.36]) * length, r, w, axle)
    start, tilt = np.array([0, -length / 2, floor]), rng.uniform(0.3, 0.9)
    end = start + rng.uniform(0.5, 0.8) * np.array([0, -np.cos(tilt), np.sin(tilt)])
    made.add("handle", axle, rod(start, end, 0.012, 10))
    made.add("handle", finish(rng, "rubber", "wood"), dowel(end, (0.12, 0, 0), 0.016, 10))
    made.add("handle", axle, dowel(start, (0.05, 0, 0), 0.018, 10))
    made.hinge("body", "handle", start, -X, -0.3, rng.uniform(0.4, 0.8))


def _car(made, rng) -> None:
    length = rng.uniform(0.12, 0.4)
    width, r = rng.uniform(0.4, 0.55) * length, rng.uniform(0.09, 0.13) * length
    body, axle = finish(rng, "plastic", "paint"), finish(rng, "dark", "metal")
    h, low = rng.uniform(0.14, 0.24) * length, 0.7 * r
    roof = h * rng.uniform(0.7, 1.3)
    a, b, c, d = np.sort(rng.uniform([-0.36, -0.2, 0.1, 0.25], [-0.25, -0.08, 0.22, 0.45])) * length
    profile = [
        (-0.5 * length, 0),
        (0.5 * length, 0),
        (0.5 * length, 0.9 * h),
        (d, h),
        (c, h + roof),
        (b, h + roof),
        (a, h),
        (-0.5 * length, 0.75 * h),
    ]
    shell = extrude(np.array(profile), width, 0.03 * length)
    made.add("body", body, sideways(shell, (0, 0, low)))
    glass = extrude(
        np.array(
            [
                (a + 0.03 * length, 1.08 * h),
                (d - 0.03 * length, 1.08 * h),
                (c, h + 0.85 * roof),
                (b, h + 0.85 * roof),
            ]
        ),
        1.01 * width,
    )
    made.add("body", finish(rng, "dark", "pale"), sideways(glass, (0, 0, low)))
    for s in (-1, 1):
        lamp = ball(0.03 * length, (s * 0.35 * width, -0.49 * length, low + 0.5 * h), 10)
        made.add("body", finish(rng, "pale", "brass"), lamp)
    w = rng.uniform(0.1, 0.18) * width
    xs = np.array([-1, 1]) * (0.5 * width + 0.4 * w)
    _axle_wheels(made, rng, xs, np.array([-0.31, 0.31]) * length, r, w, axle)
    if rng.random() < 0.4:
        tail = np.array([0, 0.5 * length, low + 0.8 * h])
        flap = block((0.8 * width, 0.03 * length, 0.7 * h), tail - (0, 0, 0.35 * h), 0.008 * length)
        made.add("boot", finish(rng, "plastic", "pale"), flap)
        made.hinge("body", "boot", tail + (0, 0.015 * length, 0), X, 0.0, 1.6)


def _barrow(made, rng) -> None:
    length, width, r = rng.uniform(0.6, 0.9), rng.uniform(0.4, 0.6), rng.uniform(0.14, 0.2)
    body, frame = finish(rng, "paint", "plastic", "metal"), finish(rng, "metal", "wood", "dark")
    tub = extrude(
        np.array([(-0.5, 0.5), (-0.25, 0), (0.4, 0), (0.5, 0.45)]) * (length, 0.6 * length), width, 0.02
    )
    made.add("body", body, sideways(tub, (0, 0, 1.8 * r)))
    nose = np.array([0, -0.45 * length, r])
    for s in (-1, 1):
        side = s * (0.06 + 0.02)
        path = [
            (side, nose[1], r),
            (s * 0.3 * width, 0.2 * length, 1.9 * r),
            (s * 0.45 * width, 1.1 * length, 2.6 * r),
        ]
        made.add("body", frame, tube(curve(path, 9), 0.018, 8))
        made.add(
            "body",
            frame,
            rod((s * 0.35 * width, 0.35 * length, 0), (s * 0.33 * width, 0.3 * length, 2.1 * r), 0.016, 8),
        )
        made.add("body", finish(rng, "rubber"), tube(curve(path, 9)[-2:], 0.024, 8, rounded=True))
    _axle_wheels(made, rng, np.array([0.0]), nose[1:2], r, rng.uniform(0.05, 0.09), frame)
    made.add("body", frame, dowel(nose, (0.085, 0, 0), 0.016, 8))


def _bicycle(made, rng) -> None:
    r, base = rng.uniform(0.25, 0.36), rng.uniform(0.9, 1.1)
    frame, dark = finish(rng, "paint", "plastic", "metal"), finish(rng, "dark", "rubber")
    front, rear = np.array([0, -base / 2, r]), np.array([0, base / 2, r])
    crank, seat, head = (
        np.array([0, 0.08, 0.9 * r]),
        np.array([0, 0.22, 2.4 * r]),
        np.array([0, -0.3 * base, 2.3 * r]),
    )
    tubes = [(crank, seat), (seat, head), (head - (0, 0.03, 0.12), crank)]
    made.add("body", frame, [rod(a, b, 0.018, 8) for a, b in tubes])

    def fork(top, hub) -> list[Shape]:
        return [rod(top + (s * 0.04, 0, 0), hub + (s * 0.045, 0, 0), 0.012, 8) for s in (-1, 1)]

    made.add("body", frame, fork(crank, rear), fork(seat - (0, 0, 0.1), rear))
    made.add("body", dark, dowel(rear, (0.05, 0, 0), 0.012, 8))
    made.add("body", dark, block((0.14, 0.25, 0.05), seat + (0, 0, 0.09), 0.02))
    made.add("body", dark, rod(seat, seat + (0, 0, 0.08), 0.014, 8))
    bar = head + (0, 0.05, 0.15)
    made.add("fork", frame, fork(head, front), rod(head - (0, 0.03, 0.1), bar, 0.02, 10))
    made.add("fork", dark, dowel(front, (0.05, 0, 0), 0.012, 8))
    handlebar = tube(
        curve(
            [bar + (-0.28, 0.12, 0.03), bar + (-0.1, 0, 0), bar + (0.1, 0, 0), bar + (0.28, 0.12, 0.03)], 9
        ),
        0.014,
        8,
        rounded=True,
    )
    made.add("fork", dark, handlebar)
    made.hinge("body", "fork", head, head - front, -0.7, 0.7)
    seed, spokes = int(rng.integers(2**32)), int(rng.integers(8, 13))
    for name, at in (("front_wheel", front), ("rear_wheel", rear)):
        made.part(name, shifted(wheel(np.random.default_rng(seed), r, 0.04, spokes), at))
    made.add("pedals", dark, aimed(lathe([(0.09, -0.006), (0.09, 0.006)], 18), X, crank + (0.03, 0, 0)))
    made.add("pedals", dark, dowel(crank, (0.06, 0, 0), 0.014, 8))
    for s in (-1, 1):
        tip = crank + (s * 0.06, s * 0.16, 0)
        made.add("pedals", dark, rod(crank + (s * 0.06, 0, 0), tip, 0.011, 8))
        made.add("pedals", dark, block((0.08, 0.07, 0.02), tip + (s * 0.05, 0, 0), 0.005))
    leader = made.spin("body", "pedals", crank, X)
    made.spin("fork", "front_wheel", front, X)
    made.spin("body", "rear_wheel", rear, X, follows=(leader, rng.uniform(1.5, 3.0)))


def _office_chair(made, rng) -> None:
    legs, reach = int(rng.integers(4, 7)), rng.uniform(0.24, 0.32)
    dark, cloth, metal = (
        finish(rng, "dark", "metal"),
        finish(rng, "fabric", "dark", "plastic"),
        finish(rng, "metal"),
    )
    r, height = rng.uniform(0.025, 0.035), rng.uniform(0.4, 0.5)
    top = 3.0 * r
    made.add("body", dark, lathe([(0.05, top), (0.05, top + 0.06), (0.03, top + 0.1)], 14))
    for i, angle in enumerate(angles(legs)):
        out = np.array([np.cos(angle), np.sin(angle), 0])
        tip = reach * out + (0, 0, top)
        made.add("body", dark, rod((0, 0, top + 0.04), tip + (0, 0, 0.012), (0.026, 0.016), 10))
        caster, hub = f"caster_{i + 1}", tip + (0, 0.6 * r, r - top)
        made.add(caster, dark, rod(tip + (0, 0, 0.005), tip - (0, 0, 0.4 * r), 0.012, 8))
        made.add(caster, dark, rod(tip - (0, 0, 0.35 * r), hub, 0.012, 8))
        made.spin("body", caster, tip, Z)
        made.add(f"wheel_{i + 1}", finish(rng, "rubber"), aimed(lathe([(r, -0.02), (r, 0.02)], 14), X, hub))
        made.spin(caster, f"wheel_{i + 1}", hub, X)
    made.add("column", metal, rod((0, 0, top + 0.05), (0, 0, height), 0.02, 12))
    made.slide("body", "column", Z, 0.0, rng.uniform(0.05, 0.12))
    size = rng.uniform(0.42, 0.5)
    made.add("seat", cloth, block((size, size, 0.07), (0, 0, height + 0.03), 0.025, 4))
    made.spin("column", "seat", (0, 0, height), Z)
    pivot = np.array([0, size / 2, height])
    stem = tube(
        curve([pivot - (0, 0.05, 0.01), pivot + (0, 0.06, 0.02), pivot + (0, 0.08, 0.25)], 7), 0.018, 8
    )
    made.add("back", dark, stem)
    made.add(
        "back", cloth, block((0.9 * size, 0.05, rng.uniform(0.35, 0.6)), pivot + (0, 0.08, 0.35), 0.02, 3)
    )
    made.hinge("seat", "back", pivot, -X, 0.0, rng.uniform(0.2, 0.5))
