"""Simulated soft bodies against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from soft_samples import hanging_cloth, straight_bar

from neurok.errors import Rejected
from neurok.objects.soft import checks
from neurok.objects.soft.forces import calm, wind_force
from neurok.objects.soft.sheets import in_air
from neurok.objects.soft.solver import simulate
from neurok.objects.soft.solver_scene import (
    FREE,
    GRAVITY,
    WORLD,
    Elasticity,
    Geom,
    Rigid,
    Soft,
    SolverScene,
)


def settled_sag(across: int, young: float, density: float) -> float:
    solid = straight_bar(across)
    holder = np.where(solid.nodes[:, 0] < 1e-9, WORLD, FREE)
    soft = Soft(
        solid.nodes, solid.tetrahedra, solid.mass(density), Elasticity(young, 0.0, 0.01), holder,
        drag=25.0, touches=False,
    )  # fmt: skip
    motion = simulate(SolverScene(soft), 31, 20.0, max_time_step=0.025)
    tip = solid.nodes[:, 0] > solid.nodes[:, 0].max() - 1e-9
    sag = -(motion.nodes - solid.nodes)[:, tip, 2].mean(1)
    assert abs(sag[-1] - sag[-5]) < 0.02 * sag[-1]  # it has come to rest
    return float(sag[-1])


@pytest.mark.slow
def test_cantilever_sags_as_euler_and_bernoulli_say_and_closer_on_finer_meshes():
    """δ = ρ g A L⁴ / (8 E I); linear tetrahedra are too stiff, less so on finer meshes."""
    young, density, length, half = 1e6, 500.0, 0.6, 0.05
    expected = density * GRAVITY * length**4 / (8 * young * half**2 / 3)
    coarse, fine = (settled_sag(across, young, density) / expected for across in (2, 4))
    assert coarse < fine < 1.02
    assert fine == pytest.approx(1, abs=0.2)


def test_free_fall_before_contact_follows_half_g_t_squared():
    solid = straight_bar(2)
    soft = Soft(
        solid.nodes,
        solid.tetrahedra,
        solid.mass(500.0),
        Elasticity(1e5),
        np.full(len(solid.nodes), FREE),
        drag=0.0,
    )
    floor = Geom("plane", (9, 9, 0.1), (0.0, 0.0, -1.0))
    step, fps = 0.002, 20.0
    motion = simulate(SolverScene(soft, (), (floor,)), 16, fps, max_time_step=step)
    fallen = (solid.nodes - motion.nodes)[:, :, 2].mean(1)
    time = np.arange(16) / fps
    before = 0.5 * GRAVITY * time**2 < 0.9
    # a step of semi-implicit Euler adds g t h / 2
    np.testing.assert_allclose(
        fallen[before], 0.5 * GRAVITY * time[before] ** 2, atol=GRAVITY * time.max() * step
    )
    assert fallen[~before].max() < 1.1  # the floor holds it


def test_hanging_cloth_stretches_by_its_weight_over_its_stiffness():
    """ε(z) = σ g z / (E t) at height z above the hem, so the hem sinks by σ g H² / (2 E t)."""
    shape, soft = hanging_cloth()
    soft = replace(soft, elasticity=replace(soft.elasticity, poisson=0.0, damping=0.05), drag=5.0)
    motion = simulate(SolverScene(soft), 41, 20.0)
    sunk = -(motion.nodes[-1] - shape.vertices)[:9, 2].mean()
    height = float(np.ptp(shape.vertices[:, 2]))
    weight = soft.mass.sum() / 0.6 * GRAVITY  # σ g H, per metre of width
    expected = weight * height / (2 * soft.elasticity.young * soft.elasticity.thickness)
    assert sunk == pytest.approx(expected, rel=0.1)


def test_pushed_cloth_comes_to_rest_with_less_than_five_percent_stretch():
    shape, soft = hanging_cloth()
    kick = np.column_stack([np.zeros((len(soft.nodes), 1)), -2 * soft.nodes[:, 2], np.zeros(len(soft.nodes))])
    motion = in_air(
        SolverScene(replace(soft, drag=2.0), velocity=kick), 60, 20.0, wind_force(soft.elements, calm)
    )
    stretch = np.maximum(checks.strain(motion.nodes, shape.vertices, checks.edges_of(shape.faces)), 0)
    assert np.percentile(stretch, 99, axis=1).max() < 0.05
    speed = np.sqrt((np.diff(motion.nodes, axis=0) ** 2).sum(-1).mean(1))
    assert speed[-12:].mean() < 0.5 * speed.max()
    assert np.linalg.norm(motion.nodes - shape.vertices, axis=-1).max() > 0.05 * checks.radius_of(
        shape.vertices
    )
    checks.check_moves(motion.nodes, shape.vertices)  # the checks agree
    checks.check_cloth_stretch(motion.nodes, shape.vertices, shape.faces)
    checks.check_comes_to_rest(motion.nodes)


def test_swing_has_the_period_of_a_compound_pendulum():
    """T = 2π √(I / m g d), with a box of half height h at depth d: I = m (d² + (w² + h²) / 3)."""
    solid = straight_bar(1)
    soft = Soft(solid.nodes, solid.tetrahedra, np.full(len(solid.nodes), 1e-7), Elasticity(1e3),
                np.ones(len(solid.nodes), int), touches=False)  # fmt: skip
    free = soft.holder.copy()
    free[-1] = FREE  # the solver wants one node to move
    depth, half = 0.7, 0.1
    box = Geom("box", (half, half, half), (0.0, 0.0, -depth), touches=False)
    body = Rigid((box,), "hinge", (0.0, 1.0, 0.0), speed=0.2)
    motion = simulate(SolverScene(replace(soft, holder=free), (body,)), 120, 30.0)
    angle = np.arcsin(motion.rigid[:, 0, 0, 2])
    up = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))
    crossing = (up - angle[up] / (angle[up + 1] - angle[up])) / 30.0
    expected = 2 * np.pi * np.sqrt((depth**2 + 2 * half**2 / 3) / (GRAVITY * depth))
    assert np.diff(crossing).mean() == pytest.approx(expected, rel=0.01)


def test_runaway_simulation_is_rejected():
    solid = straight_bar(1)
    soft = Soft(
        solid.nodes, solid.tetrahedra, solid.mass(500.0), Elasticity(1e5), np.full(len(solid.nodes), FREE)
    )
    with pytest.raises(Rejected, match="blew up"):
        simulate(SolverScene(soft), 5, 20.0, lambda t, places, velocities: 1e4 * np.ones_like(places))
