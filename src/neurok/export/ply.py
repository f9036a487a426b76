"""Writes binary PLY: positions, normals, texture coordinates, colours and faces."""

from __future__ import annotations

import numpy as np

from neurok.shapes import Shape

Array = np.ndarray
PLY_TYPE = {"f4": "float", "f8": "double", "u1": "uchar", "i4": "int"}


def ply_bytes(shape: Shape) -> bytes:
    """The bytes of a PLY file. Positions are single precision if that is exact, else double."""
    single = shape.vertices.astype(np.float32)
    exact = np.array_equal(single, shape.vertices, equal_nan=True)
    columns: list[tuple[str, str, Array]] = vector("xyz", single if exact else shape.vertices)
    if shape.normals is not None:
        columns += vector(("nx", "ny", "nz"), shape.normals)
    if shape.uv is not None:
        columns += vector("st", shape.uv)
    if shape.colors is not None:
        columns += vector(("red", "green", "blue", "alpha"), shape.colors)
    vertices = np.empty(len(shape.vertices), [(name, kind) for name, kind, _ in columns])
    for name, _, values in columns:
        vertices[name] = values
    faces = np.empty(len(shape.faces), [("count", "u1"), ("vertex_indices", "<i4", 3)])
    faces["count"], faces["vertex_indices"] = 3, shape.faces
    lines = ["ply", "format binary_little_endian 1.0", f"element vertex {len(vertices)}"]
    lines += [f"property {PLY_TYPE[kind[1:]]} {name}" for name, kind, _ in columns]
    lines += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header", ""]
    return "\n".join(lines).encode("ascii") + vertices.tobytes() + faces.tobytes()


def vector(names: str | tuple[str, ...], values: Array) -> list[tuple[str, str, Array]]:
    """The columns of a vector property: name, little-endian type and values."""
    kind = "|u1" if values.dtype == np.uint8 else f"<f{values.dtype.itemsize}"
    return [(name, kind, values[:, k]) for k, name in enumerate(names)]
