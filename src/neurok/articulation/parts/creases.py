"""One fused surface cut where a person would: along short, concave creases."""

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
SHARP = 0.35  # radians: a crease much more concave than that costs next to nothing to cut
FREE = 0.02  # what it then still costs
NARROW = 0.45  # longest cut, weighed by its cost, against the root of the smaller side's area
CONCAVE = 0.7  # share of the cut's length that must run along creases more concave than `SHARP`
FLAT = 0.8  # of a side's area that faces one way: more is a panel, which is no body
LEAST = 0.02  # of the area: a smaller side is no part
MOST = 8  # parts that creases may make


@dataclass(frozen=True, eq=False)
class FaceGraph:
    """Faces of a surface and the edges between them."""

    area: Float[Array, " m"]
    normals: Float[Array, "m 3"]  # unit
    centres: Float[Array, "m 3"]
    pairs: Int[Array, "p 2"]
    length: Float[Array, " p"]
    concavity: Float[Array, " p"]  # radians that the surface bends inward there; below zero outward

    def only(self, keep: Int[Array, " k"]) -> FaceGraph:
        """The graph of some of the faces, renumbered."""
        index = np.full(len(self.area), -1)
        index[keep] = np.arange(len(keep))
        inside = (index[self.pairs] >= 0).all(axis=1)
        return FaceGraph(
            self.area[keep], self.normals[keep], self.centres[keep],
            index[self.pairs[inside]], self.length[inside], self.concavity[inside],
        )  # fmt: skip

    def is_body(self, side: Int[Array, " k"]) -> bool:
        """Whether some faces bound a thing of their own: neither a flat panel nor the inside of a shell.

        A panel's normals all point one way, |Σ A n| ≈ Σ A; a shell's inside has a negative flux Σ A n · x.
        """
        vectors = self.area[side, None] * self.normals[side]
        flat = np.linalg.norm(vectors.sum(axis=0)) > FLAT * self.area[side].sum()
        middle = np.average(self.centres[side], axis=0, weights=self.area[side])
        return not flat and float((vectors * (self.centres[side] - middle)).sum()) > 0


def cut_along_creases(shape: Shape) -> Int[Array, " m"]:
    """A label for each face, largest part first; all zero where no cut is clear.

    The surface is split in two again and again, each time where `best_cut` is narrowest, as long as that is
    narrow enough. Large meshes are cut on a decimated copy.
    """
    whole = shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=("all",), joints=None)
    light = make_proxy(whole, PROXY_FACES).shape if len(shape.faces) > PROXY_FACES else whole
    graph = face_graph(light)
    label, open_parts = np.zeros(len(light.faces), np.int32), [0]
    while open_parts and label.max() + 1 < MOST:
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
    """Edges with their length and bend: the angle between normals, positive where the crease is concave."""
    pairs, ends = face_neighbours(shape)
    normals = face_normals(shape.vertices, shape.faces)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    centres = shape.vertices[shape.faces].mean(axis=1)
    i, j = pairs.T
    angle = np.arccos(np.clip((normals[i] * normals[j]).sum(axis=1), -1, 1))
    rises = (normals[i] * (centres[j] - centres[i])).sum(axis=1) > 0  # the neighbour stands before the face
    length = np.linalg.norm(np.diff(shape.vertices[ends], axis=1)[:, 0], axis=1)
    return FaceGraph(face_areas(shape), normals, centres, pairs, length, np.where(rises, angle, -angle))


def best_cut(graph: FaceGraph, total: float) -> Int[Array, " k"] | None:
    """The faces on the smaller side of the narrowest cut in two; None where none is clear.

    Faces are ordered by the second eigenvector of the graph's Laplacian, whose weights are what cutting an
    edge costs: its length, times exp −(concavity / SHARP)² where it is concave. Of all cuts of that order
    the one with the least cost / √(area of the smaller side) is taken.
    """
    m = len(graph.area)
    if m < 8 or graph.area.sum() < 2 * LEAST * total or not len(graph.pairs):
        return None
    bend = np.maximum(graph.concavity, 0.0) / SHARP
    cost = graph.length * (FREE + (1 - FREE) * np.exp(-(bend**2)))
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
    narrowness = np.where(smaller >= LEAST * total, cut / np.sqrt(np.maximum(smaller, 1e-300)), np.inf)
    k = int(narrowness.argmin())
    crossed = (ends[:, 0] <= k) & (ends[:, 1] > k)
    creased = graph.length[crossed & (graph.concavity > SHARP)].sum() / max(
        graph.length[crossed].sum(), 1e-300
    )
    clear = narrowness[k] <= NARROW and creased >= CONCAVE
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
    start = np.cos(np.arange(m) * 0.37)  # any start will do, the same every time
    _, modes = eigsh((laplacian / scale).tocsc(), k=2, M=mass.tocsc(), sigma=-1e-4, v0=start)
    return np.argsort(modes[:, 1], kind="stable")
