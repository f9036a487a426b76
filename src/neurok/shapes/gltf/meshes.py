"""Reads glTF meshes as blocks of vertices and triangles in mesh coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.errors import InputError
from neurok.shapes.appearance import linear_to_srgb
from neurok.shapes.gltf.document import Document
from neurok.shapes.gltf.materials import Mapping2D, transformed
from neurok.shapes.gltf.records import Mesh, Primitive

Array = np.ndarray
MAX_VERTICES = 20_000_000  # of a whole scene, with instances expanded
MAX_MORPHED = 80_000_000  # targets × vertices, summed over all meshes
LINES_AND_POINTS = {0: "points", 1: "lines", 2: "line loops", 3: "line strips"}


@dataclass(frozen=True, eq=False)
class Block:
    """Vertices with common attributes, and the triangles of one or more primitives over them."""

    positions: Float[Array, "n 3"]
    faces: Int[Array, "m 3"]
    material: Int[Array, " m"]  # −1: the file names none
    normals: Float[Array, "n 3"] | None = None
    uv: Float[Array, "n 2"] | None = None
    colors: UInt8[Array, "n 4"] | None = None
    joints: Int[Array, "n c"] | None = None
    weights: Float[Array, "n c"] | None = None
    targets: Float[Array, "k n 3"] = field(default_factory=lambda: np.zeros((0, 0, 3), np.float32))
    normal_targets: Float[Array, "k n 3"] | None = None


def read_blocks(
    document: Document, mesh: Mesh, mappings: Mapping[int, Mapping2D], morphed: bool, notes: dict[str, None]
) -> tuple[Block, ...]:
    """The blocks of a mesh. Primitives with the same attributes share one block.

    `morphed` states that the rest pose differs from the base shape, so that targets also change normals.
    """
    groups: dict[tuple, tuple[Primitive, list[Array], list[Array]]] = {}
    for primitive in mesh.primitives:
        faces = read_faces(document, primitive, notes)
        if not len(faces):
            continue
        key = block_key(primitive, mappings)
        _, corners, material = groups.setdefault(key, (primitive, [], []))
        corners.append(faces)
        material.append(np.full(len(faces), -1 if primitive.material is None else primitive.material))
    return tuple(
        read_block(document, primitive, np.concatenate(corners), np.concatenate(material), key[2], morphed)
        for key, (primitive, corners, material) in groups.items()
    )


def block_key(primitive: Primitive, mappings: Mapping[int, Mapping2D]) -> tuple:
    """The key of primitives that share vertices: attributes, morph targets and texture mapping."""
    targets = tuple(tuple(sorted(target.items())) for target in primitive.targets)
    mapping = Mapping2D() if primitive.material is None else mappings[primitive.material]
    return tuple(sorted(primitive.attributes.items())), targets, mapping


def mesh_size(document: Document, mesh: Mesh, mappings: Mapping[int, Mapping2D]) -> tuple[int, int]:
    """The declared number of vertices (or half the triangles, if larger) and of morphed vertices."""
    sizes = {
        block_key(p, mappings): (document.accessors[p.attributes["POSITION"]].count, len(p.targets))
        for p in mesh.primitives
        if "POSITION" in p.attributes
    }
    corners = sum(document.accessors[p.indices].count for p in mesh.primitives if p.indices is not None)
    vertices = sum(count for count, _ in sizes.values())
    return max(vertices, corners // 6), sum(count * targets for count, targets in sizes.values())


def read_faces(document: Document, primitive: Primitive, notes: dict[str, None]) -> Int[Array, "m 3"]:
    """Triangles of a primitive, with strips and fans expanded; none for points and lines."""
    none = np.zeros((0, 3), np.int32)
    if primitive.mode in LINES_AND_POINTS:
        notes[f"{LINES_AND_POINTS[primitive.mode]} are left out: only triangles are kept"] = None
        return none
    if "POSITION" not in primitive.attributes:
        notes["a primitive without positions is left out"] = None
        return none
    position = document.accessors[primitive.attributes["POSITION"]]
    if primitive.is_draco and position.view is None:
        raise InputError(document.source, "is compressed with Draco", "Re-export without Draco compression")
    if primitive.indices is None:
        order = np.arange(position.count, dtype=np.int32)
    else:
        order = document.naturals(primitive.indices, "SCALAR")[:, 0]
        if len(order) and order.max() >= position.count:
            first = int(np.flatnonzero(order >= position.count)[0])
            where = document.accessors[primitive.indices].where
            cause = f"{where} names vertex {order[first]} (at {first}), but there are {position.count}"
            raise InputError(document.source, cause, "The file is damaged: export it again")
    return triangles(order.astype(np.int32), primitive.mode)


def triangles(order: Int[Array, " i"], mode: int) -> Int[Array, "m 3"]:
    """Vertex triples of a list (mode 4), strip (5: i, i+1, i+2, odd i reversed) or fan (6: i+1, i+2, 0)."""
    if mode == 4:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    i = np.arange(max(len(order) - 2, 0))
    if mode == 6:
        return np.stack([order[i + 1], order[i + 2], order[i * 0]], axis=1)
    odd = i % 2
    return np.stack([order[i], order[i + 1 + odd], order[i + 2 - odd]], axis=1)


def read_block(
    document: Document, primitive: Primitive, faces: Array, material: Array, mapping: Mapping2D, morphed: bool
) -> Block:
    attributes = primitive.attributes
    count = document.accessors[attributes["POSITION"]].count

    def column(name: str, *kinds: str) -> Array | None:
        return None if name not in attributes else sized(document, attributes[name], count, *kinds)

    uv, colors = column(f"TEXCOORD_{mapping.texcoord}", "VEC2"), column("COLOR_0", "VEC3", "VEC4")
    positions = sized(document, attributes["POSITION"], count, "VEC3").astype(np.float64)
    joints, weights = read_influences(document, attributes, count)
    return Block(
        positions=positions,
        faces=faces,
        material=material,
        normals=column("NORMAL", "VEC3"),
        uv=None if uv is None else transformed(uv, mapping),
        colors=None if colors is None else srgb_bytes(colors),
        joints=joints,
        weights=weights,
        targets=read_targets(document, primitive, count, "POSITION"),
        normal_targets=read_targets(document, primitive, count, "NORMAL") if morphed else None,
    )


def sized(document: Document, index: int, count: int, *kinds: str) -> Float[Array, "n width"]:
    """An attribute with one element per vertex."""
    accessor = document.accessors[index]
    if accessor.count != count:
        document.root.refuse(f"{accessor.where} has {accessor.count} elements for {count} vertices")
    return document.floats(index, *kinds)


def read_influences(
    document: Document, attributes: Mapping[str, int], count: int
) -> tuple[Array | None, Array | None]:
    """Joint indices and weights of all JOINTS_n and WEIGHTS_n; the weights of a vertex sum to one."""
    sets = []
    while f"JOINTS_{len(sets)}" in attributes and f"WEIGHTS_{len(sets)}" in attributes:
        sets.append(len(sets))
    if not sets:
        return None, None
    joints = np.hstack([document.naturals(attributes[f"JOINTS_{k}"], "VEC4").astype(np.int64) for k in sets])
    weights = np.hstack([sized(document, attributes[f"WEIGHTS_{k}"], count, "VEC4") for k in sets])
    if len(joints) != count:
        document.root.refuse(f"JOINTS_0 has {len(joints)} elements for {count} vertices")
    if not np.isfinite(weights).all():
        raise InputError(document.source, "has skin weights that are NaN or infinite", "Fix the export")
    weights = np.maximum(weights.astype(np.float64), 0.0)
    total = weights.sum(1, keepdims=True)
    weights = np.where(total > 0, weights / np.where(total > 0, total, 1.0), np.eye(1, weights.shape[1]))
    return joints, weights


def read_targets(document: Document, primitive: Primitive, count: int, name: str) -> Float[Array, "k n 3"]:
    """Displacements of all morph targets; zero if a target does not change the attribute."""
    targets = np.zeros((len(primitive.targets), count, 3), np.float32)
    for target, attributes in zip(targets, primitive.targets, strict=True):
        if name in attributes:
            target[:] = sized(document, attributes[name], count, "VEC3")
    if not np.isfinite(targets).all():
        raise InputError(document.source, "has morph targets that are NaN or infinite", "Fix the export")
    return targets


def srgb_bytes(linear: Float[Array, "n c"]) -> UInt8[Array, "n 4"]:
    """sRGB bytes of linear vertex colours; alpha stays linear and is 255 if missing."""
    c = np.clip(np.nan_to_num(linear, nan=0.0), 0.0, 1.0).astype(np.float64)
    alpha = c[:, 3:] if c.shape[1] == 4 else np.ones((len(c), 1))
    return np.round(255 * np.hstack([linear_to_srgb(c[:, :3]), alpha])).astype(np.uint8)
