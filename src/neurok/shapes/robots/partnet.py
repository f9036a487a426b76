"""Reads PartNet-Mobility folders (Xiang et al. 2020, SAPIEN) into a `Shape` with semantic link names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from neurok.errors import InputError
from neurok.shapes.robots.tree import JointTree
from neurok.shapes.robots.urdf import load_urdf
from neurok.shapes.shape import Shape, unique_names


def load_partnet(folder: str | Path) -> Shape:
    """An object of PartNet-Mobility: a folder with mobility.urdf, textured_objs and semantics.txt.

    Links are named by their semantics (`door`, `door_2`) instead of link_0. The data set's meshes are Y-up
    and its URDF rotates them to Z-up by a fixed joint at the root, so the shape is Z-up. A screw-like motion
    about and along one axis stays two joints with an empty helper link between them, as in the file.
    """
    folder = Path(folder)
    description = folder / "mobility.urdf"
    if not description.is_file():
        raise InputError(folder, "has no mobility.urdf", "Give the folder of one PartNet-Mobility object")
    # All files of an object lie in its folder.
    shape = load_urdf(description, asset_root=folder)
    meanings = read_semantics(folder)
    name = _category(folder)
    return renamed(shape, meanings).with_(name=name or folder.resolve().name)


def read_semantics(folder: Path) -> Mapping[str, str]:
    """The meaning of each link, from semantics.txt ("link_0 hinge door") or mobility_v2.json (id, name)."""
    listing = folder / "semantics.txt"
    if listing.is_file():
        rows = [line.split() for line in listing.read_text(encoding="utf-8", errors="replace").splitlines()]
        return {row[0]: row[2] for row in rows if len(row) >= 3}
    entries = _read_json(folder / "mobility_v2.json")
    if not isinstance(entries, list):
        return {}
    named = [
        e
        for e in entries
        if isinstance(e, dict) and "id" in e and isinstance(e.get("name"), str) and e["name"]
    ]
    return {f"link_{e['id']}": e["name"] for e in named}


def renamed(shape: Shape, meanings: Mapping[str, str]) -> Shape:
    """The shape with links and parts named by meaning; repeats are numbered, joints keep their names."""
    tree = shape.joints
    assert tree is not None
    old = [link.name for link in tree.links]
    # Links without a meaning come first, so that they keep their names.
    order = sorted(range(len(old)), key=lambda i: old[i] in meanings)
    fresh = unique_names([meanings.get(old[i], old[i]) for i in order])
    new = {old[i]: name for i, name in zip(order, fresh, strict=True)}
    joints = tuple(replace(j, parent=new[j.parent], child=new[j.child]) for j in tree.joints)
    links = tuple(replace(link, name=new[link.name]) for link in tree.links)
    roots = {new[name]: pose for name, pose in tree.roots.items()}
    return shape.with_(
        part_names=tuple(new[name] for name in shape.part_names),
        joints=JointTree(links, joints, tree.name, roots),
    )


def _category(folder: Path) -> str | None:
    """The category in meta.json, for example "StorageFurniture"."""
    meta = _read_json(folder / "meta.json")
    category = meta.get("model_cat") if isinstance(meta, dict) else None
    return category if isinstance(category, str) and category else None


def _read_json(file: Path) -> object:
    """The content of an optional JSON file; None if it does not exist."""
    if not file.is_file():
        return None
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(file, f"is not valid JSON ({error})", "Download the folder again") from error
