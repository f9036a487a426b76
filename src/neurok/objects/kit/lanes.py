"""Sliding leaves side by side in lanes: their places, their ranges, and which of them move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.solids import block
from neurok.shapes.appearance import Material


@dataclass(frozen=True)
class Bay:
    """An opening that faces −y: its middle, its width and height, and the plane of its front."""

    x: float
    z: float
    w: float
    h: float
    y: float


@dataclass(frozen=True)
class Lanes:
    """Leaves side by side: the lane of each (0 is in front), and which of them move."""

    lanes: tuple[int, ...]
    moves: tuple[bool, ...]
    t: float  # thickness of a leaf
    gap: float  # between two lanes
    lap: float = 0.0  # overlap of neighbours in different lanes

    @property
    def depth(self) -> float:
        """Depth of all lanes, with a gap in front of and behind each."""
        return (max(self.lanes) + 1) * (self.t + self.gap) + self.gap

    def wide(self, span: float) -> float:
        """Width of leaves that fill a span."""
        return (span - 0.002 + self._laps().sum()) / len(self.lanes)

    def placed(self, bay: Bay) -> list[tuple[float, float, tuple[float, float]]]:
        """x, y and limits of every leaf in a bay."""
        wide = self.wide(bay.w)
        xs = bay.x + (wide - bay.w) / 2 + 0.001 + np.cumsum([0, *(wide - self._laps())])
        ys = [bay.y + self.gap + self.t / 2 + lane * (self.t + self.gap) for lane in self.lanes]
        return list(
            zip(xs, ys, self.travel_ranges(xs, wide, (bay.x - bay.w / 2, bay.x + bay.w / 2)), strict=True)
        )

    def travel_ranges(
        self, xs: np.ndarray, wide: float, ends: tuple[float, float]
    ) -> list[tuple[float, float]]:
        """Range of each leaf in its lane; two moving neighbours share the space between them."""
        found = []
        for i, lane in enumerate(self.lanes):
            before = [j for j in range(i) if self.lanes[j] == lane]
            after = [j for j in range(i + 1, len(xs)) if self.lanes[j] == lane]
            room = [xs[i] - wide / 2 - ends[0], ends[1] - xs[i] - wide / 2]
            for k, others in enumerate((before[-1:], after[:1])):
                for j in others:
                    room[k] = (abs(xs[i] - xs[j]) - wide) / (1 + self.moves[j])
            found.append((-0.97 * max(0.0, room[0]), 0.97 * max(0.0, room[1])))
        return found

    def _laps(self) -> np.ndarray:
        """Overlap of each leaf after the first with the previous one."""
        return np.where(np.diff(self.lanes) == 0, -0.002, self.lap)


def which_move(rng: np.random.Generator, count: int, share: float) -> tuple[bool, ...]:
    """Flags of the leaves that move: all, or with probability `share` a random non-empty subset."""
    if rng.random() >= share:
        return (True,) * count
    moves = rng.random(count) < 0.4
    moves[int(rng.integers(count))] = True
    return tuple(bool(m) for m in moves)


def lay_grooves(
    case: Casework, bay: Bay, lanes: Lanes, lip: float, in_grooves: bool, material: Material
) -> float:
    """Beads beside every lane, or a rail for each, above and below. Returns the leaves' loss of height."""
    pitch, ends = lanes.t + lanes.gap, (bay.z - bay.h / 2 + lip / 2, bay.z + bay.h / 2 - lip / 2)
    count = max(lanes.lanes) + 1
    if in_grooves:
        ys, thick = bay.y + lanes.gap / 2 + pitch * np.arange(count + 1), 0.8 * lanes.gap
    else:
        ys, thick = bay.y + lanes.gap + lanes.t / 2 + pitch * np.arange(count), 0.5 * lanes.t
    case.still(material, *(block((bay.w, thick, lip), (bay.x, y, z)) for y in ys for z in ends))
    return 0.004 if in_grooves else 2 * lip
