"""Reads geometry and materials of URDF links."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from neurok.errors import InputError
from neurok.geometry.rotations import rpy_to_matrix
from neurok.geometry.transforms import pose
from neurok.shapes.appearance import Material, Texture
from neurok.shapes.repair import MAX_COORDINATE
from neurok.shapes.robots.assembly import Palette, Piece, painted, recoloured
from neurok.shapes.robots.description import numbers
from neurok.shapes.robots.primitives import box, capsule, cylinder, sphere
from neurok.shapes.robots.references import default_asset_root, resolve_reference
from neurok.shapes.shape import Shape

MIME = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
GREY = np.array([0.75, 0.75, 0.75, 1.0])


def origin_of(element: Element, path: Path) -> np.ndarray:
    """The 4×4 pose of an element's <origin xyz rpy>."""
    origin = element.find("origin")
    rpy = numbers(origin, "rpy", 3, (0, 0, 0), path)
    return pose(rpy_to_matrix(rpy), numbers(origin, "xyz", 3, (0, 0, 0), path))


def read_pieces(root: Element, path: Path, asset_root: Path | None) -> tuple[list[Piece], list[str]]:
    """All geometry of a <robot>, with the map of each piece to its link's frame, and notes."""
    reader = _Reader(root, path, asset_root)
    links = root.findall("link")
    kind = "visual" if any(link.find("visual/geometry") is not None for link in links) else "collision"
    pieces = [
        Piece((link.get("name") or "").strip(), *reader.shape(element))
        for link in links
        for element in link.findall(kind)
        if element.find("geometry") is not None
    ]
    if kind == "collision" and pieces:
        reader.notes.append("no link has a visual: the collision shapes are shown instead.")
    return pieces, reader.notes


class _Reader:
    """Reads the visuals of one file; each mesh file is opened once and each material created once."""

    def __init__(self, root: Element, path: Path, asset_root: Path | None) -> None:
        self.path, self.asset_root = path, asset_root
        self.notes: list[str] = []
        self.meshes: dict[Path, Shape] = {}
        self.palette, self.textures = Palette(), dict[str, Texture | None]()
        self.named = {
            m.get("name"): m for m in root.iter("material") if len(m)
        }  # materials defined in one visual may be used by others
        self.named |= {m.get("name"): m for m in root.findall("material") if len(m)}

    def shape(self, element: Element) -> tuple[Shape, np.ndarray]:
        """The shape of a <visual> or <collision>, and the 4×4 map to the link's frame."""
        geometry = element.find("geometry")
        solid = None if geometry is None else next(iter(geometry), None)
        if solid is None:
            raise InputError(
                self.path, f"a <{element.tag}> has an empty <geometry>", "Give it a box, sphere or mesh"
            )
        place, stated = origin_of(element, self.path), element.find("material")
        if solid.tag != "mesh":
            shape = self.primitive(solid)
            return painted(shape, self.material(stated, shape.uv is not None)), place
        shape, scale = self.mesh(solid)
        if stated is not None:  # otherwise the materials of the mesh file stay
            shape = recoloured(shape, self.material(stated, shape.uv is not None))
        return shape, place @ np.diag([*scale, 1.0])

    def primitive(self, solid: Element) -> Shape:
        if solid.tag == "box":
            return box(self.positive(solid, "size", 3))
        if solid.tag == "sphere":
            return sphere(self.positive(solid, "radius")[0])
        if solid.tag in ("cylinder", "capsule"):
            make = cylinder if solid.tag == "cylinder" else capsule
            return make(self.positive(solid, "radius")[0], self.positive(solid, "length")[0])
        raise InputError(
            self.path, f"has the geometry <{solid.tag}>", "Use box, cylinder, sphere, capsule or mesh"
        )

    def positive(self, solid: Element, attribute: str, count: int = 1) -> np.ndarray:
        values = numbers(solid, attribute, count, (np.nan,) * count, self.path)
        if not ((values > 0) & (values < MAX_COORDINATE)).all():
            given = solid.get(attribute)
            what = f"no {attribute}" if given is None else f"{attribute}={given!r}"
            raise InputError(
                self.path, f"a <{solid.tag}> has {what}", f"Give lengths between 0 and {MAX_COORDINATE:g}"
            )
        return values

    def mesh(self, solid: Element) -> tuple[Shape, np.ndarray]:
        """The shape of a mesh file, and the scaling to metres; negative scales mirror."""
        reference = solid.get("filename") or ""
        file, notes = resolve_reference(reference, self.path, self.asset_root)
        self.notes.extend(notes)
        if file not in self.meshes:
            from neurok.shapes.meshes import load_mesh

            self.meshes[file] = load_mesh(file, self.asset_root or default_asset_root(self.path))
        shape, scale = self.meshes[file], numbers(solid, "scale", 3, (1, 1, 1), self.path)
        if (scale == 0).any():
            stated = solid.get("scale")
            raise InputError(
                self.path, f"scales the mesh {reference!r} by {stated!r}", "Scale by more than zero"
            )
        return shape, scale * (shape.frame.metres_per_unit if file.suffix.lower() == ".dae" else 1.0)

    def material(self, element: Element | None, has_uv: bool) -> Material:
        """A material with its own colour or texture, or the one of that name elsewhere in the file."""
        name = "default" if element is None else element.get("name") or "material"
        source = element if element is not None and len(element) else self.named.get(name)
        if source is None:
            if element is not None:
                self.notes.append(f"material {name!r} is used but not defined: shown grey.")
            return self.palette.material(name, GREY, None, has_uv)
        element = source.find("texture")
        picture = None if element is None else self.texture(element.get("filename") or "")
        color = numbers(
            source.find("color"), "rgba", 4, GREY.tolist() if picture is None else (1, 1, 1, 1), self.path
        )
        return self.palette.material(name, color, picture, has_uv)

    def texture(self, reference: str) -> Texture | None:
        """The texture of a material; None, with a note, if it is missing."""
        if reference not in self.textures:
            self.textures[reference] = self.picture(reference)
        return self.textures[reference]

    def picture(self, reference: str) -> Texture | None:
        try:
            file, notes = resolve_reference(reference, self.path, self.asset_root)
        except InputError as error:
            self.notes.append(f"texture left out: {error.cause}.")
            return None
        self.notes.extend(notes)
        mime = MIME.get(file.suffix.lower())
        if mime is None:
            self.notes.append(f"texture {reference!r} left out: {file.suffix} images are not supported.")
            return None
        return Texture(file.read_bytes(), mime, reference)  # type: ignore[arg-type]
