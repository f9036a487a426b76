"""`Seat`: a place on a face of a box where something can be mounted, in coordinates of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from neurok.objects.kit.placing import aimed
from neurok.objects.kit.solids import block, lathe
from neurok.shapes.shape import Shape

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Seat:
    """A rectangle with sides along u and v that faces along n; all three are axes of the world, signed."""

    at: Float[Array, "3"]  # its centre
    u: Float[Array, "3"]
    v: Float[Array, "3"]
    n: Float[Array, "3"]
    width: float  # along u
    height: float  # along v
    depth: float  # of what lies behind it

    @property
    def least(self) -> float:
        return min(self.width, self.height)

    @property
    def scale(self) -> float:
        return float(np.sqrt(self.width * self.height))

    def point(self, x: float, y: float, z: float) -> Float[Array, "3"]:
        return self.at + x * self.u + y * self.v + z * self.n

    def way(self, x: float, y: float, z: float) -> Float[Array, "3"]:
        return x * self.u + y * self.v + z * self.n

    def block(self, size: tuple[float, float, float], at: tuple[float, float, float], bevel=0.0) -> Shape:
        """A block with sides along u, v, n about a point of the seat."""
        world = np.abs(self.way(*size))
        return block((world[0], world[1], world[2]), self.point(*at), bevel * min(size))

    def disc(self, radius: float, thickness: float, at: tuple[float, float, float], sides: int = 20) -> Shape:
        """A cylinder that stands on a point of the seat."""
        profile = [(radius, 0.0), (radius, thickness)]
        return aimed(lathe(profile, sides), self.n, self.point(*at))

    def cells(self, columns: int, rows: int, gap: float) -> list[Seat]:
        """A grid of smaller seats with gaps around them."""
        w, h = self.width / columns, self.height / rows
        return [
            replace(
                self, at=self.point((i + 0.5) * w - self.width / 2, (j + 0.5) * h - self.height / 2, 0),
                width=w * (1 - gap), height=h * (1 - gap),
            )
            for j in range(rows) for i in range(columns)
        ]  # fmt: skip


def seats_of(centre: Float[Array, "3"], size: Float[Array, "3"]) -> list[Seat]:
    """The faces of a box but the one below: top, front, back, left, right."""
    ways = [(2, 1), (1, -1), (1, 1), (0, -1), (0, 1)]
    found = []
    for axis, sign in ways:
        n = sign * np.eye(3)[axis]
        v = np.eye(3)[2] if axis != 2 else np.eye(3)[1]
        u = np.cross(v, n)
        width, height = float(np.abs(u) @ size), float(np.abs(v) @ size)
        at = np.asarray(centre, np.float64) + n * size[axis] / 2
        found.append(Seat(at, u, v, n, width, height, float(size[axis])))
    return found
