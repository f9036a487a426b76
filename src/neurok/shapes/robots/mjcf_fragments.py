"""Completes MJCF fragments with the definition files in their folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

from neurok.errors import InputError
from neurok.shapes.robots.description import read_xml

TOP_LEVEL = {
    "compiler", "option", "size", "visual", "statistic", "default", "custom", "asset", "worldbody",
    "deformable", "contact", "equality", "tendon", "actuator", "sensor", "keyframe", "extension",
}  # fmt: skip
IN_A_BODY = {"joint", "freejoint", "inertial"}  # elements that the world body cannot contain
DEFINITION_FILES = ("*asset.xml", "*assets.xml", "*dependencies.xml")
Name = tuple[str, str]  # (kind, name): ("mesh", "knob")


def complete(
    tree: Element, path: Path, note: Callable[[str], None], read: Callable[[Path], Element]
) -> Element:
    """The complete model of an expanded file: bodies in a worldbody, every used name defined."""
    model = _whole(tree, path, note)
    for file in _definitions_beside(model, path):
        note(f"{path.name} is a fragment: the definitions in {file.name} beside it were added.")
        for section in read(file):
            if section.tag in ("compiler", "asset", "default"):
                model.append(section)
    if not any(e.tag in ("geom", "flexcomp", "composite", "attach") for e in _worldbodies(model)):
        raise InputError(
            path, "holds definitions only (assets, defaults, settings) and no geometry",
            "Load the file that includes it, or the body file beside it",
        )  # fmt: skip
    return model


def _worldbodies(model: Element):
    for world in model.findall("worldbody"):
        yield from world.iter()


def _whole(tree: Element, path: Path, note: Callable[[str], None]) -> Element:
    """A <mujoco> element; loose bodies are moved into its worldbody, loose joints into a new body."""
    if tree.tag not in ("mujoco", "mujocoinclude", "worldbody", "body"):
        raise InputError(path, f"its root element is <{tree.tag}>, not <mujoco>", "Give an MJCF or URDF file")
    model = Element("mujoco", dict(tree.attrib) if tree.tag == "mujoco" else {"model": path.stem})
    loose = [tree] if tree.tag in ("worldbody", "body") else list(tree)
    top = [e for e in loose if e.tag in TOP_LEVEL]
    rest = [e for e in loose if e.tag not in TOP_LEVEL]
    model.extend(top)
    if rest:
        note(f"{path.name} is a fragment of a model: its bodies were put into a world.")
        world = SubElement(model, "worldbody")
        if any(e.tag in IN_A_BODY for e in rest):
            world = SubElement(world, "body", {"name": path.stem})
        world.extend(rest)
    return model


def _definitions_beside(model: Element, path: Path) -> list[Path]:
    """Definition files of the folder that define the names which the model uses but does not define.

    Files are chosen greedily by the number of missing names they define. Ties go to the file whose name has
    the longest common prefix with the fragment's.
    """
    missing = _used(model) - _defined(model)
    if not missing:
        return []
    files = {
        f for pattern in DEFINITION_FILES for f in path.resolve().parent.glob(pattern) if f != path.resolve()
    }
    offers = {f: _defined(read_xml(f, "MJCF")) for f in sorted(files)}
    chosen: list[Path] = []
    while missing and offers:
        best = max(offers, key=lambda f: (len(offers[f] & missing), _likeness(f.name, path.name)))
        if not offers[best] & missing:
            break
        missing -= offers.pop(best)
        chosen.append(best)
    if missing:
        what, name = min(missing)
        raise InputError(
            path, f"uses the {what} {name!r}, which neither it nor a file beside it defines",
            "Load the model that includes this file, or add the definition",
        )  # fmt: skip
    return chosen


def _likeness(a: str, b: str) -> int:
    """The length of the common prefix of two names."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _used(model: Element) -> set[Name]:
    """Meshes, materials and classes that bodies reference."""
    names: set[Name] = set()
    for element in _worldbodies(model):
        names |= {(key, element.attrib[key]) for key in ("mesh", "material") if element.get(key)}
        names |= {("class", element.attrib[key]) for key in ("class", "childclass") if element.get(key)}
    return names


def _defined(model: Element) -> set[Name]:
    """Meshes, materials and classes that a file defines."""
    names: set[Name] = {("class", "main")}
    for section in model.iter("asset"):
        for asset in section:
            name = asset.get("name") or Path((asset.get("file") or "").replace("\\", "/")).stem
            names.add((asset.tag, name))
    names |= {("class", e.attrib["class"]) for e in model.iter("default") if e.get("class")}
    return names
