"""Typed records of a glTF file with checked types, indices and lengths; buffers are not read yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neurok.shapes.gltf.fields import REQUIRED, Fields

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
DRACO = "KHR_draco_mesh_compression"
INSTANCING = "EXT_mesh_gpu_instancing"


@dataclass(frozen=True)
class Buffer:
    length: int
    uri: str | None


@dataclass(frozen=True)
class View:
    """A byte range of a buffer."""

    buffer: int
    offset: int
    length: int
    stride: int | None


@dataclass(frozen=True)
class Sparse:
    """Elements that replace those of the accessor."""

    count: int
    indices_view: int
    indices_offset: int
    indices_type: str
    values_view: int
    values_offset: int


@dataclass(frozen=True)
class Accessor:
    """The layout of `count` elements in a buffer view; without a view they are zeros."""

    where: str
    view: int | None
    offset: int
    component: str
    kind: str
    count: int
    normalized: bool
    sparse: Sparse | None


@dataclass(frozen=True)
class Primitive:
    attributes: Mapping[str, int]
    indices: int | None
    material: int | None
    mode: int
    targets: tuple[Mapping[str, int], ...]
    is_draco: bool


@dataclass(frozen=True)
class Mesh:
    name: str
    primitives: tuple[Primitive, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Node:
    name: str
    children: tuple[int, ...]
    mesh: int | None
    skin: int | None
    matrix: tuple[float, ...] | None
    translation: tuple[float, ...]
    rotation: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    instancing: Mapping[str, int]


@dataclass(frozen=True)
class Skeleton:
    """A glTF skin: its joints and their inverse bind matrices."""

    joints: tuple[int, ...]
    inverse_bind: int | None


def read_buffer(f: Fields) -> Buffer:
    return Buffer(f.integer("byteLength", low=1), f.text("uri", None))


def read_view(f: Fields, buffers: tuple[Buffer, ...]) -> View:
    stride = f.integer("byteStride", None, low=1, high=252)
    buffer = f.index("buffer", len(buffers), REQUIRED)
    view = View(buffer, f.integer("byteOffset", 0), f.integer("byteLength", low=1), stride)
    if view.offset + view.length > buffers[buffer].length:
        f.refuse(
            f"{f.where} reaches to byte {view.offset + view.length}, "
            f"but its buffer declares {buffers[buffer].length}"
        )
    return view


def read_accessor(f: Fields, views: int) -> Accessor:
    component, kind = f.integer("componentType"), f.text("type")
    if component not in COMPONENTS or kind not in WIDTHS:
        f.refuse(f"{f.where} has componentType {component} and type {kind[:20]!r}, which glTF does not know")
    count = f.integer("count")
    sparse = read_sparse(f.object("sparse"), views, count) if "sparse" in f else None
    return Accessor(
        f.where, f.index("bufferView", views), f.integer("byteOffset", 0), COMPONENTS[component], kind, count,
        f.flag("normalized"), sparse,
    )  # fmt: skip


def read_sparse(f: Fields, views: int, count: int) -> Sparse:
    indices, values = f.object("indices"), f.object("values")
    component = indices.integer("componentType")
    if component not in (5121, 5123, 5125):
        f.refuse(f"{f.where}.indices has componentType {component}, which is not unsigned")
    changed = f.integer("count")
    if changed > count:
        f.refuse(f"{f.where} changes {changed} elements of {count}")
    return Sparse(
        changed, indices.index("bufferView", views, REQUIRED), indices.integer("byteOffset", 0),
        COMPONENTS[component], values.index("bufferView", views, REQUIRED), values.integer("byteOffset", 0),
    )  # fmt: skip


def read_mesh(f: Fields, accessors: int, materials: int) -> Mesh:
    primitives = tuple(read_primitive(p, accessors, materials) for p in f.objects("primitives"))
    return Mesh(f.text("name", ""), primitives, f.numbers("weights", None, ()))


def read_primitive(f: Fields, accessors: int, materials: int) -> Primitive:
    targets = range(len(f.array("targets")))
    wrapped = Fields(
        {str(i): target for i, target in enumerate(f.array("targets"))}, f.path("targets"), f.source
    )
    return Primitive(
        f.attributes("attributes", accessors), f.index("indices", accessors), f.index("material", materials),
        f.integer("mode", 4, high=6), tuple(wrapped.attributes(str(i), accessors) for i in targets),
        DRACO in f.object("extensions"),
    )  # fmt: skip


def read_node(f: Fields, nodes: int, meshes: int, skins: int, accessors: int) -> Node:
    instancing = f.object("extensions").object(INSTANCING).attributes("attributes", accessors)
    return Node(
        f.text("name", ""), f.indices("children", nodes), f.index("mesh", meshes), f.index("skin", skins),
        f.numbers("matrix", 16, None), f.numbers("translation", 3, (0.0, 0.0, 0.0)),
        f.numbers("rotation", 4, (0.0, 0.0, 0.0, 1.0)), f.numbers("scale", 3, (1.0, 1.0, 1.0)),
        f.numbers("weights", None, ()), instancing,
    )  # fmt: skip


def read_skeleton(f: Fields, nodes: int, accessors: int) -> Skeleton:
    joints = f.indices("joints", nodes)
    if not joints:
        f.refuse(f"{f.where} has no joints")
    return Skeleton(joints, f.index("inverseBindMatrices", accessors))
