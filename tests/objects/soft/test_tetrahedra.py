"""Tetrahedral solids fill their surface and carry it."""

from __future__ import annotations

import numpy as np
import pytest

from neurok.objects.soft import checks
from neurok.objects.soft.blobs import random_blob
from neurok.objects.soft.clips import make_shape, random_material
from neurok.objects.soft.tetrahedra import embed, fill
from volumes import enclosed_volume


def test_embedded_surface_follows_affine_motion_exactly():
    rng = np.random.default_rng(3)
    shape = make_shape(*random_blob(rng), "blob", random_material(rng, "jelly"), "blob")
    solid = fill(shape, 7)
    linear, shift = np.eye(3) + 0.3 * rng.normal(size=(3, 3)), rng.normal(size=3)
    moved = embed(shape.vertices, solid).carry((solid.nodes @ linear.T + shift)[None])[0]
    np.testing.assert_allclose(moved, shape.vertices @ linear.T + shift, atol=1e-9)


def test_filled_solid_has_the_volume_of_its_surface_and_upright_cells():
    rng = np.random.default_rng(3)
    vertices, faces = random_blob(rng)
    solid = fill(make_shape(vertices, faces, "blob", random_material(rng, "jelly"), "blob"), 8)
    volumes = checks.tetrahedron_volumes(solid.nodes, solid.tetrahedra)
    assert volumes.min() > 0
    assert volumes.sum() == pytest.approx(enclosed_volume(vertices, faces), rel=0.2)
    assert solid.mass(700.0).sum() == pytest.approx(700.0 * volumes.sum())
