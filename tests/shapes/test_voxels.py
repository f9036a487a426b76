"""Voxels: volumes, tight frames, links and defective meshes."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.scatter import scatter
from neurok.shapes.voxels import trilinear, voxelise


def shape_of(mesh: trimesh.Trimesh) -> Shape:
    return Shape(np.array(mesh.vertices), np.array(mesh.faces))


def volume(voxels) -> float:
    return float(voxels.fill.sum() * np.prod(voxels.size) * voxels.length**3)


def turned(shape: Shape, seed: int) -> Shape:
    rotation = trimesh.transformations.random_rotation_matrix(np.random.default_rng(seed).random(3))[:3, :3]
    return shape.with_(vertices=shape.vertices @ rotation.T + 3.0)


def clusters(voxels) -> int:
    solid = np.zeros(voxels.cells.max(0) + 1, bool)
    solid[tuple(voxels.cells.T)] = True
    return ndimage.label(solid)[1]


@pytest.mark.parametrize("mesh, tolerance", [
    (trimesh.creation.icosphere(subdivisions=4), 0.01),
    (trimesh.creation.torus(1.0, 0.3), 0.02),
    (trimesh.creation.capsule(2.0, 0.3), 0.01),
    (trimesh.creation.annulus(0.5, 1.0, 0.4), 0.03),
])  # fmt: skip
def test_fill_adds_up_to_the_volume_of_closed_bodies(mesh, tolerance):
    assert volume(voxelise(turned(shape_of(mesh), 1))) == pytest.approx(mesh.volume, rel=tolerance)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_turned_board_is_met_squarely_by_the_grid(seed):
    board = turned(shape_of(trimesh.creation.box((1.0, 0.3, 0.02))), seed)
    voxels = voxelise(board)
    assert volume(voxels) == pytest.approx(0.006, rel=1e-6)
    assert np.allclose(voxels.fill, 1.0)
    assert np.allclose(np.sort(np.ptp(voxels.nodes, axis=0) * voxels.length), [0.02, 0.3, 1.0])


def test_inverted_normals_change_nothing():
    mesh = trimesh.creation.icosphere(subdivisions=3)
    outwards, inwards = shape_of(mesh), Shape(np.array(mesh.vertices), np.array(mesh.faces)[:, ::-1])
    assert volume(voxelise(inwards)) == pytest.approx(volume(voxelise(outwards)), rel=1e-9)


def test_an_open_bowl_is_a_sheet_and_not_a_half_ball():
    mesh = trimesh.creation.icosphere(subdivisions=4)
    bowl = Shape(np.array(mesh.vertices), np.array(mesh.faces)[mesh.triangles_center[:, 2] < 0])
    voxels = voxelise(bowl, sheet=0.02)
    assert volume(voxels) == pytest.approx(bowl.area * 0.02 * voxels.length, rel=0.05)


def test_six_loose_plates_that_close_are_a_solid_box():
    mesh = trimesh.creation.box((1.0, 0.8, 0.6))
    loose = Shape(
        mesh.vertices[mesh.faces].reshape(-1, 3) * (1 + 1e-9 * np.arange(36)[:, None]),
        np.arange(36).reshape(-1, 3),
    )
    assert volume(voxelise(loose)) == pytest.approx(0.48, rel=0.02)


@pytest.mark.slow
def test_a_cell_count_is_kept_for_bulky_and_for_slender_bodies():
    for extents in [(1, 1, 1), (1, 0.5, 0.2), (1, 1, 0.01), (1, 0.01, 0.01)]:
        voxels = voxelise(shape_of(trimesh.creation.box(extents)), most_cells=1500)
        assert len(voxels.cells) <= 1.15 * 1500
        assert len(np.unique(voxels.cells, axis=0)) == len(voxels.cells)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_loose_pieces_become_one_cluster(seed, pieces):
    rng = np.random.default_rng(seed)
    balls = [
        trimesh.creation.icosphere(subdivisions=1, radius=0.05).apply_translation(rng.random(3))
        for _ in range(pieces)
    ]
    assert clusters(voxelise(shape_of(trimesh.util.concatenate(balls)), resolution=24, most_cells=800)) == 1


def test_links_weigh_next_to_nothing():
    balls = [trimesh.creation.icosphere(subdivisions=3).apply_translation([x, 0, 0]) for x in (0, 5)]
    voxels = voxelise(shape_of(trimesh.util.concatenate(balls)))
    assert voxels.is_link.any() and not voxels.is_link.all()
    assert voxels.fill[voxels.is_link].sum() < 0.02 * voxels.fill.sum()


def test_grid_coordinates_go_back_and_every_vertex_is_in_its_cell(data_dir):
    mesh = trimesh.load(data_dir / "static" / "c3d_spot.glb", force="mesh")
    shape = shape_of(mesh)
    voxels = voxelise(shape)
    grid = voxels.to_grid(shape.vertices)
    assert np.allclose(voxels.from_grid(grid), shape.vertices, atol=1e-12)
    cell, place = voxels.locate(grid)
    rebuilt = np.einsum("pc,pcx->px", trilinear(place), voxels.nodes[voxels.corner[cell]])
    assert np.abs(rebuilt - grid).max() < 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.02, 2.0))
def test_scattered_areas_add_up_and_points_lie_dense_on_their_triangles(seed, spacing):
    corners = np.random.default_rng(seed).normal(size=(9, 3))
    faces = np.arange(9).reshape(3, 3)
    points = scatter(corners, faces, spacing)
    assert points.area.sum() == pytest.approx(Shape(corners, faces).area)
    for face in range(3):
        a, b, c = corners[faces[face]]
        own = points.points[points.face == face]
        local = np.linalg.lstsq(np.stack([b - a, c - a], axis=1), (own - a).T)[0]
        assert (local > 0).all() and (local.sum(0) < 1).all()
        middle = (a + b + c) / 3
        assert np.linalg.norm(own - middle, axis=1).min() <= spacing


@pytest.mark.parametrize("vertices, faces, cause", [
    (np.zeros((0, 3)), np.zeros((0, 3), int), "no faces"),
    (np.ones((3, 3)), [[0, 1, 2]], "one point"),
    ([[0, 0, 0], [1, 0, 0], [3, 0, 0]], [[0, 1, 2]], "zero area"),
    ([[0, 0, 0], [1, 0, 0], [0, np.nan, 0]], [[0, 1, 2]], "NaN"),
])  # fmt: skip
def test_a_shape_without_a_surface_is_refused(vertices, faces, cause):
    with pytest.raises(InputError, match=cause):
        voxelise(Shape(np.asarray(vertices, float), np.asarray(faces)))
