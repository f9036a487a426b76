"""Cameras, remote controls and desk telephones."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.controls import add_key
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.outlines import cells, curve, rectangle
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, turned
from neurok.objects.kit.solids import block, extrude, lathe, prism_along_x, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

Rng = np.random.Generator
SHELL: tuple[FinishName, ...] = ("dark", "dark", "metal", "pale", "plastic", "paint")


@family(number=94)
def camera(rng: Rng) -> Shape:
    """A camera: a lens that slides out or turns, a shutter key, dials, sometimes a flash or a screen."""
    case = Casework(rng, "camera", str(rng.choice(["body", "camera", "housing"])), SHELL)
    w, d, h = rng.uniform((0.09, 0.022, 0.055), (0.15, 0.06, 0.1))
    case.still(case.body, moved(_rounded(w, d, h, 0.12 * d), (0, 0, h / 2)))
    _lens(case, w, d, h)
    side, t = float(rng.choice([-1, 1])), rng.uniform(0.002, 0.004)
    size = rng.uniform(0.008, 0.014)
    add_key(
        case.made, case.metal, case.root, "shutter", (side * 0.36 * w, 0, h), (size, size, t), True, False
    )
    for k in range(int(rng.integers(0, 3))):
        _dial(case, f"dial_{k + 1}", np.array([(-side * 0.36 + side * 0.5 * k) * w, 0.0, h]), 0.28 * d)
    _finder(case, w, d, h, rng.random() < 0.5)
    if rng.random() < 0.5:
        size = (0.012, 0.008, 0.0015)
        for k, z in enumerate(cells(int(rng.integers(1, 5)), 0.6 * h) + 0.5 * h, 1):
            key = block((size[0], 2 * size[2], size[1]), (0.42 * w, d / 2, z))
            case.made.add(f"button_{k}", case.metal, key)
            case.made.slide(case.root, f"button_{k}", -Y, 0.0, 0.0012)
    back = block((0.6 * w, 0.004, 0.62 * h), (-0.06 * w, d / 2 + 0.0022, 0.48 * h))
    if rng.random() < 0.4:
        case.made.add("screen", finish(rng, "dark", "glass"), back)
        case.made.hinge(
            case.root, "screen", (-0.36 * w, d / 2 + 0.002, 0.48 * h), Z, 0.0, rng.uniform(1.5, 3.0)
        )
    else:
        case.still(finish(rng, "dark", "glass"), back)
    slides = any(j.kind == "prismatic" and j.child.endswith("lens") for j in case.made.joints)
    return case.finish(0.0 if slides else 0.2)


def _rounded(w: float, d: float, h: float, corner: float) -> Shape:
    """A body with rounded upright edges, about the origin."""
    return extrude(rectangle(w, d, corner * 2, 5), h, 0.5 * corner)


def _lens(case: Casework, w: float, d: float, h: float) -> None:
    """A mount on the front with one or two barrels, each of which slides or turns."""
    rng, r, face = case.rng, case.rng.uniform(0.3, 0.44) * h, -d / 2
    at = np.array([rng.choice([0.0, 0.08, -0.08]) * w, face, 0.5 * h])
    mount = lathe([(1.05 * r, -0.002), (1.05 * r, 0.003), (r, 0.005)], 24)
    case.still(case.metal, aimed(mount, -Y, at))
    parent, start = case.root, at - 0.004 * Y
    for k in range(int(rng.integers(1, 3))):
        long = rng.uniform(0.2, 0.9) * h
        ridges = np.array([1.0, 0.97] * 4)
        zs = np.linspace(-0.002, 0.85 * long, 8)
        barrel = lathe(
            [*zip(r * ridges, zs, strict=True), (0.95 * r, long), (0.75 * r, long), (0.7 * r, 0.8 * long)], 24
        )
        name = ("lens", "inner_lens")[k]
        case.made.add(name, case.skin if k == 0 else case.body, aimed(barrel, -Y, start))
        if rng.random() < 0.55:
            case.made.slide(parent, name, -Y, 0.0, rng.uniform(0.2, 0.6) * long)
        else:
            mark = block((0.12 * r, 0.01, 0.12 * r), start + (0, -0.5 * long, r))
            case.made.add(name, case.metal, mark)
            case.made.hinge(parent, name, start, -Y, -rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5))
        parent, start, r = name, start - 0.8 * long * Y, 0.74 * r
    case.made.add(
        parent,
        finish(rng, "glass", "dark"),
        aimed(lathe([(0.85 * r, 0), (0, 0.12 * r)], 20), -Y, start - 0.004 * Y),
    )


def _dial(case: Casework, name: str, at: np.ndarray, r: float) -> None:
    """A milled dial on top that turns."""
    h = case.rng.uniform(0.004, 0.009)
    mark = block((0.2 * r, 0.9 * r, 0.001), at + (0, 0.35 * r, h))
    case.made.add(name, case.metal, moved(lathe([(r, -0.001), (r, h), (0.85 * r, h + 0.0004)], 24), at), mark)
    case.made.spin(case.root, name, at, Z)


def _finder(case: Casework, w: float, d: float, h: float, flips: bool) -> None:
    """A hump over the lens with a flash that flips up, or a small window."""
    wide, tall, deep = 0.3 * w, 0.14 * h, 0.7 * d
    if not flips:
        case.still(
            finish(case.rng, "glass", "dark"),
            block((0.15 * w, 0.002, 0.12 * h), (0.25 * w, -d / 2, 0.84 * h)),
        )
        return
    profile = [
        (-deep / 2, h - 0.001),
        (deep / 2, h - 0.001),
        (0.35 * deep, h + tall),
        (-0.3 * deep, h + tall),
    ]
    case.made.add("flash", case.body, prism_along_x(profile, wide))
    case.made.hinge(case.root, "flash", (0, deep / 2, h), -X, 0.0, case.rng.uniform(0.7, 1.2))


@family(number=95)
def remote_control(rng: Rng) -> Shape:
    """A flat remote control or calculator: keys, a rocker, a pad or stick, a sliding cover."""
    case = Casework(rng, "remote_control", str(rng.choice(["body", "housing", "remote"])), SHELL)
    w, d, h = rng.uniform((0.035, 0.1, 0.01), (0.1, 0.22, 0.028))
    case.still(case.body, moved(_rounded(w, d, h, min(0.4 * h, 0.1 * w)), (0, 0, h / 2)))
    columns, rows = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    pitch = min(0.8 * w / columns, 0.5 * d / rows)
    material, is_round, t = (
        finish(rng, "pale", "dark", "plastic", "metal"),
        rng.random() < 0.5,
        rng.uniform(0.001, 0.003),
    )
    size = (pitch * rng.uniform(0.5, 0.85), pitch * rng.uniform(0.4, 0.8), t)
    size = (size[0], size[0], t) if is_round else size
    low = -0.42 * d + 0.5 * pitch
    for k in range(columns * rows):
        at = (cells(columns, 0.85 * w)[k % columns], low + pitch * (k // columns), h)
        add_key(case.made, material, case.root, f"button_{k + 1}", at, size, is_round, False)
    y, kind = low + pitch * rows + 0.08 * d, str(rng.choice(["rocker", "ring", "display", "stick"]))
    if kind == "rocker":
        rocker = block((0.3 * w, 0.14 * d, 2 * t), (0, y, h), 0.3 * t)
        case.made.add("rocker", material, rocker)
        case.made.hinge(case.root, "rocker", (0, y, h), X, -0.12, 0.12)
    elif kind == "ring":
        add_key(case.made, material, case.root, "pad", (0, y, h), (0.3 * w, 0.3 * w, 1.5 * t), True, False)
    elif kind == "stick":
        stick = lathe(
            [
                (0.03 * w, h - 0.001),
                (0.03 * w, h + 0.06 * w),
                (0.09 * w, h + 0.08 * w),
                (0.07 * w, h + 0.1 * w),
            ],
            16,
        )
        case.made.add("stick", material, moved(stick, (0, y, 0)))
        case.made.socket(case.root, "stick", (0, y, h), 0.4)
    else:
        case.still(finish(rng, "glass", "dark"), block((0.8 * w, 0.16 * d, 0.001), (0, y, h)))
    add_key(
        case.made,
        finish(rng, "plastic", "pale"),
        case.root,
        "power",
        (0.3 * w, 0.45 * d, h),
        (0.12 * w, 0.12 * w, t),
        True,
        False,
    )
    if rng.random() < 0.4:
        cover = block((0.8 * w, 0.35 * d, 0.0016), (0, -0.2 * d, -0.0004))
        case.made.add("battery_cover", case.skin, cover)
        case.made.slide(case.root, "battery_cover", -Y, 0.0, 0.3 * d)
    return case.finish(0.1)


@family(number=96)
def desk_phone(rng: Rng) -> Shape:
    """A desk telephone: a sloped body with keys and a handset that lifts off."""
    case = Casework(rng, "desk_phone", str(rng.choice(["base", "body", "phone"])), SHELL)
    w, d, low = rng.uniform((0.14, 0.17, 0.02), (0.24, 0.24, 0.04))
    high = low + rng.uniform(0.0, 0.05)
    case.still(case.body, prism_along_x([(-d / 2, 0), (d / 2, 0), (d / 2, high), (-d / 2, low)], w))
    tilt = float(np.arctan2(high - low, d))
    normal = np.array([0, -np.sin(tilt), np.cos(tilt)])
    x, middle = 0.12 * w, np.array([0, 0, (low + high) / 2])
    span, columns, rows = min(0.45 * w, 0.5 * d), 3, 4
    pitch, t, material = span / columns, rng.uniform(0.0015, 0.004), finish(rng, "pale", "dark", "metal")
    along = np.array([0, np.cos(tilt), np.sin(tilt)])
    for k in range(columns * rows):
        at = middle + (x + cells(3, span)[k % 3]) * X + (cells(4, 4 * pitch)[k // 3] - 0.1 * d) * along
        key = block((0.7 * pitch, 0.6 * pitch, 2 * t), bevel=0.2 * t)
        case.made.add(f"button_{k + 1}", material, _tilted(key, tilt, at))
        case.made.slide(case.root, f"button_{k + 1}", -normal, 0.0, 0.7 * t)
    screen = block((span, 0.16 * d, 0.003))
    case.still(finish(rng, "glass", "dark"), _tilted(screen, tilt, middle + x * X + 0.36 * d * along))
    _handset(case, np.array([-0.34 * w, 0, 0]) + middle, along, normal, 0.95 * d, 0.1 * w)
    return case.finish(0.0)


def _tilted(shape: Shape, angle: float, at: np.ndarray) -> Shape:
    """A shape turned about x, then moved."""
    return moved(turned(shape, X, angle), at)


def _handset(
    case: Casework, at: np.ndarray, along: np.ndarray, normal: np.ndarray, long: float, r: float
) -> None:
    """A handset in its rest: two cups and a bow. It lifts off along the normal of the body."""
    rng, gap = case.rng, float(case.rng.choice([0.0, 0.0005, -0.002]))
    material = case.skin if rng.random() < 0.4 else case.body
    ends = [at + s * 0.38 * long * along + gap * normal for s in (-1, 1)]
    cups = [aimed(lathe([(0.8 * r, 0), (r, 0.5 * r), (0.8 * r, 1.4 * r)], 18), normal, end) for end in ends]
    rise = [1.1, 1.8, 1.8, 1.1]
    path = [
        at + s * 0.38 * long * along + k * r * normal for s, k in zip((-1, -0.5, 0.5, 1), rise, strict=True)
    ]
    case.made.add("handset", material, *cups, tube(curve(path, 11), 0.5 * r, 10))
    case.made.slide(case.root, "handset", normal, 0.0, rng.uniform(0.3, 0.7) * long)
    if rng.random() < 0.5:
        for end in ends:
            case.still(case.metal, rod(end - 0.004 * normal, end - 0.0005 * normal, 1.1 * r, 16))
