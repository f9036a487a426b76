"""Reads Wavefront OBJ files into a `Shape`.

trimesh 5.2 does not serve here: it resolves relative indices against the end of the file and drops opacity.
The vertex order must also be the same in every frame of a numbered folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.shapes.appearance import Material
from neurok.shapes.mtl import load_materials
from neurok.shapes.polygons import triangulate
from neurok.shapes.shape import Frame, Shape, unique_names

Array = np.ndarray


def load_obj(path: Path, root: Path | None = None) -> Shape:
    """Loads an OBJ file. Parts are its objects and groups; materials come from its MTL files.

    MTL files and textures are read only from below `root`, by default the folder of the OBJ.
    """
    text = path.read_bytes().decode("utf-8", errors="replace").replace("\\\r\n", " ").replace("\\\n", " ")
    lines = _sort_lines(text, path)
    if not lines.faces:
        raise InputError(path, "holds no faces", "Export it as a surface, not as points or lines")
    position, color = _columns(lines.v, path)
    uv, normal = _table(lines.vt, 2, path), _table(lines.vn, 3, path)
    corner, size = _corners(lines, path)
    for name, column, table in (("vertex", 0, position), ("texture", 1, uv), ("normal", 2, normal)):
        _check_range(path, name, corner[:, column], len(table), required=column == 0)
    triangles, polygon = triangulate(position, corner[:, 0], size)

    state = np.searchsorted(lines.state_start, np.arange(len(size)), side="right") - 1
    part, part_names = _labels([s[0] for s in lines.states], state, path.stem)
    material, material_names = _labels([s[1] for s in lines.states], state, "default")
    key = np.c_[corner, np.repeat(part, size)]
    first, vertex = _unique_rows(key)
    found, notes = load_materials(path, lines.libraries, root or path.parent)
    missing = [n for n in material_names if n not in found and n != "default"]
    if missing and not notes:
        notes = (
            f"{len(missing)} materials are not defined in any MTL file (first: {missing[0]}): shown grey",
        )
    chosen = corner[first]
    return Shape(
        vertices=position[chosen[:, 0]],
        faces=vertex[triangles],
        name=path.stem,
        part=part[polygon],
        part_names=unique_names(part_names),
        material=material[polygon],
        materials=tuple(found.get(name, Material(name)) for name in material_names),
        uv=uv[chosen[:, 1]] if len(uv) and (chosen[:, 1] >= 0).all() else _sparse_uv(uv, chosen[:, 1]),
        normals=_unit(normal[chosen[:, 2]]) if len(normal) and (chosen[:, 2] >= 0).all() else None,
        colors=None if color is None else color[chosen[:, 0]],
        frame=Frame("y"),
        notes=notes,
    )


@dataclass
class _Lines:
    """The lines of a file by keyword; faces keep the object, group and material that apply to them."""

    v: list[str] = field(default_factory=list)
    vt: list[str] = field(default_factory=list)
    vn: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    states: list[tuple[str, str]] = field(default_factory=list)
    state_start: list[int] = field(default_factory=list)


def _sort_lines(text: str, path: Path) -> _Lines:
    lines = _Lines()
    obj, group = "", ""
    part, material = "", "default"
    for raw in text.splitlines():
        word, _, rest = raw.strip().replace("\t", " ").partition(" ")
        if word == "v":
            lines.v.append(rest)
        elif word == "f":
            if not lines.states or lines.states[-1] != (part, material):
                lines.states.append((part, material))
                lines.state_start.append(len(lines.faces))
            lines.faces.append(_absolute(rest, lines, path) if "-" in rest else rest)
        elif word == "vt":
            lines.vt.append(rest)
        elif word == "vn":
            lines.vn.append(rest)
        elif word in ("o", "g"):
            obj, group = (rest.strip(), "") if word == "o" else (obj, rest.strip())
            part = _part_name(obj, group)
        elif word == "usemtl":
            material = rest.strip() or "default"
        elif word == "mtllib":
            lines.libraries.append(rest.strip())
    return lines


def _part_name(obj: str, group: str) -> str:
    return obj if not group or group == obj else group if not obj else f"{obj}/{group}"


def _absolute(face: str, lines: _Lines, path: Path) -> str:
    """Relative indices (−1 is the last vertex above the line) as absolute ones."""
    counts = (len(lines.v), len(lines.vt), len(lines.vn))
    corners = []
    for corner in face.split():
        try:
            values = [int(x) if x else 0 for x in corner.split("/")]
        except ValueError:
            raise InputError(
                path, f"face {len(lines.faces)} reads {face!r}", "Faces must be whole numbers"
            ) from None
        shifted = [n + 1 + v if v < 0 else v for v, n in zip(values, counts, strict=False)]
        corners.append("/".join(map(str, shifted)))
    return " ".join(corners)


def _numbers(lines: list[str], path: Path) -> tuple[Float[Array, " k"], int]:
    """All numbers of the lines, and the count per line (0 if it differs)."""
    text = " ".join(lines)
    try:
        values = np.array(text.split(), dtype=np.float64)
    except ValueError as error:
        raise InputError(path, f"a vertex line is not made of numbers ({error})", "Export it again") from None
    width = len(lines[0].split())
    return values, width if len(values) == width * len(lines) else 0


def _table(lines: list[str], width: int, path: Path) -> Float[Array, "k w"]:
    """The first `width` numbers of each line as a table; shorter lines are padded with zeros."""
    if not lines:
        return np.zeros((0, width))
    values, columns = _numbers(lines, path)
    if columns >= width:
        return values.reshape(-1, columns)[:, :width]
    rows = [[*map(float, line.split()), *[0.0] * width][:width] for line in lines]
    return np.array(rows)


def _columns(lines: list[str], path: Path):
    """Positions, and sRGB colours if every vertex line has six numbers."""
    position = _table(lines, 3, path)
    if lines and len(lines[0].split()) >= 6:
        values = _table(lines, 6, path)[:, 3:]
        scale = 255.0 if np.nanmax(values) <= 1.0 else 1.0
        rgb = np.clip(np.nan_to_num(values * scale), 0, 255).astype(np.uint8)
        return position, np.c_[rgb, np.full(len(rgb), 255, np.uint8)]
    return position, None


def _corners(lines: _Lines, path: Path) -> tuple[Int[Array, "k 3"], Int[Array, " p"]]:
    """(vertex, texture, normal) index of every corner, −1 if absent, and the corner count of each face."""
    tokens = [line.split("#")[0].split() for line in lines.faces]
    size = np.array([len(t) for t in tokens])
    if (size < 3).any():
        raise InputError(path, f"face {int(np.argmax(size < 3))} has fewer than three corners", "Remove it")
    flat = [corner for face in tokens for corner in face]
    slashes = flat[0].count("/")
    text = " ".join(flat)
    uniform = text.count("/") == slashes * len(flat)
    try:
        if uniform and slashes == 0:
            vertex = np.array(flat, dtype=np.int64)
            corner = np.stack([vertex, 0 * vertex, 0 * vertex], axis=1)
        elif uniform and "//" not in text and all(c[-1] != "/" for c in flat[:1]):
            values = np.array(text.replace("/", " ").split(), dtype=np.int64).reshape(len(flat), slashes + 1)
            corner = np.c_[values, np.zeros((len(flat), 2 - slashes), np.int64)]
        else:
            padded = ((*c.split("/"), "", "")[:3] for c in flat)
            corner = np.array([[int(x or 0) for x in c] for c in padded], dtype=np.int64)
    except (ValueError, OverflowError):
        raise InputError(path, "a face line is not made of whole numbers", "Export it again") from None
    return corner - 1, size


def _check_range(path: Path, what: str, index: Int[Array, " k"], count: int, required: bool) -> None:
    bad = (index >= count) | (index < (0 if required else -1))
    if bad.any():
        k = int(np.argmax(bad))
        raise InputError(
            path,
            f"a face names {what} {int(index[k]) + 1}, but there are {count}",
            "Export it again; the file may be cut off",
        )


def _labels(names: list[str], state: Int[Array, " p"], default: str) -> tuple[Int[Array, " p"], list[str]]:
    """The label of each face, and the names in order of first use."""
    order = {name: k for k, name in enumerate(dict.fromkeys(n or default for n in names))}
    table = np.array([order[n or default] for n in names], np.int32)
    return table[state], list(order)


def _unique_rows(key: Int[Array, "k c"]) -> tuple[Int[Array, " u"], Int[Array, " k"]]:
    """The first of each set of equal rows, in order of appearance, and the set of every row."""
    span = key.max(0) + 2
    if float(np.prod(span.astype(float))) < 2**62:
        code = np.ravel_multi_index(tuple((key + 1).T), tuple(span))
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    else:
        _, first, inverse = np.unique(key, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse.ravel()]


def _sparse_uv(uv, index):
    """Texture coordinates of the corners that have them; zeros elsewhere."""
    if not len(uv) or (index < 0).all():
        return None
    return np.where(index[:, None] >= 0, uv[index], 0.0)


def _unit(vectors):
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 0, vectors / np.where(length > 0, length, 1), [0.0, 0.0, 1.0])
