"""Both renderers, opened once, and small shapes with closed-form pictures."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from neurok.errors import InputError
from neurok.rendering import Camera, Renderer, open_renderer
from neurok.sequences import Sequence
from neurok.shapes import Shape


def backends() -> list[str]:
    """The backends available on this machine; OpenGL depends on a system driver."""
    try:
        with open_renderer("gl"):
            return ["gl", "ray"]
    except InputError:
        return ["ray"]


@pytest.fixture(scope="session")
def gl():
    """The default renderer: OpenGL if there is a driver."""
    with open_renderer() as renderer:
        yield renderer


@pytest.fixture(scope="session")
def ray():
    with open_renderer("ray") as renderer:
        yield renderer


@pytest.fixture(params=backends())
def renderer(request) -> Renderer:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def ball() -> Shape:
    mesh = trimesh.creation.icosphere(subdivisions=4)
    return Shape(mesh.vertices, mesh.faces, name="ball", normals=mesh.vertices.astype(np.float32))


@pytest.fixture(scope="session")
def rising(ball) -> Sequence:
    """Six frames of a rising ball."""
    lift = np.linspace(0, 2, 6)[:, None, None] * np.array([0.0, 1.0, 0.0])
    return Sequence(ball, ball.vertices + lift, fps=12.0, name="rising")


@pytest.fixture(scope="session")
def quad() -> Shape:
    """A unit square in the plane z = 0, lower left corner (and uv) at the origin, facing +z."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    return Shape(corners, np.array([[0, 1, 2], [0, 2, 3]]), uv=corners[:, :2])


@pytest.fixture(scope="session")
def front() -> Camera:
    """A camera in front of the square, which fills the middle half of the picture."""
    return Camera(
        (0.5, 0.5, 4.0), (0.5, 0.5, 0.0), fov_deg=2 * np.degrees(np.arctan(0.25)), width=128, height=128
    )
