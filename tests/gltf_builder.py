"""A small GLB writer for the tests, independent of the package's exporter."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
TETRAHEDRON_FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.uint16)


class Builder:
    """Collects accessors, meshes, nodes and animations; `bytes()` is the GLB."""

    def __init__(self) -> None:
        self.json: dict = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}
        self.binary = bytearray()

    def add(self, key: str, value: dict) -> int:
        self.json.setdefault(key, []).append(value)
        return len(self.json[key]) - 1

    def view(self, data: bytes, **extra) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        offset = len(self.binary)
        self.binary += data
        return self.add("bufferViews", {"buffer": 0, "byteOffset": offset, "byteLength": len(data), **extra})

    def accessor(self, values, dtype: str | None = None, stride: int | None = None, **extra) -> int:
        """Adds an accessor of these values; `stride` puts arbitrary bytes between its elements."""
        array = np.asarray(values)
        array = array.reshape(len(array), -1).astype(
            dtype or ("f4" if array.dtype.kind == "f" else array.dtype)
        )
        size = array.dtype.itemsize * array.shape[1]
        padded = -size % 4 if array.shape[1] > 1 else 0
        step = stride or size + padded
        spread = np.full((len(array), step), 0xAB, np.uint8)
        spread[:, :size] = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), size)
        view = self.view(spread.tobytes(), **({"byteStride": step} if step != size else {}))
        record = {
            "bufferView": view,
            "componentType": COMPONENTS[array.dtype.str[1:]],
            "count": len(array),
            "type": KINDS[array.shape[1]],
            **extra,
        }
        if array.shape[1] <= 4 and "normalized" not in extra:
            record["min"], record["max"] = array.min(0).tolist(), array.max(0).tolist()
        return self.add("accessors", record)

    def sparse(self, count: int, rows, values, base=None) -> int:
        """Adds a sparse float VEC3 accessor that replaces some rows of `base` (or of zeros)."""
        index = self.accessor(base) if base is not None else None
        rows, values = np.asarray(rows, np.uint16), np.asarray(values, np.float32)
        record = (
            {"componentType": 5126, "count": count, "type": "VEC3"}
            if index is None
            else self.json["accessors"][index]
        )
        dense = np.zeros((count, 3), np.float32) if base is None else np.array(base, np.float32)
        dense[rows] = values
        record |= {"min": dense.min(0).tolist(), "max": dense.max(0).tolist()}
        record["sparse"] = {
            "count": len(rows),
            "indices": {"bufferView": self.view(rows.tobytes()), "componentType": 5123},
            "values": {"bufferView": self.view(values.tobytes())},
        }
        if index is not None:
            return index
        return self.add("accessors", record)

    def primitive(self, positions=TETRAHEDRON, faces=TETRAHEDRON_FACES, targets=(), **fields) -> dict:
        """A primitive; upper-case keywords are attributes (arrays or accessor numbers), others its fields."""
        attributes = {"POSITION": positions} | {k: v for k, v in fields.items() if k.isupper()}
        primitive = {"attributes": {k: self._index(v) for k, v in attributes.items()}}
        if faces is not None:
            primitive["indices"] = faces if isinstance(faces, int) else self.accessor(np.ravel(faces))
        if len(targets):
            primitive["targets"] = [{"POSITION": self._index(t)} for t in targets]
        return primitive | {k: v for k, v in fields.items() if not k.isupper()}

    def _index(self, value) -> int:
        return value if isinstance(value, int) else self.accessor(value)

    def mesh(self, *primitives: dict, **fields) -> int:
        return self.add("meshes", {"primitives": list(primitives or [self.primitive()]), **fields})

    def node(self, **fields) -> int:
        return self.add("nodes", fields)

    def skin(self, joints, inverse_bind=None) -> int:
        skin = {"joints": list(joints)}
        if inverse_bind is not None:
            columns = np.asarray(inverse_bind, np.float32).transpose(0, 2, 1)
            skin["inverseBindMatrices"] = self.accessor(columns.reshape(-1, 16))
        return self.add("skins", skin)

    def animate(self, *channels: tuple, name: str = "clip") -> int:
        """Channels are (node, path, keys, values) with an optional interpolation at the end."""
        animation: dict = {"name": name, "channels": [], "samplers": []}
        for k, (node, path, keys, values, *interpolation) in enumerate(channels):
            values = np.asarray(values, np.float32)
            width = {"rotation": 4, "weights": 1}.get(path, 3)
            animation["channels"].append({"sampler": k, "target": {"node": node, "path": path}})
            animation["samplers"].append({
                "input": self.accessor(np.asarray(keys, np.float32)),
                "output": self.accessor(values.reshape(-1, width)),
                "interpolation": interpolation[0] if interpolation else "LINEAR",
            })  # fmt: skip
        return self.add("animations", animation)

    def document(self) -> dict:
        children = {c for node in self.json.get("nodes", []) for c in node.get("children", [])}
        roots = [i for i in range(len(self.json.get("nodes", []))) if i not in children]
        scenes = {"scene": 0, "scenes": [{"nodes": roots}]} if roots else {}
        return {"buffers": [{"byteLength": len(self.binary)}], **scenes, **self.json}

    def bytes(self) -> bytes:
        return glb(self.document(), bytes(self.binary))

    def save(self, path: Path) -> Path:
        path.write_bytes(self.bytes())
        return path


def glb(document: dict, binary: bytes) -> bytes:
    """A GLB of any JSON and any bytes, valid or not."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    body = (
        struct.pack("<II", len(text), 0x4E4F534A)
        + text
        + struct.pack("<II", len(binary), 0x004E4942)
        + binary
    )
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def arm(bones: int = 3, seed: int = 0) -> tuple[Builder, list[int]]:
    """A skinned strip on a chain of bones along x, bound at rest; its builder and its joint nodes.

    Node 0 holds the mesh under a transform that skinning must ignore.
    """
    rng, b = np.random.default_rng(seed), Builder()
    x = np.linspace(0, bones, 4 * bones + 1)
    points = np.stack([np.repeat(x, 2), np.tile([-0.2, 0.2], len(x)), rng.normal(0, 0.05, 2 * len(x))], 1)
    k = np.arange(len(x) - 1) * 2
    faces = np.concatenate([np.stack([k, k + 1, k + 2], 1), np.stack([k + 1, k + 3, k + 2], 1)])
    near = np.clip(points[:, 0], 0, bones - 1e-3)
    joints = np.zeros((len(points), 4), np.uint8)
    weights = np.zeros((len(points), 4), np.float32)
    joints[:, 0], joints[:, 1] = near.astype(int), np.minimum(near.astype(int) + 1, bones - 1)
    weights[:, 1] = np.where(joints[:, 0] == joints[:, 1], 0, near % 1)
    weights[:, 0] = 1 - weights[:, 1]
    mesh = b.mesh(b.primitive(points.astype("f4"), faces.astype("u2"), JOINTS_0=joints, WEIGHTS_0=weights))
    b.node(name="strip", mesh=mesh, skin=0, translation=[5, 6, 7])
    chain = list(range(1, bones + 1))
    for i in chain:
        children = {"children": [i + 1]} if i < bones else {}
        b.node(name=f"bone{i}", translation=[0 if i == 1 else 1, 0, 0], **children)
    inverse = np.tile(np.eye(4), (bones, 1, 1))
    inverse[:, 0, 3] = -np.arange(bones)
    b.skin(chain, inverse)
    return b, chain


def rich(png: bytes) -> Builder:
    """One small file with every feature: skin, morphs, sparse, instances, materials, interpolations."""
    b, joints = arm()
    b.add("images", {"bufferView": b.view(png), "mimeType": "image/png"})
    b.add("textures", {"source": 0})
    move = {"offset": [0, 1], "rotation": 0.1, "scale": [2, 2]}
    color = {"index": 0, "extensions": {"KHR_texture_transform": move}}
    gloss = {"diffuseFactor": [1, 1, 1, 1], "glossinessFactor": 0.5}
    b.add(
        "materials",
        {"name": "paint", "pbrMetallicRoughness": {"baseColorTexture": color, "metallicFactor": 0.5}},
    )
    b.add("materials", {"alphaMode": "MASK", "extensions": {"KHR_materials_pbrSpecularGlossiness": gloss}})
    target = b.sparse(4, [1, 3], [[1, 0, 0], [0, 0, 1]])
    attributes = {
        "NORMAL": TETRAHEDRON,
        "TEXCOORD_0": TETRAHEDRON[:, :2],
        "COLOR_0": np.ones((4, 4), np.float32),
    }
    mesh = b.mesh(
        b.primitive(targets=[target], material=0, **attributes),
        b.primitive(faces=None, targets=[target], mode=5, material=1),
        b.primitive(mode=1),
        weights=[0.5],
        name="toy",
    )
    child = b.node(mesh=mesh, rotation=[0, 0, 1, 0], scale=[1, -1, 1], weights=[0.25], name="child")
    instances = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": b.accessor(TETRAHEDRON)}}}
    matrix = np.diag([1.0, 2.0, 3.0, 1.0]).ravel().tolist()
    parent = b.node(mesh=mesh, matrix=matrix, children=[child], extensions=instances)
    b.animate(
        (joints[1], "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]]),
        (child, "weights", [0, 1], [0, 1], "STEP"),
        (parent, "translation", [0, 1], np.zeros((6, 3)), "CUBICSPLINE"),
    )
    b.json["asset"]["extras"] = {"neurok": {"up": "z", "metres_per_unit": 0.5}}
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = ["KHR_texture_transform"]
    return b
