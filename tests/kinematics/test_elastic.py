"""Elastic modes against closed forms of bars, plates and balls, and on defective meshes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import torch
import trimesh

from neurok.errors import InputError
from neurok.kinematics import Kinematics
from neurok.kinematics.elastic.hexahedra import brick_stiffness, stiffness_matrix
from neurok.kinematics.elastic.modes import ElasticKinematics, ElasticMaterial
from neurok.shapes import Frame, Shape
from neurok.shapes.voxels import voxelise

STEEL_LIKE = ElasticMaterial(young_modulus=2e11, poisson_ratio=0.3, density=7800.0)
SPEED = np.sqrt(2e11 / 7800.0)  # of sound in a rod, m/s
BEAM_FREE = np.array([4.730041, 7.853205, 10.995608])  # βL of cos βL cosh βL = 1
BEAM_CLAMPED = np.array([1.875104, 4.694091, 7.854757])  # βL of cos βL cosh βL = −1


def shape_of(mesh: trimesh.Trimesh, **fields) -> Shape:
    return Shape(np.array(mesh.vertices), np.array(mesh.faces), **fields)


def bar(*extents: float, rounds: int = 3, **fields) -> Shape:
    mesh = trimesh.creation.box(extents)
    for _ in range(rounds):
        mesh = mesh.subdivide()
    return shape_of(mesh, **fields)


def turned(shape: Shape, seed: int = 0) -> Shape:
    rotation = trimesh.transformations.random_rotation_matrix(np.random.default_rng(seed).random(3))[:3, :3]
    return shape.with_(vertices=shape.vertices @ rotation.T)


@cache
def free_bar() -> ElasticKinematics:
    return ElasticKinematics.from_shape(bar(1.0, 0.1, 0.1, rounds=4), material=STEEL_LIKE)


@cache
def clamped_bar() -> ElasticKinematics:
    shape = bar(1.0, 0.05, 0.04)
    return ElasticKinematics.from_shape(shape, material=STEEL_LIKE, pinned=shape.vertices[:, 0] < -0.499)


def jacobian(kinematics: ElasticKinematics) -> torch.Tensor:
    return torch.func.jacfwd(kinematics.positions)(kinematics.rest)


@pytest.mark.slow
def test_it_is_a_kinematics():
    assert isinstance(free_bar(), Kinematics)


# Frequencies -------------------------------------------------------------------------------------------


def test_free_slender_bar_bends_at_euler_bernoulli_frequencies():
    """f = (βL)² √(EI/ρA) / 2πL². Tolerance 2 %: at a slenderness of 50, shear and rotary inertia take 1 %."""
    kinematics = ElasticKinematics.from_shape(bar(1.0, 0.02, 0.02), modes=6, material=STEEL_LIKE)
    expected = BEAM_FREE**2 * SPEED * 0.02 / np.sqrt(12) / (2 * np.pi)
    assert kinematics.frequencies_hz.numpy() == pytest.approx(np.repeat(expected, 2), rel=0.02)


def test_clamped_bar_bends_stretches_and_twists_at_closed_form_frequencies():
    """Bending as above, axial f = c / 4L, torsion f = √(G J / ρ I_p) / 4L with J = k a b³ (k = 0.172 for
    a/b = 1.25). Bending and axial within 2 %; torsion within 5 %: few bricks across warp coarsely.
    """
    kinematics = clamped_bar()
    found = kinematics.frequencies_hz.numpy()
    for side in (0.05, 0.04):
        for root in BEAM_CLAMPED[:2]:
            expected = root**2 * SPEED * side / np.sqrt(12) / (2 * np.pi)
            assert np.abs(found / expected - 1).min() < 0.02
    motion = jacobian(kinematics)
    along = (motion[:, 0].norm(dim=0) / motion.norm(dim=(0, 1))).numpy()
    assert found[along.argmax()] == pytest.approx(SPEED / 4, rel=0.02)
    b, a = 0.04, 0.05
    ratio = 0.172 * a * b**3 / (a * b * (a**2 + b**2) / 12) / (2 * 1.3)
    assert np.abs(found / (SPEED * np.sqrt(ratio) / 4) - 1).min() < 0.05


@pytest.mark.slow
def test_free_square_sheet_moves_at_leissas_frequencies():
    """ω a² √(ρ t / D) = 13.49, 19.60, 24.27 for ν = 0.3 (Leissa 1973). An open surface of given thickness."""
    grid = np.linspace(0, 1, 9)
    points = np.stack(np.meshgrid(grid, grid, [0.0], indexing="ij"), -1).reshape(-1, 3)
    index = np.arange(81).reshape(9, 9)
    quads = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], -1).reshape(-1, 4)
    sheet = turned(Shape(points, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])))
    material = ElasticMaterial(young_modulus=2e11, poisson_ratio=0.3, density=7800.0, sheet_thickness=0.01)
    kinematics = ElasticKinematics.from_shape(sheet, modes=3, material=material)
    expected = np.array([13.49, 19.60, 24.27]) * SPEED * 0.01 / np.sqrt(12 * 0.91) / (2 * np.pi)
    assert kinematics.frequencies_hz.numpy() == pytest.approx(expected, rel=0.02)


@pytest.mark.slow
def test_ball_rings_at_lambs_frequency():
    """The slowest modes of a free ball are the five torsional ₀T₂: ω R / c_shear = 2.501 (Lamb 1882)."""
    ball = shape_of(trimesh.creation.icosphere(subdivisions=3, radius=0.5))
    kinematics = ElasticKinematics.from_shape(ball, modes=5, material=STEEL_LIKE)
    expected = 2.501 * SPEED / np.sqrt(2.6) / 0.5 / (2 * np.pi)
    assert kinematics.frequencies_hz.numpy() == pytest.approx(np.full(5, expected), rel=0.03)


@pytest.mark.slow
def test_units_do_not_matter():
    metres = ElasticKinematics.from_shape(bar(0.3, 0.05, 0.05, rounds=1))
    for unit in (1e-3, 1e9):
        shape = bar(0.3 / unit, 0.05 / unit, 0.05 / unit, rounds=1, frame=Frame("y", unit))
        same = ElasticKinematics.from_shape(shape)
        assert torch.allclose(same.frequencies_hz, metres.frequencies_hz, rtol=1e-6)
        assert torch.allclose(same.modal_mass, metres.modal_mass, rtol=1e-2)
        assert same.total_mass == pytest.approx(0.75, rel=1e-6)


@pytest.mark.slow
def test_turning_the_object_keeps_its_frequencies():
    shape = shape_of(trimesh.creation.capsule(1.0, 0.2, count=[12, 12]))
    there = ElasticKinematics.from_shape(shape, modes=6).frequencies_hz
    for seed in (1,):
        assert torch.allclose(
            ElasticKinematics.from_shape(turned(shape, seed), modes=6).frequencies_hz, there, rtol=0.02
        )


# Energies ----------------------------------------------------------------------------------------------


def test_rigid_motions_cost_no_energy_and_nothing_else_is_free():
    voxels = voxelise(shape_of(trimesh.creation.torus(1.0, 0.3)), most_cells=60)
    stiffness = stiffness_matrix(voxels, 0.3).toarray()
    x = voxels.nodes
    turns = [np.cross(axis, x) for axis in np.eye(3)]
    rigid = np.stack([*[np.tile(axis, (len(x), 1)) for axis in np.eye(3)], *turns]).reshape(6, -1)
    assert np.abs(rigid @ stiffness).max() < 1e-12 * np.abs(stiffness).max()
    values = np.linalg.eigvalsh(stiffness)
    assert values[5] < 1e-12 * values[-1] < 1e-3 * values[6]


def test_brick_stores_the_energy_of_any_constant_strain_exactly():
    """The patch test: ½ uᵀ K u = ½ V (λ tr² ε + 2 μ ε : ε) for u = ε X."""
    size, poisson = (0.3, 0.5, 0.7), 0.3
    rng = np.random.default_rng(0)
    strain = rng.normal(size=(3, 3))
    strain += strain.T
    corners = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(8, 3) * size
    u = (corners @ strain).ravel()
    lame, shear = poisson / (1.3 * 0.4), 1 / 2.6
    energy = np.prod(size) * (lame * np.trace(strain) ** 2 + 2 * shear * (strain**2).sum())
    assert u @ brick_stiffness(size, poisson) @ u == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize("make", [free_bar, clamped_bar])
def test_mass_at_rest_is_diagonal_and_gives_the_frequencies(make):
    kinematics = make()
    code = torch.func.jacfwd(kinematics.code)(kinematics.rest)
    mass = code.T @ kinematics.body.gram(kinematics.body_mass) @ code
    assert torch.allclose(
        mass, torch.diag(kinematics.modal_mass), atol=1e-6 * float(kinematics.modal_mass.max())
    )
    omega = 2 * torch.pi * kinematics.frequencies_hz
    assert torch.allclose(kinematics.stiffness, omega**2 * kinematics.modal_mass)
    assert (omega.diff() > -1e-6 * omega[1:]).all()


def test_mass_is_density_times_volume_inside_and_on_the_surface():
    kinematics = free_bar()
    assert kinematics.total_mass == pytest.approx(78.0, rel=1e-6)
    assert float(kinematics.vertex_mass.sum()) == pytest.approx(78.0, rel=1e-6)
    assert (kinematics.vertex_mass >= 0).all()


def test_free_modes_carry_no_momentum_and_never_move_the_centre_of_mass():
    kinematics = free_bar()
    inside, mass = torch.tensor(kinematics.body.shape.vertices), kinematics.body_mass
    velocity = torch.func.jacfwd(lambda q: kinematics.body.apply(kinematics.code(q)))(kinematics.rest)
    spin = torch.einsum(
        "g,gxk->xk", mass, torch.linalg.cross(inside[:, :, None].expand_as(velocity), velocity, dim=1)
    )
    scale = float(mass.sum()) * 0.1
    assert torch.einsum("g,gxk->xk", mass, velocity).abs().max() < 1e-10 * scale
    assert spin.abs().max() < 1e-10 * scale
    far = kinematics.body.apply(kinematics.code(torch.full((12,), 0.7, dtype=torch.float64)))
    assert (mass @ (far - inside)).abs().max() < 1e-10 * scale


# The map -----------------------------------------------------------------------------------------------


def test_rest_is_the_input_pose():
    for kinematics in (free_bar(), clamped_bar()):
        moved = kinematics.positions(kinematics.rest).numpy() - kinematics.shape.vertices
        assert np.abs(moved).max() < 1e-12 * kinematics.shape.normalisation.radius


def test_derivatives_match_float64_differences_at_rest_and_away():
    kinematics = clamped_bar()
    generator = torch.Generator().manual_seed(0)
    direction = torch.randn(kinematics.dim, dtype=torch.float64, generator=generator)
    for q in (kinematics.rest, 0.8 * torch.randn(kinematics.dim, dtype=torch.float64, generator=generator)):
        first = torch.func.jvp(kinematics.code, (q,), (direction,))[1]
        second = torch.func.jvp(
            lambda p: torch.func.jvp(kinematics.code, (p,), (direction,))[1], (q,), (direction,)
        )[1]
        step = 1e-3
        ahead, here, behind = (kinematics.code(q + s * direction) for s in (step, 0.0, -step))
        assert torch.allclose(first, (ahead - behind) / (2 * step), atol=1e-5)
        assert torch.allclose(second, (ahead - 2 * here + behind) / step**2, atol=1e-4)
        assert second.abs().max() > 1e-2


def test_map_is_batched_over_poses():
    kinematics = clamped_bar()
    q = torch.randn(2, 3, kinematics.dim, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert torch.allclose(kinematics.positions(q)[1, 2], kinematics.positions(q[1, 2]), atol=1e-14)


def test_unit_amplitude_is_the_stated_one():
    kinematics = free_bar()
    travel = jacobian(kinematics).norm(dim=1).max(0).values / kinematics.shape.normalisation.radius
    assert travel.max() == pytest.approx(0.15, rel=1e-9)
    turn = kinematics.turn.norm(dim=1).max(0).values
    stretch = torch.linalg.eigvalsh(kinematics.stretch.permute(0, 3, 1, 2)).abs().amax((0, 2))
    assert torch.allclose(
        torch.stack([travel / 0.15, turn / 0.4, stretch / 0.15]).max(0).values, torch.ones(12).double()
    )


@pytest.mark.parametrize("mode", [0, 2])
def test_far_bending_keeps_length_and_volume_where_the_linear_map_swells(mode):
    """At the limit, |q| = 2: the linear map gains 25 % of volume and 12 % of length."""
    kinematics = free_bar()
    shape = kinematics.shape
    q = 2.0 * torch.eye(12, dtype=torch.float64)[mode]
    curved = kinematics.positions(q).numpy()
    straight = shape.vertices + (jacobian(kinematics) @ q).numpy()
    edge = np.flatnonzero((shape.vertices[:, 1] > 0.0499) & (shape.vertices[:, 2] > 0.0499))
    edge = edge[np.argsort(shape.vertices[edge, 0])]

    def volume(x):
        return trimesh.Trimesh(x, shape.faces, process=False).volume / 0.01

    def length(x):
        return np.linalg.norm(np.diff(x[edge], axis=0), axis=1).sum()

    assert abs(volume(curved) - 1) < 0.02 < 0.2 < abs(volume(straight) - 1)
    strain = length(curved) - 1
    assert abs(strain) < 0.13  # an edge off the neutral line does stretch: κ h / 2
    opposite = np.array(
        [np.flatnonzero(np.isclose(shape.vertices, p * [1, -1, -1]).all(1))[0] for p in shape.vertices[edge]]
    )
    middle = (curved[edge] + curved[opposite]) / 2
    linear = (straight[edge] + straight[opposite]) / 2
    axis = [np.linalg.norm(np.diff(x, axis=0), axis=1).sum() - 1 for x in (middle, linear)]
    assert abs(axis[0]) < 0.03 < 0.1 < abs(axis[1])


def test_pinned_vertices_stay_for_every_pose():
    kinematics = clamped_bar()
    pinned = kinematics.shape.vertices[:, 0] < -0.499
    q = 2 * torch.rand(5, kinematics.dim, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) - 1
    moved = kinematics.positions(q).numpy() - kinematics.shape.vertices
    assert np.abs(moved[:, pinned]).max() < 1e-12
    assert np.abs(moved[:, ~pinned]).max() > 0.05


def test_one_pinned_vertex_clamps_rather_than_hinges():
    shape = bar(1.0, 0.2, 0.2, rounds=2)
    one = np.zeros(len(shape.vertices), bool)
    one[shape.vertices[:, 0].argmin()] = True
    kinematics = ElasticKinematics.from_shape(shape, material=STEEL_LIKE, pinned=one)
    assert kinematics.frequencies_hz[0] > 1.0


@pytest.mark.slow
def test_seams_never_tear():
    """Every corner of every face as its own vertex: corners at one place stay at one place."""
    whole = bar(1.0, 0.2, 0.1, rounds=2)
    soup = Shape(whole.vertices[whole.faces].reshape(-1, 3), np.arange(3 * len(whole.faces)).reshape(-1, 3))
    kinematics = ElasticKinematics.from_shape(soup)
    q = torch.full((kinematics.dim,), 1.5, dtype=torch.float64)
    moved = kinematics.positions(q).numpy()
    place = soup.surface.of_vertex
    first = np.zeros((place.max() + 1, 3))
    first[place] = moved
    assert np.abs(moved - first[place]).max() < 1e-13


@pytest.mark.slow
def test_loose_parts_keep_together():
    """A table of a top and four legs with gaps of 1 cm: no gap changes by more than a tenth of the motion."""
    parts = [trimesh.creation.box((1.0, 0.05, 0.6))]
    for x in (-0.45, 0.45):
        for z in (-0.25, 0.25):
            parts.append(trimesh.creation.box((0.06, 0.5, 0.06)).apply_translation([x, -0.285, z]))
    table = shape_of(trimesh.util.concatenate([p.subdivide().subdivide().subdivide() for p in parts]))
    kinematics = ElasticKinematics.from_shape(table)
    top = np.flatnonzero(table.vertices[:, 1] == -0.025)
    ends = np.flatnonzero(np.isclose(table.vertices[:, 1], -0.035))
    offset = table.vertices[ends][:, None] - table.vertices[top]
    nearest = top[np.linalg.norm(offset, axis=2).argmin(1)]
    gap = np.linalg.norm(table.vertices[ends] - table.vertices[nearest], axis=1)
    for q in torch.eye(kinematics.dim, dtype=torch.float64):
        moved = kinematics.positions(q).numpy()
        change = np.abs(np.linalg.norm(moved[ends] - moved[nearest], axis=1) - gap).max()
        assert change < 0.1 * np.linalg.norm(moved - table.vertices, axis=1).max()


# Any mesh ----------------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)
BALL = trimesh.creation.icosphere(subdivisions=2)
UGLY = {
    "one triangle": Shape(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])),
    "a sliver": Shape(np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 1e-6, 0]]), np.array([[0, 1, 2]])),
    "three faces on one edge": Shape(
        np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, -1, 0.2]]),
        np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]]),
    ),
    "a soup of loose triangles": Shape(
        (RNG.uniform(-1, 1, (30, 1, 3)) + 0.05 * RNG.normal(size=(30, 3, 3))).reshape(-1, 3),
        np.arange(90).reshape(-1, 3),
    ),
    "random orientation": Shape(
        np.array(BALL.vertices),
        np.where(RNG.random((len(BALL.faces), 1)) < 0.5, BALL.faces, BALL.faces[:, ::-1]),
    ),
    "a vertex that no face uses": Shape(np.r_[BALL.vertices, [[100.0, 0, 0]]], np.array(BALL.faces)),
    "two balls far apart": shape_of(
        trimesh.util.concatenate([BALL.copy().apply_translation([x, 0, 0]) for x in (0, 9)])
    ),
    "a foil": bar(1.0, 1.0, 1e-6, rounds=1),
    "a needle": bar(1.0, 1e-6, 1e-6, rounds=1),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", UGLY)
def test_any_mesh_moves_without_breaking(name):
    kinematics = ElasticKinematics.from_shape(UGLY[name], modes=6)
    radius = UGLY[name].normalisation.radius
    used = np.unique(UGLY[name].faces)
    assert kinematics.dim == 6 and (kinematics.frequencies_hz > 0).all()
    for q in [kinematics.rest, *kinematics.limits.T]:
        moved = kinematics.positions(q).numpy()
        assert np.isfinite(moved).all()
        assert np.linalg.norm(moved - UGLY[name].vertices, axis=1)[used].max() < 2 * radius
    assert np.allclose(
        kinematics.positions(kinematics.rest), UGLY[name].vertices, atol=1e-12 * radius, rtol=1e-12
    )


@pytest.mark.slow
def test_a_scanned_toy_moves_alike_twice_over(data_dir):
    toy = shape_of(trimesh.load(data_dir / "static" / "c3d_spot.glb", force="mesh"))
    one, two = (ElasticKinematics.from_shape(toy, modes=4, seed=3) for _ in range(2))
    q = torch.linspace(-1, 1, 4, dtype=torch.float64)
    assert torch.equal(one.positions(q), two.positions(q))
    assert (
        np.linalg.norm(one.positions(q).numpy() - toy.vertices, axis=1).max() > 0.1 * toy.normalisation.radius
    )


@pytest.mark.slow
def test_equal_modes_of_a_square_bar_come_out_the_same_for_every_seed():
    shape = bar(1.0, 0.1, 0.1, rounds=1)
    first, second = (ElasticKinematics.from_shape(shape, modes=4, seed=s) for s in (0, 1))
    assert torch.allclose(first.frequencies_hz, second.frequencies_hz, rtol=1e-6)
    gap = (jacobian(first) - jacobian(second)).norm(dim=(0, 1)) / jacobian(first).norm(dim=(0, 1))
    assert gap.max() < 0.1  # other handles for another seed, but the same modes with the same signs


@pytest.mark.parametrize("options, cause", [
    ({"modes": 0}, "0 modes"),
    ({"handles": 4}, "4 handles"),
    ({"pinned": np.zeros(3, bool)}, "pinned mask"),
    ({"pinned": np.zeros(8, bool)}, "no vertex is pinned"),
    ({"pinned": np.ones(8, bool)}, "every part"),
])  # fmt: skip
def test_bad_requests_are_refused_in_words(options, cause):
    mesh = trimesh.creation.box((1.0, 0.001, 0.001)) if cause == "every part" else trimesh.creation.box()
    with pytest.raises(InputError, match=cause):
        ElasticKinematics.from_shape(shape_of(mesh), **options)


@pytest.mark.parametrize(
    "field", [{"young_modulus": 0}, {"poisson_ratio": 0.5}, {"density": -1}, {"sheet_thickness": 0}]
)
def test_unphysical_materials_are_refused(field):
    with pytest.raises(InputError, match=next(iter(field))):
        ElasticMaterial(**field)
