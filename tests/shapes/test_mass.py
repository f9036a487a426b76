"""Masses and inertias against closed forms, on clean and on defective meshes."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.mass import mass_modes, part_inertia, valid_inertia, vertex_mass
from neurok.shapes.robots.tree import Inertia
from neurok.shapes.shape import Frame, concatenate


def shape_of(mesh: trimesh.Trimesh, **more) -> Shape:
    return Shape(np.array(mesh.vertices), np.array(mesh.faces), **more)


def box(size=(1.0, 1.0, 1.0), at=(0.0, 0.0, 0.0), **more) -> Shape:
    mesh = trimesh.creation.box(size)
    mesh.apply_translation(at)
    return shape_of(mesh, **more)


def box_tensor(mass: float, size) -> np.ndarray:
    x, y, z = np.square(size)
    return mass / 12 * np.diag([y + z, x + z, x + y])


def centre_of(shape: Shape, mass: np.ndarray) -> np.ndarray:
    return mass @ shape.vertices / mass.sum()


def is_possible(inertia: Inertia) -> bool:
    a, b, c = np.linalg.eigvalsh(inertia.tensor)
    return inertia.mass > 0 and a > 0 and a + b >= c * (1 - 1e-9)


def test_box_has_the_closed_form_inertia():
    inertia = part_inertia(box((2, 3, 4), (5, -6, 7)), "body", density_kg_m3=10)
    assert inertia.mass == pytest.approx(240)
    np.testing.assert_allclose(inertia.centre, [5, -6, 7])
    np.testing.assert_allclose(inertia.tensor, box_tensor(240, (2, 3, 4)), atol=1e-9)


def test_ball_and_cylinder_have_the_closed_form_inertia():
    ball = part_inertia(shape_of(trimesh.creation.icosphere(5, 0.3)), 0, density_kg_m3=1000)
    mass = 1000 * 4 / 3 * np.pi * 0.3**3
    assert ball.mass == pytest.approx(mass, rel=2e-3)
    np.testing.assert_allclose(ball.tensor, 0.4 * mass * 0.09 * np.eye(3), rtol=4e-3, atol=1e-6)
    rod = part_inertia(shape_of(trimesh.creation.cylinder(0.1, 2.0, sections=400)), 0, density_kg_m3=1000)
    mass = 1000 * np.pi * 0.01 * 2
    side, along = mass * (3 * 0.01 + 4) / 12, mass * 0.01 / 2
    assert rod.mass == pytest.approx(mass, rel=1e-3)
    np.testing.assert_allclose(rod.tensor, np.diag([side, side, along]), rtol=2e-3, atol=1e-9)


def test_millimetres_weigh_the_same_as_metres():
    metres = part_inertia(box((0.2, 0.3, 0.4), (1, 2, 3)), 0)
    millimetres = part_inertia(box((200, 300, 400), (1000, 2000, 3000), frame=Frame("y", 0.001)), 0)
    assert millimetres.mass == pytest.approx(metres.mass)
    np.testing.assert_allclose(millimetres.centre, metres.centre)
    np.testing.assert_allclose(millimetres.tensor, metres.tensor, atol=1e-12)


def test_a_flat_sheet_has_the_inertia_of_a_thin_box():
    sheet = Shape(np.array([[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0.0]]), np.array([[0, 1, 2], [0, 2, 3]]))
    assert mass_modes(sheet) == ("area",)
    inertia = part_inertia(sheet, 0, density_kg_m3=800, thickness_m=0.01)
    assert inertia.mass == pytest.approx(16)
    np.testing.assert_allclose(inertia.tensor, box_tensor(16, (1, 2, 0.01)), atol=1e-12)


@pytest.mark.parametrize(
    "vertices",
    [
        [[0, 0, 0], [1, 0, 0], [2, 0, 0.0]],  # a line
        [[0, 0, 0], [0, 0, 0], [0, 0, 0.0]],  # a point
        [[0, 0, 0], [1e-6, 0, 0], [0, 1e-6, 0.0]],  # a speck
    ],
)
def test_degenerate_parts_get_a_possible_inertia(vertices):
    assert is_possible(part_inertia(Shape(np.array(vertices), np.array([[0, 1, 2]])), 0))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-10, 10), min_size=9, max_size=9), st.floats(0, 10), st.floats(0, 2))
def test_every_tensor_is_made_possible(entries, mass, longest):
    given_ = Inertia(mass, np.zeros(3), np.array(entries).reshape(3, 3))
    repaired = valid_inertia(given_, longest)
    assert is_possible(repaired)
    np.testing.assert_allclose(
        valid_inertia(repaired, longest).tensor, repaired.tensor, rtol=1e-6, atol=1e-12
    )


def test_a_possible_inertia_is_left_alone():
    inertia = Inertia(2.0, np.zeros(3), np.diag([1.0, 2.0, 2.5]))
    assert valid_inertia(inertia) is inertia


def test_ugly_meshes_of_a_box_weigh_like_the_box():
    size, mass = (0.2, 0.3, 0.4), 24.0
    clean = box(size)
    soup = Shape(clean.vertices[clean.faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    inverted = clean.with_(faces=clean.faces[:, ::-1])
    mixed = clean.with_(faces=np.where(np.arange(12)[:, None] % 2, clean.faces, clean.faces[:, ::-1]))
    twice = concatenate([clean, clean], "twice").with_(part=np.zeros(24, np.int32), part_names=("body",))
    fine = shape_of(trimesh.creation.box(size).subdivide_loop(0).subdivide().subdivide().subdivide())
    holed = Shape(fine.vertices, np.delete(fine.faces, [5, 100, 101, 300], axis=0))
    jitter = np.random.default_rng(0).normal(0, 1e-6, (len(fine.faces) * 3, 3))
    loose = Shape(fine.vertices[fine.faces].reshape(-1, 3) + jitter, np.arange(len(jitter)).reshape(-1, 3))
    inward = loose.with_(faces=loose.faces[:, ::-1])
    cases = {"soup": soup, "inverted": inverted, "mixed": mixed, "twice": twice, "holed": holed}
    cases |= {"loose": loose, "inward": inward}
    for name, ugly in cases.items():
        assert mass_modes(ugly) == ("volume",), name
        inertia = part_inertia(ugly, 0, density_kg_m3=1000)
        rel = 1e-9 if name in ("soup", "inverted", "mixed") else 0.05
        assert inertia.mass == pytest.approx(mass, rel=rel), name
        np.testing.assert_allclose(
            inertia.tensor, box_tensor(mass, size), rtol=2 * rel, atol=0.02 * rel, err_msg=name
        )
        assert vertex_mass(ugly, density_kg_m3=1000).sum() == pytest.approx(mass, rel=rel), name


def test_overlapping_pieces_count_once_and_cavities_not_at_all():
    a, b = box((1, 1, 1)), box((1, 1, 1), (0.5, 0, 0))
    union = concatenate([a, b], "union").with_(part=np.zeros(24, np.int32), part_names=("body",))
    assert part_inertia(union, 0, density_kg_m3=1).mass == pytest.approx(1.5, rel=0.04)
    hole = box((0.5, 0.5, 0.5))
    hollow = concatenate([a, hole.with_(faces=hole.faces[:, ::-1])], "hollow")
    hollow = hollow.with_(part=np.zeros(24, np.int32), part_names=("body",))
    inertia = part_inertia(hollow, 0, density_kg_m3=1)
    assert inertia.mass == pytest.approx(0.875)
    np.testing.assert_allclose(
        inertia.tensor, box_tensor(1, (1, 1, 1)) - box_tensor(0.125, (0.5, 0.5, 0.5)), atol=1e-9
    )


def test_parts_of_a_closed_shape_have_its_total_mass():
    whole = shape_of(trimesh.creation.icosphere(4, 0.5))
    high = whole.vertices[whole.faces].mean(1)[:, 2] > 0.1
    cut = whole.with_(part=high.astype(np.int32), part_names=("low", "high"))
    assert mass_modes(cut) == ("volume", "volume")
    parts = [part_inertia(cut, k).mass for k in range(2)]
    assert sum(parts) == pytest.approx(part_inertia(whole, 0).mass, rel=5e-3)
    cap = np.pi * 0.4**2 * (3 * 0.5 - 0.4) / 3 * 500  # the ball's part above z = 0.1
    assert parts[1] == pytest.approx(cap, rel=0.06)


def test_an_open_bin_is_a_sheet():
    solid = box((1, 1, 1))
    top = solid.vertices[solid.faces][:, :, 2].min(1) > 0.4
    assert mass_modes(Shape(solid.vertices, solid.faces[~top])) == ("area",)


def test_area_masses_are_the_corner_thirds():
    sheet = Shape(np.array([[0, 0, 0], [2, 0, 0], [0, 3, 0], [9, 9, 9.0]]), np.array([[0, 1, 2]]))
    mass = vertex_mass(sheet, density_kg_m3=100, thickness_m=0.01, mode="area")
    np.testing.assert_allclose(mass, [1, 1, 1, 0])


@settings(max_examples=15, deadline=None)
@given(
    st.tuples(*[st.floats(0.05, 5)] * 3),
    st.tuples(*[st.floats(-50, 50)] * 3),
    st.integers(0, 2),
    st.integers(0, 99),
)
def test_volume_masses_keep_mass_and_centre_and_are_positive(size, at, subdivisions, seed):
    mesh = trimesh.creation.box(size)
    for _ in range(subdivisions):  # concentrates the vertices at one corner
        mesh = mesh.subdivide(np.flatnonzero(mesh.triangles_center[:, 0] > 0))
    mesh.apply_transform(
        trimesh.transformations.random_rotation_matrix(np.random.default_rng(seed).random(3))
    )
    mesh.apply_translation(at)
    shape = shape_of(mesh)
    mass = vertex_mass(shape, density_kg_m3=2, mode="volume")
    assert (mass > 0).all()
    assert mass.sum() == pytest.approx(2 * np.prod(size), rel=1e-6)
    np.testing.assert_allclose(centre_of(shape, mass), at, atol=1e-6 * max(size))


def test_a_lopsided_solid_balances_at_its_own_centre():
    cone = shape_of(trimesh.creation.cone(0.5, 2.0, sections=64).subdivide().subdivide())
    mass = vertex_mass(cone)
    np.testing.assert_allclose(centre_of(cone, mass), [0, 0, 0.5], atol=1e-3)
    sheet = vertex_mass(cone, mode="area")
    assert abs(centre_of(cone, sheet)[2] - 0.5) > 0.03


def test_each_part_weighs_for_itself():
    both = concatenate([box((1, 1, 1)), box((2, 2, 2), (10, 0, 0))], "both")
    mass = vertex_mass(both, density_kg_m3=3)
    assert mass[both.vertex_part == 0].sum() == pytest.approx(3)
    assert mass[both.vertex_part == 1].sum() == pytest.approx(24)
    np.testing.assert_allclose(centre_of(both, mass * (both.vertex_part == 1)), [10, 0, 0], atol=1e-6)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1000))
def test_inertia_turns_with_the_body(seed):
    rotation = Rotation.random(random_state=seed).as_matrix()
    mesh = trimesh.creation.capsule(1.0, 0.3)
    still, turned = shape_of(mesh), shape_of(mesh).with_(vertices=np.array(mesh.vertices) @ rotation.T)
    a, b = part_inertia(still, 0), part_inertia(turned, 0)
    np.testing.assert_allclose(
        b.tensor, rotation @ a.tensor @ rotation.T, atol=1e-9 * np.trace(a.tensor) + 1e-9
    )
    np.testing.assert_allclose(b.centre, rotation @ a.centre, atol=1e-9)


def test_mass_without_faces_or_with_bad_numbers_is_refused():
    with pytest.raises(InputError, match="no faces"):
        vertex_mass(Shape(np.zeros((4, 3)), np.zeros((0, 3), int)))
    with pytest.raises(InputError, match="density is -1"):
        vertex_mass(box(), density_kg_m3=-1)
    with pytest.raises(InputError, match="thickness is nan"):
        part_inertia(box(), 0, thickness_m=float("nan"))
