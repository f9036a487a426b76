"""The studio: a large key light, a fill, a sky above and a warm floor below, all placed for the camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.rendering.camera import Camera
from neurok.rendering.scene import Scene

Array = np.ndarray
Colour = tuple[float, float, float]

KEY: Colour = (1.76, 1.70, 1.62)  # radiance times π, so that albedo · light is what leaves a matt surface
FILL: Colour = (0.42, 0.45, 0.50)
SKY: Colour = (0.62, 0.64, 0.67)
GROUND: Colour = (0.32, 0.31, 0.30)
EXPOSURE = 0.48
SHOULDER = 0.75  # encoded linearly up to here, rolled off to 1 above
CENTRE_TONE, EDGE_TONE = 0.955, 0.845  # of the backdrop, encoded
KEY_SHADE, CONTACT_SHADE = 0.34, 0.42  # how much of the backdrop the shadows take
STEEPNESS = 70.0  # of the exponential shadow map
SELF_SHADE = 0.85  # how much of the key light an object keeps from itself


@dataclass(frozen=True, eq=False)
class Projection:
    """A parallel projection of scene coordinates to [0, 1]³: (u, v) across, w along the view.

    u = ½ + a·(p − centre) / 2r, with rows of `axes` across, across and along, and r the half width.
    """

    axes: Float[Array, "3 3"]
    centre: Float[Array, "3"]
    half_width: float

    @property
    def matrix(self) -> Float[Array, "4 4"]:
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes / (2 * self.half_width)
        matrix[:3, 3] = 0.5 - matrix[:3, :3] @ self.centre
        return matrix

    def apply(self, points: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3"]:
        matrix = self.matrix.astype(points.dtype)
        return sum((points[..., k, None] * matrix[:3, k] for k in range(3)), matrix[:3, 3])  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class Lighting:
    """Directions are unit vectors towards the light; `key_view` looks along the key light, `below` straight
    up from the floor. `floor` is −inf when the eye is under it or shadows are off: then none is drawn."""

    key: Float[Array, "3"]
    fill: Float[Array, "3"]
    up: Float[Array, "3"]
    floor: float
    key_view: Projection
    below: Projection
    size: float  # radius of the object in this frame, scene coordinates


@dataclass(frozen=True, eq=False)
class View:
    """One camera and its lights, in scene coordinates."""

    eye: Float[Array, "3"]
    rotation: Float[Array, "3 3"]
    focal: float  # pixels
    width: int
    height: int
    near: float
    far: float
    lighting: Lighting

    @property
    def clip(self) -> Float[Array, "4 4"]:
        """Scene to OpenGL's clip space, with y down, so that the first row read back is the top one."""
        camera = np.eye(4)
        camera[:3, :3] = self.rotation
        camera[:3, 3] = -self.rotation @ self.eye
        n, f = self.near, self.far
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = 2 * self.focal / self.width, 2 * self.focal / self.height
        lens[2, 2:], lens[3, 2] = ((f + n) / (f - n), -2 * f * n / (f - n)), 1.0
        return lens @ camera


def build_view(scene: Scene, camera: Camera, positions: Float[Array, "n 3"], shadow: bool = True) -> View:
    """The camera in scene coordinates, and lights for a frame whose scene positions are given."""
    eye = (np.asarray(camera.eye) - scene.centre) / scene.radius
    return View(
        eye, camera.rotation, float(camera.K[0, 0]), camera.width, camera.height,
        camera.near / scene.radius, camera.far / scene.radius, _light(scene, camera, eye, positions, shadow),
    )  # fmt: skip


def _light(scene: Scene, camera: Camera, eye: Array, positions: Array, shadow: bool) -> Lighting:
    right, _, forward = camera.rotation
    up = scene.up
    level = -forward + (forward @ up) * up  # towards the eye, along the ground
    level = level / np.linalg.norm(level) if np.linalg.norm(level) > 1e-3 else -camera.rotation[1]
    key = _unit(1.0 * up - 0.62 * right + 0.5 * level)
    fill = _unit(0.3 * up + 0.9 * right + 0.45 * level)
    centre, radius = _ball(scene, positions)
    seen = shadow and float(up @ eye) > scene.floor
    return Lighting(
        key, fill, up, scene.floor if seen else -np.inf,
        Projection(_frame(-key), centre, 1.2 * radius),
        Projection(_frame(up), centre + (scene.floor + 1.2 * radius - up @ centre) * up, 1.2 * radius),
        radius,
    )  # fmt: skip


def _ball(scene: Scene, positions: Array) -> tuple[Float[Array, "3"], float]:
    """A ball around this frame: the shadow map follows a walking object and keeps its resolution."""
    used = positions[scene.used] if len(scene.used) else np.zeros((1, 3))
    low, high = used.min(0).astype(float), used.max(0).astype(float)
    return (low + high) / 2, float(np.linalg.norm(high - low)) / 2 or 1.0


def _frame(forward: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """Orthonormal rows, the last along `forward`."""
    across = _unit(np.cross(forward, np.eye(3)[np.argmin(np.abs(forward))]))
    return np.stack([across, np.cross(forward, across), forward])


def _unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)
