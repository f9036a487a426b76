"""`Camera`: a pinhole camera, and the closed form that frames an object or a whole motion.

Conventions follow OpenCV: camera axes are x right, y down, z forward; `extrinsics` maps world to camera;
`K` maps camera to pixels, whose centres are at half-integers (the first at 0.5, 0.5). Depth is z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.sequences import Sequence
from neurok.shapes import Shape

Array = np.ndarray
MAX_SIDE = 8192  # pixels


@dataclass(frozen=True)
class Camera:
    """A pinhole camera in the coordinates and units of the shape."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    up: tuple[float, float, float] = (0.0, 1.0, 0.0)
    fov_deg: float = 35.0  # vertical
    width: int = 512
    height: int = 512
    near: float = 0.01
    far: float = 1000.0

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        if not 0 < self.fov_deg < 180:
            raise InputError(
                "camera", f"the field of view is {self.fov_deg} degrees", "Give one between 0 and 180"
            )
        if not 0 < self.near < self.far:
            raise InputError("camera", f"near is {self.near} and far {self.far}", "Give 0 < near < far")
        if not np.isfinite(self.rotation).all():
            raise InputError("camera", "eye and target don't give a direction", "Move the eye off the target")

    @cached_property
    def rotation(self) -> Float[Array, "3 3"]:
        """World to camera: rows are right, down and forward. An `up` parallel to the view is replaced."""
        forward = _unit(np.subtract(self.target, self.eye).astype(float))
        right = np.cross(forward, self.up)
        if np.linalg.norm(right) < 1e-6 * np.linalg.norm(self.up):
            right = np.cross(forward, np.roll(np.asarray(self.up, float), 1))
        right = _unit(right)
        return np.stack([right, np.cross(forward, right), forward])

    @cached_property
    def extrinsics(self) -> Float[Array, "4 4"]:
        """The map from world to camera: (R, −R·eye)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = -self.rotation @ self.eye
        return matrix

    @cached_property
    def K(self) -> Float[Array, "3 3"]:
        """The map from camera to pixels, which are square: f = (height / 2) / tan(fov / 2)."""
        focal = self.height / 2 / np.tan(np.radians(self.fov_deg) / 2)
        return np.array([[focal, 0.0, self.width / 2], [0.0, focal, self.height / 2], [0.0, 0.0, 1.0]])

    def project(
        self, points: Float[Array, "*batch 3"]
    ) -> tuple[Float[Array, "*batch 2"], Float[Array, "*batch"]]:
        """Pixel coordinates and depth of world points."""
        inside = (np.asarray(points) - self.eye) @ self.rotation.T
        pixels = inside @ self.K.T
        return pixels[..., :2] / pixels[..., 2:], inside[..., 2]

    def rays(self, pixels: Float[Array, "*batch 2"]) -> Float[Array, "*batch 3"]:
        """World directions through pixel coordinates, scaled to depth 1: point = eye + depth · ray."""
        offset = (np.asarray(pixels) - self.K[:2, 2]) / self.K[0, 0]
        return offset @ self.rotation[:2] + self.rotation[2]


def check_size(width: int, height: int) -> None:
    """Refuses sizes outside 1 to `MAX_SIDE` pixels."""
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise InputError(
            "picture", f"its size is {width} × {height}", f"Give sides from 1 to {MAX_SIDE} pixels"
        )


def look_at(
    item: Shape | Sequence,
    azimuth: float = 35.0,
    elevation: float = 20.0,
    fov_deg: float = 30.0,
    margin: float = 0.14,
    width: int = 512,
    height: int = 512,
) -> Camera:
    """The closest camera that sees the whole shape, or the whole motion, from a given direction.

    Angles are in degrees. Azimuth 0 looks at the front (against z if y is up, along y if z is up) and
    increases counter-clockwise from above. `margin` is the free share of each half of the picture.

    A point (x, y, z) in camera axes is inside the right edge if x − cx ≤ t (z + d), with t the tangent of the
    usable half angle, and inside the left edge if cx − x ≤ t (z + d). With a = max(x − t z) and
    b = max(−x − t z) the tightest fit is cx = (a − b) / 2, d = (a + b) / 2t; likewise for y. An object too
    thin to require distance (a needle seen end-on) stays a tenth of its size from the eye.
    """
    check_size(width, height)
    up = shape_of(item).frame.up_vector
    backward = _direction(up, azimuth, elevation)
    axes = Camera(tuple(backward), (0.0, 0.0, 0.0), tuple(up), fov_deg, width, height).rotation
    tangent = np.tan(np.radians(fov_deg) / 2) * (1 - margin) * np.array([width / height, 1.0])
    planes = np.stack(
        [sign * axes[k] - tangent[k] * axes[2] for k in (0, 1) for sign in (1, -1)] + [-axes[2]]
    )
    *reach, nearest = np.max([(points @ planes.T).max(0) for points in moments(item)], axis=0)
    (right, left, down, top), (low, high) = reach, extent(item)
    size = float(np.linalg.norm(high - low)) or 1.0
    fit = max((right + left) / 2 / tangent[0], (down + top) / 2 / tangent[1], nearest + 0.1 * size)
    eye = axes.T @ np.array([(right - left) / 2, (down - top) / 2, -fit])
    distance = float(axes[2] @ (low + high) / 2 + fit)
    return Camera(
        tuple(eye.tolist()), tuple((eye + distance * axes[2]).tolist()), tuple(up.tolist()), fov_deg,
        width, height, near=0.02 * distance, far=distance + 20 * size,
    )  # fmt: skip


def shape_of(item: Shape | Sequence) -> Shape:
    """The shape itself, or the shape of a sequence."""
    return item.shape if isinstance(item, Sequence) else item


def moments(item: Shape | Sequence) -> Iterator[Float[Array, "k 3"]]:
    """The finite vertices that faces use, frame by frame; the origin if there are none."""
    shape = shape_of(item)
    used = shape.used_vertices if len(shape.faces) else slice(None)
    for positions in item.positions if isinstance(item, Sequence) else [item.vertices]:
        points = positions[used]
        finite = np.isfinite(points).all(1)
        points = points if finite.all() else points[finite]
        yield points if len(points) else np.zeros((1, 3))


def extent(item: Shape | Sequence) -> tuple[Float[Array, "3"], Float[Array, "3"]]:
    """Lowest and highest corner of the bounding box of the shape or of its whole motion."""
    boxes = np.array([(points.min(0), points.max(0)) for points in moments(item)], float)
    return boxes[:, 0].min(0), boxes[:, 1].max(0)


def _direction(up: Float[Array, "3"], azimuth: float, elevation: float) -> Float[Array, "3"]:
    """The unit vector from the object to the eye."""
    turn, rise = np.radians(azimuth), np.radians(np.clip(elevation, -89.9, 89.9))
    front, side = (
        (np.array([0.0, 0, 1]), np.array([1.0, 0, 0]))
        if up[1]
        else (np.array([0.0, -1, 0]), np.array([1.0, 0, 0]))
    )
    return np.cos(rise) * (np.cos(turn) * front + np.sin(turn) * side) + np.sin(rise) * up


def _unit(vector: Float[Array, "3"]) -> Float[Array, "3"]:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector * np.nan
