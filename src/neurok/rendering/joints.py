"""Draws joint axes over a picture: a hinge as a line with a ring, a slide as a line with two arrow heads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, UInt8
from PIL import Image, ImageDraw

from neurok.geometry.rotations import perpendicular_axes
from neurok.rendering.camera import Camera, shape_of
from neurok.sequences import Sequence
from neurok.shapes import Shape

Array = np.ndarray
TURN, SLIDE, OTHER = (216, 76, 48), (38, 112, 204), (124, 84, 188)
INKS = {"revolute": TURN, "continuous": TURN, "prismatic": SLIDE}
SUPERSAMPLING = 3  # lines are drawn at this multiple of the resolution, then averaged


@dataclass(frozen=True, eq=False)
class JointAxis:
    """A joint's axis in the shape's coordinates."""

    kind: str
    pivot: Float[Array, "3"]
    direction: Float[Array, "3"]  # unit


def joint_axes(item: Shape | Sequence, index: int = 0) -> list[JointAxis]:
    """The axes of all movable joints; in a sequence with a rig they move with their parent links."""
    tree, axes = shape_of(item).joints, []
    if tree is None:
        return axes
    for joint in tree.joints:
        if joint.dim == 0:
            continue
        pose = _motion(item, index, joint.parent) @ tree.rest_poses[joint.parent] @ joint.origin
        direction = pose[:3, :3] @ joint.axis
        length = np.linalg.norm(direction)
        if length > 0:
            axes.append(JointAxis(joint.kind, pose[:3, :3] @ joint.pivot + pose[:3, 3], direction / length))
    return axes


def draw_joints(
    rgb: UInt8[Array, "h w 3"], camera: Camera, axes: list[JointAxis], reach: float
) -> UInt8[Array, "h w 3"]:
    """The picture with axes of half length `reach` drawn over it, without occlusion."""
    if not axes:
        return rgb
    size = (camera.width * SUPERSAMPLING, camera.height * SUPERSAMPLING)
    layer = Image.new("RGBA", size, (255, 255, 255, 0))
    draw, stroke = ImageDraw.Draw(layer), max(2, round(min(size) / 160))
    for axis in axes:
        ink = (*INKS.get(axis.kind, OTHER), 235)
        line = axis.pivot + np.linspace(-reach, reach, 2)[:, None] * axis.direction
        _polyline(draw, camera, line, ink, stroke)
        _head(draw, camera, line[1], axis.direction, reach, ink)
        if axis.kind == "prismatic":
            _head(draw, camera, line[0], -axis.direction, reach, ink)
        else:
            _polyline(draw, camera, _ring(axis, 0.16 * reach), ink, stroke)
    layer = layer.convert("RGBa").resize((camera.width, camera.height), Image.Resampling.BOX).convert("RGBA")
    return np.asarray(Image.alpha_composite(Image.fromarray(rgb).convert("RGBA"), layer).convert("RGB"))


def _motion(item: Shape | Sequence, index: int, link: str) -> Float[Array, "4 4"]:
    """The transform of a link from rest: that of the handle of its name."""
    matrix = np.eye(4)
    if isinstance(item, Sequence) and item.rig is not None and link in item.rig.skin.names:
        matrix[:3] = item.rig.transforms[index, item.rig.skin.names.index(link)]
    return matrix


def _ring(axis: JointAxis, radius: float) -> Float[Array, "k 3"]:
    x, y = perpendicular_axes(axis.direction)
    turn = np.linspace(0, 2 * np.pi, 41)[:, None]
    return axis.pivot + radius * (np.cos(turn) * x + np.sin(turn) * y)


def _polyline(draw, camera: Camera, points: Float[Array, "k 3"], ink, stroke: int) -> None:
    pixels, depth = camera.project(points)
    if (depth > camera.near).all():
        draw.line([tuple(p) for p in pixels * SUPERSAMPLING], fill=ink, width=stroke, joint="curve")


def _head(draw, camera: Camera, tip: Array, direction: Array, reach: float, ink) -> None:
    """An arrow head along the axis, drawn in the picture plane."""
    pixels, depth = camera.project(np.stack([tip + 0.14 * reach * direction, tip]))
    if not (depth > camera.near).all():
        return
    (x, y), base = pixels * SUPERSAMPLING
    along = np.array([x, y]) - base
    side = 0.45 * np.array([-along[1], along[0]])
    draw.polygon([(x, y), tuple(base + side), tuple(base - side)], fill=ink)
