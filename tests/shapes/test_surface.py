"""Welding, components, sampling, neighbours and proxies, on shapes with known answers."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

from neurok.errors import InputError
from neurok.shapes import Frame, Shape, concatenate
from neurok.shapes.proxy import make_proxy
from neurok.shapes.sample import nearest_along_surface, sample_surface


def shape_of(mesh: trimesh.Trimesh, **fields) -> Shape:
    return Shape(mesh.vertices, mesh.faces, **fields)


def soup(mesh: trimesh.Trimesh) -> Shape:
    """A mesh with three vertices per triangle, as in STL."""
    return Shape(mesh.vertices[mesh.faces].reshape(-1, 3), np.arange(3 * len(mesh.faces)).reshape(-1, 3))


def test_triangle_soup_welds_to_the_closed_surface():
    sphere = trimesh.creation.icosphere(2)
    surface = soup(sphere).surface
    assert len(surface.vertices) == len(sphere.vertices)
    assert surface.is_closed
    assert surface.component_count == 1


def test_touching_parts_stay_apart_and_one_part_welds():
    left, right = trimesh.creation.box(), trimesh.creation.box().apply_translation([1, 0, 0])
    two = concatenate([shape_of(left, part_names=("a",)), shape_of(right, part_names=("b",))], "two")
    assert two.surface.component_count == 2
    assert two.with_(part=np.zeros(24, int), part_names=("one",)).surface.component_count == 1


def test_minus_zero_welds_with_zero():
    shape = Shape(
        np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [-0.0, -0.0, 0], [1, 0, -0.0], [0, -1, 0]]),
        np.array([[0, 1, 2], [3, 4, 5]]),
    )
    assert len(shape.surface.vertices) == 4


def test_components_are_ordered_by_size():
    small, large = trimesh.creation.box(), trimesh.creation.icosphere(2).apply_translation([5, 0, 0])
    shape = shape_of(trimesh.util.concatenate([small, large]))
    sizes = np.bincount(shape.surface.component)
    assert sizes.tolist() == [162, 8]


def test_normalisation_maps_to_the_unit_ball_and_back():
    shape = shape_of(trimesh.creation.box(extents=(2, 4, 6)).apply_translation([10, 0, 0]))
    unit = shape.normalisation.apply(shape.vertices)
    assert np.linalg.norm(unit, axis=1).max() == pytest.approx(1)
    assert np.allclose(shape.normalisation.undo(unit), shape.vertices)


def test_unused_vertices_do_not_move_the_normalisation():
    shape = Shape(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [900, 900, 900]], float), np.array([[0, 1, 2]]))
    assert shape.normalisation.radius < 1


def test_frames_turn_z_up_millimetres_into_y_up_metres():
    matrix = Frame("z", 1e-3).to(Frame("y", 1.0))
    assert np.allclose(matrix @ [1000, 2000, 3000, 1], [1, 3, -2, 1])
    assert np.allclose(Frame("y", 1.0).to(Frame("z", 1e-3)) @ matrix, np.eye(4))


def test_shapes_are_immutable():
    shape = shape_of(trimesh.creation.box())
    with pytest.raises(ValueError, match="read-only"):
        shape.vertices[0] = 1


def test_samples_are_on_the_surface_even_and_the_same_for_the_same_seed():
    sphere = shape_of(trimesh.creation.icosphere(4))
    samples = sample_surface(sphere, 500, seed=3)
    points = samples.positions(sphere)
    assert np.allclose(np.linalg.norm(points, axis=1), 1, atol=0.005)
    gap = cKDTree(points).query(points, k=2)[0][:, 1]
    random = sample_surface(sphere, 500, seed=3, even=False).positions(sphere)
    random_gap = cKDTree(random).query(random, k=2)[0][:, 1]
    assert gap.min() > 5 * random_gap.min()
    assert gap.std() / gap.mean() < 0.25 < random_gap.std() / random_gap.mean()
    assert np.array_equal(points, sample_surface(sphere, 500, seed=3).positions(sphere))
    assert not np.array_equal(points, sample_surface(sphere, 500, seed=4).positions(sphere))


def test_samples_follow_area_not_triangle_count():
    coarse = trimesh.creation.box()
    fine = trimesh.creation.icosphere(4).apply_scale(0.05).apply_translation([4, 0, 0])
    shape = shape_of(trimesh.util.concatenate([coarse, fine]))
    points = sample_surface(shape, 1000, even=False).positions(shape)
    share = fine.area / (fine.area + coarse.area)
    assert (points[:, 0] > 2).mean() == pytest.approx(share, abs=0.002)


def test_samples_follow_moved_vertices():
    shape = shape_of(trimesh.creation.icosphere(2))
    samples = sample_surface(shape, 64)
    turn = Rotation.from_euler("xyz", [0.3, 0.2, 0.1]).as_matrix()
    assert np.allclose(samples.positions(shape, shape.vertices @ turn.T), samples.positions(shape) @ turn.T)


def test_a_shape_without_area_cannot_be_sampled():
    with pytest.raises(InputError, match="no surface area"):
        sample_surface(Shape(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], float), np.array([[0, 1, 2]])), 10)


def test_a_speck_far_from_the_origin_still_gives_the_samples_asked_for():
    """All samples coincide after rounding, so their distances are equal."""
    speck = Shape(np.array([[0, 0, 0], [1e-8, 0, 0], [0, 1e-8, 0]]) + 1e8, np.array([[0, 1, 2]]))
    wide = Shape(np.r_[speck.vertices, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]], np.array([[0, 1, 2], [3, 4, 5]]))
    assert len(sample_surface(wide, 32).face) == 32


def test_neighbours_along_the_surface_do_not_jump_a_gap():
    """Two close plates: the other plate is nearest in space and unreachable along the surface."""
    plate = trimesh.creation.box(extents=(1, 1, 0.01)).subdivide().subdivide().subdivide()
    shape = shape_of(trimesh.util.concatenate([plate, plate.copy().apply_translation([0, 0, 0.011])]))
    samples = sample_surface(shape, 200, seed=1)
    points, surface = samples.positions(shape), shape.surface
    faces = surface.of_vertex[shape.faces[samples.face]]
    index, distance = nearest_along_surface(surface, points, faces, k=4)
    same = surface.component[faces[:, 0]][index] == surface.component[:, None]
    assert same[np.isfinite(distance)].all()
    assert np.isfinite(distance).all()
    straight = np.linalg.norm(points[index] - surface.vertices[:, None], axis=-1)
    assert (distance >= straight - 1e-9).all()


def test_components_without_samples_fall_back_to_the_nearest_in_space():
    far = trimesh.creation.box().apply_translation([3, 0, 0])
    shape = shape_of(trimesh.util.concatenate([trimesh.creation.box(), far]))
    index, distance = nearest_along_surface(
        shape.surface, shape.vertices[:3], shape.surface.of_vertex[shape.faces[[0, 1, 2]]], 2
    )
    assert np.isinf(distance).any()
    assert ((index >= 0) & (index < 3)).all()
    assert (np.sort(index, axis=1)[:, 0] != np.sort(index, axis=1)[:, 1]).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 20))
def test_proxy_binding_is_exact_at_rest_and_under_similarity(seed, scale):
    rng = np.random.default_rng(seed)
    mesh = trimesh.creation.icosphere(4)
    mesh.vertices *= 1 + 0.2 * np.sin(3 * mesh.vertices[:, :1] + seed)
    shape = soup(mesh) if seed % 2 else shape_of(mesh)
    proxy = make_proxy(shape, max_faces=800)
    assert len(proxy.shape.faces) <= 900
    assert np.abs(proxy.binding.positions(proxy.shape.vertices) - shape.vertices).max() < 1e-12
    turn, move = Rotation.random(rng=rng).as_matrix() * scale, rng.normal(size=3)
    moved = proxy.binding.positions(proxy.shape.vertices @ turn.T + move)
    assert np.abs(moved - (shape.vertices @ turn.T + move)).max() < 1e-10 * max(1, scale)


def test_proxy_keeps_touching_components_apart():
    """Bending one of two touching spheres must not drag the other's vertices."""
    one = trimesh.creation.icosphere(4)
    other = one.copy().apply_translation([2.0, 0, 0])
    shape = concatenate([shape_of(one, part_names=("a",)), shape_of(other, part_names=("b",))], "two")
    proxy = make_proxy(shape, 600)
    assert proxy.shape.surface.component_count == 2
    right = proxy.shape.vertex_part == 1
    lifted = proxy.shape.vertices + np.where(right[:, None], [0.0, 0.0, 1.0], 0.0)
    moved = proxy.binding.positions(lifted) - shape.vertices
    is_right = np.arange(len(shape.vertices)) >= len(one.vertices)
    assert np.allclose(moved[is_right], [0, 0, 1])
    assert np.allclose(moved[~is_right], 0)


@pytest.mark.slow
def test_proxy_of_thousands_of_loose_parts_still_binds_exactly():
    rng = np.random.default_rng(0)
    boxes = [
        trimesh.creation.box(rng.uniform(0.01, 0.05, 3)).apply_translation(rng.random(3)) for _ in range(2000)
    ]
    shape = shape_of(trimesh.util.concatenate(boxes))
    proxy = make_proxy(shape, 2000)
    assert len(proxy.shape.faces) < 6000
    assert np.abs(proxy.binding.positions(proxy.shape.vertices) - shape.vertices).max() < 1e-12


def test_proxy_of_a_small_mesh_is_the_mesh():
    shape = shape_of(trimesh.creation.box())
    proxy = make_proxy(shape)
    assert len(proxy.shape.faces) == 12
    assert np.allclose(proxy.binding.positions(proxy.shape.vertices), shape.vertices)


def test_zero_area_faces_are_harmless_to_a_proxy():
    shape = Shape(
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0]], float), np.array([[0, 1, 2], [0, 1, 3]])
    )
    proxy = make_proxy(shape)
    assert np.allclose(proxy.binding.positions(proxy.shape.vertices), shape.vertices)
