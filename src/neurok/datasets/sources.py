"""Lists recording jobs for the objects of a folder and for generated objects, with category and licence."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from neurok.datasets.jobs import Job
from neurok.datasets.record import Family, Origin
from neurok.errors import InputError
from neurok.sequences.load import holds_motion
from neurok.shapes.load import SHAPE_SUFFIXES

DESCRIPTIONS = (".urdf", ".xml", ".mjcf")
MESHES = tuple(s for s in SHAPE_SUFFIXES if s not in (*DESCRIPTIONS, ".glb", ".gltf"))
COMPOSITE_CATEGORIES = 100  # pseudo-categories over which composite objects are spread
GENERATOR_LICENCE = "Apache-2.0"


def find_objects(data: Path) -> list[Path]:
    """Paths of descriptions, scenes and sequences; meshes only in folders without a description."""
    if not data.is_dir():
        raise InputError(data, "is not a folder", "Name the folder that holds the objects")
    files = sorted(p for p in data.rglob("*") if p.is_file())
    described = {collection_folder(p, data) for p in files if p.suffix.lower() in DESCRIPTIONS}
    found = [
        p.parent if p.name == "mobility.urdf" else p
        for p in files
        if p.suffix.lower() in (*DESCRIPTIONS, ".glb", ".gltf", ".npz")
        or (p.suffix.lower() in MESHES and collection_folder(p, data) not in described)
    ]
    if not found:
        raise InputError(
            data, "holds no file that can be read", "Name a folder with meshes, URDF, MJCF or sequences"
        )
    return found


def collection_folder(path: Path, data: Path) -> str:
    """First folder below `data`, which names the collection."""
    parts = path.relative_to(data).parts
    return parts[0] if len(parts) > 1 else ""


def folder_jobs(data: Path, seed: int, frames: int, leave_out: tuple[str, ...] = ()) -> list[Job]:
    """Jobs for every mechanism and sequence below a folder.

    Category, licence and source come from a manifest.csv of the object's collection (its first folder), from
    the object's meta.json, from collections.json, or from the object's name, in this order.
    """
    jobs = []
    for path in find_objects(data):
        collection = collection_folder(path, data) or data.name
        known = known_collections().get(collection, {})
        name = _name(path, data, collection)
        if any(fnmatch(name, pattern) for pattern in (*leave_out, *known.get("leave_out", ()))):
            continue
        is_sequence = holds_motion(path)
        if not is_sequence and path.is_file() and path.suffix.lower() not in DESCRIPTIONS:
            continue  # a static mesh has no motion
        origin = _origin(name, path, collection, data, known, "animated" if is_sequence else "articulated")
        jobs.append(
            Job(origin, "sequence" if is_sequence else "mechanism", str(path), seed=seed, frames=frames)
        )
    return jobs


def generator_jobs(
    articulated: int, simulated: int, seed: int, frames: int, composites: Mapping[str, int] = {},
    creatures: int = 0,
) -> list[Job]:  # fmt: skip
    """Jobs for the generators, spread evenly over their families.

    Composites (counts by generator name) have no category. They count as `COMPOSITE_CATEGORIES` categories,
    because training draws categories.
    """
    from neurok.objects import families
    from neurok.objects.creatures import creature_families
    from neurok.objects.soft import soft_groups

    jobs = []
    names = list(families())
    for k in range(articulated):
        category, number = names[k % len(names)], k // len(names)
        jobs.append(Job(_generated(category, number, "articulated"), "articulated", "", number, seed, frames))
    for kind, total in composites.items():
        for number in range(total):
            name, category = f"generated/{kind}/{number:06d}", f"{kind} {number % COMPOSITE_CATEGORIES}"
            origin = Origin(name, category, "articulated", GENERATOR_LICENCE, "neurok generators")
            jobs.append(Job(origin, "articulated", "", number, seed, frames))
    animated: dict[str, Family] = dict.fromkeys(creature_families(), "animated")
    for group_of, total in ((dict(soft_groups()), simulated), (animated, creatures)):
        for k in range(total):
            category, number = list(group_of)[k % len(group_of)], k // len(group_of)
            origin = _generated(category, number, group_of[category])
            jobs.append(Job(origin, "simulated", "", number, seed, frames))
    return jobs


def _generated(category: str, number: int, family: Family) -> Origin:
    return Origin(
        f"generated/{category}/{number:06d}", category, family, GENERATOR_LICENCE, "neurok generators"
    )


def known_collections() -> dict[str, dict[str, Any]]:
    """Source, licence and family of the collections used for the shipped weights."""
    return json.loads((Path(__file__).parent / "collections.json").read_text())


def _name(path: Path, data: Path, collection: str) -> str:
    """Object name as collection/object, without generic file names such as model or mobility."""
    inner = path.relative_to(data).with_suffix("").as_posix().removeprefix(f"{collection}/")
    return f"{collection}/{re.sub(r'/(model|mobility|robot|scene)$', '', inner)}"


def _origin(name: str, path: Path, collection: str, data: Path, known: dict, family: Family) -> Origin:
    row = _manifest(data / collection).get(name.removeprefix(f"{collection}/"), {})
    meta = _meta(path if path.is_dir() else path.parent)
    category = row.get("category") or row.get("class") or meta.get("category") or meta.get("model_cat")
    return Origin(
        name=name,
        category=str(category or re.sub(r"[_-]?\d+$", "", name.rpartition("/")[2])),
        family=family,
        licence=row.get("licence") or known.get("licence", "unknown"),
        source=row.get("source") or known.get("source", collection),
    )


@cache
def _manifest(folder: Path) -> dict[str, dict[str, str]]:
    """Rows of a collection's manifest.csv by object name; empty without one."""
    file = folder / "manifest.csv"
    if not file.is_file():
        return {}
    with file.open(newline="", encoding="utf-8") as lines:
        return {row["name"]: row for row in csv.DictReader(lines) if row.get("name")}


@cache
def _meta(folder: Path) -> dict[str, Any]:
    """Content of the meta.json beside an object (PartNet-Mobility); empty if it is missing or invalid."""
    file = folder / "meta.json"
    if not file.is_file():
        return {}
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
