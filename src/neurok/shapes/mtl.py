"""Reads Wavefront MTL files into `Material`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from neurok.shapes.appearance import Material, Texture, TextureRole

Mime = Literal["image/png", "image/jpeg", "image/webp"]
MIME: dict[str, Mime] = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp",
}  # fmt: skip
MAPS: dict[TextureRole, tuple[str, ...]] = {
    "color": ("map_Kd",), "normal": ("norm", "map_Bump", "map_bump"), "emissive": ("map_Ke",),
}  # fmt: skip


def load_materials(
    path: Path, libraries: list[str], root: Path
) -> tuple[dict[str, Material], tuple[str, ...]]:
    """Materials of the MTL files that an OBJ names."""
    found: dict[str, Material] = {}
    notes: list[str] = []
    for library in dict.fromkeys(libraries):
        mtl = inside(root, path.parent, library)
        if mtl is None:
            notes.append(f"material file {library!r} was not found in the folder of the mesh")
            continue
        name, entry = "", {}
        for line in [*mtl.read_text(errors="replace").splitlines(), "newmtl "]:
            word, _, rest = line.strip().partition(" ")
            if word == "newmtl":
                if name:
                    found[name] = _material(name, entry, mtl.parent, root, notes)
                name, entry = rest.strip(), {}
            elif word:
                entry[word] = rest.strip()
    return found, tuple(notes)


def _material(name: str, entry: dict[str, str], folder: Path, root: Path, notes: list[str]) -> Material:
    def floats(key: str, default: list[float]) -> list[float]:
        try:
            values = [float(x) for x in entry.get(key, "").split()]
        except ValueError:
            values = []
        if key in entry and not (values and np.isfinite(values).all()):
            notes.append(f"material {name}: {key} {entry[key]!r} is not a number, ignored")
        return values if values and np.isfinite(values).all() else default

    rgb = (floats("Kd", [0.8, 0.8, 0.8]) * 3)[:3]
    alpha = floats("d", [1.0])[-1] if "d" in entry else 1.0 - floats("Tr", [0.0])[-1]
    shininess = floats("Ns", [10.0])[0]
    textures = _textures(name, entry, folder, root, notes)
    if "color" in textures and max(rgb) == 0:
        rgb = [1.0, 1.0, 1.0]  # exporters write Kd 0 beside a texture that is meant unscaled
    return Material(
        name=name,
        color=(*np.clip(rgb, 0, 1).tolist(), float(np.clip(alpha, 0, 1))),
        metallic=float(np.clip(floats("Pm", [0.0])[0], 0, 1)),
        roughness=float(np.clip(floats("Pr", [(2 / (max(shininess, 0) + 2)) ** 0.5])[0], 0, 1)),
        emissive=tuple(np.clip((floats("Ke", [0.0]) * 3)[:3], 0, 1).tolist()),
        alpha_mode="BLEND" if alpha < 1 else "OPAQUE",
        textures=textures,
    )


def _textures(
    name: str, entry: dict[str, str], folder: Path, root: Path, notes: list[str]
) -> dict[TextureRole, Texture]:
    textures: dict[TextureRole, Texture] = {}
    for role, keys in MAPS.items():
        value = next((entry[k] for k in keys if k in entry), None)
        if value is None:
            continue
        file = inside(root, folder, value.split(" ")[-1] if value.startswith("-") else value)
        if file is None or file.suffix.lower() not in MIME:
            notes.append(f"material {name}: texture {value!r} was not found or is not PNG, JPEG or WebP")
        else:
            textures[role] = Texture(file.read_bytes(), MIME[file.suffix.lower()], file.stem)
    return textures


def inside(root: Path, folder: Path, reference: str) -> Path | None:
    """The file that a reference in `folder` names, if it exists and lies below `root`; else None."""
    path = (folder / reference.strip().strip('"').replace("\\", "/")).resolve()
    return path if path.is_relative_to(root.resolve()) and path.is_file() else None
