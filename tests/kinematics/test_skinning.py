"""The skin basis against plain sums."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.kinematics.skinned import SkinBasis
from neurok.sequences import Rig, Skin
from neurok.shapes import Shape


def random_skin(seed: int) -> tuple[SkinBasis, np.random.Generator]:
    rng = np.random.default_rng(seed)
    n, handles, influences = 12, int(rng.integers(1, 5)), int(rng.integers(1, 4))
    weights = rng.random((n, influences))
    weights /= weights.sum(1, keepdims=True)
    skin = Skin(rng.integers(0, handles, (n, influences)), weights, tuple(f"h{i}" for i in range(handles)))
    shape = Shape(rng.normal(size=(n, 3)), rng.integers(0, n, (5, 3)))
    return SkinBasis(shape, skin), rng


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_vertices_are_the_weighted_sum_of_their_handles_maps(seed):
    basis, rng = random_skin(seed)
    maps = rng.normal(size=(2, len(basis.skin.names), 3, 4))
    x = basis.apply(torch.tensor(maps.reshape(2, -1))).numpy()
    for i, (handles, weights) in enumerate(zip(basis.skin.handles, basis.skin.weights, strict=True)):
        point = np.append(basis.shape.vertices[i], 1.0)
        expected = sum(w * maps[:, h] @ point for h, w in zip(handles, weights, strict=True))
        assert np.allclose(x[:, i], expected)
    assert np.allclose(Rig(basis.skin, maps).positions(basis.shape.vertices), x)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_gram_matrix_gives_the_same_energy_as_the_vertices(seed):
    """cᵀ (Bᵀ m B) c = Σ_i m_i |x_i|²."""
    basis, rng = random_skin(seed)
    mass = torch.tensor(rng.random(len(basis.shape.vertices)))
    code = torch.tensor(rng.normal(size=12 * len(basis.skin.names)))
    energy = (mass[:, None] * basis.apply(code) ** 2).sum()
    assert torch.allclose(code @ basis.gram(mass) @ code, energy)


def test_the_identity_code_leaves_every_vertex_where_it_is():
    basis, _ = random_skin(1)
    code = torch.eye(3, 4, dtype=torch.float64).repeat(len(basis.skin.names), 1, 1).flatten()
    assert np.allclose(basis.apply(code), basis.shape.vertices)
