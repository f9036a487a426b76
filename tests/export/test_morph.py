"""Morph targets reproduce the motion and its shading normals."""

from __future__ import annotations

import numpy as np
from export_samples import box_and_ball
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.export.gltf.morph import compress, normal_targets, strays
from neurok.shapes.normals import shading_normals


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    frames=st.integers(1, 12),
    rank=st.integers(1, 12),
    tolerance=st.sampled_from([1e-1, 1e-3, 1e-6]),
)
def test_every_vertex_stays_within_the_tolerance(seed, frames, rank, tolerance):
    rng = np.random.default_rng(seed)
    displacement = np.einsum("fk,knj->fnj", rng.normal(size=(frames, rank)), rng.normal(size=(rank, 20, 3)))
    displacement = displacement.astype(np.float32)
    weights, targets = compress(displacement, tolerance)
    left = np.linalg.norm(np.einsum("fk,knj->fnj", weights, targets) - displacement, axis=-1).max()
    assert left <= tolerance + 2e-6 * np.abs(displacement).max()
    assert len(targets) <= min(frames, rank) or tolerance < 1e-4
    assert np.abs(weights).max() <= 1 + 1e-6


def test_one_target_fewer_would_stray():
    rng = np.random.default_rng(0)
    sizes = 2.0 ** -np.arange(10)
    displacement = np.einsum("fk,k,knj->fnj", rng.normal(size=(30, 10)), sizes, rng.normal(size=(10, 20, 3)))
    flat = displacement.astype(np.float32)
    weights, _ = compress(flat, 0.05)
    modes = np.linalg.svd(flat.reshape(30, -1), full_matrices=False)[0]
    assert not strays(modes[:, : weights.shape[1]], flat.reshape(30, -1), 0.05)
    assert strays(modes[:, : weights.shape[1] - 1], flat.reshape(30, -1), 0.05)


def test_frames_that_share_nothing_are_the_targets_themselves():
    displacement = np.random.default_rng(0).normal(size=(6, 20, 3)).astype(np.float32)
    weights, targets = compress(displacement, 1e-6)
    assert np.array_equal(weights, np.eye(6)) and np.array_equal(targets, displacement)


def test_blended_normals_follow_the_moved_surface():
    shape = box_and_ball()
    bend = np.stack(
        [np.zeros(len(shape.vertices)), np.zeros(len(shape.vertices)), shape.vertices[:, 0] ** 2], axis=1
    )
    weights = np.linspace(0, 1, 9)[:, None]
    positions = shape.vertices + 0.25 * weights[..., None] * bend
    targets = normal_targets(shape, positions, weights)
    for frame, weight in zip(positions, weights[:, 0], strict=True):
        blended = shape.normals + weight * targets[0]
        blended /= np.linalg.norm(blended, axis=1, keepdims=True)
        moved = shading_normals(shape, frame)
        assert np.degrees(np.arccos(np.clip((blended * moved).sum(1), -1, 1))).max() < 8
    turned = np.degrees(np.arccos(np.clip((shape.normals * moved).sum(1), -1, 1))).max()
    assert turned > 30
