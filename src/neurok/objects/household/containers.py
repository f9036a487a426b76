"""Bins, bread boxes and letter boxes."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework, open_case
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.fits import draw_fit, hinge_front, split
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.outlines import arc
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, Z, moved, shifted, upright
from neurok.objects.kit.solids import block, dowel, extrude, lathe, prism_along_x, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

Rng = np.random.Generator
SHEET: tuple[FinishName, ...] = ("metal", "pale", "dark", "plastic", "paint")
SEATS = (0.0, 0.0005, 0.003, -0.003)  # m between a lid and its rim


@family(number=98)
def kitchen_bin(rng: Rng) -> Shape:
    """A round or square bin with a lid that hinges, swings, or lifts off, sometimes with a pedal."""
    case = Casework(rng, "kitchen_bin", str(rng.choice(["bin", "body", "can"])), SHEET)
    w, h = rng.uniform(0.18, 0.42), rng.uniform(0.25, 0.75)
    d = w * (1.0 if rng.random() < 0.5 else rng.uniform(0.6, 1.0))
    is_round, t, taper = rng.random() < 0.5, rng.uniform(0.002, 0.006), rng.uniform(0.8, 1.0)
    if is_round:
        r, d = w / 2, w
        case.still(case.body, lathe([(taper * r, 0), (r, h), (r - t, h), (taper * r - t, t)], 28))
    else:
        case.still(case.body, *walls(w, d, h, t), block((w - t, d - t, t), (0, 0, t / 2)))
    kind = str(rng.choice(["hinged", "hinged", "swing", "loose"]))
    if kind == "swing":
        _swing_top(case, w, d, h, is_round)
        return case.finish(0.2)
    _bin_lid(case, (w, d, h), is_round, kind == "hinged")
    if kind == "hinged" and rng.random() < 0.6:
        arm = block((0.05, 0.06, 0.012), (0, -d / 2 * taper - 0.02, 0.025), 0.003)
        case.made.add("pedal", finish(rng, "dark", "metal"), arm)
        case.made.hinge(case.root, "pedal", (0, -d / 2 * taper, 0.025), X, 0.0, rng.uniform(0.15, 0.3))
    return case.finish(0.2 if kind == "hinged" else 0.0)


def _bin_lid(case: Casework, size: tuple[float, float, float], is_round: bool, is_hinged: bool) -> None:
    """A flat or domed lid on the rim; hinged at the back, or loose with a knob."""
    (w, d, h), rng = size, case.rng
    z, over, t = h + float(rng.choice(SEATS)), float(rng.choice([0.0, 0.004, 0.01])), rng.uniform(0.006, 0.03)
    rise = float(rng.choice([0.0, rng.uniform(0.1, 0.4)])) * w
    if is_round:
        r = w / 2 + over
        lid = lathe([(r, z), (r, z + t), (0.8 * r, z + t + 0.7 * rise), (0.4 * r, z + t + rise + 0.001)], 28)
    else:
        lid = block((w + 2 * over, d + 2 * over, t), (0, 0, z + t / 2), 0.3 * t)
        rise = 0.0
    case.made.add("lid", case.skin, lid)
    if is_hinged:
        back = d / 2 + over
        pin = (0, back + float(rng.choice([0.0, 0.004])), z + float(rng.choice([0.0, 0.5])) * t)
        if rng.random() < 0.6 or over > 0:
            case.still(
                case.metal,
                dowel(pin, 0.15 * w * X, 0.008, 10),
                block((0.2 * w, 0.02, 0.04), (0, d / 2, h - 0.02)),
            )
        case.made.hinge(case.root, "lid", pin, -X, 0.0, rng.uniform(1.2, 1.7))
        if rng.random() < 0.4:
            case.fit(
                "lid",
                "tab",
                case.metal,
                block((0.15 * w, 0.03, 0.4 * t), (0, -back - 0.01, z + t / 2), 0.002),
            )
        return
    top = z + t + rise
    bow = [
        (-0.1 * w, 0, top - 0.006),
        (-0.08 * w, 0, top + 0.04),
        (0.08 * w, 0, top + 0.04),
        (0.1 * w, 0, top - 0.006),
    ]
    case.fit("lid", "handle", case.metal, tube(bow, 0.006, 8))
    case.made.slide(case.root, "lid", Z, 0.0, rng.uniform(0.4, 0.9) * h)


def _swing_top(case: Casework, w: float, d: float, h: float, is_round: bool) -> None:
    """A hood with a flap that swings about an axis through its middle."""
    rng, wide, deep = case.rng, 0.62 * w, 0.5 * d
    low = h - 0.002
    tall, t = rng.uniform(0.25, 0.45) * w, 0.006
    share = 0.7 if is_round else 1.0  # corners of the hood rest on the rim of a round bin
    outer = (w * share, d * share)
    rim = walls(*outer, tall, (outer[0] - min(wide, 0.85 * outer[0])) / 2)
    case.still(case.skin, *shifted(rim, (0, 0, low)))
    if is_round:
        plate = lathe([(w / 2, low - 0.004), (w / 2, low + 0.004)], 28)
        case.still(case.skin, plate)
    z = low + 0.75 * tall
    wall = (outer[0] - min(wide, 0.85 * outer[0])) / 2
    flap = block((outer[0] - 2 * wall - 0.004, min(outer[1] - 2 * wall - 0.004, deep), t), (0, 0, z), 0.001)
    case.made.add(
        "flap",
        finish(rng, "dark", "metal", "plastic"),
        flap,
        dowel((0, 0, z), (outer[0] / 2 - 0.5 * wall) * X, 0.004, 10),
    )
    case.made.hinge(case.root, "flap", (0, 0, z), X, -rng.uniform(0.5, 0.9), rng.uniform(0.5, 0.9))


@family(number=99)
def bread_box(rng: Rng) -> Shape:
    """A bread box: a roll top about an axis in its sides, a flap that drops, or a flap that lifts."""
    case = Casework(rng, "bread_box", str(rng.choice(["box", "body", "case"])), (*SHEET, "wood"))
    w, d, h = rng.uniform((0.28, 0.22, 0.16), (0.48, 0.32, 0.26))
    t = rng.uniform(0.004, 0.014)
    if rng.random() < 0.5:
        _roll_top(case, w, d, min(h, 0.75 * d), t)
    else:
        boards = open_case(w, d, h, t)
        case.still(case.body, *boards)
        fit = draw_fit(
            rng, t, (0.005, 0.014), grips=("pull", "bar", "lip"), styles=("flat", "framed", "glazed")
        )
        front = fit.cover(Bay(0.0, h / 2, w - 2 * t, h - 2 * t, -d / 2))
        side = str(rng.choice(["bottom", "top"]))
        hinge_front(case, fit, str(rng.choice(["door", "flap", "front"])), front, side, rng.uniform(1.3, 1.7))
    for s in (-1, 1):
        feet = [block((0.02, 0.02, 0.012), (s * 0.42 * w, y * d, -0.005)) for y in (-0.38, 0.38)]
        case.fit(case.root, "foot", finish(rng, "dark", "rubber"), *feet)
    return case.finish(0.15, mirror=False)


def _roll_top(case: Casework, w: float, d: float, h: float, t: float) -> None:
    """Sides with a quarter circle in front, and a curved cover that turns back inside them."""
    rng, r = case.rng, 0.92 * h
    y = -d / 2 + r
    side = [
        (-d / 2, 0),
        (d / 2, 0),
        (d / 2, h),
        (y, h),
        *(arc(r, np.pi / 2, np.pi, 9)[1:-1] * (1, h / r) + (y, 0)),
    ]
    for s in (-1, 1):
        case.still(case.body, moved(prism_along_x(side, t), (s * (w - t) / 2, 0, 0)))
    inner = w - 2 * t
    case.still(case.body, block((inner, d, t), (0, 0, t / 2)), block((inner, t, h), (0, (d - t) / 2, h / 2)),
               block((inner, d / 2 - y, t), (0, (y + d / 2) / 2, h - t / 2)))  # fmt: skip
    gap, outer, start = float(rng.choice([0.0006, 0.002])), 0.985 * r * min(1.0, (h - t) / r), 0.06
    rim, back = arc(outer, np.pi - start, np.pi / 2, 12), arc(outer - 0.006, np.pi / 2, np.pi - start, 12)
    cover = prism_along_x([*(rim + (y, t)), *(back + (y, t))], inner - 2 * gap)
    tip = outer * np.array([-np.cos(0.2), np.sin(0.2)]) + (y, t)
    link = "cover"
    case.made.add(link, case.skin, cover)
    cheeks = [
        prism_along_x([(y, t), *(arc(outer - 0.001, np.pi - start, np.pi / 2, 12) + (y, t))], 0.003)
    ] * 2
    case.made.add(
        link,
        case.skin,
        *(moved(c, (s * (inner / 2 - gap - 0.0016), 0, 0)) for c, s in zip(cheeks, (-1, 1), strict=True)),
    )
    room = float(np.arcsin(min(1.0, (d / 2 - t - 0.004 - y) / outer)))  # angle until it meets the back
    case.made.hinge(case.root, link, (0, y, t), -X, 0.0, room * rng.uniform(0.8, 1.0))
    grip = rod((-0.12 * w, tip[0] - 0.008, tip[1]), (0.12 * w, tip[0] - 0.008, tip[1]), 0.009, 10)
    case.fit(link, "handle", case.metal, grip)


@family(number=100)
def letter_box(rng: Rng) -> Shape:
    """A letter box on a wall or a post: a front door, a slot flap or a lid, sometimes a flag."""
    case = Casework(rng, "letter_box", str(rng.choice(["box", "body", "housing"])), SHEET)
    on_post = rng.random() < 0.4
    (_tunnel_box if on_post else _wall_box)(case)
    return case.finish(0.15)


def _tunnel_box(case: Casework) -> None:
    """A long box with a round top on a post; its front drops and a flag turns at its side."""
    rng = case.rng
    w, d, h, post = rng.uniform((0.16, 0.35, 0.1, 0.5), (0.28, 0.55, 0.16, 1.1))
    outline = np.array(
        [(-w / 2, 0), (w / 2, 0), (w / 2, h), *(arc(w / 2, 0, np.pi, 13)[1:-1] + (0, h)), (-w / 2, h)]
    )
    t, gap = rng.uniform(0.003, 0.01), float(rng.choice([0.0, 0.0005, 0.003]))
    case.still(case.body, _lying(outline, d, (0, 0, post)))
    door = _lying(1.0 * outline + (0, 0), t, (0, -d / 2 - gap - t / 2, post))
    case.made.add("door", case.skin, door)
    case.made.hinge(
        case.root, "door", (0, -d / 2 - gap - t * rng.choice([0.0, 0.5]), post), X, 0.0, rng.uniform(1.3, 1.7)
    )
    knob = rod(
        (0, -d / 2 - gap - t + 0.002, post + h + 0.35 * w),
        (0, -d / 2 - gap - t - 0.025, post + h + 0.35 * w),
        0.008,
        10,
    )
    case.fit("door", "handle", case.metal, knob)
    case.still(
        finish(rng, "wood", "metal", "pale"), block((0.09, 0.09, post + 0.002), (0, 0.05 * d, post / 2))
    )
    if rng.random() < 0.8:
        x = w / 2
        at = np.array([x, -0.1 * d, post + h])
        flag = [
            block((0.005, 0.02, 0.2), at + (0.006, 0, 0.09)),
            block((0.005, 0.07, 0.05), at + (0.006, 0.03, 0.17)),
        ]
        case.made.add("flag", finish(rng, "plastic"), *flag, dowel(at, 0.012 * X, 0.007, 10))
        case.made.hinge(case.root, "flag", at, X, 0.0, np.pi / 2)


def _lying(outline: np.ndarray, long: float, at: tuple[float, float, float]) -> Shape:
    """An outline of (x, z) extruded along y."""
    return upright(extrude(outline, long), at)


def _wall_box(case: Casework) -> None:
    """A flat box with a door and a slot flap above it, or a sloping lid over a door."""
    rng = case.rng
    w, d, h = rng.uniform((0.22, 0.08, 0.28), (0.42, 0.2, 0.5))
    t = rng.uniform(0.003, 0.01)
    case.still(case.body, *open_case(w, d, h, t))
    fit = draw_fit(rng, t, (0.002, 0.008), grips=("none", "pull", "lip"), styles=("flat",))
    front = fit.cover(Bay(0.0, h / 2, w - 2 * t, h - 2 * t, -d / 2))
    low, top = split(front, [rng.uniform(1.5, 3.5), 1.0], fit.gap, is_row=False)
    if rng.random() < 0.6:
        hinge_front(case, fit, "slot_flap", top, "top", rng.uniform(0.6, 1.4))
    else:
        case.still(case.skin, block((top.w, fit.t, top.h), (0, top.y, top.z)))
        case.still(finish(rng, "dark"), block((0.8 * w, 0.004, 0.03), (0, top.y - fit.t / 2, top.z)))
    side = str(rng.choice(["left", "right", "bottom"]))
    hinge_front(case, fit, "door", low, side, rng.uniform(1.3, 2.0))
    plate = block((0.25 * w, 0.003, 0.03), (0.2 * w, low.y - fit.t / 2, low.z + 0.3 * low.h))
    case.fit("door", "nameplate", case.metal, plate)
    lock = rod(
        (-0.05 * w, low.y - fit.t / 2 + 0.001, low.z + 0.3 * low.h),
        (-0.05 * w, low.y - fit.t / 2 - 0.006, low.z + 0.3 * low.h),
        0.009,
        12,
    )
    case.fit("door", "lock", case.metal, lock)
    if rng.random() < 0.4:
        over = rng.uniform(0.0, 0.03)
        roof = prism_along_x(
            [(-d / 2 - over, h), (d / 2, h), (d / 2, h + 0.06), (-d / 2 - over, h + 0.005)], w + 0.02
        )
        if rng.random() < 0.5:
            case.made.add("lid", case.skin, roof)
            case.made.hinge(case.root, "lid", (0, d / 2, h + 0.03), -X, 0.0, rng.uniform(0.8, 1.4))
        else:
            case.still(case.skin, roof)
