"""Bicycles, tricycles and seesaws."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casters import roller, wheel
from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners, curve
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted, upright
from neurok.objects.kit.solids import ball, block, dowel, extrude, lathe, pill, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

ANIMAL = (  # side view of a spring rider
    (-0.3, 0.05), (0.3, 0.05), (0.38, 0.3), (0.25, 0.24),
    (-0.12, 0.2), (-0.2, 0.52), (-0.42, 0.42), (-0.32, 0.3),
)  # fmt: skip


@family(number=50)
def bicycle_stand_trainer(rng: np.random.Generator) -> Shape:
    """A bicycle on a kickstand or a trainer with a roller, or a tricycle pedalled at its front wheel."""
    made = Mechanism("bicycle_stand_trainer")
    kind = rng.choice(["kickstand", "trainer", "tricycle"], p=[0.35, 0.35, 0.3])
    trike = kind == "tricycle"
    r, base = rng.uniform((0.14, 0.5), (0.22, 0.75)) if trike else rng.uniform((0.25, 0.95), (0.36, 1.1))
    paint, dark = finish(rng, "paint", "plastic", "metal"), finish(rng, "dark", "metal", "rubber")
    small = r * rng.uniform(0.6, 0.9) if trike else r
    front, rear = np.array([0, -base / 2, r]), np.array([0, base / 2, small])
    head, seat = np.array([0, -0.31 * base, 2.35 * r]), np.array([0, 0.2 * base, rng.uniform(2.2, 2.6) * r])
    bottom = np.array([0, 0.07 * base, 0.95 * r])
    _steering(made, rng, head, front, r, paint, dark)
    seed, spokes, wide = int(rng.integers(2**32)), int(rng.integers(5, 13)), rng.uniform(0.1, 0.16) * r

    def like_wheel(radius):
        """A wheel in the style of the object."""
        return wheel(np.random.default_rng(seed), radius, wide, spokes)

    made.part("front_wheel", shifted(like_wheel(r), front))
    made.spin("fork", "front_wheel", front, X)
    rear_wheels = [like_wheel(small) for _ in range(2 if trike else 1)]
    if trike:
        _tricycle_frame(made, rng, (head, seat, front, rear), r, wide, rear_wheels, paint, dark)
    else:
        leader = _bicycle_frame(made, rng, (head, seat, bottom, rear), r, rear_wheels[0], paint, dark)
        if kind == "trainer":
            _trainer(made, rng, rear, r, leader, dark)
        else:
            _kickstand(made, rng, bottom, r, dark)
    guard = block((1.6 * wide, 0.7 * r, 0.05 * r), front + (0, 0.17 * r, 1.06 * r))
    lamp = ball(0.12 * r, rear + (0, -0.1 * r, 0) if trike else head - 0.1 * r * Y, 10)
    offers = [
        ("fork", "bell", ball(0.12 * r, head + (0, 0.2 * r, 0.45 * r), 10)),
        ("fork", "basket", block((0.9 * r, 0.6 * r, 0.5 * r), head + (0, -0.12 * r, 0.45 * r))),
        ("fork", "front_guard", guard),
        ("frame", "lamp", lamp),
    ]
    weld_some(made, rng, offers, dark)
    return made.finish(rng, mirror=False)


def _tricycle_frame(made, rng, points, r, wide, rear_wheels, paint, dark) -> None:
    """A bent tube to the axle of two rear wheels, a low saddle, and pedals at the front wheel."""
    (head, seat, front, rear), gauge = points, 0.05 * r
    low = seat * (1, 1, 0) + (0, 0, 1.3 * r)
    made.add("frame", paint, tube(curve([head - (0, 0, 0.1 * r), low, rear], 9), 2 * gauge, 10))
    track = rng.uniform(0.9, 1.3) * r
    made.add("frame", dark, dowel(rear, track * X, 0.8 * gauge, 8))
    for k, s in enumerate((-1, 1)):
        hub, name = rear + s * (track - wide) * X, f"rear_wheel_{k + 1}"
        made.part(name, shifted(rear_wheels[k], hub))
        made.spin("frame", name, hub, X)
    _saddle(made, rng, low, low + 0.35 * r * Z, r, dark)
    _pedals(made, "front_wheel", front, 0.5 * r, 0.32 * r, dark)


def _bicycle_frame(made, rng, points, r, rear_wheel, paint, dark) -> str:
    """A frame of tubes with a saddle, a crank and the coupled rear wheel. Returns the wheel's joint."""
    (head, seat, bottom, rear), gauge = points, 0.05 * r
    bars = [(bottom, seat), (head - 0.4 * r * Z - 0.04 * Y, bottom)]
    bars.append((seat - rng.choice([0.0, 0.45]) * (seat - bottom), head))
    made.add("frame", paint, [rod(a, b, 1.2 * gauge, 10) for a, b in bars])
    for start in (bottom, seat - 0.1 * (seat - bottom)):
        for s in (-1, 1):
            made.add("frame", paint, rod(start + s * 0.1 * r * X, rear + s * 0.16 * r * X, gauge, 8))
    made.add("frame", dark, dowel(rear, 0.2 * r * X, 0.6 * gauge, 8))
    _saddle(made, rng, seat, seat + 0.3 * r * Z, r, dark)
    sprocket = aimed(lathe([(0.3 * r, -0.01), (0.3 * r, 0.01)], 20), X, bottom + 0.22 * r * X)
    made.add("crank", dark, sprocket, dowel(bottom, 0.28 * r * X, gauge, 10))
    leader = made.spin("frame", "crank", bottom, X)
    _pedals(made, "crank", bottom, 0.52 * r, 0.3 * r, dark)
    made.part("rear_wheel", shifted(rear_wheel, rear))
    return made.spin("frame", "rear_wheel", rear, X, follows=(leader, rng.uniform(1.5, 3.0)))


def _steering(made, rng, head, front, r, paint, dark) -> None:
    """A head tube, and a fork in it with blades down to the axle and a handlebar on top."""
    up, g = (head - front) / np.linalg.norm(head - front), 0.05 * r
    made.add("frame", paint, rod(head - 0.45 * r * up, head + 0.05 * r * up, 2.2 * g, 12))
    crown, bar, reach = head - 0.55 * r * up, head + rng.uniform(0.4, 0.6) * r * up, rng.uniform(0.8, 1.1) * r
    crown = front + max(1.14 * r, np.linalg.norm(crown - front)) * up
    blades = [rod(crown + s * 0.18 * r * X, front + s * 0.18 * r * X, g, 8) for s in (-1, 1)]
    blades += [dowel(crown, 0.22 * r * X, 1.3 * g, 8), rod(crown, bar, 1.4 * g, 10)]
    blades.append(dowel(front, 0.22 * r * X, 0.7 * g, 8))
    rise, sweep = rng.uniform(-0.15, 0.3) * r, rng.uniform(0.0, 0.5) * r
    bow = [
        bar + (s * k * reach, sweep * (k - 0.3), rise * (k - 0.3))
        for s, k in ((-1, 1), (-1, 0.3), (1, 0.3), (1, 1))
    ]
    made.add("fork", paint, blades)
    made.add("fork", dark, tube(curve(bow, 9), g, 8))
    grips = [pill(bow[k], bow[k] + 0.3 * r * np.sign(bow[k][0]) * X, 1.5 * g, 8) for k in (0, 3)]
    made.add("fork", finish(rng, "rubber", "plastic"), grips)
    limit = rng.uniform(0.5, 0.8)
    made.hinge("frame", "fork", head, up, -limit, limit)


def _saddle(made, rng, foot, top, r, dark) -> None:
    """A seat on a post that slides out of the frame."""
    nose = np.array([(-0.1, -0.45), (0.1, -0.45), (0.32, 0.25), (0.2, 0.38), (-0.2, 0.38), (-0.32, 0.25)])
    seat = extrude(nose * r * rng.uniform(0.8, 1.1), 0.16 * r, 0.05 * r)
    made.add("saddle", dark, rod(foot + 0.3 * (foot - top), top, 0.05 * r, 10), moved(seat, top))
    made.add("frame", dark, rod(foot - 0.15 * r * Z, foot + 0.1 * r * Z, 0.08 * r, 10))
    made.slide("frame", "saddle", Z, 0.0, rng.uniform(0.15, 0.3) * r)


def _pedals(made, parent, hub, arm, out, dark) -> None:
    """Two opposed arms on an axle, with a pedal at the end of each."""
    for k, s in enumerate((-1, 1)):
        root, name = hub + s * out * X, f"pedal_{k + 1}"
        tip = root + s * arm * Y
        made.add(parent, dark, rod(hub, root + 0.02 * s * X, 0.06 * arm, 8), pill(root, tip, 0.08 * arm, 8))
        made.add(parent, dark, rod(tip, tip + s * 0.6 * arm * X, 0.04 * arm, 8))
        made.add(name, dark, block((0.45 * arm, 0.4 * arm, 0.14 * arm), tip + s * 0.36 * arm * X))
        made.spin(parent, name, tip, X)


def _kickstand(made, rng, bottom, r, dark) -> None:
    """A leg at the left chainstay that swings up."""
    at, foot = bottom + (-0.3 * r, 0.5 * r, 0), np.array([-0.75 * r, bottom[1] + 0.55 * r, 0])
    made.add("frame", dark, rod(at - 0.06 * r * X, at + 0.35 * r * X, 0.08 * r, 10))
    leg = tube([at, at - (0.12 * r, 0, 0.1 * r), foot], 0.05 * r, 8)
    made.add("kickstand", dark, leg, ball(0.09 * r, foot, 10))
    made.hinge("frame", "kickstand", at, X, 0.0, rng.uniform(1.2, 1.6))


def _trainer(made, rng, rear, r, leader, dark) -> None:
    """A stand that clamps the rear axle, and a roller under its wheel."""
    wide, small, drop = rng.uniform(0.7, 1.0) * r, rng.uniform(0.1, 0.2) * r, 0.35 * r
    skin = finish(rng, "paint", "dark", "metal")
    for s in (-1, 1):
        clamp, toe = rear + s * 0.2 * r * X, np.array([s * wide, rear[1], -drop])
        legs = [rod(clamp, toe + e * 0.7 * r * Y, 0.05 * r, 8) for e in (-1, 1)]
        legs.append(rod(clamp - 0.1 * r * s * X, clamp + 0.2 * r * s * X, 0.09 * r, 10))
        made.add("stand", skin, legs)
    for e in (-0.7, 0.7):
        left, right = (np.array([s * wide, rear[1] + e * r, -drop]) for s in (-1, 1))
        made.add("stand", skin, pill(left, right, 0.06 * r, 8))
    made.weld("frame", "stand")
    axle = rear + (r + small) * np.array([0, 0.6, -0.8])
    for s in (-1, 1):
        foot = np.array([s * 0.35 * r, rear[1] + 0.7 * r, -drop])
        made.add("stand", skin, rod(axle + s * 0.35 * r * X, foot, 0.05 * r, 8))
    made.add("stand", skin, dowel(axle, 0.4 * r * X, 0.3 * small, 8))
    made.part("roller", shifted(roller(small, 0.4 * r, dark, skin), axle))
    made.spin("stand", "roller", axle, X, follows=(leader, -r / small))


@family(number=51)
def seesaw(rng: np.random.Generator) -> Shape:
    """A beam with seats on a fixed or turning stand, sometimes beside a swing or a spring rider."""
    made = Mechanism("seesaw")
    half, high, g = rng.uniform(0.9, 1.7), rng.uniform(0.35, 0.75), rng.uniform(0.03, 0.05)
    skin, steel = finish(rng, "wood", "paint", "plastic"), finish(rng, "metal", "paint", "dark")
    holder, cheek = _seesaw_stand(made, rng, high, g, steel, finish(rng, "wood", "paint"))
    _beam(made, rng, half, high, g, cheek, skin, steel)
    limit = float(np.clip(0.75 * np.arcsin(min(high / half, 0.9)), 0.12, 0.45))
    made.hinge(holder, "beam", (0, 0, high), Y, -limit, limit)
    mate = rng.choice(["none", "swing", "rider"]) if holder == "stand" else "none"
    if mate == "swing":
        _swing(made, rng, steel, skin)
    elif mate == "rider":
        _rider(made, rng, steel)
    offers = [
        ("stand", f"anchor_{k + 1}", block((0.12, 0.12, 0.04), (0, s * 0.3, 0.015)))
        for k, s in enumerate((-1, 1))
    ]
    offers += [
        ("beam", f"bumper_{k + 1}", block((0.12, 0.12, 0.1), (s * 0.93 * half, 0, high - g - 0.04)))
        for k, s in enumerate((-1, 1))
    ]
    offers.append(("beam", "cover_plate", block((0.2, 2.1 * g, 0.02), (0, 0, high + g), 0.005)))
    weld_some(made, rng, offers, steel)
    return made.finish(rng, ajar=0.4)


def _seesaw_stand(made, rng, high, g, steel, wood) -> tuple[str, float]:
    """Two trestles, or a post with a fixed or turning fork. Returns the link of the pin and its width."""
    style, cheek = rng.choice(["trestles", "fork", "head"]), rng.uniform(2.2, 3.2) * g
    if style == "trestles":
        spread = rng.uniform(0.25, 0.45)
        feet = [(e * spread, s) for s in (-1, 1) for e in (-1, 1)]
        legs = [rod((x, s * 1.4 * cheek, 0), (0, s * cheek, high), 0.8 * g, 10) for x, s in feet]
        legs += [rod((e * spread, -0.32, 0.02), (e * spread, 0.32, 0.02), 0.8 * g, 10) for e in (-1, 1)]
        made.add("stand", steel, legs, block((0.1, 0.7, 0.04), (0, 0, 0.02)))
        made.add("stand", wood, [block((2 * spread, 0.05, 0.04), (0, s * 0.3, 0.02)) for s in (-1, 1)])
        made.add("stand", steel, rod((0, -1.3 * cheek, high), (0, 1.3 * cheek, high), 0.5 * g, 12))
        return "stand", cheek
    neck, sides = high - 3.2 * g, int(rng.choice([4, 16]))
    made.add("stand", wood, block((0.5, 0.7, 0.05), (0, 0, 0.025), 0.008))
    made.add("stand", wood, rod((0, 0, 0), (0, 0, neck), rng.uniform(1.5, 2.5) * g, sides))
    holder = "stand" if style == "fork" else "yoke"
    made.add(holder, steel, block((3 * g, 2 * cheek + g, 0.8 * g), (0, 0, neck + 0.4 * g), 0.004))
    for s in (-1, 1):
        made.add(holder, steel, block((2.2 * g, 0.5 * g, 4.5 * g), (0, s * cheek, high - 1.0 * g), 0.004))
    made.add(holder, steel, rod((0, -1.3 * cheek, high), (0, 1.3 * cheek, high), 0.5 * g, 12))
    if style == "head":
        made.spin("stand", "yoke", (0, 0, neck), Z)
    return holder, cheek


def _beam(made, rng, half, high, g, cheek, skin, steel) -> None:
    """A plank, a pipe or two rails, with a seat and a grip at both ends."""
    style, rows = rng.choice(["plank", "pipe", "rails"]), int(rng.integers(1, 3))
    if style == "plank":
        made.add("beam", skin, block((2 * half, 1.6 * cheek, 1.6 * g), (0, 0, high), 0.3 * g))
    elif style == "pipe":
        made.add("beam", skin, pill((-half, 0, high), (half, 0, high), g, 12))
    else:
        y, places = 0.6 * cheek, np.linspace(-0.9, 0.9, 7) * half
        made.add("beam", skin, [rod((-half, k, high), (half, k, high), 0.7 * g, 10) for k in (-y, y)])
        made.add("beam", skin, [rod((x, -y, high), (x, y, high), 0.5 * g, 8) for x in places])
    made.add("beam", steel, rod((0, -0.7 * cheek, high), (0, 0.7 * cheek, high), 1.2 * g, 12))
    cloth, back, apart = finish(rng, "plastic", "wood", "rubber"), rng.random() < 0.4, rng.random() < 0.5
    for k, (s, row) in enumerate((s, row) for row in range(rows) for s in (-1, 1)):
        x, z, link = s * (half - 0.15 - 0.55 * row), high + g, f"seat_{k + 1}" if apart else "beam"
        made.add(link, cloth, block((0.28, 0.26, 0.05), (x, 0, z + 0.01), 0.015, 3))
        if back:
            made.add(link, cloth, block((0.04, 0.24, 0.25), (x + s * 0.13, 0, z + 0.13), 0.012))
        if apart:
            made.weld("beam", link)
        x, top = x - s * 0.25, z + 0.28
        made.add("beam", steel, rod((x, 0, high), (x, 0, top), 0.016, 8))
        made.add("beam", steel, pill((x, -0.14, top), (x, 0.14, top), 0.018, 8))


def _swing(made, rng, steel, skin) -> None:
    """A trestle behind the seesaw with one to three seats on rods, joined to it by a sill."""
    y, top, count = rng.uniform(1.7, 2.0), rng.uniform(1.6, 2.1), int(rng.integers(1, 4))
    half, drop = 0.35 + 0.3 * count, rng.uniform(0.7, 0.8) * top
    feet = corners(1, 0.5)
    legs = [rod((s * (half + 0.15), y + e, 0), (s * half, y, top), 0.035, 10) for s, e in feet]
    legs += [
        rod((-half - 0.05, y, top), (half + 0.05, y, top), 0.04, 12),
        block((0.12, y - 0.45, 0.04), (0, y / 2 - 0.225, 0.02)),
    ]
    legs.append(block((2 * half + 0.4, 0.1, 0.04), (0, y - 0.5, 0.02)))
    made.add("stand", steel, legs)
    for k in range(count):
        x, name = (k - (count - 1) / 2) * 0.6, f"sling_{k + 1}"
        for s in (-0.2, 0.2):
            made.add(name, steel, aimed(torus(0.048, 0.012, 12, 6), X, (x + s, y, top)))
            made.add(name, steel, rod((x + s, y, top - 0.045), (x + s, y, top - drop), 0.012, 6))
        made.add(name, skin, block((0.46, 0.2, 0.03), (x, y, top - drop), 0.008))
        made.hinge("stand", name, (x, y, top), X, -0.6, 0.6)


def _rider(made, rng, steel) -> None:
    """A spring on a plate, and an animal of boards that rocks on it."""
    y, r, tall = rng.uniform(0.9, 1.2), rng.uniform(0.08, 0.11), rng.uniform(0.25, 0.4)
    phase = np.linspace(0, 2 * np.pi * 4.5, 48)
    coil = np.c_[r * np.cos(phase), y + r * np.sin(phase), np.linspace(0.04, tall, 48)]
    plate, sill = block((0.4, 0.4, 0.05), (0, y, 0.025), 0.01), block((0.1, y, 0.04), (0, y / 2, 0.02))
    made.add("stand", steel, plate, sill, tube(coil, 0.014, 6))
    side, skin = np.array(ANIMAL) * rng.uniform(0.85, 1.2, 2), finish(rng, "paint", "plastic")
    made.add("rider", skin, upright(extrude(side, rng.uniform(0.05, 0.16), 0.01), (0, y, tall)))
    made.add("rider", steel, block((0.3, 0.26, 0.06), (0.02, y, tall + 0.03), 0.006))
    seat = block((0.25, 0.24, 0.04), (0.06, y, tall + 0.28), 0.01)
    made.add("rider", finish(rng, "rubber", "plastic"), seat)
    made.add("rider", steel, pill((-0.2, y - 0.2, tall + 0.4), (-0.2, y + 0.2, tall + 0.4), 0.018, 8))
    made.hinge("stand", "rider", (0, y, tall), Y, -0.3, 0.3)
