"""Studio lighting: a large key light, a fill light, a sky and a warm floor, placed relative to the camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.geometry.rotations import perpendicular_axes
from neurok.rendering.camera import Camera
from neurok.rendering.render_mesh import RenderMesh

Array = np.ndarray
Colour = tuple[float, float, float]

KEY: Colour = (1.76, 1.70, 1.62)  # radiance times π, so that a matt surface reflects albedo · light
FILL: Colour = (0.42, 0.45, 0.50)
SKY: Colour = (0.62, 0.64, 0.67)
GROUND: Colour = (0.32, 0.31, 0.30)
EXPOSURE = 0.48
SHOULDER = 0.75  # values are linear up to here and compressed to 1 above
CENTRE_TONE, EDGE_TONE = 0.955, 0.845  # of the backdrop, encoded
KEY_SHADE, CONTACT_SHADE = 0.34, 0.42  # share of the backdrop's tone that the shadows remove
STEEPNESS = 70.0  # of the exponential shadow map
SELF_SHADE = 0.85  # share of the key light that self-shadowing removes


@dataclass(frozen=True, eq=False)
class Projection:
    """A parallel projection of render coordinates to [0, 1]³: (u, v) across, w along the view.

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
    """The lights of a view. Directions are unit vectors towards the light.

    `key_view` looks along the key light, `below` straight up from the floor. `floor` is −inf, and no floor is
    drawn, if the eye is below it or shadows are off.
    """

    key: Float[Array, "3"]
    fill: Float[Array, "3"]
    up: Float[Array, "3"]
    floor: float
    key_view: Projection
    below: Projection
    size: float  # radius of the object in this frame, render coordinates


@dataclass(frozen=True, eq=False)
class View:
    """One camera and its lights, in render coordinates."""

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
        """The map from render coordinates to OpenGL's clip space, with y down so that row 0 is the top."""
        camera = np.eye(4)
        camera[:3, :3] = self.rotation
        camera[:3, 3] = -self.rotation @ self.eye
        n, f = self.near, self.far
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = 2 * self.focal / self.width, 2 * self.focal / self.height
        lens[2, 2:], lens[3, 2] = ((f + n) / (f - n), -2 * f * n / (f - n)), 1.0
        return lens @ camera


def build_view(mesh: RenderMesh, camera: Camera, positions: Float[Array, "n 3"], shadow: bool = True) -> View:
    """The camera in render coordinates, and the lights of a frame with these positions."""
    eye = (np.asarray(camera.eye) - mesh.centre) / mesh.radius
    return View(
        eye, camera.rotation, float(camera.K[0, 0]), camera.width, camera.height,
        camera.near / mesh.radius, camera.far / mesh.radius, _light(mesh, camera, eye, positions, shadow),
    )  # fmt: skip


def _light(mesh: RenderMesh, camera: Camera, eye: Array, positions: Array, shadow: bool) -> Lighting:
    right, _, forward = camera.rotation
    up = mesh.up
    level = -forward + (forward @ up) * up  # horizontal direction towards the eye
    level = level / np.linalg.norm(level) if np.linalg.norm(level) > 1e-3 else -camera.rotation[1]
    key = _unit(1.0 * up - 0.62 * right + 0.5 * level)
    fill = _unit(0.3 * up + 0.9 * right + 0.45 * level)
    centre, radius = _ball(mesh, positions)
    seen = shadow and float(up @ eye) > mesh.floor
    return Lighting(
        key, fill, up, mesh.floor if seen else -np.inf,
        Projection(_frame(-key), centre, 1.2 * radius),
        Projection(_frame(up), centre + (mesh.floor + 1.2 * radius - up @ centre) * up, 1.2 * radius),
        radius,
    )  # fmt: skip


def _ball(mesh: RenderMesh, positions: Array) -> tuple[Float[Array, "3"], float]:
    """The bounding ball of this frame, so that the shadow map follows the object at constant resolution."""
    used = positions[mesh.used] if len(mesh.used) else np.zeros((1, 3))
    low, high = used.min(0).astype(float), used.max(0).astype(float)
    return (low + high) / 2, float(np.linalg.norm(high - low)) / 2 or 1.0


def _frame(forward: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """Orthonormal rows, the last along `forward`."""
    return np.stack([*perpendicular_axes(forward), forward])


def _unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)
