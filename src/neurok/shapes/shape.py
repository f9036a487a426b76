"""`Shape`: the rest geometry of one object in the coordinates of its file."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.shapes.appearance import Material
from neurok.shapes.robots.tree import JointTree
from neurok.shapes.surface import Surface, used_vertices, weld

Array = np.ndarray
UpAxis = Literal["y", "z"]


@dataclass(frozen=True)
class Frame:
    """The meaning of a file's coordinates: the up axis and the length of one unit."""

    up: UpAxis = "y"
    metres_per_unit: float = 1.0

    @property
    def up_vector(self) -> Float[Array, "3"]:
        return np.array([0.0, 1.0, 0.0] if self.up == "y" else [0.0, 0.0, 1.0])

    def to(self, other: Frame) -> Float[Array, "4 4"]:
        """The similarity transform from coordinates of this frame to coordinates of `other`.

        Z-up to Y-up is a rotation by −90° about x: (x, y, z) ↦ (x, z, −y).
        """
        z_to_y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
        rotation = {"yy": np.eye(3), "zz": np.eye(3), "zy": z_to_y, "yz": z_to_y.T}[self.up + other.up]
        matrix = np.eye(4)
        matrix[:3, :3] = rotation * (self.metres_per_unit / other.metres_per_unit)
        return matrix


@dataclass(frozen=True)
class Normalisation:
    """x ↦ (x − centre) / radius: the map to the unit ball in which learned models and metrics work."""

    centre: Float[Array, "3"]
    radius: float

    def apply(self, points: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3"]:
        return (points - self.centre) / self.radius

    def undo(self, points: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3"]:
        return points * self.radius + self.centre


@dataclass(frozen=True, eq=False)
class Shape:
    """Vertices, faces, named parts and appearance of one object at rest. Immutable.

    Coordinates are those of the file; `frame` gives their meaning and `normalisation` maps them to the unit
    ball. A *part* is a named unit of the file (a node, a group, a link); `part` labels faces. Vertices may
    repeat a position (texture seams, triangle soup). `surface` is the welded surface, on which connectivity,
    mass and modes are computed.
    """

    vertices: Float[Array, "n 3"]
    faces: Int[Array, "m 3"]
    name: str = "shape"
    part: Int[Array, " m"] = field(default=None)  # type: ignore[assignment]  # filled with zeros
    part_names: tuple[str, ...] = ("body",)
    material: Int[Array, " m"] = field(default=None)  # type: ignore[assignment]  # filled with zeros
    materials: tuple[Material, ...] = (Material(),)
    uv: Float[Array, "n 2"] | None = None  # origin at the lower left
    colors: UInt8[Array, "n 4"] | None = None  # sRGB
    normals: Float[Array, "n 3"] | None = None  # None: the file has none, flat shading
    joints: JointTree | None = None  # if the file describes a mechanism; link names are part names
    frame: Frame = Frame()
    notes: tuple[str, ...] = ()  # assumptions and repairs made while loading

    def __post_init__(self) -> None:
        m = len(self.faces)
        fill = {
            "vertices": np.ascontiguousarray(self.vertices, dtype=np.float64).reshape(-1, 3),
            "faces": np.ascontiguousarray(self.faces, dtype=np.int32).reshape(-1, 3),
            "part": np.zeros(m, np.int32) if self.part is None else np.asarray(self.part, np.int32),
            "material": np.zeros(m, np.int32)
            if self.material is None
            else np.asarray(self.material, np.int32),
        }
        if self.uv is not None:
            fill["uv"] = np.asarray(self.uv, np.float32)
        if self.normals is not None:
            fill["normals"] = np.asarray(self.normals, np.float32)
        if self.colors is not None:
            fill["colors"] = np.asarray(self.colors, np.uint8)
        for key, value in fill.items():
            value = value.view()
            value.flags.writeable = False
            object.__setattr__(self, key, value)

    def __repr__(self) -> str:
        return (
            f"Shape({self.name!r}: {len(self.vertices):,} vertices, {len(self.faces):,} faces, "
            f"{len(self.part_names)} parts)"
        )

    def with_(self, **changes) -> Shape:
        """A copy with some fields changed."""
        return replace(self, **changes)

    @cached_property
    def used_vertices(self) -> Int[Array, " u"]:
        """Indices of the vertices that a face uses."""
        return used_vertices(self.faces, len(self.vertices))

    @cached_property
    def bounds(self) -> Float[Array, "2 3"]:
        """Lowest and highest corner of the bounding box of all vertices that a face uses."""
        used = self.vertices[self.used_vertices] if len(self.faces) else self.vertices
        return np.stack([used.min(0), used.max(0)])

    @cached_property
    def normalisation(self) -> Normalisation:
        """The centre of the bounding box, and the distance of the farthest used vertex from it."""
        centre = self.bounds.mean(0)
        used = self.vertices[self.used_vertices] if len(self.faces) else self.vertices
        radius = float(np.linalg.norm(used - centre, axis=1).max())
        return Normalisation(centre, radius if radius > 0 else 1.0)

    @cached_property
    def vertex_part(self) -> Int[Array, " n"]:
        """The part of each vertex: the lowest label among its faces, or 0 for a vertex without faces."""
        label = np.full(len(self.vertices), len(self.part_names), np.int32)
        np.minimum.at(label, self.faces.ravel(), np.repeat(self.part, 3))
        return np.where(label == len(self.part_names), 0, label).astype(np.int32)

    @cached_property
    def surface(self) -> Surface:
        """The welded surface: one vertex per position and part, faces without zero-length edges."""
        return weld(self.vertices, self.faces, self.vertex_part)

    @cached_property
    def area(self) -> float:
        """Surface area in square units."""
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)

    def faces_of(self, part: str | int) -> Int[Array, " k"]:
        """Indices of the faces of one part."""
        index = self.part_names.index(part) if isinstance(part, str) else part
        return np.flatnonzero(self.part == index)

    def moved(self, positions: Float[Array, "n 3"]) -> Shape:
        """The object with moved vertices. Joints are dropped, because they refer to the rest pose."""
        from neurok.shapes.normals import shading_normals

        normals = None if self.normals is None else shading_normals(self, positions)
        return self.with_(vertices=positions, normals=normals, joints=None)


def concatenate(shapes: Many[Shape], name: str) -> Shape:
    """Joins several shapes into one. Parts are kept; materials that are the same object are shared."""
    materials: dict[int, tuple[int, Material]] = {}
    for shape in shapes:
        for material in shape.materials:
            materials.setdefault(id(material), (len(materials), material))
    offset = np.cumsum([0] + [len(s.vertices) for s in shapes])
    part_offset = np.cumsum([0] + [len(s.part_names) for s in shapes])
    return Shape(
        vertices=np.concatenate([s.vertices for s in shapes]),
        faces=np.concatenate([s.faces + o for s, o in zip(shapes, offset, strict=False)]),
        name=name,
        part=np.concatenate([s.part + o for s, o in zip(shapes, part_offset, strict=False)]),
        part_names=unique_names([n for s in shapes for n in s.part_names]),
        material=np.concatenate(
            [np.array([materials[id(m)][0] for m in s.materials], np.int32)[s.material] for s in shapes]
        ),
        materials=tuple(material for _, material in materials.values()),
        uv=_stack([s.uv for s in shapes], offset, np.float32(0)),
        colors=_stack([s.colors for s in shapes], offset, np.uint8(255)),
        normals=_stack_normals(shapes),
        frame=shapes[0].frame,
        notes=tuple(dict.fromkeys(note for s in shapes for note in s.notes)),
    )


def unique_names(names: Many[str]) -> tuple[str, ...]:
    """The names with repeats numbered: door, door_2, door_3."""
    taken: set[str] = set()
    highest: dict[
        str, int
    ] = {}  # the last number given to each name, which keeps many repeats linear in time
    result = []
    for name in names:
        candidate, k = name, highest.get(name, 1)
        while candidate in taken:
            k += 1
            candidate = f"{name}_{k}"
        highest[name] = k
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)


def _stack(columns, offset, filler):
    """Concatenates per-vertex columns and fills missing ones; None if all are missing."""
    present = next((c for c in columns if c is not None), None)
    if present is None:
        return None
    sizes = np.diff(offset)
    return np.concatenate(
        [
            np.full((size, present.shape[1]), filler, present.dtype) if column is None else column
            for column, size in zip(columns, sizes, strict=True)
        ]
    )


def _stack_normals(shapes: Many[Shape]):
    """Normals of all shapes; shapes without normals get area-weighted ones."""
    if all(s.normals is None for s in shapes):
        return None
    from neurok.shapes.normals import vertex_normals

    return np.concatenate(
        [vertex_normals(s.vertices, s.faces) if s.normals is None else s.normals for s in shapes]
    )
