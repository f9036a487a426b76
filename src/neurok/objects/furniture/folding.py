"""Furniture that folds away: tables, sawhorses, camp beds and clothes airers."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import Offer, small_plate, weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, coupling_polynomial
from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.panels import pull
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted, turned
from neurok.objects.kit.solids import block, extrude, rod
from neurok.objects.kit.struts import Point, crossing_legs, cut_stock, folding_legs
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=28)
def folding_table(rng: np.random.Generator) -> Shape:
    """A table in one or two halves with folding leg frames, with crossing legs, or with drop leaves."""
    made = Mechanism("folding_table")
    kind = rng.choice(["frames", "halves", "crossing", "leaves"], p=[0.25, 0.2, 0.25, 0.3])
    height, board = rng.uniform(0.45, 0.78), rng.uniform(0.018, 0.04)
    slab = finish(rng, "wood", "pale", "plastic", "paint")
    stock = cut_stock(rng, 0.022, 0.04, "metal", "dark", "wood", "paint")
    if kind == "leaves":
        weld_some(made, rng, _drop_leaves(made, rng, height, board, slab, stock))
        return made.finish(rng, ajar=0.3)
    length = height * (rng.uniform(1.8, 2.7) if kind != "halves" else rng.uniform(2.7, 3.2))
    depth, t, under, mid = rng.uniform(0.5, 0.85), stock.thick, height - board, height - board / 2
    width, corner, rims = depth - 5 * t, rng.choice([0.0, 0.02, 0.06]), rng.random() < 0.5
    second = "flap" if kind == "halves" else "top"
    for name, side in (("top", -0.25), ("flap", 0.25)) if kind == "halves" else (("top", 0.0),):
        x, size = side * length, (0.5 if side else 1.0) * length - 0.004
        plain = extrude(rectangle(size, depth, corner), board, 0.003)
        made.add(name, slab, moved(plain, (x, 0, mid)))
        for s in (-1, 1) if rims else ():
            rim = block((size - 0.12, 0.02, 0.04), (x, s * (depth / 2 - 0.03), under - 0.019))
            made.add(name, slab, rim)
    badge = small_plate(rng, (-0.3 * length, -depth / 2, mid), (0.1, 0.008, 0.6 * board))
    offers: list[Offer] = [("top", "nameplate", badge)]
    offers.append(("top", "handle", shifted(pull(rng, 0.14, slab), (-0.12 * length, -depth / 2, mid))))
    if kind == "crossing":
        for s in (-1, 1):
            rail = block((length / 2, 0.02, 0.02), (length / 4 - 0.02, s * (width / 2 - 3 * t), under - 0.01))
            made.add("top", slab, rail)
        spread = rng.uniform(0.75, 1.1) * height
        offers += crossing_legs(made, rng, "top", width, under, spread, length / 2 - 0.04, stock)
        weld_some(made, rng, offers)
        return made.finish(rng, ajar=0.3)
    if kind == "halves":
        for y in (-0.32 * depth, 0.32 * depth):
            barrel = rod((0, y - 0.04, height), (0, y + 0.04, height), 0.008, 10)
            made.add("top", stock.material, barrel)
        made.hinge("top", "flap", (0, 0, height), -Y, 0.0, rng.uniform(2.6, 3.1))
    rungs, x = (*rng.choice([0.5, 0.7, 0.85], int(rng.integers(0, 3)), replace=False), 1.0), 0.42 * length
    offers.append(folding_legs(made, "legs_1", "top", -x, under, 0.9 * t, width, stock, rungs, 1))
    offers.append(folding_legs(made, "legs_2", second, x, under, 2.1 * t, width, stock, rungs, -1))
    weld_some(made, rng, offers)
    return made.finish(rng, ajar=0.3)


def _drop_leaves(made, rng, height, board, slab, stock) -> list[Offer]:
    """A fixed middle on four legs with one or two leaves, and sometimes gate legs that support them."""
    length, depth, t = rng.uniform(0.7, 1.5), rng.uniform(0.25, 0.6), stock.thick
    under, hung, gates, apron = height - board, rng.random() < 0.4, rng.random() < 0.5, rng.uniform(0.06, 0.1)
    x, y, mid = length / 2 - 2 * t, depth / 2 - 1.6 * t, height - board / 2
    made.add("table", slab, block((length, depth, board), (0, 0, mid), 0.1 * board))
    for s in (-1, 1):
        made.part("table", stock.ladder((s * x, under - t / 2), (s * x, t / 2), 2 * y, (0.0, 0.8)))
        made.add("table", slab, block((2 * x, 0.6 * t, apron), (0, s * y, under - apron / 2)))
    reach = rng.uniform(0.5, 0.8) * min(height, length)
    edge = np.clip(rectangle(length, 2 * reach, rng.choice([0.0, 0.05, 0.12])), (-9, 0), 9)
    if rng.random() < 0.4:
        bow = arc((length / 2, reach), 0.05, np.pi - 0.05, 20)
        edge = np.concatenate([[(-length / 2, 0), (length / 2, 0)], bow])
    offers: list[Offer] = [("table", "nameplate", small_plate(rng, (x, 0, height), (0.05, 0.03, 0.006)))]
    for i, s in enumerate((-1, 1) if rng.random() < 0.7 else (1,)):
        at = (0, s * depth / 2, under)
        leaf = moved(extrude(edge * (1, s), board, 0.1 * board), (0, s * (depth / 2 + 0.002), mid))
        made.add(f"leaf_{i + 1}", slab, turned(leaf, X, -s * np.pi / 2, at) if hung else leaf)
        for k in (-0.3 * length, 0.3 * length):
            barrel = rod((k - 0.04, *at[1:]), (k + 0.04, *at[1:]), 0.3 * board)
            made.add("table", stock.material, barrel)
        made.hinge("table", f"leaf_{i + 1}", at, (s if hung else -s) * X, 0.0, np.pi / 2)
        if gates and not hung:
            near, far, front = -0.5 * s * x, s * (0.8 * min(reach, 1.6 * x) - 0.5 * x), s * (y + 0.8 * t)
            _gate_leg(made, f"gate_{i + 1}", near, far, front, under - 0.7 * t, stock)
            shoe = small_plate(rng, (far, front, 0.01), (2 * t, 1.4 * t, 0.02))
            offers.append((f"gate_{i + 1}", f"shoe_{i + 1}", shoe))
    return offers


def _gate_leg(made, name, near, far, y, high, stock) -> None:
    """A leg frame on an upright axis at the apron that swings out under a leaf."""
    made.part(name, [stock.strut((k, y, stock.thick / 2), (k, y, high)) for k in (near, far)])
    made.part(name, [stock.strut((near, y, z), (far, y, z)) for z in (high, 0.3 * high)])
    made.hinge("table", name, (near, y, 0), Z, 0.0, np.pi / 2)


@family(number=29)
def sawhorse(rng: np.random.Generator) -> Shape:
    """Two frames hinged at the ridge, two hinged at a beam, or leg pairs that fold under a beam."""
    made = Mechanism("sawhorse")
    stock = cut_stock(rng, 0.028, 0.05, "wood", "metal", "plastic", "dark")
    height, width, lean = rng.uniform(0.55, 0.95), rng.uniform(0.6, 1.1), rng.uniform(0.24, 0.4)
    make = (_ridge_frames, _beam_frames, _leg_pairs)[int(rng.choice(3, p=[0.5, 0.25, 0.25]))]
    offers = make(made, rng, height, width, lean, stock, finish(rng, "wood", "paint"))
    weld_some(made, rng, offers)
    return made.finish(rng, ajar=0.3)


def _ridge_frames(made, rng, height, width, lean, stock, wood) -> list[Offer]:
    """Two frames on one pin, with a folding spreader, a shelf that lifts, or nothing between them."""
    t, share, top = stock.thick, rng.uniform(0.5, 0.75), (0.0, height)
    foot, inner = (height - t / 2) * np.tan(lean), width - 2.6 * t
    between = rng.choice(["spreader", "shelf", "nothing"], p=[0.4, 0.35, 0.25])
    rungs = (share,) if between != "nothing" else (*rng.choice([0.3, 0.5, 0.7, 0.9], 2, replace=False),)
    made.part("frame_1", stock.ladder(top, (-foot, t / 2), width, (0.12, *rungs)), stock.pin(top, width))
    made.part("frame_2", stock.ladder(top, (foot, t / 2), inner, (0.0, *rungs)))
    close = 2 * lean * rng.uniform(0.75, 0.85)
    leader = made.hinge("frame_1", "frame_2", (0, 0, height), Y, 0.0, close)
    if rng.random() < 0.5:
        rest = block((1.6 * t, width + 2 * t, 0.9 * t), (-0.3 * t, 0, height + 0.9 * t), 0.1 * t)
        made.add("frame_1", wood, rest)
        made.part("frame_1", stock.lugs(top, height + 0.6 * t, width))
    x, z = share * foot, height - share * (height - t / 2)
    if between == "shelf":
        board = block((2 * x + t, inner - 1.6 * t, 0.5 * t), (0, 0, z + 0.7 * t), 0.1 * t)
        made.add("shelf", wood, board)
        made.hinge("frame_1", "shelf", (-x, 0, z), -Y, 0.0, (np.pi / 2 - lean) * rng.uniform(0.7, 0.9))
    elif between == "spreader":
        _spreader(made, rng, leader, (x, z), lean, close, inner - 1.8 * t, stock, wood)
    badge = small_plate(rng, (0, -width / 2 - 0.7 * t, height), (2 * t, 0.5 * t, 3 * t))
    shoes = [stock.shoes((s * foot, t / 2), w, wood) for s, w in ((-1, width), (1, inner))]
    return [("frame_1", "shoes_1", shoes[0]), ("frame_2", "shoes_2", shoes[1]), ("frame_1", "bracket", badge)]


def _spreader(made, rng, leader, at: Point, lean, close, width, stock, wood) -> None:
    """A spreader of two halves between the frames that fold as the frames close.

    With γ their angle to the line between the rungs, that line turns by θ/2 and each half by ±γ from it.
    """
    (x, z), t, up = at, stock.thick, rng.choice([-1.0, 1.0])

    def gamma(theta):
        """The angle γ when the frames have closed by θ."""
        return np.arccos(np.sin(lean - np.asarray(theta) / 2) / (1.03 * np.sin(lean)))

    middle = z + up * 1.03 * x * np.sin(gamma(0.0))
    strips = [(width, 0.0)] if rng.random() < 0.5 else [(0.8 * t, -width / 2), (0.8 * t, width / 2)]
    for name, a, low, high in (("spreader_1", -x, z, middle), ("spreader_2", 0.0, middle, z)):
        made.part(name, [stock.pin(at, width - 2 * t) for at in ((a, low), (a + x, high))])
        for d, y in strips:
            half = block((0.3 * t, d, 1.03 * x))
            made.add(name, wood, aimed(half, (x, 0, high - low), (a + x / 2, y, (low + high) / 2)))
    first = coupling_polynomial(lambda a: a / 2 - up * gamma(a), 0.0, close)
    second = coupling_polynomial(lambda a: 2 * up * gamma(a), 0.0, close)
    made.hinge("frame_1", "spreader_1", (-x, 0, z), Y, -1.8, 1.8, (leader, first))
    made.hinge("spreader_1", "spreader_2", (0, 0, middle), Y, -3.1, 3.1, (leader, second))


def _beam_frames(made, rng, height, width, lean, stock, wood) -> list[Offer]:
    """A beam with a leg frame hinged at each of its lower edges."""
    t, deep, across = stock.thick, rng.uniform(0.05, 0.1), rng.uniform(2.2, 4.0) * stock.thick
    beam = block((across, width + rng.uniform(0.0, 0.3), deep), (0, 0, height + deep / 2), 0.1 * t)
    made.add("beam", wood, beam)
    cover = small_plate(rng, (0, 0.2 * width, height + deep), (0.6 * across, 0.1, 0.006))
    offers: list[Offer] = [("beam", "cover_plate", cover)]
    rungs = (rng.uniform(0.25, 0.5), rng.uniform(0.6, 0.95))
    for name, s in (("frame_1", -1), ("frame_2", 1)):
        top = (s * (across / 2 - 0.2 * t), height - 0.6 * t)
        foot = (top[0] + s * height * np.tan(lean), t / 2)
        made.part("beam", stock.lugs(top, height + 0.2 * t, width))
        made.part(name, stock.ladder(top, foot, width, rungs), stock.pin(top, width))
        made.hinge("beam", name, (top[0], 0, top[1]), s * Y, 0.0, lean)
        offers.append((name, f"shoes_of_{name}", stock.shoes(foot, width, stock.material)))
    return offers


def _leg_pairs(made, rng, height, width, lean, stock, wood) -> list[Offer]:
    """A long beam with a splayed pair of legs under each end, which fold along under it."""
    t, deep, across = stock.thick, rng.uniform(0.06, 0.12), rng.uniform(0.05, 0.1)
    long, under = height + 0.25 + 0.4 * width, height - 0.1
    made.add("beam", wood, block((long, across, deep), (0, 0, under + deep / 2), 0.1 * t))
    grip = shifted(pull(rng, 0.14, stock.material), (0, -across / 2, under + deep / 2))
    offers: list[Offer] = [("beam", "handle", grip)]
    for name, s, drop in (("legs_1", -1, 0.6 * t), ("legs_2", 1, 1.9 * t)):
        x, z = s * (long / 2 - 2 * t), under - drop
        feet = np.array([(x, k * (across / 2 + z * np.tan(lean)), t / 2) for k in (-1, 1)])
        tops = np.array([(x, k * across / 2, z) for k in (-1, 1)])
        made.part("beam", stock.lugs((x, z), under + 0.2 * t, across + t))
        made.part(name, [stock.strut(*pair) for pair in zip(tops, feet, strict=True)])
        made.part(name, stock.strut(*(0.3 * tops + 0.7 * feet)), stock.pin((x, z), across + t))
        made.hinge("beam", name, (x, 0, z), s * Y, 0.0, np.pi / 2)
        pads = [painted(block((1.5 * t, 2 * t, 0.6 * t), foot), stock.material) for foot in feet]
        offers.append((name, f"shoes_of_{name}", pads))
    return offers


@family(number=30)
def camp_bed(rng: np.random.Generator) -> Shape:
    """A bed of two or three sections on raised pins, each on leg frames that fold under it."""
    made = Mechanism("camp_bed")
    stock = cut_stock(rng, 0.022, 0.035, "metal", "dark", "paint", "wood")
    count, t, cloth = int(rng.integers(2, 4)), stock.thick, finish(rng, "fabric", "plastic")
    z, width, pad = rng.uniform(0.22, 0.42), rng.uniform(0.6, 0.95), rng.choice([0.012, 0.03, 0.06])
    shares, deck = rng.uniform(0.85, 1.2, count), rng.choice(["cloth", "slats", "wires"])
    edges = np.concatenate([[0.0], np.cumsum(shares / shares.sum())]) * rng.uniform(1.75, 2.05)
    sections = {"base": count - 2, "foot_end": count - 1} | ({"head_end": 0} if count == 3 else {})
    offers: list[Offer] = []
    for name, k in sections.items():
        a, b, top = edges[k], edges[k + 1], z + t / 2 + pad
        made.part(name, stock.ladder((a + 0.7 * t, z), (b - 0.7 * t, z), width, (0.0, 1.0)))
        made.part(name, _deck(rng, deck, a + t, b - t, z, width, pad, cloth, stock))
        if name != "base":
            x, side, fold = (a, 1, 3.0) if name == "foot_end" else (b, -1, 1.5)
            _raised_pin(made, name, (x, top), side, z, width, stock)
            made.hinge("base", name, (x, 0, top), -side * Y, 0.0, rng.uniform(1.1, fold))
        ends = {"base": ((a, 1), (b, -1)), "foot_end": ((b, -1),), "head_end": ((a, 1),)}[name]
        for i, (x, s) in enumerate(ends):
            legs, at, drop = f"legs_{len(offers) + 1}", x + s * rng.uniform(2, 3.5) * t, (1 + 1.2 * i) * t
            offers.append(folding_legs(made, legs, name, at, z, drop, width - 3 * t, stock, (1.0,), s))
    board = painted(block((0.8 * t, width, 0.25), (0.2 * t, 0, z + 0.1), 0.1 * t), stock.material)
    offers.append(("base" if count == 2 else "head_end", "headboard", [board]))
    weld_some(made, rng, offers)
    return made.finish(rng, ajar=0.3)


def _deck(rng, kind, a, b, z, width, pad, cloth, stock) -> list[Shape]:
    """The lying surface: a padded cloth, or slats or wires with or without a pad."""
    t, solids = stock.thick, []
    for x in np.linspace(a, b, int(rng.integers(7, 11)))[1:-1] if kind != "cloth" else ():
        slat = block((0.05, width, 0.4 * t), (x, 0, z + 0.3 * t))
        wire = rod((x, -width / 2, z), (x, width / 2, z), 0.25 * t, 6)
        solids.append(painted(slat if kind == "slats" else wire, stock.material))
    if kind == "cloth" or pad > 0.02:
        high, centre = pad + 0.45 * t, z + pad / 2 + 0.275 * t
        pillow = block((b - a, width - 0.5 * t, high), ((a + b) / 2, 0, centre), 0.4 * pad)
        solids.append(painted(pillow, cloth))
    return solids


def _raised_pin(made, name, at: Point, side, z, width, stock) -> None:
    """Arms from the rails of two sections up to their common pin, above the lying surface."""
    (x, top), t = at, stock.thick
    for s in (-1, 1):
        for link, way, y in (("base", -side, width / 2 + 0.7 * t), (name, side, width / 2)):
            run = np.array([2.5 * t * way, 0, z - top])
            arm = aimed(block((0.9 * t, 0.45 * t, np.hypot(*run[::2]))), run, (x, s * y, top) + run / 2)
            made.add(link, stock.material, arm)
        pin = rod((x, s * (width / 2 - 0.3 * t), top), (x, s * (width / 2 + 1.1 * t), top), 0.35 * t, 10)
        made.add("base", stock.material, pin)


@family(number=31)
def clothes_airer(rng: np.random.Generator) -> Shape:
    """A rack on crossing legs with a wing at each side, or a tower with wings in tiers."""
    made = Mechanism("clothes_airer")
    stock = cut_stock(rng, 0.016, 0.026, "metal", "pale", "dark", "plastic")
    width, half, t = rng.uniform(0.5, 0.8), rng.uniform(0.32, 0.52), stock.thick
    wire, offers = finish(rng, "metal", "pale", "plastic"), []
    root = "rack" if rng.random() < 0.6 else "frame"
    if root == "rack":
        z, spread, reach = rng.uniform(0.75, 1.05), rng.uniform(1.4, 1.8) * half, rng.uniform(0.3, 0.55)
        made.part("rack", _lines(rng, (-half, z), (half, z), width, stock, wire, (0.0, 1.0)))
        offers += crossing_legs(made, rng, "rack", width - 3 * t, z, spread, half - t, stock)
        rails, turn = [(-half, z, -reach), (half, z, reach)], (-rng.uniform(0.3, 0.9), rng.uniform(0.9, 1.3))
    else:
        tiers, gap, x = int(rng.integers(2, 5)), rng.uniform(0.36, 0.48), rng.uniform(0.06, 0.12)
        levels = 0.2 + gap * (0.8 + np.arange(tiers))
        high, sides = levels[-1] + rng.uniform(0.05, 0.3), (-1, 1) if rng.random() < 0.7 else (1,)
        for s in (-1, 1):
            y, rungs = s * width / 2, (0.0, *((high - levels) / (high - t / 2)))
            made.part("frame", stock.ladder((s * x, high), (s * x, t / 2), width, rungs))
            bars = ((x, 0.12), (x, high), (1.3 * half, t / 2))
            made.part("frame", [stock.strut((-k, y, z), (k, y, z)) for k, z in bars])
        rails = [(s * x, z, s * rng.uniform(0.7, 0.85) * gap) for z in levels for s in sides]
        turn = (0.0, 1.5) if rng.random() < 0.5 else (-1.5, 0.0)
    for i, rail in enumerate(rails):
        offers.append(_wing(made, rng, root, i + 1, rail, width - 5 * t, turn, stock, wire))
    weld_some(made, rng, offers)
    return made.finish(rng, ajar=0.35)


def _lines(rng, a: Point, b: Point, width, stock, wire, rungs) -> list[Shape]:
    """A frame with parallel wires along y."""
    xs = np.linspace(a[0], b[0], int(rng.integers(6, 11)))[1:-1]
    rods = [rod((x, -width / 2, a[1]), (x, width / 2, a[1]), 0.22 * stock.thick, 6) for x in xs]
    return stock.ladder(a, b, width, rungs) + [painted(r, wire) for r in rods]


def _wing(made, rng, parent, number, rail, width, turn, stock, wire) -> Offer:
    """A rack whose sleeves sit on a rail of its parent; positive angles let it hang down."""
    (x, z, reach), t, name = rail, stock.thick, f"wing_{number}"
    made.part(name, _lines(rng, (x, z), (x + reach, z), width, stock, wire, (0.12, 1.0)))
    for y in (-width / 2, width / 2):
        made.add(name, wire, rod((x, y - t, z), (x, y + t, z), 0.8 * t, 10))
    made.hinge(parent, name, (x, 0, z), np.sign(reach) * Y, *turn)
    return name, f"clip_{number}", small_plate(rng, (x + reach, width / 2, z), (1.8 * t, 1.8 * t, 1.3 * t))
