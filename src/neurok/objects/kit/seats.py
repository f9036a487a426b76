"""`Seat`: a rectangle on a face of a box for mounting parts, with its own coordinates."""

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
    """A rectangle with sides along u and v and normal n; all three are signed world axes."""

    at: Float[Array, "3"]  # centre
    u: Float[Array, "3"]
    v: Float[Array, "3"]
    n: Float[Array, "3"]
    width: float  # along u
    height: float  # along v
    depth: float  # of the solid behind it

    @property
    def short_side(self) -> float:
        return min(self.width, self.height)

    @property
    def scale(self) -> float:
        return float(np.sqrt(self.width * self.height))

    def point(self, x: float, y: float, z: float) -> Float[Array, "3"]:
        return self.at + x * self.u + y * self.v + z * self.n

    def direction(self, x: float, y: float, z: float) -> Float[Array, "3"]:
        return x * self.u + y * self.v + z * self.n

    def block(self, size: tuple[float, float, float], at: tuple[float, float, float], bevel=0.0) -> Shape:
        """A block with sides along u, v, n about a point of the seat."""
        world = np.abs(self.direction(*size))
        return block((world[0], world[1], world[2]), self.point(*at), bevel * min(size))

    def disc(self, radius: float, thickness: float, at: tuple[float, float, float], sides: int = 20) -> Shape:
        """A cylinder on a point of the seat."""
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
    """All faces of a box except the bottom: top, front, back, left, right."""
    faces = [(2, 1), (1, -1), (1, 1), (0, -1), (0, 1)]
    found = []
    for axis, sign in faces:
        n = sign * np.eye(3)[axis]
        v = np.eye(3)[2] if axis != 2 else np.eye(3)[1]
        u = np.cross(v, n)
        width, height = float(np.abs(u) @ size), float(np.abs(v) @ size)
        at = np.asarray(centre, np.float64) + n * size[axis] / 2
        found.append(Seat(at, u, v, n, width, height, float(size[axis])))
    return found
