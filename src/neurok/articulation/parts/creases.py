"""Splits a fused surface along short, concave creases."""

from __future__ import annotations

from dataclasses import dataclass

import igl
import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh

from neurok.articulation.parts.components import by_size, face_areas, face_neighbours
from neurok.shapes.normals import face_normals
from neurok.shapes.proxy import make_proxy
from neurok.shapes.shape import Shape

Array = np.ndarray

PROXY_FACES = 4000
SHARP_ANGLE = 0.35  # radians: cutting a crease much more concave than that costs almost nothing
MIN_CUT_COST = 0.02  # remaining cost, relative to a flat edge
MAX_NARROWNESS = 0.45  # cost of the cut over √ of the smaller side's area
MIN_CONCAVE_SHARE = 0.7  # of the cut's length, along creases more concave than SHARP_ANGLE
MAX_FLATNESS = 0.8  # |Σ A n| / Σ A of a side: a flatter one is a panel and not a body
MIN_SIDE_AREA = 0.02  # of the whole area
MAX_CREASE_PARTS = 8


@dataclass(frozen=True, eq=False)
class FaceGraph:
    """Faces of a surface and the edges between them."""

    area: Float[Array, " m"]
    normals: Float[Array, "m 3"]  # unit
    centres: Float[Array, "m 3"]
    pairs: Int[Array, "p 2"]
    length: Float[Array, " p"]
    concavity: Float[Array, " p"]  # radians by which the surface bends inward; negative: outward

    def only(self, keep: Int[Array, " k"]) -> FaceGraph:
        """Subgraph of some faces, renumbered."""
        index = np.full(len(self.area), -1)
        index[keep] = np.arange(len(keep))
        inside = (index[self.pairs] >= 0).all(axis=1)
        return FaceGraph(
            self.area[keep], self.normals[keep], self.centres[keep],
            index[self.pairs[inside]], self.length[inside], self.concavity[inside],
        )  # fmt: skip

    def is_body(self, side: Int[Array, " k"]) -> bool:
        """Whether faces bound a body: neither a flat panel nor the inside of a shell.

        The normals of a panel point one way, |Σ A n| ≈ Σ A. The inside of a shell has a negative flux Σ A n ·
        x.
        """
        vectors = self.area[side, None] * self.normals[side]
        flat = np.linalg.norm(vectors.sum(axis=0)) > MAX_FLATNESS * self.area[side].sum()
        middle = np.average(self.centres[side], axis=0, weights=self.area[side])
        return not flat and float((vectors * (self.centres[side] - middle)).sum()) > 0


def cut_along_creases(shape: Shape) -> Int[Array, " m"]:
    """A label for each face, largest part first; all zero if there is no clear cut.

    The surface is bisected recursively along the narrowest `best_cut`, as long as that is narrow enough.
    Large meshes are cut on a decimated copy.
    """
    whole = shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=("all",), joints=None)
    light = make_proxy(whole, PROXY_FACES).shape if len(shape.faces) > PROXY_FACES else whole
    graph = face_graph(light)
    label, open_parts = np.zeros(len(light.faces), np.int32), [0]
    while open_parts and label.max() + 1 < MAX_CREASE_PARTS:
        part = open_parts.pop(0)
        members = np.flatnonzero(label == part)
        side = best_cut(graph.only(members), float(graph.area.sum()))
        if side is not None:
            new = int(label.max()) + 1
            label[members[side]] = new
            open_parts += [part, new]
    if light is not whole:
        centres = shape.vertices[shape.faces].mean(axis=1)
        _, nearest, _ = igl.point_mesh_squared_distance(
            centres, np.ascontiguousarray(light.vertices), np.ascontiguousarray(light.faces, np.int64)
        )
        label = label[np.asarray(nearest)]
    return by_size(label, face_areas(shape))


def face_graph(shape: Shape) -> FaceGraph:
    """Edges with their lengths and bends: the angle between normals, positive where the crease is concave."""
    pairs, ends = face_neighbours(shape)
    normals = face_normals(shape.vertices, shape.faces)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    centres = shape.vertices[shape.faces].mean(axis=1)
    i, j = pairs.T
    angle = np.arccos(np.clip((normals[i] * normals[j]).sum(axis=1), -1, 1))
    rises = (normals[i] * (centres[j] - centres[i])).sum(axis=1) > 0  # the neighbour is in front of the face
    length = np.linalg.norm(np.diff(shape.vertices[ends], axis=1)[:, 0], axis=1)
    return FaceGraph(face_areas(shape), normals, centres, pairs, length, np.where(rises, angle, -angle))


def best_cut(graph: FaceGraph, total: float) -> Int[Array, " k"] | None:
    """Faces on the smaller side of the narrowest cut in two; None if no cut is clear.

    Faces are ordered by the second eigenvector of the graph's Laplacian. Its weights are the costs of cutting
    an edge: its length, times exp −(concavity / SHARP_ANGLE)² where it is concave. Of all cuts of that order,
    the one with the least cost / √(area of the smaller side) is taken.
    """
    m = len(graph.area)
    if m < 8 or graph.area.sum() < 2 * MIN_SIDE_AREA * total or not len(graph.pairs):
        return None
    bend = np.maximum(graph.concavity, 0.0) / SHARP_ANGLE
    cost = graph.length * (MIN_CUT_COST + (1 - MIN_CUT_COST) * np.exp(-(bend**2)))
    order = _spectral_order(graph, cost)
    if order is None:
        return None
    rank = np.empty(m, np.int64)
    rank[order] = np.arange(m)
    ends = np.sort(rank[graph.pairs], axis=1)
    change = np.bincount(ends[:, 0], cost, m + 1) - np.bincount(ends[:, 1], cost, m + 1)
    cut = np.cumsum(change)[: m - 1]  # after the first, second, … face of the order
    below = np.cumsum(graph.area[order])[: m - 1]
    smaller = np.minimum(below, graph.area.sum() - below)
    narrowness = np.where(
        smaller >= MIN_SIDE_AREA * total, cut / np.sqrt(np.maximum(smaller, 1e-300)), np.inf
    )
    k = int(narrowness.argmin())
    crossed = (ends[:, 0] <= k) & (ends[:, 1] > k)
    creased = graph.length[crossed & (graph.concavity > SHARP_ANGLE)].sum() / max(
        graph.length[crossed].sum(), 1e-300
    )
    clear = narrowness[k] <= MAX_NARROWNESS and creased >= MIN_CONCAVE_SHARE
    if not clear or not (graph.is_body(order[: k + 1]) and graph.is_body(order[k + 1 :])):
        return None
    return order[: k + 1] if below[k] * 2 <= graph.area.sum() else order[k + 1 :]


def _spectral_order(graph: FaceGraph, cost: Float[Array, " p"]) -> Int[Array, " m"] | None:
    """Faces sorted along the slowest mode of diffusion over the graph; None if it is not connected."""
    m = len(graph.area)
    i, j = graph.pairs.T
    weight = sparse.csr_matrix((np.r_[cost, cost] + 1e-12, (np.r_[i, j], np.r_[j, i])), shape=(m, m))
    if connected_components(weight, directed=False)[0] > 1:
        return None
    scale = cost.mean()
    laplacian = sparse.diags(np.asarray(weight.sum(axis=1)).ravel()) - weight
    mass = sparse.diags(np.maximum(graph.area, 1e-6 * graph.area.mean()) / graph.area.mean())
    start = np.cos(np.arange(m) * 0.37)  # any fixed start vector
    _, modes = eigsh((laplacian / scale).tocsc(), k=2, M=mass.tocsc(), sigma=-1e-4, v0=start)
    return np.argsort(modes[:, 1], kind="stable")
