"""`Document`: the JSON objects and the binary buffer of a .glb file under construction.

A glTF library would add little: it mirrors the JSON schema as classes and copies the buffer as it grows. A
file needs a dictionary and a list of arrays.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from neurok.errors import InputError
from neurok.writing import encodable, write_bytes

Array = np.ndarray
Kind = Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"]

MAX_BYTES = 2**32 - 1  # GLB stores its length in 32 bits
COMPONENT = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963


@dataclass
class Document:
    """A glTF file under construction. Each method adds one object and returns its index."""

    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    chunks: list[memoryview] = field(default_factory=list)
    length: int = 0
    extensions: set[str] = field(default_factory=set)

    def add(self, table: str, **entry: Any) -> int:
        """Appends an entry to a table; fields that are None and empty names are left out."""
        rows = self.tables.setdefault(table, [])
        rows.append({k: _json_value(v) for k, v in entry.items() if v is not None and v != ""})
        return len(rows) - 1

    def view(self, data: bytes | Array, target: int | None = None) -> int:
        """Adds a buffer view of these bytes, aligned to four."""
        raw = memoryview(data if isinstance(data, bytes) else np.ascontiguousarray(data).data).cast("B")
        index = self.add("bufferViews", buffer=0, byteOffset=self.length, byteLength=len(raw), target=target)
        padding = -len(raw) % 4
        self.chunks += [raw, memoryview(bytes(padding))]
        self.length += len(raw) + padding
        return index

    def accessor(
        self,
        values: Array,
        kind: Kind,
        target: int | None = None,
        bounds: bool = False,
        normalized: bool = False,
    ) -> int:
        """Adds an accessor of little-endian values, one row per element; `bounds` adds min and max."""
        values = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        rows = values.reshape(len(values), -1)
        return self.add(
            "accessors",
            bufferView=self.view(values, target),
            componentType=COMPONENT[values.dtype.str[1:]],
            count=len(values),
            type=kind,
            normalized=normalized or None,
            min=rows.min(axis=0).tolist() if bounds else None,
            max=rows.max(axis=0).tolist() if bounds else None,
        )

    def write(self, path: str | Path, scene: dict[str, Any], extras: dict[str, Any]) -> Path:
        """Writes the file: header, JSON chunk, binary chunk."""
        gltf: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "neurok", "extras": extras},
            "scene": 0,
            "scenes": [{k: _json_value(v) for k, v in scene.items() if v != ""}],
            **self.tables,
            "buffers": [{"byteLength": self.length}],
        }
        if self.extensions:
            gltf["extensionsUsed"] = gltf["extensionsRequired"] = sorted(self.extensions)
        text = json.dumps(gltf, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + self.length
        if total > MAX_BYTES:
            raise InputError(
                path,
                f"would be {total / 2**30:.1f} GiB large, and a .glb can have at most 4 GiB",
                "Write fewer frames or a smaller mesh, or write .usdc",
            )
        header = struct.pack("<4sIIII", b"glTF", 2, total, len(text), 0x4E4F534A)
        binary = struct.pack("<II", self.length, 0x004E4942)
        return write_bytes(path, header, text, binary, *self.chunks)


def _json_value(value: Any) -> Any:
    """A value of the JSON, with text that UTF-8 can encode: names of files may contain other bytes."""
    return encodable(value) if isinstance(value, str) else value
