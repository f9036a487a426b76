"""The OpenGL backend: moderngl over EGL, which needs no display and also runs on Mesa's software renderer."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.rendering import shaders
from neurok.rendering.lighting import Projection, View
from neurok.rendering.render_mesh import ROLES, Batch, RenderMesh, texture_pixels, textures_of
from neurok.rendering.shadows import BELOW_MAP, EMPTY, KEY_MAP, floor_shadows, shadow_map
from neurok.shapes.appearance import Texture, TextureRole

Array = np.ndarray
SRGB8_ALPHA8 = 0x8C43
# Library names without development packages, for systems where glcontext's search fails.
LIBRARIES = (
    {},
    {"libgl": "libGL.so.1", "libegl": "libEGL.so.1"},
    {"libgl": "libOpenGL.so.0", "libegl": "libEGL.so.1"},
)
UNITS = {"color_map": 0, "rough_map": 1, "glow_map": 2, "key_map": 3, "key_shadow": 4, "contact": 5}


def create_context() -> moderngl.Context:
    """An OpenGL 3.3 context on the first EGL device that supports it; raises the first error if none does."""
    refusals: list[Exception] = []
    for libraries in LIBRARIES:
        for device in range(4):
            try:
                settings: dict[str, Any] = {"backend": "egl", "device_index": device, **libraries}
                return moderngl.create_context(require=330, standalone=True, **settings)
            except Exception as refusal:  # glcontext and moderngl raise bare Exception
                refusals.append(refusal)
    raise RuntimeError(f"EGL gives no OpenGL 3.3 context ({refusals[0]})")


class GLRenderer:
    """Draws meshes with OpenGL. `load` uploads topology and textures, `move` positions."""

    backend = "gl"

    def __init__(self) -> None:
        self.ctx = create_context()
        with self.ctx:
            # Objects are deleted in this context only. "auto" deletes in the current context, where an old
            # renderer that is collected late would delete objects of a new one.
            self.ctx.gc_mode = "context_gc"
            self.programs = {
                name: self.ctx.program(vertex_shader=vertex, fragment_shader=fragment)
                for name, (vertex, fragment) in shaders.programs().items()
            }
            self.samples = min(4, self.ctx.max_samples)
            corners = self.ctx.buffer(np.array([-1, -1, 3, -1, -1, 3], "f4"))
            self.screen = self.ctx.vertex_array(self.programs["backdrop"], [(corners, "2f", "corner")])
            self.key_target, self.below_target = (self._depth_target(side) for side in (KEY_MAP, BELOW_MAP))
            self.key_map, self.key_shadow, self.contact = (
                self._clamped(side) for side in (KEY_MAP, KEY_MAP // 2, BELOW_MAP)
            )
        self.sized: dict[tuple[str, int, int], moderngl.Framebuffer] = {}

    def _depth_target(self, side: int) -> moderngl.Framebuffer:
        """A square float depth target that can be read back."""
        size = (side, side)
        return self.ctx.framebuffer(
            [self.ctx.renderbuffer(size, 1, dtype="f4")], self.ctx.depth_renderbuffer(size)
        )

    def _clamped(self, side: int) -> moderngl.Texture:
        """A square float texture that does not repeat."""
        texture = self.ctx.texture((side, side), 1, dtype="f4")
        texture.repeat_x = texture.repeat_y = False
        return texture

    def __enter__(self) -> GLRenderer:
        return self

    def __exit__(self, *_) -> None:
        self.ctx.release()

    def load(self, mesh: RenderMesh) -> None:
        """Uploads topology, attributes and textures, which are constant over a sequence."""
        with self.ctx:
            self.ctx.gc()  # frees the objects of the previous mesh
            self.mesh, n = mesh, max(len(mesh.uv), 1)
            self.positions, self.normals = (self.ctx.buffer(reserve=12 * n, dynamic=True) for _ in range(2))
            uv, colors = (
                self.ctx.buffer(a.astype("f4").tobytes() or bytes(16)) for a in (mesh.uv, mesh.colors)
            )
            self.order = self.ctx.buffer(mesh.faces.astype("i4").tobytes() or bytes(12), dynamic=True)
            columns = {
                "position": (self.positions, "3f"), "normal": (self.normals, "3f"),
                "uv": (uv, "2f"), "color": (colors, "4f"),
            }  # fmt: skip
            self.drawings = {
                name: self.ctx.vertex_array(
                    program, [(*columns[a], a) for a in columns if a in program], index_buffer=self.order
                )
                for name, program in self.programs.items() if name != "backdrop"
            }  # fmt: skip
            self.textures = {key: self._upload(texture, key[1]) for key, texture in textures_of(mesh).items()}

    def _upload(self, texture: Texture, role: TextureRole) -> moderngl.Texture:
        pixels = texture_pixels(texture)
        size = (pixels.shape[1], pixels.shape[0])
        internal: Any = None if role == "metallic_roughness" else SRGB8_ALPHA8
        uploaded = self.ctx.texture(size, 4, pixels.tobytes(), internal_format=internal)
        uploaded.build_mipmaps()
        uploaded.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return uploaded

    def move(self, positions: Float[Array, "n 3"], normals: Float[Array, "n 3"] | None) -> None:
        """Sets the vertices of the next frame, in render coordinates."""
        self.current = positions
        with self.ctx:
            if len(positions):
                self.positions.write(np.ascontiguousarray(positions, "f4"))
                if normals is not None:
                    self.normals.write(np.ascontiguousarray(normals, "f4"))

    def geometry(self, view: View) -> tuple[Float[Array, "h w"], Int[Array, "h w"]]:
        """Depth and face index of the mesh at every pixel centre; inf and −1 on the background."""
        with self.ctx:
            target = self._sized("geometry", view)
            target.use()
            target.clear()
            self._set("geometry", clip=view.clip.T, eye=view.eye, forward=view.rotation[2])
            self._draw("geometry", self.mesh.batches)
            hit = np.frombuffer(target.read(components=4, dtype="f4"), "f4").reshape(
                view.height, view.width, 4
            )
        seen = hit[..., 3] > 0
        face = hit[..., 1].astype(np.int32) + 65536 * hit[..., 2].astype(np.int32)
        return np.where(seen, hit[..., 0], np.inf).astype(np.float32), np.where(seen, face, -1)

    def color(self, view: View) -> UInt8[Array, "h w 3"]:
        """The shaded picture."""
        with self.ctx:
            if np.isfinite(view.lighting.floor):
                self._cast_shadows(view)
            target, flat = self._sized("samples", view), self._sized("resolved", view)
            target.use()
            target.clear()
            self._light(view)
            self.ctx.disable(moderngl.DEPTH_TEST)
            self.screen.render(moderngl.TRIANGLES)
            blended = [b for b in self.mesh.batches if b.material.alpha_mode == "BLEND"]
            self._draw("color", [b for b in self.mesh.batches if b not in blended])
            self._draw_blended(view, blended)
            self.ctx.copy_framebuffer(flat, target)
            data = flat.read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(view.height, view.width, 3)

    def _cast_shadows(self, view: View) -> None:
        """Renders depth along the key light and from below, and computes the floor shadows from them."""
        solid = [b for b in self.mesh.batches if b.material.alpha_mode != "BLEND"]
        depths = []
        for target, projection in (
            (self.key_target, view.lighting.key_view), (self.below_target, view.lighting.below),
        ):  # fmt: skip
            target.use()
            target.clear(EMPTY, EMPTY, EMPTY, EMPTY)
            self._set("depth", clip=_ndc(projection).T)
            self._draw("depth", solid)
            side = target.size[0]
            depths.append(np.frombuffer(target.read(components=1, dtype="f4"), "f4").reshape(side, side))
        shadows = floor_shadows(view.lighting, *depths)
        self.key_map.write(shadow_map(depths[0]))
        self.key_shadow.write(np.ascontiguousarray(shadows.key))
        self.contact.write(np.ascontiguousarray(shadows.contact))

    def _light(self, view: View) -> None:
        """Sets the uniforms and maps that all materials share."""
        light = view.lighting
        seen = bool(np.isfinite(light.floor))
        shared = {
            "eye": view.eye, "up": light.up, "shadow": float(seen),
            "floor_height": light.floor if seen else -1e6, "key_view": light.key_view.matrix.T,
        }  # fmt: skip
        self._set(
            "color", clip=view.clip.T, key=light.key, fill=light.fill, size=light.size,
            smooth_normals=self.mesh.smooth, **shared,
        )  # fmt: skip
        self._set(
            "backdrop", picture=(view.width, view.height), focal=view.focal, rotation=view.rotation.T,
            below=light.below.matrix.T, **shared,
        )  # fmt: skip
        for name, texture in (
            ("key_map", self.key_map),
            ("key_shadow", self.key_shadow),
            ("contact", self.contact),
        ):
            texture.use(UNITS[name])

    def _draw_blended(self, view: View, batches: list[Batch]) -> None:
        """Draws blended batches from far to near, and the faces within each likewise."""
        if not batches:
            return
        self.ctx.enable(moderngl.BLEND)
        distance = np.linalg.norm(self.current[self.mesh.faces].mean(1) - view.eye, axis=1)
        for batch in sorted(batches, key=lambda b: -distance[b.start : b.stop].mean()):
            far_first = np.argsort(-distance[batch.start : batch.stop], kind="stable") + batch.start
            self.order.write(self.mesh.faces[far_first].astype("i4").tobytes(), offset=12 * batch.start)
            self._draw("color", [batch], write_depth=False)
            self.order.write(
                self.mesh.faces[batch.start : batch.stop].astype("i4").tobytes(), offset=12 * batch.start
            )
        self.ctx.disable(moderngl.BLEND)

    def _draw(self, name: str, batches, write_depth: bool = True) -> None:
        """Draws batches of faces into the current framebuffer."""
        self.ctx.enable(moderngl.DEPTH_TEST)
        assert self.ctx.fbo is not None
        self.ctx.fbo.depth_mask = write_depth
        for batch in batches:
            material = batch.material
            cutoff = {"OPAQUE": -1.0, "MASK": min(material.alpha_cutoff, 1.0), "BLEND": 2.0}[
                material.alpha_mode
            ]
            self._set(
                name, base=material.color, cutoff=cutoff, metallic=material.metallic,
                roughness=material.roughness, emissive=material.emissive, first_face=batch.start,
            )  # fmt: skip
            for unit, (role, flag) in enumerate(
                zip(ROLES, ("color_mapped", "rough_mapped", "glow_mapped"), strict=True)
            ):
                texture = material.textures.get(role)
                self._set(name, **{flag: texture is not None})
                if texture is not None:
                    self.textures[id(texture), role].use(unit)
            self.drawings[name].render(
                moderngl.TRIANGLES, 3 * (batch.stop - batch.start), first=3 * batch.start
            )
        self.ctx.fbo.depth_mask = True

    def _set(self, name: str, **values) -> None:
        """Sets those of the uniforms that the program has; matrices are passed column-major."""
        program = self.programs[name]
        for key, value in {**UNITS, **values}.items():
            if key in program:
                program[key] = tuple(value.ravel().tolist()) if isinstance(value, np.ndarray) else value

    def _sized(self, kind: str, view: View) -> moderngl.Framebuffer:
        """A framebuffer of the picture's size, created once."""
        size = (view.width, view.height)
        key = (kind, *size)
        if key not in self.sized:
            ctx, samples = self.ctx, self.samples
            self.sized[key] = {
                "samples": lambda: ctx.framebuffer(
                    [ctx.renderbuffer(size, 4, samples=samples)],
                    ctx.depth_renderbuffer(size, samples=samples),
                ),
                "resolved": lambda: ctx.framebuffer([ctx.renderbuffer(size, 4)]),
                "geometry": lambda: ctx.framebuffer(
                    [ctx.texture(size, 4, dtype="f4")], ctx.depth_renderbuffer(size)
                ),
            }[kind]()
        return self.sized[key]


def _ndc(projection: Projection) -> Float[Array, "4 4"]:
    """The projection, mapped from [0, 1]³ to OpenGL's [−1, 1]³."""
    stretch = np.diag([2.0, 2.0, 2.0, 1.0])
    stretch[:3, 3] = -1.0
    return stretch @ projection.matrix
