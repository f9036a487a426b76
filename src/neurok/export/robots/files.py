"""A description and its folder of meshes appear together, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from neurok.errors import InputError
from neurok.writing import check_replaceable, staging_beside

OURS = {".obj", ".mtl", ".png", ".jpg", ".webp"}


def write_robot(
    path: Path, kind: str, suffixes: tuple[str, ...], write: Callable[[Path, Path], None]
) -> Path:
    """Let `write(description, meshes)` fill a hidden folder, then move both in place.

    The meshes go to `<stem>_meshes/<kind>`, which an earlier export may have left; files of anyone else's
    are never replaced.
    """
    if path.suffix.lower() not in suffixes:
        raise InputError(
            path, f"the name does not end in {' or '.join(suffixes)}", f"Call it {path.stem}{suffixes[0]}"
        )
    check_replaceable(path)
    meshes = path.parent / mesh_folder(path, kind)
    _check_ours(meshes)
    with staging_beside(path) as folder:
        new, new_meshes = folder / path.name, folder / mesh_folder(path, kind)
        write(new, new_meshes)
        meshes.parent.mkdir(exist_ok=True)
        old = folder / "old"
        if meshes.exists():
            meshes.rename(old)
        try:
            new_meshes.rename(meshes)
            new.replace(path)
        except OSError:
            if meshes.exists():
                meshes.rename(new_meshes)
            if old.exists():
                old.rename(meshes)
            raise
    return path


def mesh_folder(path: Path, kind: str) -> str:
    """Where the meshes of a description lie, relative to it."""
    return f"{path.stem}_meshes/{kind}"


def write_xml(root: Element, path: Path) -> None:
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def numbers(*values: float) -> str:
    """Numbers for an attribute, with every digit that matters; −0 is 0."""
    return " ".join(f"{float(v) + 0.0:.12g}" for v in np.ravel(values))


def _check_ours(folder: Path) -> None:
    for file in folder.rglob("*") if folder.exists() else ():
        if file.is_file() and file.suffix.lower() not in OURS:
            raise InputError(
                folder, f"holds {file.name!r}, which no export wrote", "Move it, or choose another name"
            )
