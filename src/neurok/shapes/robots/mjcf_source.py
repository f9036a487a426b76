"""Expands an MJCF file and its includes into one self-contained text, with checked references.

MuJoCo reads the result, so it opens only files that were found inside the asset's folder.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from neurok.errors import InputError
from neurok.shapes.robots.description import parse_xml, read_xml
from neurok.shapes.robots.mjcf_assets import Source, resolve_files
from neurok.shapes.robots.mjcf_fragments import complete
from neurok.shapes.robots.mjcf_limits import check_amounts
from neurok.shapes.robots.references import default_asset_root

SECTIONS = (
    "compiler",
    "default",
    "asset",
    "worldbody",
    "equality",
    "custom",
)  # sections that define shapes and joints
ONLY = {"equality": "joint", "custom": "text"}  # the only element that is read from a section
UNSHOWN = ("light", "camera", "site", "plugin")  # elements of bodies that are neither shape nor joint

MAX_INCLUDES = 1_000  # nested includes can grow exponentially


def read_source(path: Path, asset_root: Path | None) -> Source:
    """The model of a file, or of a fragment completed with the definitions in its folder."""
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
    check_amounts(model, path)
    resolve_files(model, source, expander.folder, _self_contained)
    return model


class _Expander:
    """Replaces <include> by the included file and records the folder of every element."""

    def __init__(self, source: Source, path: Path) -> None:
        self.source, self.main = source, path.resolve().parent
        self.folder: dict[Element, Path] = {}
        self.seen: set[Path] = set()
        self.includes = 0

    def expand(self, element: Element, chain: tuple[Path, ...]) -> Element:
        """A copy of the element without includes; `chain` lists the including files."""
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
            raise InputError(
                self.source.path, f"{file.name} includes itself", "Remove the circular <include>"
            )
        if len(chain) > 32:
            raise InputError(self.source.path, "includes are nested more than 32 deep", "Flatten them")
        self.includes += 1
        if self.includes > MAX_INCLUDES:
            raise InputError(
                self.source.path, f"includes more than {MAX_INCLUDES:,} files", "Flatten the includes"
            )
        root = read_xml(file, "MJCF")
        if file in self.seen and not any(e.tag in ("body", "geom") for e in root.iter()):
            self.source.note(f"{file.name} is included twice: its definitions were taken once.")
            return []
        self.seen.add(file)
        return list(self.expand(root, (*chain, file)))


def _only_needed(model: Element) -> Element:
    """The sections that define shapes and joints, without lights, cameras and sites."""
    kept = Element("mujoco", {k: v for k, v in model.attrib.items() if k == "model"})
    kept.extend(section for section in model if section.tag in SECTIONS)
    for parent in list(kept.iter()):
        if parent.tag == "default":
            continue
        for child in list(parent):
            if child.tag in UNSHOWN or child.tag != ONLY.get(parent.tag, child.tag):
                parent.remove(child)
    # Static bodies and visual geometry must survive compilation, because they are displayed.
    SubElement(kept, "compiler", {"fusestatic": "false", "discardvisual": "false"})
    return kept


def _wrap_top_default(model: Element, source: Source) -> None:
    """Nests an outermost default class of another name inside `main`, as MuJoCo requires."""
    for section in model.findall("default"):
        name = section.get("class")
        if name not in (None, "main"):
            inner = Element("default", dict(section.attrib))
            inner.extend(list(section))
            for child in list(section):
                section.remove(child)
            section.attrib.pop("class")
            section.append(inner)
            source.note(f"the outermost default class {name!r} was put inside `main`, as MuJoCo requires.")


def _drop_repeats(model: Element, source: Source) -> None:
    """Keeps one copy of assets and classes that two included files define identically."""
    seen: dict[tuple[str, str], str] = {}
    for section in [*model.findall("asset"), *model.findall("default")]:
        for child in list(section):
            name = child.get("name") or child.get("class") or child.get("file") or ""
            text = tostring(child, encoding="unicode").strip()
            if name and seen.get((child.tag, name)) == text:
                section.remove(child)
                source.note(f"{child.tag} {name!r} is defined twice identically: kept once.")
            elif name:
                seen.setdefault((child.tag, name), text)


def with_valid_inertia(text: str) -> str:
    """The same model with masses that MuJoCo accepts: shell meshes and tiny lower bounds."""
    model = parse_xml(text.encode(), "model", "MJCF")
    for mesh in model.iter("mesh"):
        mesh.set("inertia", "shell")
    SubElement(model, "compiler", {"balanceinertia": "true", "boundmass": "1e-6", "boundinertia": "1e-9"})
    return tostring(model, encoding="unicode")
