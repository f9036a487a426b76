"""One self-contained MJCF text of a file and all that it includes: every reference checked, fragments mended.

MuJoCo reads the result, so it never opens a file that was not found inside the asset's folder.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from neurok.errors import InputError
from neurok.shapes.articulated.description import read_xml
from neurok.shapes.articulated.mjcf_fragments import complete
from neurok.shapes.articulated.references import default_asset_root, resolve_reference

SECTIONS = ("compiler", "default", "asset", "worldbody", "equality")  # what shapes and joints come from
IGNORED = (
    "option", "size", "visual", "statistic", "custom", "deformable", "contact", "tendon", "actuator", "sensor",
    "keyframe", "extension",
)  # fmt: skip
UNSHOWN = ("light", "camera", "site", "plugin")  # parts of bodies that are neither shape nor joint
FOLDERS = ("meshdir", "texturedir", "assetdir")
MUJOCO_MESHES = (".stl", ".obj", ".msh")


@dataclass
class Source:
    """What MuJoCo is given, and what is kept from it: the pictures of textures, by texture name."""

    path: Path
    root: Path
    assets: dict[str, bytes] = field(default_factory=dict)
    pictures: dict[str, Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    text: str = ""

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def find(self, reference: str, *folders: Path) -> Path:
        """A file named in the model: beside the model as MuJoCo has it, else beside the file that names it, else
        beside a folder above, which is where fragments were meant to be included from."""
        own = self.path.resolve().parent
        above = [p for p in own.parents if p.is_relative_to(self.root)]
        file, notes = resolve_reference(reference, self.path, self.root, (*folders, *above))
        for text in notes:
            self.note(text)
        return file


def read_source(path: Path, asset_root: Path | None) -> Source:
    """The model of a file, or of a fragment together with the definitions that lie beside it."""
    source = Source(path, (asset_root or default_asset_root(path)).resolve())
    source.text = tostring(_self_contained(path, source), encoding="unicode")
    return source


def _self_contained(path: Path, source: Source) -> Element:
    tree = read_xml(path, "MJCF")
    if tree.tag == "robot":
        raise InputError(path, "its root element is <robot>: this is URDF", "Load it as URDF")
    expander = _Expander(source, path)
    tree = expander.expand(tree, (path.resolve(),))
    model = complete(tree, path, source.note, lambda file: expander.expand(read_xml(file, "MJCF"), (file,)))
    model = _only_needed(model)
    _wrap_top_default(model, source)
    _drop_repeats(model, source)
    _settle_files(model, source, expander)
    return model


class _Expander:
    """Puts included files in place of <include>, and remembers the folder that every element came from."""

    def __init__(self, source: Source, path: Path) -> None:
        self.source, self.main = source, path.resolve().parent
        self.folder: dict[Element, Path] = {}
        self.seen: set[Path] = set()

    def expand(self, element: Element, chain: tuple[Path, ...]) -> Element:
        """A copy of the element without includes; `chain` is the files that led here."""
        copy = Element(element.tag, dict(element.attrib))
        self.folder[copy] = chain[-1].parent
        for child in element:
            if child.tag != "include":
                copy.append(self.expand(child, chain))
                continue
            for included in self.included(child, chain):
                copy.append(included)
        return copy

    def included(self, include: Element, chain: tuple[Path, ...]) -> list[Element]:
        file = self.source.find(include.get("file") or "", self.main, chain[-1].parent)
        if file in chain:
            raise InputError(self.source.path, f"{file.name} includes itself", "Remove the circular <include>")
        if len(chain) > 32:
            raise InputError(self.source.path, "includes are nested more than 32 deep", "Flatten them")
        root = read_xml(file, "MJCF")
        if file in self.seen and not any(e.tag in ("body", "geom") for e in root.iter()):
            self.source.note(f"{file.name} is included twice: its definitions were taken once.")
            return []
        self.seen.add(file)
        return list(self.expand(root, (*chain, file)))


def _only_needed(model: Element) -> Element:
    """The sections that shapes and joints come from, without lights, cameras and sites."""
    kept = Element("mujoco", {k: v for k, v in model.attrib.items() if k == "model"})
    kept.extend(section for section in model if section.tag in SECTIONS)
    for parent in list(kept.iter()):
        inside_default = parent.tag == "default"
        for child in list(parent):
            drop = child.tag in UNSHOWN or (parent.tag == "equality" and not inside_default and child.tag != "joint")
            if drop and not inside_default:
                parent.remove(child)
    # Static bodies stay bodies and unseen-by-physics geometry stays: both are what is shown.
    SubElement(kept, "compiler", {"fusestatic": "false", "discardvisual": "false"})
    return kept


def _wrap_top_default(model: Element, source: Source) -> None:
    """MuJoCo calls the outermost default class `main`; one with another name becomes a class inside it."""
    for section in model.findall("default"):
        name = section.get("class")
        if name not in (None, "main"):
            inner = Element("default", dict(section.attrib))
            inner.extend(list(section))
            for child in list(section):
                section.remove(child)
            section.attrib.pop("class")
            section.append(inner)
            source.note(f"the outermost default class {name!r} was put inside `main`, as MuJoCo now asks.")


def _drop_repeats(model: Element, source: Source) -> None:
    """Assets and classes that two included files define in the same way are kept once."""
    seen: dict[tuple[str, str], str] = {}
    for section in [*model.findall("asset"), *model.findall("default")]:
        for child in list(section):
            name = child.get("name") or child.get("class") or child.get("file") or ""
            text = tostring(child, encoding="unicode").strip()
            if name and seen.get((child.tag, name)) == text:
                section.remove(child)
                source.note(f"{child.tag} {name!r} is defined twice in the same way: kept once.")
            elif name:
                seen.setdefault((child.tag, name), text)


def _settle_files(model: Element, source: Source, expander: _Expander) -> None:
    """Every file reference becomes an absolute path that was checked; pictures are taken out."""
    settings: dict[str, str] = {}
    for compiler in model.findall("compiler"):
        settings |= compiler.attrib
        for key in (*FOLDERS, "strippath"):
            compiler.attrib.pop(key, None)
    for section in model.findall("asset"):
        for asset in list(section):
            folders = _folders(asset, settings, expander)
            if asset.tag == "texture":
                _take_picture(section, asset, folders, source, settings)
            elif asset.tag == "skin":
                section.remove(asset)
                source.note("skins are not read: the bodies' own geometry is shown.")
            elif asset.tag == "model":
                _settle_model(asset, folders, source)
            elif asset.get("file"):
                _settle_mesh(asset, folders, source, settings)
    for element in model.iter():  # what is left of files: in flexcomp and in defaults of foreign tools
        if element.get("file") and element.tag not in ("mesh", "hfield", "model"):
            element.set("file", str(source.find(element.get("file") or "", expander.main)))


def _folders(asset: Element, settings: dict[str, str], expander: _Expander) -> tuple[Path, ...]:
    kind = "texturedir" if asset.tag == "texture" else "meshdir"
    directory = (settings.get(kind) or settings.get("assetdir") or "").replace("\\", "/")
    bases = (expander.main, expander.folder.get(asset, expander.main))
    return tuple(dict.fromkeys([*(base / directory.lstrip("/") for base in bases), *bases]))


def _take_picture(section: Element, texture: Element, folders, source: Source, settings: dict[str, str]) -> None:
    """MuJoCo gets one white pixel; the picture is kept by name for the material."""
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


def _settle_mesh(asset: Element, folders, source: Source, settings: dict[str, str]) -> None:
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


def _stripped(reference: str, settings: dict[str, str]) -> str:
    plain = reference.replace("\\", "/")
    return plain.rsplit("/", 1)[-1] if settings.get("strippath") == "true" else plain


def _settle_model(asset: Element, folders, source: Source) -> None:
    """A model inside the model is made self-contained in the same way."""
    file = source.find(asset.get("file") or "", *folders)
    if file == source.path.resolve():
        raise InputError(source.path, "attaches itself", "Remove the circular <model>")
    inner = Source(file, source.root, source.assets, source.pictures, source.notes)
    key = f"model_{len(source.assets)}.xml"
    source.assets[key] = b""  # claims the key while inner models claim theirs
    source.assets[key] = tostring(_self_contained(file, inner))
    asset.set("file", key)


def _is_text_stl(file: Path) -> bool:
    """MuJoCo reads binary STL only; a text one starts with `solid` and names facets."""
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


def with_mended_inertia(text: str) -> str:
    """The same model with masses that MuJoCo cannot refuse: hollow meshes, tiny lower bounds."""
    from neurok.shapes.articulated.description import parse_xml

    model = deepcopy(parse_xml(text.encode(), "model", "MJCF"))
    for mesh in model.iter("mesh"):
        mesh.set("inertia", "shell")
    SubElement(model, "compiler", {"balanceinertia": "true", "boundmass": "1e-6", "boundinertia": "1e-9"})
    return tostring(model, encoding="unicode")
