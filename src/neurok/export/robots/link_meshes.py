"""Writes the mesh files of a mechanism: OBJ with MTL and textures for visuals, OBJ hulls for collisions."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.export.obj import obj_text, write_materials
from neurok.export.pieces import Piece, by_material
from neurok.export.robots.bodies import Body, Mechanism, distinct
from neurok.export.robots.hulls import Hull
from neurok.shapes.appearance import Texture, linear_to_srgb
from neurok.shapes.normals import face_normals
from neurok.shapes.shape import Shape

Array = np.ndarray
LIBRARY = "materials"
MIN_AREA = 1e-12  # m²: meshes of less area are left out, because readers refuse them


@dataclass(frozen=True)
class VisualFile:
    """A mesh file of one material, given by its index in the shape."""

    obj: str
    material: int


@dataclass(frozen=True)
class LinkFiles:
    """The file names of one link."""

    visuals: tuple[VisualFile, ...]
    hulls: tuple[str, ...]


def write_meshes(mechanism: Mechanism, folder: Path) -> dict[str, LinkFiles]:
    """Writes every mesh and one material library into a new folder; returns the files by link name.

    A link has one visual per material, because many OBJ readers use only the first material of a file.
    """
    folder.mkdir(parents=True)
    write_materials(mechanism.shape, folder, LIBRARY)
    stems = distinct([_ascii(body.name) for body in mechanism.bodies])
    files = {}
    for body, stem in zip(mechanism.bodies, stems, strict=True):
        visuals = _write_visuals(mechanism.shape, body, stem, folder)
        hulls = tuple(f"{stem}_hull{k}.obj" for k in range(len(body.hulls)))
        for name, hull in zip(hulls, body.hulls, strict=True):
            (folder / name).write_text(_hull_text(hull))
        files[body.name] = LinkFiles(visuals, hulls)
    return files


def write_png(texture: Texture, path: Path, source: str) -> None:
    """Writes a texture as PNG, which every simulator reads."""
    try:
        path.write_bytes(Texture.from_image(texture.image()).data)
    except (OSError, ValueError) as error:  # raised by Pillow for a damaged image
        raise InputError(source, f"texture {texture.name!r} can't be decoded", "Replace the image") from error


def tint(shape: Shape, material: int) -> tuple[float, float, float, float]:
    """The sRGB colour of a material times the mean colour of its vertices, for readers without MTL."""
    linear = np.clip(shape.materials[material].color, 0.0, 1.0)
    encoded = np.r_[linear_to_srgb(linear[:3]), linear[3]]
    if shape.colors is not None:
        encoded *= shape.colors[np.unique(shape.faces[shape.material == material])].mean(0) / 255.0
    red, green, blue, alpha = np.round(encoded, 6).tolist()
    return red, green, blue, alpha


def _write_visuals(shape: Shape, body: Body, stem: str, folder: Path) -> tuple[VisualFile, ...]:
    """Writes one OBJ per material of a link, in the link's frame."""
    if not len(body.faces):
        return ()
    visuals = []
    for k, (material, faces, used) in enumerate(by_material(shape, Piece(body.name, body.faces, 0))):
        if _area(body.vertices[used], faces) < MIN_AREA:
            continue
        used = np.r_[used, used[:1]] if len(used) < 4 else used  # MuJoCo requires four vertices, used or not
        mesh = _in_link(shape, body, faces, used).with_(material=np.full(len(faces), material))
        name = f"{stem}_visual{k}.obj"
        (folder / name).write_text(obj_text(mesh, LIBRARY), encoding="utf-8")
        visuals.append(VisualFile(name, material))
    return tuple(visuals)


def _area(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> float:
    return float(np.linalg.norm(face_normals(vertices, faces), axis=1).sum() / 2)


def _in_link(shape: Shape, body: Body, faces: Int[Array, "k 3"], used: Int[Array, " u"]) -> Shape:
    """Triangles of the shape in the link's frame, with colours, texture coordinates and normals."""
    return Shape(
        vertices=body.vertices[used],
        faces=faces,
        part_names=(body.name,),
        materials=shape.materials,
        uv=None if shape.uv is None else shape.uv[used],
        colors=None if shape.colors is None else shape.colors[used],
        normals=None if shape.normals is None else shape.normals[used] @ body.turn.T,
    )


def _hull_text(hull: Hull) -> str:
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*point) for point in hull.vertices.tolist()]
    lines += ["f {} {} {}".format(*face) for face in (hull.faces + 1).tolist()]
    return "\n".join(lines) + "\n"


def _ascii(name: str) -> str:
    """An ASCII file name: accents are dropped, other letters left out."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().strip(".-_")
    return plain[:40] or "link"
