# pyright: reportAttributeAccessIssue=false, reportIndexIssue=false, reportOperatorIssue=false
# pyright: reportReturnType=false, reportAssignmentType=false, reportGeneralTypeIssues=false
"""Explicit MPM of a body as a speed reference: MLS-MPM (Hu et al. 2018) in Warp on one processor core.

Particles carry position, velocity, the affine velocity C (APIC) and the deformation gradient F of a
neo-Hookean solid, τ = μ (F Fᵀ − 1) + λ ln det F. A step scatters mass and momentum to a grid by quadratic
B-splines, adds −Δt V₀ (4/Δx²) τ of every particle, applies gravity, fixes the lowest cells, and gathers.

Δt is 0.4 of the time in which a pressure wave of speed √((λ + 2 μ)/ρ) crosses a cell.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
import warp as wp
from jaxtyping import Float

from neurok.kinematics.elastic.modes import ElasticMaterial
from neurok.shapes import Shape

COURANT = 0.4  # of the stability limit
MARGIN = 4  # empty cells around the body


@wp.func
def weights(f: wp.vec3) -> wp.mat33:
    """Rows: B-spline weights of the three nodes along each axis."""
    a = wp.vec3(1.5) - f
    b = f - wp.vec3(1.0)
    c = f - wp.vec3(0.5)
    return wp.matrix_from_rows(0.5 * wp.cw_mul(a, a), wp.vec3(0.75) - wp.cw_mul(b, b), 0.5 * wp.cw_mul(c, c))


@wp.kernel
def scatter(
    x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), C: wp.array(dtype=wp.mat33),
    F: wp.array(dtype=wp.mat33), momentum: wp.array3d(dtype=wp.vec3), mass: wp.array3d(dtype=float),
    dx: float, dt: float, m: float, volume: float, mu: float, lam: float,
):  # fmt: skip
    p = wp.tid()
    base = wp.vec3i(int(x[p][0] / dx - 0.5), int(x[p][1] / dx - 0.5), int(x[p][2] / dx - 0.5))
    f = x[p] / dx - wp.vec3(float(base[0]), float(base[1]), float(base[2]))
    w = weights(f)
    J = wp.max(wp.determinant(F[p]), 0.05)
    one = wp.identity(n=3, dtype=float)
    stress = mu * (F[p] * wp.transpose(F[p]) - one) + lam * wp.log(J) * one
    affine = m * C[p] - (dt * volume * 4.0 / (dx * dx)) * stress
    for i in range(3):
        for j in range(3):
            for k in range(3):
                away = (wp.vec3(float(i), float(j), float(k)) - f) * dx
                share = w[i, 0] * w[j, 1] * w[k, 2]
                wp.atomic_add(
                    momentum, base[0] + i, base[1] + j, base[2] + k, share * (m * v[p] + affine * away)
                )
                wp.atomic_add(mass, base[0] + i, base[1] + j, base[2] + k, share * m)


@wp.kernel
def update(
    momentum: wp.array3d(dtype=wp.vec3), mass: wp.array3d(dtype=float), gravity: wp.vec3, dt: float,
    axis: int, held: int,
):  # fmt: skip
    i, j, k = wp.tid()
    if mass[i, j, k] > 0.0:
        height = wp.vec3i(i, j, k)
        v = momentum[i, j, k] / mass[i, j, k] + dt * gravity
        if height[axis] < held:
            v = wp.vec3(0.0)
        momentum[i, j, k] = v


@wp.kernel
def gather(
    x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), C: wp.array(dtype=wp.mat33),
    F: wp.array(dtype=wp.mat33), velocity: wp.array3d(dtype=wp.vec3), dx: float, dt: float,
):  # fmt: skip
    p = wp.tid()
    base = wp.vec3i(int(x[p][0] / dx - 0.5), int(x[p][1] / dx - 0.5), int(x[p][2] / dx - 0.5))
    f = x[p] / dx - wp.vec3(float(base[0]), float(base[1]), float(base[2]))
    w = weights(f)
    mean = wp.vec3(0.0)
    slope = wp.mat33(0.0)
    for i in range(3):
        for j in range(3):
            for k in range(3):
                away = wp.vec3(float(i), float(j), float(k)) - f
                g = velocity[base[0] + i, base[1] + j, base[2] + k]
                share = w[i, 0] * w[j, 1] * w[k, 2]
                mean += share * g
                slope += (4.0 / dx * share) * wp.outer(g, away)
    v[p] = mean
    C[p] = slope
    x[p] = x[p] + dt * mean
    F[p] = F[p] + dt * slope * F[p]


@dataclass(frozen=True)
class MpmCost:
    """Cost of a simulated second, and resolution."""

    seconds_per_second: float  # processor time
    particles: int
    cells: int  # along the longest side
    dt: float  # s
    sag: float  # of the highest particle in radii; shows that the body neither explodes nor stays rigid


def measure(
    shape: Shape, material: ElasticMaterial, cells: int = 32, steps: int = 60, settling_time: float = 0.02
) -> MpmCost:
    """Processor time per simulated second, extrapolated from some steps."""
    wp.config.log_level = wp.LOG_ERROR
    wp.init()
    device = "cpu"
    metres = shape.frame.metres_per_unit
    dx = float(np.ptp(shape.bounds, axis=0).max()) * metres / cells
    points = inside(shape, metres, dx / 2)
    low = points.min(0) - MARGIN * dx
    size = tuple(int(n) for n in np.ceil((points.max(0) - low) / dx).astype(int) + MARGIN)
    mu, lam = lame(material)
    dt = COURANT * dx / math.sqrt((lam + 2 * mu) / material.density)
    volume = (dx / 2) ** 3
    count = len(points)
    x = wp.array(points - low, dtype=wp.vec3, device=device)
    v = wp.zeros(count, dtype=wp.vec3, device=device)
    C = wp.zeros(count, dtype=wp.mat33, device=device)
    F = wp.array(np.tile(np.eye(3), (count, 1, 1)), dtype=wp.mat33, device=device)
    momentum = wp.zeros(size, dtype=wp.vec3, device=device)
    mass = wp.zeros(size, dtype=float, device=device)
    up = np.asarray(shape.frame.up_vector)
    gravity, axis = wp.vec3(*(-9.81 * up)), int(np.abs(up).argmax())

    def step() -> None:
        momentum.zero_()
        mass.zero_()
        own = [dx, dt, material.density * volume, volume, mu, lam]
        wp.launch(scatter, dim=count, inputs=[x, v, C, F, momentum, mass, *own], device=device)
        wp.launch(update, dim=size, inputs=[momentum, mass, gravity, dt, axis, MARGIN + 1], device=device)
        wp.launch(gather, dim=count, inputs=[x, v, C, F, momentum, dx, dt], device=device)

    top = float((points @ up).max())
    for _ in range(
        max(1, round(settling_time / dt))
    ):  # compiles the kernels and lets the body leave its rest state
        step()
    start = time.process_time()
    for _ in range(steps):
        step()
    spent = time.process_time() - start
    sag = top - float(((x.numpy() + low) @ up).max())
    return MpmCost(spent / (steps * dt), count, cells, dt, sag / (shape.normalisation.radius * metres))


def lame(material: ElasticMaterial) -> tuple[float, float]:
    """Lamé parameters μ and λ from Young's modulus and Poisson's ratio."""
    young, poisson = material.young_modulus, material.poisson_ratio
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def inside(shape: Shape, metres: float, spacing: float) -> Float[np.ndarray, "p 3"]:
    """Lattice points inside the surface, in metres."""
    import igl

    low, high = shape.bounds * metres
    axes = [np.arange(a + spacing / 2, b, spacing) for a, b in zip(low, high, strict=True)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    vertices, faces = np.ascontiguousarray(shape.vertices * metres), np.ascontiguousarray(shape.faces)
    kind = igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER
    return points[np.asarray(igl.signed_distance(points, vertices, faces, kind)[0]) < 0]
