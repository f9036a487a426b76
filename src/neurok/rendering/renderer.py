"""`open_renderer`: OpenGL when the machine has it, rays when it doesn't, the same picture either way."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from functools import cache
from typing import Literal, Protocol, get_args, runtime_checkable

import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.errors import InputError
from neurok.rendering.lighting import View
from neurok.rendering.scene import Scene

Array = np.ndarray
Backend = Literal["auto", "gl", "ray"]
log = logging.getLogger(__name__)


@runtime_checkable
class Renderer(AbstractContextManager, Protocol):
    """What draws: `load` once per sequence, `move` per frame, then `color` and `geometry` as needed."""

    backend: str

    def load(self, scene: Scene) -> None: ...
    def move(self, positions: Float[Array, "n 3"], normals: Float[Array, "n 3"] | None) -> None: ...
    def color(self, view: View) -> UInt8[Array, "h w 3"]: ...
    def geometry(self, view: View) -> tuple[Float[Array, "h w"], Int[Array, "h w"]]: ...


def open_renderer(backend: str = "auto") -> Renderer:
    """A renderer, to be used in a `with` statement.

    "auto" tries OpenGL over EGL and otherwise casts rays, which it says once, in one line of the log.
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
        _tell(str(refusal))
        return _ray()


@cache
def _tell(refusal: str) -> None:
    log.warning("Pictures are drawn by ray casting: %s.", refusal.rstrip("."))


def _gl() -> Renderer:
    from neurok.rendering.gl import GLRenderer

    return GLRenderer()


def _ray() -> Renderer:
    from neurok.rendering.ray import RayRenderer

    return RayRenderer()
