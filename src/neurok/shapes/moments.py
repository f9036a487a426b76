"""Volume, centre and second moments of surfaces and of the solids they enclose, for any mesh quality."""

from __future__ import annotations

from dataclasses import dataclass

import igl
import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from neurok.shapes.normals import face_normals
from neurok.shapes.surface import weld

Array = np.ndarray

FILL_CELLS = 24  # cells along each side of the box, to integrate over an open or overlapping surface
PROBE_CELLS = 12  # cells along each side of the box, to detect overlap of a closed surface
EXCESS_IGNORED = 0.01  # share of the interior: less comes from points that lie on the surface itself
MIN_REMAINDER = 0.1  # share of the volume that must remain when the excess is subtracted
FLAT_VOLUME = 1e-6  # volume relative to area^1.5 up to which a piece is flat


@dataclass(frozen=True, eq=False)
class Moments:
    """Measure V (area or volume), centre c = ∫x / V, and second moment Σ = ∫(x − c)(x − c)ᵀ about it."""

    measure: float
    centre: Float[Array, "3"]
    second: Float[Array, "3 3"]


@dataclass(frozen=True, eq=False)
class Solid:
    """The solid that a surface encloses: its moments and evenly spaced interior points (none if flat)."""

    moments: Moments
    inside: Float[Array, "k 3"]
    winding_error: float  # mean distance of interior winding numbers from integers; 0 for a closed surface


def shell_moments(corners: Float[Array, "m 3 3"]) -> Moments:
    """Moments of a surface: ∫x = A (a + b + c)/3 and ∫xxᵀ = A/12 (ssᵀ + aaᵀ + bbᵀ + ccᵀ), s = a + b + c."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return _moments(corners, np.linalg.norm(normals, axis=1) / 2, np.zeros(3), 3.0, 12.0)


def polyhedron_moments(corners: Float[Array, "m 3 3"]) -> Moments:
    """Exact moments of the interior of a closed surface, by signed tetrahedra with one corner at o.

    V = Σ det(a, b, c)/6, ∫x = Σ V_t (a + b + c)/4, ∫xxᵀ = Σ V_t/20 (ssᵀ + aaᵀ + bbᵀ + ccᵀ), all about o,
    the mean of the corners, which keeps round-off small far from the origin. See Tonon (2004), "Explicit
    exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex coordinates".
    """
    origin = corners.mean((0, 1)) if len(corners) else np.zeros(3)
    return _moments(corners, np.linalg.det(corners - origin) / 6, origin, 4.0, 20.0)


def point_moments(points: Float[Array, "k 3"], mass: Float[Array, " k"]) -> Moments:
    """Moments of point masses."""
    total = float(mass.sum())
    centre = mass @ points / total if total > 0 else np.zeros(3)
    return Moments(total, centre, np.einsum("k,ki,kj->ij", mass, points - centre, points - centre))


def _moments(corners: Array, measure: Array, origin: Array, first: float, second: float) -> Moments:
    """Sums the moments of simplices; `first` and `second` are the divisors of their integrals."""
    local = corners - origin
    total = float(measure.sum())
    if total == 0:
        return Moments(0.0, origin.copy(), np.zeros((3, 3)))
    s = local.sum(1)
    centre = measure @ s / (first * total)
    about_origin = np.einsum("m,mi,mj->ij", measure, s, s) + np.einsum("m,mki,mkj->ij", measure, local, local)
    return Moments(total, origin + centre, about_origin / second - total * np.outer(centre, centre))


def solid(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], cap: bool = True) -> Solid:
    """The solid that the surface encloses, by generalised winding numbers w (Jacobson et al. 2013).

    Faces are oriented consistently and outward, and `cap` closes holes by fans. The integral of w over
    space is then the exact polyhedral integral. Where pieces overlap or a surface intersects itself, w is
    not 0 or 1. Grid cells measure this excess, which is subtracted, so that a volume inside two pieces
    counts once. A surface that remains open (soup, non-manifold edges) is integrated over the cells with
    w > ½.
    """
    vertices, faces = _outward(*_consistent(vertices, faces))
    if cap:
        vertices, faces = _outward(*_capped(vertices, faces))
    closed = not len(_boundary(faces, len(vertices)))
    points, cell = _grid(vertices[faces], PROBE_CELLS if closed else FILL_CELLS)
    winding = _winding(vertices, faces, points)
    if closed and _excess(winding).any():
        points, cell = _grid(vertices[faces], FILL_CELLS)
        winding = _winding(vertices, faces, points)
    inside = points[winding > 0.5]
    moments = point_moments(inside, np.full(len(inside), cell))
    if closed:
        moments = _less(polyhedron_moments(vertices[faces]), points, cell * _excess(winding)) or moments
    winding_error = np.abs(winding - np.round(winding))[winding > 0.5].mean() if len(inside) else 1.0
    return Solid(moments, inside, float(winding_error))


def is_closed(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> bool:
    """Whether the surface has no boundary, once welded and consistently oriented."""
    vertices, faces = _consistent(vertices, faces)
    return bool(len(faces)) and not len(_boundary(faces, len(vertices)))


def _consistent(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """The welded surface with consistent orientation and without repeated faces (two-sided drawing)."""
    surface = weld(vertices, faces, np.zeros(len(vertices), np.int32))
    once = np.sort(np.unique(np.sort(surface.faces, axis=1), axis=0, return_index=True)[1])
    single = surface.faces[once].astype(np.int64)
    return surface.vertices, np.asarray(igl.bfs_orient(single)[0]).astype(np.int64) if len(single) else single


def _winding(vertices: Array, faces: Array, points: Array) -> Array:
    """The generalised winding number at each point.

    If all faces point inward, the numbers are negative. The sign is chosen so that most interior points are
    positive.
    """
    winding = np.asarray(igl.fast_winding_number(vertices, np.ascontiguousarray(faces, np.int64), points))
    return -winding if (winding < -0.5).sum() > (winding > 0.5).sum() else winding


def _excess(winding: Array) -> Array:
    """Excess winding round(w) − [w > ½] of each point; negative where the surface is inside out."""
    inside = winding > 0.5
    excess = np.round(winding) - inside
    return excess if np.abs(excess).sum() > EXCESS_IGNORED * inside.sum() else np.zeros(len(winding))


def _less(whole: Moments, points: Array, excess: Array) -> Moments | None:
    """Moments minus those of weighted points; None if less than `MIN_REMAINDER` remains."""
    measure = whole.measure - float(excess.sum())
    if measure <= MIN_REMAINDER * whole.measure:
        return None
    if not excess.any():
        return whole
    centre = (whole.measure * whole.centre - excess @ points) / measure
    about = points - centre
    shift = whole.centre - centre
    second = whole.second + whole.measure * np.outer(shift, shift) - (about * excess[:, None]).T @ about
    return Moments(measure, centre, second) if np.linalg.eigvalsh(second)[0] >= 0 else None


def _boundary(faces: Int[Array, "m 3"], n: int) -> Int[Array, "b 2"]:
    """The boundary of the surface as a chain: directed edges that no face uses in the other direction."""
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    forward = edges[:, 0] < edges[:, 1]
    low, high = np.sort(edges, axis=1).T
    keys, inverse = np.unique(low * n + high, return_inverse=True)
    net = np.bincount(inverse, np.where(forward, 1, -1), len(keys)).astype(int)
    pairs = np.stack([keys // n, keys % n], axis=1) if n else np.zeros((0, 2), np.int64)
    directed = np.where((net > 0)[:, None], pairs, pairs[:, ::-1])
    return np.repeat(directed, np.abs(net), axis=0)


def _labels(pairs: Int[Array, "e 2"], n: int) -> Int[Array, " n"]:
    """The connected component of each of n vertices."""
    graph = sparse.csr_matrix((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return connected_components(graph, directed=False)[1]


def _capped(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """Closes every boundary loop by a fan about its centroid.

    A piece with more boundary edges than faces (a loose triangle, a strip) stays open, because a cap would
    only mirror it.
    """
    n, piece = len(vertices), _labels(faces[:, [0, 1, 1, 2]].reshape(-1, 2), len(vertices))
    edges = _boundary(faces, n)
    if not len(edges):
        return vertices, faces
    count = piece.max() + 1
    sheet = np.bincount(piece[edges[:, 0]], minlength=count) > np.bincount(
        piece[faces[:, 0]], minlength=count
    )
    edges = edges[~sheet[piece[edges[:, 0]]]]
    if not len(edges):
        return vertices, faces
    _, loop = np.unique(_labels(edges, n)[edges[:, 0]], return_inverse=True)
    length = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
    middle = vertices[edges].mean(1) * length[:, None]
    total = np.bincount(loop, length)
    centres = np.stack([np.bincount(loop, middle[:, k]) for k in range(3)], axis=1) / total[:, None]
    fan = np.column_stack([edges[:, 1], edges[:, 0], n + loop])
    return np.concatenate([vertices, centres]), np.concatenate([faces, fan])


def _outward(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """Orients inside-out pieces outward; a piece inside another stays inward, as a cavity."""
    if not len(faces):
        return vertices, faces
    piece = _patches(faces, len(vertices))
    corners = vertices[faces]
    size = np.bincount(piece)[:, None]
    middle = np.stack([np.bincount(piece, corners.mean(1)[:, k]) for k in range(3)], axis=1) / size
    volume = np.bincount(piece, np.linalg.det(corners - middle[piece][:, None]) / 6)
    area = np.bincount(piece, np.linalg.norm(face_normals(vertices, faces), axis=1) / 2)
    volume = np.where(np.abs(volume) > FLAT_VOLUME * area**1.5, volume, 0.0)  # a flat piece has no outside
    if volume.sum() < 0:
        faces, volume = faces[:, ::-1], -volume
    negative = np.flatnonzero(volume < 0)
    if len(negative):
        first = np.unique(piece, return_index=True)[1][negative]
        winding = _winding(vertices, faces[volume[piece] > 0], vertices[faces[first]].mean(1))
        turn = np.isin(piece, negative[winding < 0.5])
        faces = np.where(turn[:, None], faces[:, ::-1], faces)
    return vertices, np.ascontiguousarray(faces)


def _patches(faces: Int[Array, "m 3"], n: int) -> Int[Array, " m"]:
    """The piece of each face, connected through edges of two faces: boxes that share an edge stay two."""
    low, high = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64), axis=1).T
    _, inverse, count = np.unique(low * n + high, return_inverse=True, return_counts=True)
    order = np.argsort(inverse, kind="stable")
    order = order[count[inverse[order]] == 2]
    return _labels(order.reshape(-1, 2) // 3, len(faces))


def _grid(corners: Float[Array, "m 3 3"], cells: int) -> tuple[Float[Array, "k 3"], float]:
    """Centres and volume of the cells of a regular grid over the surface's principal box.

    The box follows the principal axes, so that a thin plate is resolved across its thickness.
    """
    shell = shell_moments(corners)
    if shell.measure == 0:
        return np.zeros((0, 3)), 0.0
    axes = np.linalg.eigh(shell.second)[1]
    local = (corners.reshape(-1, 3) - shell.centre) @ axes
    low, size = local.min(0), np.ptp(local, axis=0)
    steps = (np.arange(cells) + 0.5) / cells
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    return shell.centre + (low + grid * size) @ axes.T, float(size.prod()) / cells**3
