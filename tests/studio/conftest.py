"""Prepared stages, shared by the tests."""

from __future__ import annotations

import pytest
import trimesh

from neurok.assets import shipped
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.studio import Stage, stage_of


@pytest.fixture(scope="session")
def cabinet() -> Stage:
    """A door, two drawers and a lid on joints."""
    return stage_of(load_shape(shipped("cabinet")))


@pytest.fixture(scope="session")
def bar() -> Stage:
    """A soft bar that stands on its end, one metre high."""
    mesh = trimesh.creation.box((0.2, 1.0, 0.2)).subdivide_to_size(0.1)
    return stage_of(Shape(mesh.vertices, mesh.faces, name="bar"), "elastic", modes=4)
