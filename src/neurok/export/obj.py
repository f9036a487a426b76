"""Writes Wavefront OBJ and MTL files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from neurok.export.gltf.materials import picture_kind
from neurok.export.pieces import grouped
from neurok.shapes import Material, Shape
from neurok.shapes.shape import unique_names

Array = np.ndarray
MAPS = {"color": "map_Kd", "normal": "norm", "emissive": "map_Ke", "metallic_roughness": "map_Pr"}
SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


def obj_text(shape: Shape, library: str) -> str:
    """The text of an OBJ file: vertices in the shape's order, groups by part, `usemtl` by material."""
    exact = np.array_equal(shape.vertices.astype(np.float32), shape.vertices, equal_nan=True)
    columns, line = shape.vertices, "v %.9g %.9g %.9g" if exact else "v %.17g %.17g %.17g"
    if shape.colors is not None:
        columns, line = np.c_[columns, shape.colors[:, :3] / 255.0], line + " %.4f %.4f %.4f"
    text = [f"mtllib {library}.mtl\n", rows(line, columns)]
    corner = "%d"
    if shape.uv is not None:
        text.append(rows("vt %.9g %.9g", shape.uv))
        corner = "%d/%d"
    if shape.normals is not None:
        text.append(rows("vn %.7g %.7g %.7g", shape.normals))
        corner = "%d/%d/%d" if shape.uv is not None else "%d//%d"
    face, repeats = "f " + " ".join([corner] * 3), corner.count("%")
    parts, materials = part_labels(shape), material_labels(shape)
    for part, faces in grouped(shape.part):
        text.append(f"g {parts[part]}\n")
        for material, k in grouped(shape.material[faces]):
            text.append(f"usemtl {materials[material]}\n")
            text.append(rows(face, np.repeat(shape.faces[faces[k]] + 1, repeats, axis=1)))
    return "".join(text)


def rows(template: str, values: Array) -> str:
    """One line per row, formatted by the template."""
    return f"{template}\n" * len(values) % tuple(values.ravel().tolist())


def write_materials(shape: Shape, folder: Path, library: str) -> list[str]:
    """Writes the MTL file and its textures; returns their names relative to the folder."""
    written, lines = [], []
    for k, (name, material) in enumerate(zip(material_labels(shape), shape.materials, strict=True)):
        lines += material_lines(name, material)
        for role, texture in sorted(material.textures.items()):
            if role in MAPS:
                file = f"{library}_textures/{k}_{role}{SUFFIX[picture_kind(texture)]}"
                (folder / file).parent.mkdir(exist_ok=True)
                (folder / file).write_bytes(texture.data)
                written.append(file)
                lines.append(f"{MAPS[role]} {file}")
        lines.append("")
    (folder / f"{library}.mtl").write_text("\n".join(lines), encoding="utf-8")
    return [*written, f"{library}.mtl"]


def material_lines(name: str, material: Material) -> list[str]:
    """The MTL entry of a material, with the metallic–roughness extension (Pm, Pr)."""
    red, green, blue, alpha = material.color
    return [
        f"newmtl {name}",
        f"Kd {red:.6g} {green:.6g} {blue:.6g}",
        "Ke {:.6g} {:.6g} {:.6g}".format(*material.emissive),
        f"d {alpha:.6g}",
        f"Pm {material.metallic:.6g}",
        f"Pr {material.roughness:.6g}",
    ]


def part_labels(shape: Shape) -> tuple[str, ...]:
    return unique_names([one_word(name, "part") for name in shape.part_names])


def material_labels(shape: Shape) -> tuple[str, ...]:
    return unique_names([one_word(m.name, "material") for m in shape.materials])


def one_word(name: str, default: str) -> str:
    """A name without blanks or control characters, which end a name in the format."""
    return re.sub(r"[\s\x00-\x1f\x7f]+", "_", name.encode("utf-8", "replace").decode()).strip("_") or default
