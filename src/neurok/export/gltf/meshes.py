"""Adds pieces of a shape to a glTF document as meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Float, UInt8, UInt16

from neurok.export.forms import Morphed, Skinned
from neurok.export.gltf.document import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, Document
from neurok.export.gltf.materials import Materials
from neurok.export.pieces import Piece, by_material
from neurok.shapes import Shape
from neurok.shapes.appearance import srgb_to_linear

Array = np.ndarray


def add_mesh(
    document: Document,
    materials: Materials,
    shape: Shape,
    piece: Piece,
    origin: Float[Array, "3"] | None = None,
    skinned: Skinned | None = None,
    morphed: Morphed | None = None,
) -> int:
    """Adds one mesh with a primitive per material; vertices are relative to `origin`."""
    primitives = []
    for material, triangles, used in by_material(shape, piece):
        positions = shape.vertices[used] - (0.0 if origin is None else origin)
        attributes = {"POSITION": document.accessor(as_float(positions), "VEC3", ARRAY_BUFFER, bounds=True)}
        attributes |= surface_attributes(document, shape, used)
        if skinned is not None:
            attributes |= skin_attributes(document, skinned, used)
        primitives.append(
            {
                "attributes": attributes,
                "indices": document.accessor(compact(triangles, len(used)), "SCALAR", ELEMENT_ARRAY_BUFFER),
                "material": materials.index(material),
            }
        )
        if morphed is not None:
            primitives[-1]["targets"] = morph_targets(document, morphed, used)
    count = 0 if morphed is None else len(morphed.targets)
    return document.add(
        "meshes",
        name=piece.name,
        primitives=primitives,
        weights=[0.0] * count or None,
        extras={"targetNames": [f"target_{k}" for k in range(count)]} if count else None,
    )


def surface_attributes(document: Document, shape: Shape, used: Array) -> dict[str, int]:
    """Accessors of normals, texture coordinates and colours, if the shape has them."""
    attributes: dict[str, int] = {}
    if shape.normals is not None:
        attributes["NORMAL"] = document.accessor(unit(shape.normals[used]), "VEC3", ARRAY_BUFFER)
    if shape.uv is not None:
        uv = np.nan_to_num(shape.uv[used])
        flipped = np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)  # glTF's origin is at the top
        attributes["TEXCOORD_0"] = document.accessor(as_float(flipped), "VEC2", ARRAY_BUFFER)
    if shape.colors is not None:
        linear = linear_colors(shape.colors[used])
        attributes["COLOR_0"] = document.accessor(linear, "VEC4", ARRAY_BUFFER, normalized=True)
    return attributes


def skin_attributes(document: Document, skinned: Skinned, used: Array) -> dict[str, int]:
    """Accessors of the joints and weights of each vertex."""
    handles, weights = skinned.skin.handles[used], skinned.skin.weights[used]
    joints = handles.astype(np.uint8 if len(skinned.skin.names) <= 256 else np.uint16)
    return {
        "JOINTS_0": document.accessor(joints, "VEC4", ARRAY_BUFFER),
        "WEIGHTS_0": document.accessor(as_float(weights), "VEC4", ARRAY_BUFFER),
    }


def morph_targets(document: Document, morphed: Morphed, used: Array) -> list[dict[str, Any]]:
    """Accessors of the displacements of positions and normals of each target."""
    targets = []
    for k, target in enumerate(morphed.targets):
        entry = {"POSITION": document.accessor(as_float(target[used]), "VEC3", ARRAY_BUFFER, bounds=True)}
        if morphed.normals is not None:
            entry["NORMAL"] = document.accessor(as_float(morphed.normals[k][used]), "VEC3", ARRAY_BUFFER)
        targets.append(entry)
    return targets


def compact(triangles: Array, vertices: int) -> Array:
    """Indices in the smallest type; glTF reserves the highest value of a type."""
    return triangles.ravel().astype(np.uint16 if vertices <= 65535 else np.uint32)


def as_float(values: Array) -> Float[Array, ...]:
    return np.ascontiguousarray(values, np.float32)


def unit(normals: Float[Array, "n 3"]) -> Float[Array, "n 3"]:
    """Unit normals; z where a normal is zero."""
    normals = np.nan_to_num(normals.astype(np.float64))
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 1e-12, normals / np.maximum(length, 1e-12), [0.0, 0.0, 1.0]).astype(np.float32)


def linear_colors(srgb: UInt8[Array, "n 4"]) -> UInt16[Array, "n 4"]:
    """sRGB bytes as linear 16-bit values, which is precise enough for an exact return; alpha is linear."""
    value = np.arange(256) / 255
    table = np.round(srgb_to_linear(value) * 65535).astype(np.uint16)
    return np.concatenate([table[srgb[:, :3]], srgb[:, 3:].astype(np.uint16) * 257], axis=1)
