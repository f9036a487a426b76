"""Things worked by hand: panels of switches, toasters, locked chests, valves on pipes, coffee mills."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc, curve, rectangle
from neurok.datasets.articulated.panels import border_bars, pull, shifted
from neurok.datasets.articulated.placing import aimed, moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, lathe, pill, ring, rod, torus, tube
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape

X, Y, Z = np.eye(3)


def switch_panel(rng: np.random.Generator) -> Shape:
    """Rows of switches, rockers, buttons, knobs and faders on a wall plate, a box or a slanted desk."""
    made, p = Mechanism("switch_panel"), rng.uniform(0.025, 0.05)
    kinds = rng.choice(["switch", "rocker", "button", "knob", "fader"], int(rng.integers(1, 5)))
    columns, lamps = int(rng.integers(1 if len(kinds) > 1 else 2, 6)), rng.random() < 0.6
    heights = [*np.where(kinds == "fader", 2.9, 1.5) * p, *([0.8 * p] if lamps else [])]
    pitch = rng.uniform(1.05, 1.3) * p
    width, height, t = columns * pitch + rng.uniform(0.7, 1.2) * p, sum(heights) + 0.5 * p, 0.12 * p
    body, dark = finish(rng, "metal", "pale", "paint", "dark", "plastic"), finish(rng, "dark", "rubber")
    corner = rng.uniform(0.05, 0.3) * p
    _add(made, "panel", body, moved(extrude(rectangle(width, height, corner), t, 0.2 * t), (0, 0, -t / 2)))
    screws = [(sx * (width / 2 - 0.2 * p), sy * (height / 2 - 0.2 * p)) for sx in (-1, 1) for sy in (-1, 1)]
    _add(made, "panel", dark, *(rod((*s, -0.01 * p), (*s, 0.04 * p), 0.07 * p, 8) for s in screws))
    spots, y, labelled = [("panel", (width / 2, 0, -t / 2), X, t)], 0.25 * p - height / 2, rng.random() < 0.7
    for row, tall in enumerate(heights):
        count = int(rng.integers(max(1, columns - 1), columns + 1)) if row < len(kinds) else columns
        wide = pitch * columns / count
        for column in range(count):
            x = (column + 0.5) * wide - pitch * columns / 2
            if row == len(kinds):
                _lamp(made, rng, f"lamp_{column + 1}", (x, y + tall / 2, 0), 0.2 * p)
                continue
            number = row * columns + column + 1
            kind = str(kinds[row]) if rng.random() < 0.85 else str(rng.choice(["switch", "button", "knob"]))
            spots += _control(made, rng, kind, f"{kind}_{number}", (x, y + tall / 2 - 0.1 * p), p, tall)
            if labelled and rng.random() < 0.6:
                plate = block((0.7 * p, 0.16 * p, 0.04 * p), (x, y + tall - 0.12 * p, 0.015 * p), 0.01 * p)
                _add(made, f"label_{number}", finish(rng, "pale", "paint", "dark"), plate)
                made.weld("panel", f"label_{number}")
        y += tall
    _fittings(made, rng, spots)
    _housing(made, rng, width, height, t)
    return made.finish(rng)


def toaster(rng: np.random.Generator) -> Shape:
    """One or two levers, each with its rack in one or two slots, knobs, buttons and a crumb tray."""
    made, groups, slots = Mechanism("toaster"), int(rng.integers(1, 3)), int(rng.integers(1, 3))
    long, high, s, rib = rng.uniform(0.24, 0.4), rng.uniform(0.16, 0.22), rng.uniform(0.026, 0.04), 0.014
    cap, foot, deep = rng.uniform(0.014, 0.03), rng.uniform(0.006, 0.014), rng.uniform(0.014, 0.024)
    cell = slots * s + (slots - 1) * rib
    cheek = rng.uniform(0.02, 0.035)
    wide, low, corner = groups * cell + (groups - 1) * 2 * rib + 2 * cheek, foot + deep, 0.9 * cheek
    shell, ends = finish(rng, "metal", "pale", "paint", "plastic"), finish(rng, "dark", "metal", "plastic")
    edge = np.array([*(arc(corner, 0, np.pi / 2, 5) + (wide / 2 - corner, high - corner)),
                     (wide / 2 - cheek, high), (wide / 2 - cheek, low), (wide / 2, low)])  # fmt: skip
    sides = [_along_x(edge * (k, 1), long - 1.9 * cap) for k in (-1, 1)]
    _add(made, "body", shell, *sides)
    whole = np.concatenate([edge[:5], edge[4::-1] * (-1, 1), [(-wide / 2, low), (wide / 2, low)]])
    _add(made, "body", ends, moved(_along_x(whole, cap), ((long - cap) / 2, 0, 0)))
    centres = [(g - (groups - 1) / 2) * (cell + 2 * rib) for g in range(groups)]
    gap, travel, start = 0.008, rng.uniform(0.3, 0.45) * high, high - corner - 0.012
    share = wide / groups
    cuts = [-wide / 2, *(c + k * gap / 2 for c in centres for k in (-1, 1)), wide / 2]
    for left, right in zip(cuts[::2], cuts[1::2], strict=True):
        upper = high - corner
        face = [(left, low), (right, low), (right, upper), (left, upper)]
        _add(made, "body", ends, moved(_along_x(np.array(face), cap), ((cap - long) / 2, 0, 0)))
    crown = np.concatenate([edge[:5], edge[4::-1] * (-1, 1)])
    _add(made, "body", ends, moved(_along_x(crown, cap), ((cap - long) / 2, 0, 0)))
    room, front = 0.02, -long / 2
    dividers = centres if slots == 2 else []
    inner = long - 1.9 * cap - room
    _add(made, "body", shell, *(block((inner, rib, high - low), (room / 2, y, (high + low) / 2))
        for y in dividers))  # fmt: skip
    if groups == 2:
        _add(made, "body", shell, block((long - 1.9 * cap, 2 * rib, high - low), (0, 0, (high + low) / 2)))
    spots = [("body", (0, k * wide / 2, 0.5 * high), k * Y, 0.2 * high) for k in (-1, 1)]
    grip, off = str(rng.choice(["bar", "pill", "tab"])), 0.27 * share * rng.choice([-1, 1])
    for number, centre in enumerate(centres, 1):
        name = f"lever_{number}" if groups > 1 else "lever"
        _toaster_lever(made, rng, name, (front, centre, start),
            (cap, gap, room, inner, cell, s, slots, grip, 0.26 * share), ends)  # fmt: skip
        made.slide("body", name, -Z, 0.0, travel)
        spots.append((name, (front - 0.03, centre, start), -X, 0.014))
        r = rng.uniform(0.08, 0.12) * min(high, share)
        at = np.array([front, centre + off, low + 0.3 * (high - low)])
        spots += _knob(made, rng, "body", name.replace("lever", "knob"), at, -X, r)
        for k in range(int(rng.integers(0, 4))):
            at = np.array([front, centre - off, low + (0.18 + 0.2 * k) * (high - low)])
            spots += _button(made, rng, "body", f"button_{number}_{k + 1}", at, -X, 0.25 * r + 0.03 * share)
    _crumb_tray(made, rng, long, wide, foot, deep, ends)
    _fittings(made, rng, spots)
    if rng.random() < 0.5:
        _turn_whole(made, Z, np.pi / 2)
    return made.finish(rng)


def padlocked_chest(rng: np.random.Generator) -> Shape:
    """A chest with a flat, hipped or vaulted lid, shut by hasps with a padlock, a pin or a button."""
    made = Mechanism("padlocked_chest")
    wide, t = rng.uniform(0.3, 1.1), rng.uniform(0.012, 0.025)
    deep, high = rng.uniform(0.45, 0.75) * wide, rng.uniform(0.3, 0.6) * wide
    body, iron = finish(rng, "wood", "paint", "metal", "pale"), finish(rng, "dark", "metal", "brass")
    _add(made, "chest", body, *_walls(wide, deep, high, t), block((wide, deep, t), (0, 0, t / 2)))
    brim = _chest_lid(made, rng, wide, deep, high, t, body)
    spots = [("chest", (0.3 * wide, -deep / 2, 0.4 * high), -Y, 0.2 * high),
        ("lid", (-0.3 * wide, -deep / 2, high + 0.5 * brim), -Y, 0.6 * brim)]  # fmt: skip
    pin = rng.uniform(0.4, 0.7) * t
    hinges = np.array([-0.32, 0.32] if rng.random() < 0.7 else [-0.38, 0.0, 0.38]) * wide
    _add(made, "chest", iron, *(rod((x - 2 * t, deep / 2, high), (x + 2 * t, deep / 2, high), pin, 10)
        for x in hinges))  # fmt: skip
    straps = [block((3 * t, 0.3 * t, 0.7 * high), (x, deep / 2, 0.63 * high)) for x in hinges]
    _add(made, "chest", iron, *straps)
    _add(made, "lid", iron, *(block((2.4 * t, 0.4 * t, 0.8 * brim), (x, deep / 2, high + 0.45 * brim))
        for x in hinges))  # fmt: skip
    made.hinge("chest", "lid", (0, deep / 2, high), -X, 0.0, rng.uniform(1.3, 1.9))
    places = [0.0] if wide < 0.6 or rng.random() < 0.6 else [-0.25 * wide, 0.25 * wide]
    style, seed = str(rng.choice(["padlock", "pin", "button"])), int(rng.integers(2**32))
    for number, x in enumerate(places, 1):
        suffix = f"_{number}" if len(places) > 1 else ""
        _hasp(made, np.random.default_rng(seed), style, suffix, (x, -deep / 2, high), brim, iron)
    if rng.random() < 0.5:
        for number, side in enumerate((-1, 1), 1):
            _bail(made, f"handle_{number}", (side * wide / 2, 0, 0.65 * high), side, 0.22 * deep, iron)
    else:
        spots += [("chest", (side * wide / 2, 0, 0.6 * high), side * X, 0.25 * deep) for side in (-1, 1)]
    if rng.random() < 0.5:
        corners = [block((0.1 * wide, 0.1 * wide, 0.1 * high),
            (sx * 0.455 * wide, sy * (deep / 2 - 0.045 * wide), 0.04 * high), 0.1 * t) for sx in (-1, 1)
            for sy in (-1, 1)]  # fmt: skip
        _add(made, "chest", iron, *corners)
    _fittings(made, rng, spots)
    return made.finish(rng)


def valve_manifold(rng: np.random.Generator) -> Shape:
    """A header with branches, each with a hand wheel, a quarter-turn lever or a gate; on legs or a board."""
    made, r = Mechanism("valve_manifold"), rng.uniform(0.012, 0.05)
    count, pitch = int(rng.integers(2, 6)), rng.uniform(5.5, 8.0) * r
    bore, long = rng.uniform(1.0, 1.5) * r, count * pitch
    pipe, accent = finish(rng, "metal", "brass", "paint", "dark"), finish(rng, "plastic", "paint", "dark")
    _add(made, "header", pipe, rod(-long / 2 * X, long / 2 * X, bore, 16))
    main = str(rng.choice(["none", "wheel", "lever"]))
    spots = [("header", (-long / 2 - 0.3 * bore, 0, 0), -X, 1.6 * bore)]
    ends = [k * (long / 2) * X for k in (-1, 1)]
    _add(made, "header", pipe, *(aimed(_flange(bore), X, e) for e in ends))
    if main != "none":
        at = ends[1] + 2 * bore * X
        _valve(made, rng, main, "main_" + main, at, np.pi / 2, bore, 0.8 * pitch, pipe, accent)
    middle, top = rng.uniform(4.5, 6.0) * r, rng.uniform(8.5, 12.0) * r
    finale, mixed = str(rng.choice(["flange", "header", "nozzle", "cap"])), rng.random() < 0.7
    first = str(rng.choice(["wheel", "lever", "gate"]))
    for i in range(count):
        x = (i + 0.5) * pitch - long / 2
        z, kind = middle + (1.5 * r * (i % 2) if mixed and finale != "nozzle" else 0.0), first
        if mixed:
            kind = str(rng.choice(["wheel", "lever", "gate"]))
        _add(made, "header", pipe, rod((x, 0, 0), (x, 0, z - 0.3 * r), r, 14),
            rod((x, 0, z + 0.3 * r), (x, 0, top), r, 14))  # fmt: skip
        spots += _valve(made, rng, kind, f"{kind}_{i + 1}", np.array([x, 0, z]), 0.0, r, pitch, pipe, accent)
        _add(made, "header", pipe, *_pipe_end(finale, np.array([x, 0, top]), r))
    if finale == "header":
        _add(made, "header", pipe, rod((-long / 2, 0, top), (long / 2, 0, top), bore, 16))
    between = (int(rng.integers(1, count)) - count / 2) * pitch
    _gauge(made, rng, (between, 0, 0), r, bore)
    _fittings(made, rng, spots)
    _pipe_stand(made, rng, long, bore, r, top)
    return made.finish(rng)


def coffee_grinder(rng: np.random.Generator) -> Shape:
    """A box mill: a drawer below, a bowl, canister or flap for the beans above, and a crank on top."""
    made = Mechanism("coffee_grinder")
    wide, high, t = rng.uniform(0.09, 0.16), rng.uniform(0.09, 0.2), rng.uniform(0.006, 0.01)
    deep, share = rng.uniform(0.85, 1.15) * wide, rng.uniform(0.3, 0.55)
    wood, metal = finish(rng, "wood", "paint", "pale", "dark"), finish(rng, "metal", "brass", "dark")
    slot = share * high
    sides = [block((t, deep, high), (k * (wide - t) / 2, 0, high / 2)) for k in (-1, 1)]
    back = block((wide, t, high), (0, (deep - t) / 2, high / 2))
    fascia = block((wide, t, high - slot - t), (0, (t - deep) / 2, (high + slot + t) / 2))
    _add(made, "box", wood, *sides, back, fascia, block((wide, deep, t), (0, 0, t / 2)))
    _add(made, "box", wood, block((0.98 * wide, 0.98 * deep, 0.5 * t), (0, 0, slot + 1.2 * t)))
    lip = rng.uniform(0.0, 0.012)
    trim = wood if rng.random() < 0.5 else finish(rng, "wood", "dark")
    _add(made, "box", trim, block((wide + 2 * lip, deep + 2 * lip, 1.4 * t), (0, 0, high + 0.6 * t), 0.3 * t))
    if rng.random() < 0.6:
        _add(made, "box", trim, block((wide + 2 * lip, deep + 2 * lip, t), (0, 0, -0.45 * t), 0.2 * t))
    _mill_drawer(made, rng, wide, deep, slot, t, trim, metal)
    top = high + 1.3 * t
    style = str(rng.choice(["bowl", "canister", "flap"]))
    if style == "flap":
        axle, level = (0, 0.2 * deep), _mill_flap(made, rng, wide, deep, top, t, trim, metal)
    else:
        axle, level = (0, 0), _mill_hopper(made, rng, style, 0.42 * min(wide, deep), top, metal)
    _crank(made, rng, np.array([*axle, level]), rng.uniform(0.55, 0.85) * wide, metal)
    spots = [("box", (k * wide / 2, 0, 0.6 * high), k * X, 0.3 * high) for k in (-1, 1)]
    spots += [("box", (0, -deep / 2, (high + slot) / 2), -Y, 0.5 * (high - slot)),
        ("drawer", (0.36 * wide, -deep / 2 - t, 0.5 * slot), -Y, 0.2 * slot)]  # fmt: skip
    _fittings(made, rng, spots)
    return made.finish(rng)


def _add(made, link, material, *solids) -> None:
    """Solids of one material on a link."""
    made.part(link, [painted(solid, material) for solid in solids])


def _along_x(outline, length) -> Shape:
    """An outline of (y, z) drawn out along x."""
    shape = extrude(outline, length)
    return shape.with_(vertices=shape.vertices[:, [2, 0, 1]])


def _turning(profile, scale, sides=16) -> Shape:
    """A turned solid whose profile is in units of `scale`."""
    return lathe(scale * np.array(profile, float), sides)


def _walls(width, depth, height, t) -> list[Shape]:
    """Four walls that stand on z = 0."""
    return shifted([turned(b, X, np.pi / 2) for b in border_bars(width, depth, height, t)],
        (0, 0, height / 2))  # fmt: skip


def _turn_whole(made, axis, angle) -> None:
    """Turn everything made so far, joints too."""
    matrix = rotation_about(axis, angle)
    made.pieces = [(link, turned(piece, axis, angle)) for link, piece in made.pieces]
    made.joints = [replace(j, at=matrix @ j.at, axis=matrix @ j.axis) for j in made.joints]


def _fittings(made, rng, spots) -> None:
    """Now and then one to four rigid extras of their own links, on spots of (link, point, normal, size)."""
    if rng.random() > 0.4:
        return
    for k in rng.permutation(len(spots))[: int(rng.integers(1, 5))]:
        parent, at, along, size = spots[k]
        kind = str(rng.choice(["nameplate", "cover", "bracket", "stud", "grip"]))
        name = f"{kind}_{k + 1}"
        _add(made, name, finish(rng, "metal", "brass", "dark", "plastic"),
            *(aimed(s, along, at) for s in _extra(kind, size)))  # fmt: skip
        made.weld(parent, name)


def _extra(kind, s) -> list[Shape]:
    """A rigid extra on the plane z = 0, about `s` wide."""
    if kind == "nameplate":
        return [block((0.5 * s, s, 0.08 * s), (0, 0, 0.03 * s), 0.02 * s)]
    if kind == "cover":
        return [lathe([(0.5 * s, -0.02 * s), (0.5 * s, 0.06 * s), (0.35 * s, 0.12 * s), (0, 0.12 * s)], 16)]
    if kind == "bracket":
        return [block((0.5 * s, s, 0.08 * s), (0, 0, 0.03 * s)),
            block((0.08 * s, s, 0.4 * s), (0.2 * s, 0, 0.2 * s))]  # fmt: skip
    if kind == "stud":
        return [_turning([(0.2, -0.02), (0.14, 0.2), (0.28, 0.3), (0.2, 0.42), (0, 0.45)], s, 12)]
    bow = s * curve([(0, -0.45, -0.01), (0, -0.38, 0.25), (0, 0.38, 0.25), (0, 0.45, -0.01)], 9)
    return [tube(bow, 0.06 * s, 8)]


def _control(made, rng, kind, name, at, p, tall) -> list:
    """One control on the plane z = 0 of a panel, in a cell about `p` wide; spots for extras on it."""
    at = np.array([*at, 0.0])
    if kind == "switch":
        return _toggle(made, rng, name, at, p)
    if kind == "rocker":
        return _rocker(made, rng, name, at, p)
    if kind == "fader":
        return _fader(made, rng, name, at, p, tall - 0.6 * p)
    if kind == "button":
        return _button(made, rng, "panel", name, at, Z, rng.uniform(0.24, 0.36) * p)
    if rng.random() < 0.6:
        r = 0.46 * p
        ticks = [turned(block((0.08 * p, 0.025 * p, 0.02 * p), (r, 0, 0.005 * p)), Z, a)
            for a in np.linspace(-0.8, 3.94, int(rng.integers(5, 12)))]  # fmt: skip
        _add(made, "panel", finish(rng, "pale", "dark"), *shifted(ticks, at))
    return _knob(made, rng, "panel", name, at, Z, rng.uniform(0.26, 0.38) * p)


def _knob(made, rng, parent, name, at, along, r) -> list:
    """A fluted, turned or winged knob on a washer, with a mark that shows its turn."""
    h, style = rng.uniform(0.7, 1.3) * r, str(rng.choice(["fluted", "turned", "winged"]))
    if style == "fluted":
        angle = np.linspace(0, 2 * np.pi, 36, endpoint=False)
        rim = (1 + 0.06 * np.sign(np.sin(9 * angle + 0.1)))[:, None] * arc(0.9 * r, 0, 2 * np.pi, 37)[:-1]
        solids = [moved(extrude(rim, h, 0.05 * r), (0, 0, h / 2))]
    elif style == "turned":
        solids = [lathe([(r, 0), (r, 0.15 * h), (0.8 * r, 0.25 * h), (0.7 * r, 0.9 * h), (0.6 * r, h)], 20)]
    else:
        h *= 0.8
        solids = [lathe([(r, 0), (0.95 * r, 0.3 * h), (0, 0.3 * h)], 20),
            block((1.7 * r, 0.4 * r, h), (0, 0, h / 2), 0.1 * r)]  # fmt: skip
    mark = block((0.5 * r, 0.12 * r, 0.1 * r), (0.42 * r, 0, h))
    _add(made, parent, finish(rng, "metal", "dark"),
        aimed(_turning([(1.12, -0.05), (1.12, 0.03)], r), along, at))  # fmt: skip
    _add(made, name, finish(rng, "dark", "plastic", "metal", "pale"), *(aimed(s, along, at) for s in solids))
    _add(made, name, finish(rng, "pale", "plastic"), aimed(mark, along, at))
    if rng.random() < 0.2:
        made.spin(parent, name, at, along)
    else:
        made.hinge(parent, name, at, -along, 0.0, rng.uniform(1.5, 5.0))
    return [(name, at + h * along, along, 0.6 * r)]


def _button(made, rng, parent, name, at, along, r) -> list:
    """A round, square or mushroom button that goes down in its collar."""
    travel, style = rng.uniform(0.25, 0.5) * r, str(rng.choice(["round", "square", "mushroom"]))
    rim = travel + 0.3 * r
    top = rim + 1.15 * travel
    if style == "square":
        collar = _walls(2 * r, 2 * r, rim, 0.2 * r)
        cap = [block((1.62 * r, 1.62 * r, top - travel), (0, 0, (top + travel) / 2))]
    else:
        collar = [ring([(0.8 * r, -0.02 * r), (r, -0.02 * r), (r, 0.8 * rim), (0.9 * r, rim),
            (0.8 * r, rim)], 16)]  # fmt: skip
        cap = [lathe([(0.8 * r, travel), (0.8 * r, top), (0.7 * r, top + 0.08 * r)], 16)]
    if style == "mushroom":
        cap.append(moved(_turning([(0.6, -0.05), (1.3, 0.1), (1.2, 0.4), (0.6, 0.6)], r), (0, 0, top)))
        top += 0.6 * r
    _add(made, parent, finish(rng, "metal", "dark"), *(aimed(s, along, at) for s in collar))
    _add(made, name, finish(rng, "plastic", "pale", "dark"), *(aimed(s, along, at) for s in cap))
    made.slide(parent, name, -along, 0.0, travel)
    return [(name, at + top * along, along, 0.8 * r)]


def _toggle(made, rng, name, at, p) -> list:
    """A bat on a ball in a threaded bush, thrown from one side to the other."""
    seat, long, lean = at + 0.08 * p * Z, rng.uniform(0.45, 0.8) * p, rng.uniform(0.25, 0.45)
    axis = X if rng.random() < 0.8 else Y
    metal = finish(rng, "metal", "brass", "dark")
    bush = ring(p * np.array([(0.1, -0.02), (0.22, -0.02), (0.22, 0.1), (0.1, 0.14)]),
        int(rng.choice([6, 16])))  # fmt: skip
    _add(made, "panel", metal, moved(bush, at))
    tip = seat + long * Z
    bat = rod(seat, tip, (0.05 * p, rng.uniform(0.06, 0.11) * p),
        10) if rng.random() < 0.6 else block((0.2 * p, 0.12 * p, 0.9 * long), seat + 0.55 * long * Z,
        0.03 * p)  # fmt: skip
    solids = [turned(s, axis, -lean, seat) for s in (ball(0.1 * p, seat, 10), bat)]
    _add(made, name, finish(rng, "metal", "dark", "plastic"), *solids)
    made.hinge("panel", name, seat, axis, 0.0, 2 * lean)
    end = rotation_about(axis, -lean) @ Z
    return [(name, seat + long * end, end, 0.25 * p)]


def _rocker(made, rng, name, at, p) -> list:
    """A paddle of a shallow V on a pin between the cheeks of its frame."""
    half, w, lean = rng.uniform(0.3, 0.42) * p, rng.uniform(0.35, 0.7) * p, rng.uniform(0.14, 0.22)
    _add(made, "panel", finish(rng, "dark", "pale", "metal"),
        *shifted(_walls(w + 0.1 * p, 2 * half + 0.1 * p, 0.11 * p, 0.05 * p), at))  # fmt: skip
    dip = rng.uniform(0.04, 0.08)
    outline = np.array([(-1, 0), (0, -0.09), (1, 0), (1, 0.11), (0, dip), (-1, 0.11)]) * (0.97 * half, p)
    seat = at + 0.1 * p * Z
    _add(made, name, finish(rng, "plastic", "pale", "dark"),
        turned(moved(_along_x(outline, 0.94 * w), seat), X, -lean, seat))  # fmt: skip
    _add(made, name, finish(rng, "metal"), rod(seat - 0.52 * w * X, seat + 0.52 * w * X, 0.03 * p, 8))
    made.hinge("panel", name, seat, X, 0.0, 2 * lean)
    return []


def _fader(made, rng, name, at, p, long) -> list:
    """A cap on a stem between two rails with stops at their ends."""
    gap, start = 0.1 * p, at - 0.5 * long * Y
    rails = [block((0.08 * p, long, 0.06 * p), at + (s * (gap / 2 + 0.04 * p), 0, 0.02 * p)) for s in (-1, 1)]
    stops = [block((gap + 0.16 * p, 0.08 * p, 0.1 * p), at + (0, s * long / 2, 0.04 * p)) for s in (-1, 1)]
    _add(made, "panel", finish(rng, "dark", "metal"), *rails, *stops)
    w, d, h = rng.uniform(0.35, 0.6) * p, rng.uniform(0.25, 0.45) * p, rng.uniform(0.16, 0.35) * p
    start = start + (0.5 * d + 0.05 * p) * Y
    solids = [block((gap, 0.6 * d, 0.12 * p), start + 0.06 * p * Z),
        block((w, d, h), start + (0.1 * p + h / 2) * Z, 0.06 * p)]  # fmt: skip
    _add(made, name, finish(rng, "dark", "plastic", "pale"), *solids)
    _add(made, name, finish(rng, "pale", "plastic"),
        block((0.9 * w, 0.06 * p, 0.03 * p), start + (0.1 * p + h) * Z))  # fmt: skip
    made.slide("panel", name, Y, 0.0, long - d - 0.1 * p)
    return [(name, start + (0.1 * p + h) * Z, Z, 0.8 * d)]


def _lamp(made, rng, name, at, r) -> None:
    """A signal lamp: a lens in a bezel, glued to the panel."""
    _add(made, name, finish(rng, "metal", "dark"), moved(_turning([(1, -0.05), (1, 0.3), (0.8, 0.45)], r),
        at))  # fmt: skip
    _add(made, name, finish(rng, "plastic"), moved(_turning([(0.75, 0.3), (0.7, 0.7), (0.4, 1), (0, 1.1)],
        r), at))  # fmt: skip
    made.weld("panel", name)


def _housing(made, rng, width, height, t) -> None:
    """What is behind a panel: a wall, a box that lies or stands, or a slanted desk; turns the panel to it."""
    style = str(rng.choice(["plate", "flat", "upright", "desk"]))
    link, body = "panel" if rng.random() < 0.5 else "box", finish(rng, "metal", "paint", "dark", "wood")
    lean = {"flat": 0.0, "desk": rng.uniform(0.25, 1.1)}.get(style, np.pi / 2)
    if style in ("flat", "upright"):
        deep = rng.uniform(0.25, 0.8) * min(width, height)
        _add(made, link, body, block((0.98 * width, 0.98 * height, deep), (0, 0, -t - 0.499 * deep),
            0.03 * deep))  # fmt: skip
    _turn_whole(made, X, lean)
    if style == "desk":
        edges = [rotation_about(X, lean) @ (0, k * 0.49 * height, -t) for k in (-1, 1)]
        floor = edges[0][2] - rng.uniform(0.1, 0.4) * height
        outline = [edges[0][1:], edges[1][1:], (edges[1][1], floor), (edges[0][1], floor)]
        _add(made, link, body, _along_x(np.array(outline), 0.98 * width))
    if link == "box" and style != "plate":
        made.weld("panel", "box")


def _toaster_lever(made, rng, name, at, sizes, dark) -> None:
    """A grip before the slit, a stem through it, and a rack of bars that lies in the slots."""
    cap, gap, room, inner, cell, s, slots, grip, w = sizes
    x, y, z = at
    if grip == "pill":
        knob = pill((x - 0.02, y - w / 2, z), (x - 0.02, y + w / 2, z), 0.008, 10)
    else:
        knob = block((0.024, w, 0.014 if grip == "bar" else 0.006), (x - 0.02, y, z), 0.002)
    _add(made, name, dark, knob)
    wire = finish(rng, "metal")
    _add(made, name, wire, block((0.016 + cap + 0.5 * room, gap, 0.01),
        (x - 0.016 + (0.016 + cap + 0.5 * room) / 2, y, z)))  # fmt: skip
    _add(made, name, wire, block((0.008, cell - 0.3 * s, 0.01), (x + cap + 0.5 * room, y, z)))
    rows = [y] if slots == 1 else [y - (cell - s) / 2, y + (cell - s) / 2]
    start = x + cap + 0.4 * room
    _add(made, name, wire, *(block((0.95 * inner, 0.5 * s, 0.004), (start + 0.475 * inner, row, z - 0.002))
        for row in rows))  # fmt: skip


def _crumb_tray(made, rng, long, wide, foot, deep, dark) -> None:
    """Skirts under the body, open on one side, and the tray that pulls out there."""
    way, w, z = (X, Y, -Y)[int(rng.integers(3))], 0.008, foot + deep / 2
    run = long if way[0] else wide
    for ox, oy, a, b in ((-0.5, 0, w, wide), (0.5, 0, w, wide), (0, -0.5, long, w), (0, 0.5, long, w)):
        if 2 * (ox * way[0] + oy * way[1]) < 0.5:
            _add(made, "body", dark, block((a, b, deep + 0.002), (ox * (long - w), oy * (wide - w), z)))
    a, b = long - 2 * w, wide - 2 * w
    tray = [block((a, b, 0.003), (0, 0, foot + 0.003)),
        *shifted(_walls(a, b, 0.6 * deep, 0.003), (0, 0, foot + 0.002))]  # fmt: skip
    front = block((w, b, deep - 0.002) if way[0] else (a, w, deep - 0.002), way * (run - w) / 2 + z * Z)
    handle = block((0.05, 0.012, 0.005), (0, 0, 0), 0.001)
    handle = moved(turned(handle, Z, np.pi / 2 if way[0] else 0.0), way * (run / 2 + 0.004) + z * Z)
    _add(made, "tray", finish(rng, "metal", "dark"), *tray, front, handle)
    made.slide("body", "tray", way, 0.0, rng.uniform(0.5, 0.85) * run)
    stand = np.array([0.4 * long, (wide - w) / 2] if way[0] else [(long - w) / 2, 0.4 * wide])
    corners = [stand * (sx, sy) for sx in (-1, 1) for sy in (-1, 1)]
    _add(made, "body", finish(rng, "rubber"), *(rod((*c, 0), (*c, foot + 0.001), 0.45 * w, 10)
        for c in corners))  # fmt: skip


def _chest_lid(made, rng, wide, deep, high, t, body) -> float:
    """A slab, a hipped roof or a hollow vault with closed ends; how tall its front is."""
    brim, style = rng.uniform(0.12, 0.22) * high + 0.03, str(rng.choice(["slab", "hip", "vault"]))
    rise = rng.uniform(0.15, 0.4) * deep
    low, tall, d = high, high + brim, deep / 2
    if style == "slab":
        _add(made, "lid", body, *shifted(_walls(wide, deep, brim, t), (0, 0, high)),
            block((wide, deep, t), (0, 0, tall), 0.3 * t))  # fmt: skip
    elif style == "hip":
        flat = rng.uniform(0.4, 0.8) * d
        roof = np.array([(-d, low), (d, low), (d, tall), (flat, tall + 0.5 * rise),
            (-flat, tall + 0.5 * rise), (-d, tall)])  # fmt: skip
        _add(made, "lid", body, _along_x(roof, wide))
    else:
        outer = np.array([(d, low), *(arc((d, rise), 0, np.pi, 13) + (0, tall)), (-d, low)])
        inner = outer * ((d - t) / d, 1) - (0, t) * (outer[:, 1:] > low)
        shell, bands = np.concatenate([outer, inner[::-1]]), int(rng.choice([0, 2, 3]))
        ends = [moved(_along_x(outer, t), (k * 0.499 * (wide - t), 0, 0)) for k in (-1, 1)]
        _add(made, "lid", body, _along_x(shell, wide), *ends)
        band = _along_x(shell * (1 + 0.25 * t / d, 1) + (0, 0.15 * t), 2 * t)
        places = np.linspace(-0.4, 0.4, bands) * wide
        _add(made, "lid", finish(rng, "dark", "metal"), *(moved(band, (x, 0, 0)) for x in places))
    return brim


def _hasp(made, rng, style, suffix, at, brim, iron) -> None:
    """A slotted strap on the lid that falls over a staple, and what holds it there."""
    x, y, z = at
    u = (0.6 + 1.6 * z) * rng.uniform(0.9, 1.3)  # how much larger than a small one
    w, t, top = rng.uniform(0.03, 0.045) * u, 0.004 * u, z + 0.4 * brim
    eye, slot, y0 = z - rng.uniform(0.02, 0.035) * u, rng.uniform(0.034, 0.044) * u, y - 0.5 * t
    knuckles = [rod((x - k * w, y0, top), (x + k * w, y0, top), r * t, 10) for k,
        r in ((0.6, 0.9), (0.3, 1.05))]  # fmt: skip
    leaf = block((1.3 * w, t, 0.4 * brim), (x, y0 + 0.2 * t, top + 0.25 * brim))
    _add(made, "lid", iron, leaf, knuckles[0])
    low = eye + 0.5 * slot - 0.2 * w
    strap = block((w, t, top - low), (x, y0 - 0.2 * t, (top + low) / 2))
    frame = shifted(border_bars(w, slot + 0.4 * w, t, 0.24 * w), (x, y0 - 0.2 * t, eye))
    _add(made, f"hasp{suffix}", iron, strap, *frame, knuckles[1])
    made.hinge("lid", f"hasp{suffix}", (x, y0, top), -X, 0.0, rng.uniform(1.4, 2.4))
    hold = {"button": _turn_button, "pin": _pin, "padlock": _padlock}[style]
    hold(made, rng, suffix, np.array([x, y, eye]), w, u, iron)


def _turn_button(made, rng, suffix, eye, w, u, iron) -> None:
    """A wing on a post that stands through the slot, across it."""
    bar, r = rng.uniform(0.008, 0.012) * u, 0.2 * w
    _add(made, "chest", iron, rod(eye + 0.002 * Y, eye - bar * Y, r, 10))
    wing = block((1.15 * w, 0.006 * u, 0.3 * w), eye - (bar + 0.003 * u) * Y, 0.001 * u)
    _add(made, f"latch{suffix}", iron, wing, rod(eye - bar * Y, eye - (bar + 0.014 * u) * Y, r, 10))
    made.hinge("chest", f"latch{suffix}", eye, Y, 0.0, np.pi / 2)


def _staple(made, eye, u, iron):
    """An arch of wire on the chest; the middle of its hole."""
    points = u * np.array([(0, 0, 11), (0, -20, 11), (0, -24, 0), (0, -20, -11), (0, 0, -11)]) / 1000
    _add(made, "chest", iron, tube(eye + curve(points, 13) + 0.003 * Y, 0.003 * u, 8))
    return eye - 0.0125 * u * Y


def _pin(made, rng, suffix, eye, w, u, iron) -> None:
    """A pin through the staple that is drawn out sideways."""
    hole, long = _staple(made, eye, u, iron), rng.uniform(1.2, 1.8) * w
    end = hole + 0.6 * long * X
    pin = [pill(hole - 0.4 * long * X, end, 0.0055 * u, 10), ball(0.009 * u, end, 10)]
    _add(made, f"latch{suffix}", finish(rng, "brass", "metal"), *pin)
    made.slide("chest", f"latch{suffix}", X, 0.0, 0.35 * long)


def _padlock(made, rng, suffix, eye, w, u, iron) -> None:
    """A padlock whose shackle hangs in the staple and whose body draws off the shackle's legs."""
    hole, shackle, padlock = _staple(made, eye, u, iron), f"shackle{suffix}", f"padlock{suffix}"
    leg, span, r = rng.uniform(0.03, 0.04) * u, rng.uniform(0.3, 0.45) * w, 0.0055 * u
    top = np.insert(arc((span, 0.6 * span), np.pi, 0, 9), 1, 0, 1) - 0.6 * span * Z
    ends = [(k * span, 0, -1.8 * leg) for k in (-1, 1)]
    _add(made, shackle, finish(rng, "metal"), tube(hole + [ends[0], *top, ends[1]], r, 8))
    made.hinge("chest", shackle, hole, -X, 0.0, rng.uniform(0.6, 1.2))
    size = (2 * span + 5 * r, 3.2 * r, rng.uniform(1.0, 1.6) * leg)
    middle = hole - (leg + size[2] / 2) * Z
    keyhole = rod(middle - 1.5 * r * Y, middle - 1.8 * r * Y, 0.25 * span, 10)
    _add(made, padlock, finish(rng, "brass", "metal", "plastic"), block(size, middle, 0.5 * r), keyhole)
    made.slide(shackle, padlock, -Z, 0.0, 0.5 * leg)


def _bail(made, name, at, side, half, iron) -> None:
    """A handle that hangs from two lugs on a side wall."""
    r = 0.05 * half + 0.003
    seat = np.asarray(at) + side * 1.4 * r * X
    _add(made, "chest", iron, *(block((3.4 * r, 2.2 * r, 3.4 * r), seat + k * half * Y - side * 0.3 * r * X,
        0.3 * r) for k in (-1, 1)))  # fmt: skip
    points = [(0, 1, 0), (0, 1, -0.4), (0, 0.6, -0.75), (0, -0.6, -0.75), (0, -1, -0.4), (0, -1, 0)]
    drop = seat + half * curve(points, 16)
    _add(made, name, iron, tube(drop, r, 8, rounded=True))
    made.hinge("chest", name, seat, -side * Y, 0.0, 1.4)


def _flange(r) -> Shape:
    """A collar about z = 0."""
    return lathe([(1.6 * r, -0.3 * r), (1.6 * r, 0.3 * r)], 16)


def _valve(made, rng, kind, name, at, lie, r, pitch, pipe, accent) -> list:
    """A valve about a point of a pipe, its stem towards −y; `lie` turns it from upright about y."""

    def place(*solids):
        return [moved(turned(s, Y, lie), at) for s in solids]

    if kind == "gate":
        a, t = 1.8 * r, 0.3 * r
        plates = [block((2 * a, 2 * a, t), (0, 0, k * t), 0.1 * t) for k in (-1, 1)]
        guides = [block((0.2 * a, 2 * a, 1.2 * t), (k * 0.9 * a, 0, 0)) for k in (-1, 1)]
        _add(made, "header", pipe, *place(*plates, *guides,
            *(moved(_flange(r), (0, 0, k * 0.7 * r)) for k in (-1, 1))))  # fmt: skip
        blade = block((1.6 * a, 2.2 * a, 0.95 * t), (0, -0.15 * a, 0))
        _add(made, name, finish(rng, "metal"), *place(blade))
        made.part(name, place(*shifted(pull(rng, 1.5 * a, accent), (0, -1.2 * a, 0))))
        made.slide("header", name, -Y, 0.0, rng.uniform(1.2, 1.7) * a)
        return [(name, at - 1.25 * a * Y, -Y, 0.5 * t)]
    half = np.array([(1.5, 0.5), (1.1, 1.5), (1.6, 1.6), (1.6, 2)])
    body = _turning([*(half[::-1] * (1, -1)), *half], r)
    neck = rng.uniform(2.4, 3.2) * r
    bonnet = aimed(lathe([(0.9 * r, 0), (0.9 * r, 0.7 * neck), (1.15 * r, 0.7 * neck),
        (1.15 * r, 0.85 * neck), (0.5 * r, neck)], 12), -Y)  # fmt: skip
    _add(made, "header", pipe, *place(body, bonnet))
    hub = at - (neck + 0.5 * r) * Y
    if kind == "lever":
        long, side = rng.uniform(0.42, 0.58) * pitch, int(rng.choice([-1, 1]))
        bar = block((long, 0.2 * r, 0.55 * r), hub + side * (0.5 * long - 0.4 * r) * X, 0.05 * r)
        sleeve = block((0.5 * long, 0.4 * r, 0.75 * r), hub + side * 0.7 * long * X, 0.15 * r)
        _add(made, name, finish(rng, "metal"), rod(at - (neck - 0.2 * r) * Y, hub - 0.3 * r * Y, 0.35 * r,
            10), bar)  # fmt: skip
        _add(made, name, accent, sleeve)
        made.hinge("header", name, hub, int(rng.choice([-1, 1])) * Y, 0.0, np.pi / 2)
        return [(name, hub - 0.3 * r * Y, -Y, 0.6 * r)]
    rim = rng.uniform(0.24, 0.38) * pitch
    _add(made, name, accent, *(aimed(s, -Y, hub) for s in _handwheel(rng, rim, r)))
    _add(made, name, finish(rng, "metal"), rod(at - (neck - 0.2 * r) * Y, hub - 0.4 * r * Y, 0.3 * r, 10))
    if rng.random() < 0.35:
        turns, rise, spindle = rng.uniform(6.0, 19.0), rng.uniform(0.8, 1.6) * r, f"stem_{name}"
        lead = made.hinge("header", name, hub, -Y, 0.0, turns)
        _add(made, spindle, finish(rng, "metal", "brass"),
            rod(at - 0.5 * r * Y, hub - 1.2 * r * Y, 0.2 * r, 8))  # fmt: skip
        made.slide("header", spindle, -Y, 0.0, rise, follows=(lead, rise / turns))
        return []
    made.spin("header", name, hub, -Y)
    return [(name, hub - 0.4 * r * Y, -Y, 0.5 * r)]


def _handwheel(rng, rim, r) -> list[Shape]:
    """A wheel about z: rim, hub, spokes that may be dished, and now and then a peg to wind it by."""
    count, dish, thick = int(rng.integers(3, 7)), rng.choice([0.0, 0.4]) * r, rng.uniform(0.09, 0.14) * rim
    spokes = [rod((0, 0, 0), (*(rim * np.array([np.cos(a), np.sin(a)])), dish), 0.7 * thick, 6)
        for a in 2 * np.pi * np.arange(count) / count]  # fmt: skip
    solids = [moved(torus(rim, thick, 20, 6), (0, 0, dish)),
        lathe([(0.55 * r, -0.3 * r), (0.55 * r, 0.3 * r)], 12), *spokes]  # fmt: skip
    return solids + ([pill((rim, 0, dish), (rim, 0, dish + 1.5 * r), 1.3 * thick,
        8)] if rng.random() < 0.3 else [])  # fmt: skip


def _pipe_end(style, at, r) -> list[Shape]:
    """The end of a branch: a flange, a cap, a bend to the front, or nothing where another header goes."""
    if style == "nozzle":
        bend = at + r * curve([(0, 0, -0.1), (0, -0.8, 1.6), (0, -2.4, 1.8), (0, -3.2, 0.6)], 10)
        return [tube(bend, r * np.linspace(1.0, 0.7, 10), 12), ball(r, at, 12)]
    if style == "cap":
        return [moved(lathe([(1.3 * r, -0.8 * r), (1.3 * r, 0.5 * r), (0.8 * r, 0.9 * r), (0, r)], 8), at)]
    return [moved(_flange(r), at)] if style == "flange" else []


def _gauge(made, rng, at, r, bore) -> None:
    """Half of the time a pressure gauge that stands on the header."""
    if rng.random() < 0.5:
        return
    case, centre = rng.uniform(1.2, 1.7) * r, np.asarray(at) + (bore + 2.6 * r) * Z
    dial = lathe([(case, -0.5 * r), (case, 0.4 * r), (0.9 * case, 0.5 * r)], 20)
    _add(made, "gauge", finish(rng, "dark", "metal", "brass"),
        rod(at + 0.9 * bore * Z, centre, 0.35 * r, 10), aimed(dial, -Y, centre))  # fmt: skip
    _add(made, "gauge", finish(rng, "pale"), aimed(lathe([(0.8 * case, 0.4 * r), (0.8 * case, 0.55 * r)],
        20), -Y, centre))  # fmt: skip
    made.weld("header", "gauge")


def _pipe_stand(made, rng, long, bore, r, top) -> None:
    """Legs on feet, or clamps on a board behind; what hangs on a board may run upright."""
    iron = finish(rng, "dark", "metal", "paint")
    link = made.part("frame" if rng.random() < 0.5 else "header")
    ends = [k * rng.uniform(0.36, 0.44) * long for k in (-1, 1)]
    if rng.random() < 0.5:
        tall = rng.uniform(4, 16) * r
        for x in ends:
            _add(made, link, iron, rod((x, 0, 0), (x, 0, -tall), 0.7 * r, 10),
                block((2.4 * r, 6 * r, 0.5 * r), (x, 0, -tall), 0.1 * r))  # fmt: skip
            _add(made, link, iron, rod((x - 0.5 * r, 0, 0), (x + 0.5 * r, 0, 0), 1.2 * bore, 16))
        upright = False
    else:
        back = 2.6 * r + bore
        _add(made, link, finish(rng, "wood", "metal", "paint"),
            block((1.05 * long, 0.5 * r, top + 4 * bore), (0, back, top / 2), 0.1 * r))  # fmt: skip
        for x in ends:
            _add(made, link, iron, block((r, back, 1.2 * r), (x, back / 2, 0)),
                rod((x - 0.5 * r, 0, 0), (x + 0.5 * r, 0, 0), 1.2 * bore, 16))  # fmt: skip
        upright = rng.random() < 0.5
    if link == "frame":
        made.weld("header", "frame")
    if upright:
        _turn_whole(made, Y, np.pi / 2)


def _mill_drawer(made, rng, wide, deep, slot, t, wood, metal) -> None:
    """An open tray between the walls, behind a front that fills its opening or lies on it."""
    a, b, h = wide - 2 * t, deep - 1.2 * t, rng.uniform(0.6, 0.85) * slot
    tray = [*shifted(_walls(a, b, h, 0.5 * t), (0, -0.6 * t, t)),
        block((a, b, 0.5 * t), (0, -0.6 * t, 1.25 * t))]  # fmt: skip
    cover = 0.98 * wide if rng.random() < 0.5 else a
    front = block((cover, t, slot - 0.1 * t), (0, -(deep + t) / 2, t + slot / 2), 0.15 * t)
    _add(made, "drawer", wood, *tray, front)
    made.part("drawer", shifted(pull(rng, min(0.35 * wide, 0.9 * slot), metal),
        (0, -deep / 2 - t, t + 0.5 * slot)))  # fmt: skip
    made.slide("box", "drawer", -Y, 0.0, rng.uniform(0.5, 0.8) * deep)


def _mill_flap(made, rng, wide, deep, top, t, wood, metal) -> float:
    """A dome over the burrs at the back and a flap before it; how high the dome ends."""
    r, w, d = 0.24 * deep, 0.8 * wide, 0.36 * deep
    dome = [(r, 0), *(arc((r, rng.uniform(0.8, 1.6) * r), 0.2, 1.3, 6)), (0.2 * r, 1.9 * r),
        (0.2 * r, 2.1 * r)]  # fmt: skip
    _add(made, "box", metal, moved(lathe(dome, 20), (0, 0.2 * deep, top - 0.1 * t)))
    y = -0.28 * deep
    _add(made, "lid", wood, block((w, d, 0.8 * t), (0, y, top + 0.4 * t), 0.15 * t))
    if rng.random() < 0.5:
        ends, axis, grip = [(-w / 2, y - 0.4 * d), (-w / 2, y + 0.4 * d)], -Y, (0.4 * w, y)
    else:
        ends, axis, grip = [(-0.4 * w, y - d / 2), (0.4 * w, y - d / 2)], X, (0, y + 0.36 * d)
    _add(made, "box", metal, rod((*ends[0], top + 0.2 * t), (*ends[1], top + 0.2 * t), 0.35 * t, 8))
    _add(made, "lid", metal, moved(_turning([(0.4, 0), (0.3, 0.5), (0.6, 1), (0, 1.2)], t, 10),
        (*grip, top + 0.7 * t)))  # fmt: skip
    made.hinge("box", "lid", (*ends[0], top + 0.2 * t), axis, 0.0, rng.uniform(1.2, 2.2))
    return top + 2.1 * r - 0.1 * t


def _mill_hopper(made, rng, style, r, top, metal) -> float:
    """An open vessel, a bridge that bears the crank, and a half cover that flips up or turns aside."""
    h, w = rng.uniform(0.6, 1.3) * r, 0.05 * r
    flare = rng.uniform(0.5, 0.75) if style == "bowl" else 1.0
    outer = [(flare * r, 0), (0.5 * (1 + flare) * r, 0.3 * h), (r, h)]
    vessel = lathe([*outer, *((x - w, max(z, 0.1 * h)) for x, z in outer[::-1]), (0, 0.1 * h)], 24)
    _add(made, "box", finish(rng, "glass", "metal") if style == "canister" else metal,
        moved(vessel, (0, 0, top - 0.02 * r)))  # fmt: skip
    rim = top + h - 0.02 * r
    half, thick = 0.12 * r, 0.08 * r
    post = rng.uniform(0.85, 1.1) * r
    _add(made, "box", metal, block((2 * r - w, 2 * half, 2 * thick), (0, 0, rim)),
        rod((0, 0, rim), (0, 0, rim + post), half, 10))  # fmt: skip
    sheet, plate = extrude(arc(0.97 * r, np.pi, 2 * np.pi, 14), thick), finish(rng, "metal", "brass", "wood")
    if rng.random() < 0.5:
        _add(made, "lid", plate, moved(sheet, (0, -half, rim + 0.6 * thick)),
            ball(0.1 * r, (0, -0.75 * r, rim + 1.6 * thick), 10))  # fmt: skip
        _add(made, "box", metal, rod((-0.6 * r, -half, rim + thick), (0.6 * r, -half, rim + thick),
            0.6 * thick, 8))  # fmt: skip
        made.hinge("box", "lid", (0, -half, rim + thick), -X, 0.0, rng.uniform(0.7, 1.0))
    else:
        _add(made, "box", metal, moved(turned(sheet, Z, np.pi), (0, 0, rim + 0.5 * thick)))
        level = rim + 1.5 * thick
        _add(made, "lid", plate, moved(sheet, (0, 0, level)),
            moved(lathe([(1.6 * half, -0.5 * thick), (1.6 * half, 0.5 * thick)], 16),
            (0, 0, level)))  # fmt: skip
        _add(made, "lid", plate, ball(0.1 * r, (0, -0.75 * r, level + thick), 10))
        made.hinge("box", "lid", (0, 0, level), Z, 0.0, rng.uniform(2.0, 3.1))
    return rim + post


def _crank(made, rng, at, reach, metal) -> None:
    """A nut on the shaft, an arm, straight, bent or counterweighted, and a grip that turns on its pin."""
    r, rise = rng.uniform(0.05, 0.08) * reach, rng.choice([0.0, 0.25]) * reach
    hub, tip = at + 0.7 * r * Z, at + (0, reach, 0.7 * r + rise)
    bend = curve([hub, hub + (0, 0.45 * reach, 0.15 * rise), hub + (0, 0.7 * reach, 0.9 * rise), tip], 12)
    _add(made, "crank", metal, moved(_turning([(1.6, -0.1), (1.6, 1.6), (0.8, 2.2), (0, 2.3)], r, 6), at))
    _add(made, "crank", metal, tube(bend, 0.7 * r, 8), rod(tip - r * Z, tip + 5 * r * Z, 0.6 * r, 8))
    if rng.random() < 0.3:
        _add(made, "crank", metal, rod(hub, hub - 0.4 * reach * Y, 0.7 * r, 8),
            ball(1.6 * r, hub - 0.4 * reach * Y, 12))  # fmt: skip
    made.spin("box", "crank", at, Z)
    wood, k = finish(rng, "wood", "dark", "plastic"), rng.uniform(0.9, 1.4) * r
    spindle = [(0.9, 0), (1.6, 2), (1.1, 4), (1.5, 5), (0, 5.6)]
    pear = [(0.8, 0), (1.9, 1.2), (2.0, 2.6), (1.2, 3.8), (0, 4.2)]
    link = made.part("grip" if rng.random() < 0.6 else "crank")
    _add(made, link, wood, moved(_turning(spindle if rng.random() < 0.5 else pear, k), tip + 0.9 * r * Z))
    if link == "grip":
        made.spin("crank", "grip", tip, Z)
