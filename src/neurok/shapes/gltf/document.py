"""`Document`: one glTF file with checked records and accessors that decode to arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from jaxtyping import Float, Shaped

from neurok.errors import InputError
from neurok.shapes.gltf import records
from neurok.shapes.gltf.accessors import as_floats, strided
from neurok.shapes.gltf.container import EXPORT_AGAIN, read_file, resolve, split
from neurok.shapes.gltf.fields import Fields

Array = np.ndarray

COMPRESSIONS = {"draco": "Draco", "meshopt": "meshopt"}
UNDERSTOOD = {
    "EXT_mesh_gpu_instancing", "EXT_texture_webp", "KHR_animation_pointer", "KHR_lights_punctual",
    "KHR_mesh_quantization", "KHR_node_visibility", "KHR_texture_basisu", "KHR_texture_transform",
    "KHR_xmp_json_ld",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Document:
    """The JSON and the bytes of one file. `Document.open(path)` reads it; arrays are decoded on demand.

    trimesh does not serve here because it drops animation. One reader gives the rest shape and its clips
    the same vertex order.
    """

    root: Fields
    binary: memoryview | None
    source: str
    folder: Path | None

    @staticmethod
    def open(path: str | Path) -> Document:
        path = Path(path)
        return Document.parse(read_file(path), str(path), path.parent)

    @staticmethod
    def parse(data: bytes, source: str, folder: Path | None = None) -> Document:
        """Parses a file in memory; `folder` is the folder that its URIs may refer to."""
        root, binary = split(data, source)
        document = Document(root, binary, source, folder)
        check_version(root)
        check_extensions(root)
        return document

    @cached_property
    def buffers(self) -> tuple[records.Buffer, ...]:
        return tuple(map(records.read_buffer, self.root.objects("buffers")))

    @cached_property
    def views(self) -> tuple[records.View, ...]:
        return tuple(records.read_view(f, self.buffers) for f in self.root.objects("bufferViews"))

    @cached_property
    def accessors(self) -> tuple[records.Accessor, ...]:
        return tuple(records.read_accessor(f, len(self.views)) for f in self.root.objects("accessors"))

    @cached_property
    def meshes(self) -> tuple[records.Mesh, ...]:
        counts = len(self.accessors), len(self.root.array("materials"))
        return tuple(records.read_mesh(f, *counts) for f in self.root.objects("meshes"))

    @cached_property
    def skeletons(self) -> tuple[records.Skeleton, ...]:
        counts = len(self.root.array("nodes")), len(self.accessors)
        return tuple(records.read_skeleton(f, *counts) for f in self.root.objects("skins"))

    @cached_property
    def nodes(self) -> tuple[records.Node, ...]:
        fields = self.root.objects("nodes")
        counts = len(fields), len(self.meshes), len(self.skeletons), len(self.accessors)
        return tuple(records.read_node(f, *counts) for f in fields)

    @cached_property
    def _contents(self) -> dict[int, memoryview]:
        return {}

    def content(self, index: int) -> memoryview:
        """The bytes of a buffer; at least as many as it declares."""
        if index not in self._contents:
            self._contents[index] = self._fetch(index)
        return self._contents[index]

    def _fetch(self, index: int) -> memoryview:
        buffer = self.buffers[index]
        if buffer.uri is not None:
            data = memoryview(resolve(buffer.uri, self.folder, self.source))
        elif index == 0 and self.binary is not None:
            data = self.binary
        else:
            raise InputError(self.source, f"buffers[{index}] has no data", EXPORT_AGAIN)
        if len(data) < buffer.length:
            cause = f"buffers[{index}] declares {buffer.length} bytes, but {len(data)} are there"
            raise InputError(self.source, cause, EXPORT_AGAIN)
        return data[: buffer.length]

    def view_bytes(self, index: int) -> memoryview:
        """The bytes of a buffer view."""
        view = self.views[index]
        return self.content(view.buffer)[view.offset : view.offset + view.length]

    @cached_property
    def size(self) -> int:
        """The number of bytes in the file's buffers, an upper bound on the elements of a valid array."""
        return sum(buffer.length for i, buffer in enumerate(self.buffers) if self.content(i) is not None)

    def values(self, index: int) -> Shaped[Array, "count width"]:
        """The stored elements of an accessor, with its sparse substitutions applied."""
        accessor = self.accessors[index]
        dtype, width = np.dtype(accessor.component), records.WIDTHS[accessor.kind]
        base = self._dense(accessor, dtype, width)
        if accessor.sparse is None or not accessor.sparse.count:
            return base
        sparse = accessor.sparse
        where, source = accessor.where, self.source
        rows = strided(self.view_bytes(sparse.indices_view), sparse.indices_offset, None, sparse.count,
                       np.dtype(sparse.indices_type), 1, f"{where}.sparse.indices", source)[:, 0]  # fmt: skip
        if rows.max() >= accessor.count:
            self.root.refuse(f"{where}.sparse changes element {rows.max()} of {accessor.count}")
        changes = strided(self.view_bytes(sparse.values_view), sparse.values_offset, None, sparse.count,
                          dtype, width, f"{where}.sparse.values", source)  # fmt: skip
        changed = base.copy()
        changed[rows] = changes
        return changed

    def _dense(self, accessor: records.Accessor, dtype: np.dtype, width: int) -> Array:
        if accessor.kind in ("MAT2", "MAT3"):
            self.root.refuse(f"{accessor.where} is a {accessor.kind}, which is not supported")
        if accessor.view is not None:
            data, stride = self.view_bytes(accessor.view), self.views[accessor.view].stride
            return strided(
                data, accessor.offset, stride, accessor.count, dtype, width, accessor.where, self.source
            )
        if accessor.count > self.size:
            self.root.refuse(
                f"{accessor.where} declares {accessor.count} zeros, more than the file has bytes"
            )
        return np.broadcast_to(np.zeros(1, dtype), (accessor.count, width))

    def floats(self, index: int, *kinds: str) -> Float[Array, "count width"]:
        """The elements of an accessor of one of these kinds as float32; normalised integers as fractions."""
        accessor = self.accessors[index]
        if accessor.kind not in kinds:
            self.root.refuse(f"{accessor.where} is {accessor.kind}, but {' or '.join(kinds)} is needed")
        numbers = as_floats(self.values(index), accessor.normalized)
        damaged = np.isnan(numbers)  # signalling NaNs would warn in every cast: they become quiet ones
        return np.where(damaged, np.float32(np.nan), numbers) if damaged.any() else numbers

    def naturals(self, index: int, kind: str) -> Shaped[Array, "count width"]:
        """The elements of an accessor of unsigned integers."""
        accessor = self.accessors[index]
        if accessor.kind != kind or np.dtype(accessor.component).kind != "u":
            self.root.refuse(f"{accessor.where} should hold unsigned integers of type {kind}")
        return self.values(index)


def check_version(root: Fields) -> None:
    version = root.object("asset").text("version", "1.0" if "asset" not in root else "?")
    if not version.startswith("2."):
        raise InputError(
            root.source, f"is glTF {version[:12]}", "Only glTF 2 can be read: export it as glTF 2.0"
        )


def check_extensions(root: Fields) -> None:
    """Refuses a file that requires an unsupported extension."""
    for name in root.texts("extensionsRequired"):
        if name not in UNDERSTOOD and not name.startswith("KHR_materials_"):
            without = next(
                (f"{c} compression" for key, c in COMPRESSIONS.items() if key in name.lower()), name[:60]
            )
            fix = f"Re-export without {without}"
            raise InputError(root.source, f"requires the extension {name[:60]}, which is not supported", fix)
