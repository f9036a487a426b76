"""Choice of the backend, and the log message of the fallback."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from contextlib import nullcontext

import numpy as np
import pytest

from neurok.errors import InputError
from neurok.rendering import open_renderer, render

PROGRAM = """
import sys
import numpy as np
from neurok.errors import InputError
from neurok.rendering import open_renderer, render
from neurok.shapes import Shape
shape = Shape(np.eye(3), np.array([[0, 1, 2]]))
for _ in range(2):
    with open_renderer() as renderer:
        print(renderer.backend, render(shape, width=32, height=32, renderer=renderer).mask.any())
try:
    open_renderer("gl")
except InputError as error:
    print(error)
"""


@pytest.mark.slow
def test_without_egl_rays_are_cast_and_one_line_is_logged():
    missing = {"GLCONTEXT_LINUX_LIBEGL": "/nowhere/libEGL.so", "GLCONTEXT_LINUX_LIBGL": "/nowhere/libGL.so"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | missing, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[:2] == ["ray True", "ray True"]
    assert "ray backend" in done.stdout.splitlines()[2]
    assert done.stderr.count("\n") == 1
    assert "ray casting" in done.stderr
    assert "EGL" in done.stderr


def test_auto_prefers_opengl_where_it_works(renderer):
    """The first of the machine's backends is OpenGL where there is a driver."""
    with open_renderer() as chosen:
        assert chosen.backend in ("gl", renderer.backend)


@pytest.mark.slow
def test_an_old_renderer_that_is_collected_late_takes_nothing_from_a_new_one(renderer, ball):
    """Two contexts give their textures, buffers and programs the same numbers."""
    with open_renderer(renderer.backend) as old:
        expected = render(ball, width=64, height=64, renderer=old).rgb
    ring: list = [old]
    ring.append(ring)  # only the cycle collector frees it
    with open_renderer(renderer.backend) as new:
        assert np.array_equal(render(ball, width=64, height=64, renderer=new).rgb, expected)
        del old, ring
        with getattr(new, "ctx", nullcontext()):  # while the new one draws
            gc.collect()
        assert np.array_equal(render(ball, width=64, height=64, renderer=new).rgb, expected)


@pytest.mark.slow
def test_rendering_does_not_import_torch():
    code = "import sys, neurok.rendering.ray, neurok.rendering.gl; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_backends_are_refused():
    with pytest.raises(InputError, match="no backend 'vulkan'"):
        open_renderer("vulkan")  # type: ignore[arg-type]
