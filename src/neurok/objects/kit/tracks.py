"""Rails for hung leaves, with hangers and wheels."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.placing import X, Y, aimed, moved
from neurok.objects.kit.solids import block, dowel, lathe, prism_along_x, rod
from neurok.shapes.shape import Shape


@dataclass(frozen=True)
class Track:
    """A rail along x over hung leaves: a flat bar, a round one, or a channel with wheels in it."""

    kind: str
    y: float
    z: float
    size: float

    @property
    def radius(self) -> float:
        """Rolling radius of a wheel."""
        return {"flat": 0.8, "round": 0.6, "channel": 0.3}[self.kind] * self.size

    @property
    def half(self) -> float:
        """Half the width of a wheel."""
        return {"flat": 0.22, "round": 0.35, "channel": 0.28}[self.kind] * self.size

    @property
    def axle(self) -> float:
        """Height of the middle of a wheel."""
        seat = {"flat": 0.5, "round": 0.3, "channel": -0.4}[self.kind]
        return self.z + seat * self.size + self.radius

    def leaf_y(self, t: float) -> float:
        """y of the middle of a leaf: below a channel, or behind straps in front of the wheels."""
        return self.y if self.kind == "channel" else self.y - self.half + t / 2

    def rail(self, left: float, right: float, wall: float) -> list[Shape]:
        """The rail, on spacers or a cleat in front of the plane y = `wall`."""
        s, mid, long = self.size, np.array([(left + right) / 2, self.y, self.z]), right - left
        if self.kind == "channel":
            half = [(0.15, -0.5), (0.45, -0.5), (0.45, 0.5)], [(0.35, 0.4), (0.35, -0.4), (0.15, -0.4)]
            outline = [*half[0], *((-y, z) for y, z in half[0][::-1])]
            outline += [*((-y, z) for y, z in half[1][::-1]), *half[1]]
            back = wall - self.y - 0.44 * s
            cleat = block((long, back, 0.5 * s), mid + (0, 0.44 * s + back / 2, 0.2 * s))
            return [moved(prism_along_x(s * np.array(outline), long), mid), cleat]
        places = np.linspace(left + 0.05 * long, right - 0.05 * long, max(2, round(long / 0.4)))
        low = self.z - (0.2 * s if self.kind == "flat" else 0.0)
        spacers = [rod((x, self.y, low), (x, wall, low), 0.15 * s, 10) for x in places]
        if self.kind == "round":
            stops = [dowel(mid + k * (long / 2 - 0.2 * s) * X, 0.2 * s * X, 0.5 * s) for k in (-1, 1)]
            return [dowel(mid, long / 2 * X, 0.3 * s, 12), *spacers, *stops]
        stop = block((0.3 * s, 0.3 * s, 0.5 * s))
        stops = [moved(stop, mid + (k * (long / 2 - 0.2 * s), 0, 0.7 * s)) for k in (-1, 1)]
        return [block((long, 0.18 * s, s), mid), *spacers, *stops]

    def hanger(self, x: float, top: float) -> list[Shape]:
        """The hanger of a leaf with its upper edge at `top`: a strap in front of it, or a bolt in it."""
        s, high = self.size, self.axle
        axle = dowel((x, self.y, high), (0, self.half + 0.1 * s, 0), 0.2 * self.radius, 8)
        if self.kind == "channel":
            plate = block((0.8 * s, 0.28 * s, 0.1 * s), (x, self.y, top + 0.04 * s))
            return [rod((x, self.y, top - 0.2 * s), (x, self.y, high), 0.1 * s, 8), plate, axle]
        low, over, y = top - 1.8 * s, high + 0.5 * self.radius, self.y - self.half - 0.07 * s
        strap = block((0.7 * s, 0.15 * s, over - low), (x, y, (low + over) / 2))
        bolts = [dowel((x, y, z), (0, 0.15 * s, 0), 0.15 * s, 6) for z in (low + 0.4 * s, high)]
        return [strap, axle, *bolts]

    def wheel(self, x: float) -> Shape:
        """A wheel on the rail; on a bar it is grooved."""
        profile = {
            "flat": [(1.25, -1), (1.25, -0.6), (1, -0.5), (1, 0.5), (1.25, 0.6), (1.25, 1)],
            "round": [(1.3, -1), (1, -0.3), (1, 0.3), (1.3, 1)],
            "channel": [(1, -1), (1, 1)],
        }[self.kind]
        rim = np.multiply(profile, (self.radius, self.half))
        return aimed(lathe(rim, 16), Y, (x, self.y, self.axle))


def hang_leaf(
    case: Casework, track: Track, name: str, xs: tuple[float, ...], top: float, joint: str = ""
) -> None:
    """Hangers and wheels of a leaf. If the leaf's joint is given, the wheels are links that roll with it."""
    for number, x in enumerate(xs, 1):
        case.made.add(name, case.metal, track.hanger(x, top))
        link = f"{name}_wheel_{number}" if joint else name
        case.made.add(link, case.metal, track.wheel(x))
        if joint:
            case.made.spin(name, link, (x, track.y, track.axle), Y, (joint, 1 / track.radius))
