"""Texture lookups of the ray backend."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neurok.rendering.mipmaps import build_mipmap

RNG = np.random.default_rng(3)
PIXELS = RNG.integers(0, 256, (8, 16, 4), dtype=np.uint8)


def test_texel_centres_give_texels_and_repeats_give_the_same():
    rows, columns = np.mgrid[:8, :16]
    uv = np.stack([(columns + 0.5) / 16, (rows + 0.5) / 8], axis=-1).reshape(-1, 2)
    mipmap = build_mipmap(PIXELS, srgb=False)
    for shift in (0, 3, -2):
        np.testing.assert_allclose(
            mipmap.sample(uv + shift, np.zeros(128)), PIXELS.reshape(-1, 4) / 255, atol=1e-3
        )


def test_the_coarsest_level_is_the_mean_light():
    linear = ((PIXELS[..., :3] / 255 + 0.055) / 1.055) ** 2.4
    exact = np.where(PIXELS[..., :3] <= 10, PIXELS[..., :3] / 255 / 12.92, linear).mean((0, 1))
    value = build_mipmap(PIXELS, srgb=True).sample(np.array([[0.3, 0.9]]), np.array([99.0]))
    np.testing.assert_allclose(value[0, :3], exact, atol=1e-3)


@given(st.integers(1, 9), st.integers(1, 9), st.floats(-5, 5), st.floats(-5, 5), st.floats(-2, 9))
def test_a_plain_texture_is_plain_everywhere_at_any_size(height, width, u, v, level):
    mipmap = build_mipmap(np.full((height, width, 4), 51, np.uint8), srgb=False)
    np.testing.assert_allclose(mipmap.sample(np.array([[u, v]]), np.array([level])), 0.2, atol=1e-3)
