"""`open_renderer`: chooses the OpenGL backend or the ray backend, which give the same picture."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from functools import cache
from typing import Literal, Protocol, get_args, runtime_checkable

import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.errors import InputError
from neurok.rendering.lighting import View
from neurok.rendering.render_mesh import RenderMesh

Array = np.ndarray
Backend = Literal["auto", "gl", "ray"]
log = logging.getLogger(__name__)


@runtime_checkable
class Renderer(AbstractContextManager, Protocol):
    """The backend protocol: `load` once per sequence, `move` per frame, then `color` and `geometry`."""

    backend: str

    def load(self, mesh: RenderMesh) -> None: ...
    def move(self, positions: Float[Array, "n 3"], normals: Float[Array, "n 3"] | None) -> None: ...
    def color(self, view: View) -> UInt8[Array, "h w 3"]: ...
    def geometry(self, view: View) -> tuple[Float[Array, "h w"], Int[Array, "h w"]]: ...


def open_renderer(backend: str = "auto") -> Renderer:
    """A renderer, to be used in a `with` statement.

    "auto" tries OpenGL over EGL and otherwise casts rays, which is logged once.
    """
    if backend not in get_args(Backend):
        raise InputError(
            "renderer", f"there is no backend {backend!r}", f"Choose one of {', '.join(get_args(Backend))}"
        )
    if backend == "ray":
        return _ray()
    try:
        return _gl()
    except Exception as refusal:
        if backend == "gl":
            raise InputError(
                "renderer", str(refusal), "Install libegl1 and libgl1, or use the ray backend"
            ) from refusal
        _log_fallback(str(refusal))
        return _ray()


@cache
def _log_fallback(refusal: str) -> None:
    log.warning("Pictures are drawn by ray casting: %s.", refusal.rstrip("."))


def _gl() -> Renderer:
    from neurok.rendering.gl import GLRenderer

    return GLRenderer()


def _ray() -> Renderer:
    from neurok.rendering.ray import RayRenderer

    return RayRenderer()
