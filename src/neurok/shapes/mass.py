"""Mass of a shape's vertices and inertia of its rigid parts, in SI units."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import KDTree

from neurok.errors import InputError
from neurok.shapes.moments import FLAT_VOLUME, Moments, Solid, is_closed, shell_moments, solid
from neurok.shapes.normals import face_normals
from neurok.shapes.robots.tree import Inertia
from neurok.shapes.shape import Shape

Array = np.ndarray
MassMode = Literal["area", "volume"]

DENSITY = 500.0  # kg/m³: wood, or plastic with hollows
THICKNESS = 0.002  # m, of a sheet
MAX_WINDING_ERROR = 0.1  # mean distance of winding numbers from integers up to which an open part is solid
MIN_MASS = 1e-9  # kg
MIN_SECOND_MOMENT = 1e-12  # kg·m²: simulators treat less as zero
MIN_THICKNESS = 1e-3  # of a body, relative to its longest side
SPREAD_CELLS = 8  # vertex clusters along each side of a part, among which its volume is distributed
AREA_SHARE = 0.02  # of a solid's mass that is distributed by area, so that every vertex with area has mass


def vertex_mass(
    shape: Shape,
    *,
    density_kg_m3: float = DENSITY,
    mode: MassMode | Literal["auto"] = "auto",
    thickness_m: float = THICKNESS,
) -> Float[Array, " n"]:
    """The mass of each vertex in kg. Vertices that no face uses have mass zero.

    "area": a sheet of the given thickness, m_i = ρ t Σ A/3 over the faces at vertex i. "volume": a filled
    solid; a part that encloses no volume is still a sheet. "auto" chooses for each part, see `mass_modes`.
    All modes preserve the mass and the centre of mass of each part (of a solid, as long as the centre lies
    within the hull of its vertices). Point masses on a surface cannot preserve the inertia of a solid. They
    overstate it (a ball has ⅔ m r² instead of ⅖ m r²), so rigid parts use `part_inertia`.
    """
    scale = _checked(shape, density_kg_m3, thickness_m)
    mass = np.zeros(len(shape.vertices))
    whole = cache(lambda: is_closed(shape.vertices, shape.faces))
    for part in range(len(shape.part_names)):
        used, local = np.unique(shape.faces[shape.part == part], return_inverse=True)
        points, faces = shape.vertices[used] * scale, local.reshape(-1, 3)
        body = _enclosed(points, faces, mode, whole)
        area = np.bincount(
            faces.ravel(), np.repeat(np.linalg.norm(face_normals(points, faces), axis=1) / 6, 3), len(used)
        )
        if body is None:
            mass[used] += density_kg_m3 * thickness_m * area
        else:
            mass[used] += density_kg_m3 * body.moments.measure * _spread(points, area, body)
    return mass


def mass_modes(shape: Shape) -> tuple[MassMode, ...]:
    """The mass model of each part: a filled solid ("volume") or a sheet ("area").

    A part is solid if it is not flat and one of three conditions holds. It is closed, or the whole shape is
    closed, or its winding numbers separate inside from outside (a scan with holes, a triangle soup).
    """
    whole = cache(lambda: is_closed(shape.vertices, shape.faces))
    bodies = [
        _enclosed(shape.vertices, shape.faces[shape.part == part], "auto", whole)
        for part in range(len(shape.part_names))
    ]
    return tuple("area" if body is None else "volume" for body in bodies)


def part_inertia(
    shape: Shape,
    part: str | int,
    *,
    density_kg_m3: float = DENSITY,
    mode: MassMode | Literal["auto"] = "auto",
    thickness_m: float = THICKNESS,
) -> Inertia:
    """Mass, centre of mass and central inertia of one part as a rigid body.

    Axes and origin are those of the shape, lengths are metres: centre = metres_per_unit · coordinates.
    Closed parts are integrated exactly, others over 24³ cells (see `moments.solid`). Mode "area" integrates
    over the surface with the sheet's thickness. The result is always physical, see `valid_inertia`.
    """
    scale = _checked(shape, density_kg_m3, thickness_m)
    index = shape.part_names.index(part) if isinstance(part, str) else part
    faces = shape.faces[shape.part == index]
    if not len(faces):
        raise InputError(shape.name, f"part {part!r} has no faces", "Give it geometry or an inertia")
    points = shape.vertices * scale
    body = _enclosed(points, faces, mode, lambda: is_closed(points, shape.faces))
    moments = _sheet(points[faces], thickness_m) if body is None else body.moments
    return inertia_of(moments, density_kg_m3, _longest(points[faces]))


def inertia_of(moments: Moments, density: float, longest: float) -> Inertia:
    """The inertia of a rigid body of constant density with these moments: I = ρ (tr Σ · 1 − Σ)."""
    second = density * moments.second
    tensor = np.trace(second) * np.eye(3) - second
    return valid_inertia(Inertia(density * moments.measure, moments.centre, tensor), longest)


def valid_inertia(inertia: Inertia, longest: float = 0.0) -> Inertia:
    """The nearest physically possible inertia; the same object if the input is possible.

    A tensor is possible if Σ = ½ tr I · 1 − I, the second moment of mass, has no negative eigenvalue. This
    is the triangle inequality A + B ≥ C. Each eigenvalue is raised to at least m t²/12, the moment of a
    plate of thickness t = MIN_THICKNESS · longest, and to MIN_SECOND_MOMENT; the mass to MIN_MASS.
    """
    mass = max(float(inertia.mass), MIN_MASS)
    symmetric = (inertia.tensor + inertia.tensor.T) / 2
    values, axes = np.linalg.eigh(np.trace(symmetric) / 2 * np.eye(3) - symmetric)
    least = max(mass * (MIN_THICKNESS * longest) ** 2 / 12, MIN_SECOND_MOMENT)
    if mass == inertia.mass and (symmetric == inertia.tensor).all() and values.min() >= least * (1 - 1e-9):
        return inertia
    second = (axes * np.maximum(values, least)) @ axes.T
    return Inertia(mass, inertia.centre, np.trace(second) * np.eye(3) - (second + second.T) / 2)


def _checked(shape: Shape, density: float, thickness: float) -> float:
    """Metres per unit, after density, thickness and faces have been checked."""
    for what, value in (("density", density), ("thickness", thickness)):
        if not (np.isfinite(value) and value > 0):
            raise InputError(shape.name, f"{what} is {value}", f"Give a positive {what}")
    if not len(shape.faces):
        raise InputError(
            shape.name, "the shape has no faces, so it has no mass", "Give a mesh with triangles"
        )
    return shape.frame.metres_per_unit


def _enclosed(
    points: Float[Array, "n 3"], faces: Int[Array, "m 3"], mode: str, whole_is_closed: Callable[[], bool]
) -> Solid | None:
    """The solid that a part encloses, or None if it is a sheet by the rule of `mass_modes`."""
    if mode == "area" or not len(faces):
        return None
    closed = mode == "volume" or is_closed(points, faces) or whole_is_closed()
    body = solid(points, faces, cap=closed)
    is_flat = body.moments.measure <= FLAT_VOLUME * shell_moments(points[faces]).measure ** 1.5
    is_clear = closed or body.winding_error <= MAX_WINDING_ERROR
    return body if is_clear and not is_flat and len(body.inside) else None


def _sheet(corners: Float[Array, "m 3 3"], thickness: float) -> Moments:
    """Volume moments of a sheet: its area moments times t, plus A t³/12 · nnᵀ across each face."""
    shell = shell_moments(corners)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    across = np.einsum("mi,mj,m->ij", normals, normals, 0.5 / np.where(length > 0, length, 1.0))
    return Moments(
        shell.measure * thickness, shell.centre, shell.second * thickness + across * thickness**3 / 12
    )


def _longest(corners: Float[Array, "m 3 3"]) -> float:
    """Longest side of the bounding box."""
    return float(np.ptp(corners.reshape(-1, 3), axis=0).max())


def _spread(points: Float[Array, "n 3"], area: Float[Array, " n"], body: Solid) -> Float[Array, " n"]:
    """Distributes a solid's mass over its vertices: positive shares that sum to one and keep the centre.

    Vertices are clustered on a coarse grid. Each interior point belongs to the nearest cluster, whose
    vertices share it by area. `AREA_SHARE` of the mass is distributed by area alone.
    """
    n, low, size = len(points), points.min(0), np.ptp(points, axis=0).max()
    has_area = np.flatnonzero(area > 0)
    points, area = points[has_area], area[has_area]
    cell = np.floor((points - low) / size * SPREAD_CELLS).astype(np.int64)
    cluster = np.unique(cell, axis=0, return_inverse=True)[1].ravel()
    total = np.bincount(cluster, area)
    centres = np.stack([np.bincount(cluster, area * points[:, k]) for k in range(3)], axis=1) / total[:, None]
    nearest = KDTree(centres).query(body.inside)[1]
    inside = np.bincount(nearest, minlength=len(centres)) / len(body.inside)
    share = np.zeros(n)
    by_volume = (1 - AREA_SHARE) * inside[cluster] * area / total[cluster]
    guess = by_volume + AREA_SHARE * area / area.sum()
    share[has_area] = _balanced((points - body.moments.centre) / size, guess)
    return share


def _balanced(offsets: Float[Array, "n 3"], share: Float[Array, " n"]) -> Float[Array, " n"]:
    """The shares nearest to the given ones in relative entropy whose centre is at zero offset.

    They are s_i exp(λ·d_i) / Z. λ minimises the convex function log Σ s_i exp(λ·d_i), whose gradient is the
    centre, by Newton's method with line search.
    """
    slope = np.zeros(3)
    weight, value = share / share.sum(), 0.0
    for _ in range(50):
        centre = weight @ offsets
        if np.abs(centre).max() < 1e-9:
            break
        spread = (offsets * weight[:, None]).T @ offsets - np.outer(centre, centre)
        step, reach = np.linalg.pinv(spread, rcond=1e-10, hermitian=True) @ centre, 1.0
        while reach > 1e-6:
            trial = slope - reach * step
            tilt = offsets @ trial
            total = np.log(share @ np.exp(tilt - tilt.max())) + tilt.max() - np.log(share.sum())
            if total <= value - 1e-4 * reach * (step @ centre):
                break
            reach /= 2
        else:
            break
        slope, value = trial, total
        weight = share * np.exp(tilt - tilt.max())
        weight /= weight.sum()
    return weight
