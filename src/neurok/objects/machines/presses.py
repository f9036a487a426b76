"""Hand presses."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, corners, rectangle
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, lathe, ring, rod, torus
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=52)
def hand_press(rng: np.random.Generator) -> Shape:
    """A base, one column with an arm or two with a crosshead, and a ram worked by a lever or a screw."""
    made = Mechanism("hand_press")
    w, d, t = rng.uniform((0.14, 0.22, 0.02), (0.26, 0.36, 0.05))
    high, ram, twin = rng.uniform(0.28, 0.5), rng.uniform(0.012, 0.02), rng.random() < 0.45
    iron, steel = finish(rng, "paint", "dark", "metal"), finish(rng, "metal", "brass", "dark")
    y, head = 0.0 if twin else -0.2 * d, 2 * ram + rng.uniform(0.05, 0.09)
    made.add("base", iron, block((w, d, t), (0, 0, t / 2), 0.006, 2))
    columns = [(s * 0.38 * w, 0.0) for s in (-1, 1)] if twin else [(0.0, 0.32 * d)]
    for x, at in columns:
        solid = rod((x, at, 0.5 * t), (x, at, high + head), rng.uniform(0.014, 0.02) if twin else 0.03, 16)
        if not twin and rng.random() < 0.5:
            solid = block((0.05, 0.07, high + head - 0.5 * t), (0, at, (high + head + 0.5 * t) / 2), 0.006)
        made.add("base", steel if twin else iron, solid)
    _press_head(made, w, d, y, high, head, ram, twin, iron)
    if rng.random() < 0.5:
        _screw(made, rng, w, y, high, head, ram, columns if twin else [], steel)
    else:
        _lever(made, rng, w, y, high, head, ram, steel)
    _anvil(made, rng, w, d, t, y, steel)
    offers = [
        ("base", f"foot_{k + 1}", block((0.03, 0.03, 0.012), (x, at, -0.005)))
        for k, (x, at) in enumerate(corners(0.4 * w, 0.42 * d))
    ]
    offers.append(("base", "nameplate", block((0.4 * w, 0.006, 0.6 * t), (0, -d / 2 - 0.001, t / 2))))
    collar = ring(rectangle(ram, 0.012) + (1.4 * ram, 0), 16)
    offers.append(("ram", "collar", moved(collar, (0, y, high - 0.04))))
    weld_some(made, rng, offers, steel)
    return made.finish(rng)


def _press_head(made, w, d, y, high, head, ram, twin, iron) -> None:
    """A block around the channel of the ram: a crosshead between two columns, or an arm from one."""
    z, rear = high + head / 2, 0.32 * d + 0.03
    plates = [block((2 * ram, 0.014, head), (0, y - ram - 0.007, z), 0.002)]
    if twin:
        plates.append(block((2 * ram, 0.014, head), (0, y + ram + 0.007, z), 0.002))
        size, mid, x = (0.52 * w - ram, 2 * ram + 0.028, head), y, (ram + 0.52 * w) / 2
    else:
        plates.append(block((2 * ram, rear - y - ram, head), (0, (rear + y + ram) / 2, z), 0.002))
        size, mid, x = (0.018, rear - y + ram + 0.014, head), (rear + y - ram - 0.014) / 2, ram + 0.009
    plates += [block(size, (s * x, mid, z), 0.003) for s in (-1, 1)]
    made.add("base", iron, plates)


def _lever(made, rng, w, y, high, head, ram, steel) -> None:
    """A lever or a star of spokes on a pinion that drives the rack of the ram down."""
    pinion, spokes = rng.uniform(0.012, 0.022), int(rng.choice([1, 1, 3, 4]))
    turn = rng.uniform(1.3, 2.2) if spokes == 1 else rng.uniform(2.0, 4.5)
    at, x = np.array([0, y + ram + pinion, high + head / 2]), w / 2 + rng.uniform(0.02, 0.04)
    low, tall = high - 0.06, head + 0.06 + pinion * turn + 0.02
    levels = np.arange(low + 0.02, low + tall, 0.011)
    made.add("ram", steel, block((2 * ram, 2 * ram, tall), (0, y, low + tall / 2), 0.002))
    made.add("ram", steel, [block((1.2 * ram, 0.006, 0.005), (0, y + ram, z)) for z in levels])
    made.add("ram", steel, rod((0, y, low - 0.02), (0, y, low), 0.7 * ram, 12))
    hub, reach = at + x * X, rng.uniform(0.16, 0.32) if spokes == 1 else rng.uniform(0.1, 0.16)
    made.add("lever", steel, rod(at - (0.5 * ram, 0, 0), hub + 0.012 * X, 0.6 * pinion, 12))
    made.add("lever", steel, rod(hub - 0.012 * X, hub + 0.016 * X, 1.3 * pinion, 16))
    knob, lean = finish(rng, "dark", "plastic", "rubber"), rng.uniform(-0.5, 0.4)
    for angle in lean + angles(spokes):
        tip = hub + reach * np.array([0, -np.sin(angle), np.cos(angle)])
        made.add("lever", steel, rod(hub, tip, (0.008, 0.006), 10))
        made.add("lever", knob, ball(0.016, tip, 12))
    leader = made.hinge("base", "lever", at, X, 0.0, turn)
    made.slide("base", "ram", -Z, 0.0, pinion * turn, follows=(leader, pinion))


def _screw(made, rng, w, y, high, head, ram, columns, steel) -> None:
    """A threaded spindle through the head that turns as its platen goes down, with a bar, arm or wheel."""
    stroke, pitch = rng.uniform(0.05, 0.12), rng.uniform(0.02, 0.05)
    low, top = high - 0.06, high + head + 0.04 + stroke
    size = (0.76 * w + 0.07, 0.12, 0.022) if columns else (0.6 * w, 0.09, 0.02)
    made.add("ram", steel, block(size, (0, y, low), 0.004))
    made.add("ram", steel, rod((0, y, low), (0, y, low + 0.025), 1.4 * ram, 14))
    sleeve = ring(rectangle(0.017, 0.04) + (0.0215, 0), 14)
    made.add("ram", steel, [moved(sleeve, (a, b, low)) for a, b in columns])
    if not columns:
        back = y + ram + 0.025
        made.add("ram", steel, rod((0, back, low), (0, back, high + head + stroke), 0.007))
    leader = made.slide("base", "ram", -Z, 0.0, stroke)
    nut = ring(rectangle(0.4 * ram, 0.016) + (1.2 * ram, 0), 14)
    made.add("base", steel, moved(nut, (0, y, high + head + 0.007)))
    levels = np.arange(low + 0.02, top, 0.006)
    thread = np.c_[np.where(np.arange(len(levels)) % 2, ram, 0.85 * ram), levels]
    made.add("screw", steel, moved(lathe(thread, 12), (0, y, 0)))
    made.spin("ram", "screw", (0, y, 0), Z, follows=(leader, -2 * np.pi / pitch))
    hub, reach, skin = np.array([0, y, top]), rng.uniform(0.08, 0.2), finish(rng, "paint", "dark", "wood")
    grip, arms = made.weld("screw", "handle") if rng.random() < 0.5 else "screw", int(rng.integers(1, 5))
    made.add(grip, steel, rod(hub - 0.012 * Z, hub + 0.014 * Z, 1.4 * ram, 14))
    for angle in angles(arms) + rng.uniform(0, np.pi):
        tip = hub + reach * np.array([np.cos(angle), np.sin(angle), 0])
        made.add(grip, steel, rod(hub, tip, 0.008, 8))
        if arms < 3:
            made.add(grip, skin, ball(0.028 - 0.004 * arms, tip, 12))
    if arms > 2:
        made.add(grip, skin, moved(torus(reach, 0.01, 24, 8), hub))


def _anvil(made, rng, w, d, t, y, steel) -> None:
    """The anvil under the ram: a turning notched disc, a plate between two rails, or a block."""
    style, r = rng.choice(["disc", "plate", "block"]), min(0.36 * w - 0.022, 0.2 * d)
    if style == "disc":
        made.add("anvil", steel, moved(lathe([(r, t), (r, t + 0.022)], 20), (0, y, 0)))
        jaws = [
            turned(block((0.5 * r, 0.25 * r * k, 0.012), (0.75 * r, 0, t + 0.026)), Z, 1.57 * k)
            for k in range(1, 5)
        ]
        made.add("anvil", steel, shifted(jaws, (0, y, 0)))
        made.spin("base", "anvil", (0, y, 0), Z)
    elif style == "plate":
        made.add("base", steel, [block((0.012, 0.5 * d, 0.02), (s * r, y, t + 0.01)) for s in (-1, 1)])
        made.add("anvil", steel, block((2 * r - 0.012, 0.4 * d, 0.016), (0, y, t + 0.009), 0.002))
        made.slide("base", "anvil", -Y, 0.0, rng.uniform(0.15, 0.3) * d)
    else:
        made.add("base", steel, block((1.4 * r, 1.4 * r, 0.03), (0, y, t + 0.015), 0.003))
