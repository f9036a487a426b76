"""`FrameRenderer`: draws any frame of one object from one camera."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np
from jaxtyping import Float, UInt8

from neurok.rendering.camera import Camera, look_at, shape_of
from neurok.rendering.joints import draw_joints, joint_axes
from neurok.rendering.lighting import View, build_view
from neurok.rendering.picture import Picture
from neurok.rendering.render_mesh import build_render_mesh
from neurok.rendering.renderer import Renderer, open_renderer
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.shapes.normals import shading_normals, smoothing_groups

Array = np.ndarray


class FrameRenderer:
    """One item, camera and renderer. Topology, textures and camera are set up once, vertices per frame."""

    def __init__(
        self, item: Shape | Sequence, camera: Camera, renderer: Renderer,
        shadow: bool = True, show_joints: bool = False,
    ) -> None:  # fmt: skip
        self.item, self.shape, self.camera = item, shape_of(item), camera
        self.renderer, self.shadow, self.show_joints = renderer, shadow, show_joints
        self.mesh = build_render_mesh(item)
        renderer.load(self.mesh)
        moves = isinstance(item, Sequence) and self.shape.normals is not None
        self.groups = smoothing_groups(self.shape) if moves else None

    def rgb(self, index: int = 0) -> UInt8[Array, "h w 3"]:
        """Colours of one frame, without depth and parts."""
        return self._colour(index, self._place(index))

    def picture(self, index: int = 0) -> Picture:
        """Colours, depth, points and parts of one frame."""
        view = self._place(index)
        depth, face = self.renderer.geometry(view)
        depth = (depth * self.mesh.radius).astype(np.float32)
        rows, columns = np.mgrid[: self.camera.height, : self.camera.width] + 0.5
        seen = face >= 0
        points = np.full((*depth.shape, 3), np.inf, np.float32)
        rays = self.camera.rays(np.stack([columns[seen], rows[seen]], axis=-1))
        points[seen] = np.asarray(self.camera.eye) + depth[seen, None] * rays
        part = np.full(depth.shape, -1, np.int32)
        part[seen] = self.mesh.part[face[seen]]
        return Picture(self._colour(index, view), depth, points, part, self.camera)

    def _place(self, index: int) -> View:
        positions = self._positions(index)
        local = self.mesh.local(positions)
        normals = self.shape.normals
        if self.groups is not None:
            normals = shading_normals(self.shape, positions, self.groups)
        self.renderer.move(local, normals)
        return build_view(self.mesh, self.camera, local, self.shadow)

    def _positions(self, index: int) -> Float[Array, "n 3"]:
        return self.item.positions[index] if isinstance(self.item, Sequence) else self.item.vertices

    def _colour(self, index: int, view: View) -> UInt8[Array, "h w 3"]:
        rgb = self.renderer.color(view)
        if not self.show_joints:
            return rgb
        return draw_joints(rgb, self.camera, joint_axes(self.item, index), reach=0.45 * self.mesh.radius)


@contextmanager
def open_frame_renderer(
    item: Shape | Sequence, camera: Camera | None, size: tuple[int, int], renderer: Renderer | None,
    shadow: bool = True, show_joints: bool = False,
) -> Iterator[FrameRenderer]:  # fmt: skip
    """A frame renderer; a missing camera is one that frames the item, a missing renderer a new one."""
    camera = camera or look_at(item, width=size[0], height=size[1])
    with nullcontext(renderer) if renderer is not None else open_renderer() as drawer:
        yield FrameRenderer(item, camera, drawer, shadow, show_joints)
