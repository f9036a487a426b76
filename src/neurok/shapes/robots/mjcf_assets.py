"""Finds and checks the files of an MJCF model and passes them to MuJoCo by absolute path or as bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from neurok.errors import InputError
from neurok.shapes.robots.references import resolve_reference

FOLDERS = ("meshdir", "texturedir", "assetdir")
MUJOCO_MESHES = (".stl", ".obj", ".msh")
Folders = tuple[Path, ...]
Settings = dict[str, str]  # attributes of <compiler>; the last value counts


@dataclass
class Source:
    """The input of MuJoCo's compiler, and the images of textures by name, which MuJoCo does not read."""

    path: Path
    root: Path
    assets: dict[str, bytes] = field(default_factory=dict)  # meshes that had to be converted
    models: dict[str, bytes] = field(default_factory=dict)  # models inside the model
    pictures: dict[str, Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    within: tuple[Path, ...] = ()  # chain of models that attach this one
    text: str = ""

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def find(self, reference: str, *folders: Path) -> Path:
        """A file named in the model: in `folders`, else relative to a folder above the model.

        Fragments name files relative to the model that includes them.
        """
        own = self.path.resolve().parent
        above = [p for p in own.parents if p.is_relative_to(self.root)]
        file, notes = resolve_reference(reference, self.path, self.root, (*folders, *above))
        for text in notes:
            self.note(text)
        return file


SelfContained = Callable[[Path, Source], Element]


def resolve_files(
    model: Element, source: Source, came_from: Mapping[Element, Path], self_contained: SelfContained
) -> None:
    """Replaces every file reference by a checked absolute path and extracts images."""
    settings: Settings = {}
    for compiler in model.findall("compiler"):
        settings |= compiler.attrib
        for key in (*FOLDERS, "strippath"):
            compiler.attrib.pop(key, None)
    for section in model.findall("asset"):
        for asset in list(section):
            folders = _folders(asset, settings, source, came_from)
            if asset.tag == "texture":
                _take_picture(section, asset, folders, source, settings)
            elif asset.tag == "skin":
                section.remove(asset)
                source.note("skins are not read: the bodies' own geometry is shown.")
            elif asset.tag == "model":
                _resolve_model(asset, folders, source, self_contained)
            elif asset.get("file"):
                _resolve_mesh(asset, folders, source, settings)
    for element in model.iter():  # remaining references: flexcomp, and defaults of other tools
        if element.get("file") and element.tag not in ("mesh", "hfield", "model"):
            element.set("file", str(source.find(element.get("file") or "", source.path.resolve().parent)))


def _folders(
    asset: Element, settings: Settings, source: Source, came_from: Mapping[Element, Path]
) -> Folders:
    """The folders that MuJoCo searches for an asset, then the same relative to the including file."""
    kind = "texturedir" if asset.tag == "texture" else "meshdir"
    directory = (settings.get(kind) or settings.get("assetdir") or "").replace("\\", "/")
    main = source.path.resolve().parent
    bases = (main, came_from.get(asset, main))
    return tuple(dict.fromkeys([*(base / directory.lstrip("/") for base in bases), *bases]))


def _take_picture(
    section: Element, texture: Element, folders, source: Source, settings: dict[str, str]
) -> None:
    """Gives MuJoCo one white pixel and keeps the image by name for the material."""
    if texture.get("type") == "skybox":
        section.remove(texture)
        return
    reference = texture.get("file")
    kind = texture.get("type", "cube")
    name = texture.get("name") or Path((reference or "texture").replace("\\", "/")).stem
    if reference:
        try:
            source.pictures[name] = source.find(_stripped(reference, settings), *folders)
        except InputError as error:
            source.note(f"texture left out: {error.cause}.")
    tint = {k: v for k, v in texture.attrib.items() if k == "rgb1"} if texture.get("builtin") else {}
    texture.attrib.clear()
    texture.attrib.update(
        {"name": name, "type": kind, "builtin": "flat", "width": "1", "height": "1", "rgb1": "1 1 1"} | tint
    )


def _resolve_mesh(asset: Element, folders: Folders, source: Source, settings: Settings) -> None:
    reference = asset.get("file") or ""
    file = source.find(_stripped(reference, settings), *folders)
    if not asset.get("name"):
        asset.set("name", Path(reference.replace("\\", "/")).stem)
    if asset.tag == "mesh" and (file.suffix.lower() not in MUJOCO_MESHES or _is_text_stl(file)):
        key = f"converted_{len(source.assets)}.obj"
        source.assets[key] = _as_obj(file)
        asset.set("file", key)
        asset.attrib.pop("content_type", None)
        return
    asset.set("file", str(file))


def _stripped(reference: str, settings: Settings) -> str:
    plain = reference.replace("\\", "/")
    return plain.rsplit("/", 1)[-1] if settings.get("strippath") == "true" else plain


def _resolve_model(asset: Element, folders: Folders, source: Source, self_contained: SelfContained) -> None:
    """Makes an attached model self-contained in the same way."""
    file = source.find(asset.get("file") or "", *folders)
    within = (*source.within, source.path.resolve())
    if file in within:
        raise InputError(source.path, f"{file.name} attaches itself", "Remove the circular <model>")
    inner = Source(file, source.root, source.assets, source.models, source.pictures, source.notes, within)
    key = f"model_{len(source.models)}.xml"
    source.models[key] = b""  # reserves the key while inner models are read
    source.models[key] = tostring(self_contained(file, inner))
    asset.set("file", key)


def _is_text_stl(file: Path) -> bool:
    """Whether an STL is text, which MuJoCo does not read: it starts with `solid` and has facets."""
    if file.suffix.lower() != ".stl":
        return False
    with file.open("rb") as stream:
        head = stream.read(400)
    return head[:5].lower() == b"solid" and b"facet" in head


def _as_obj(file: Path) -> bytes:
    """Any mesh file as OBJ text."""
    from neurok.shapes.meshes import load_mesh

    shape = load_mesh(file)
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in shape.vertices.tolist()]
    faces = (shape.faces + 1).tolist()
    if shape.uv is None:
        return "\n".join([*lines, *(f"f {a} {b} {c}" for a, b, c in faces)]).encode()
    lines += [f"vt {u!r} {v!r}" for u, v in shape.uv.tolist()]
    return "\n".join([*lines, *(f"f {a}/{a} {b}/{b} {c}/{c}" for a, b, c in faces)]).encode()
