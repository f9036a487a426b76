"""Writes a description and its mesh folder atomically: both appear, or neither."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from neurok.errors import InputError
from neurok.writing import check_replaceable, staging_beside

EXPORTED_SUFFIXES = {".obj", ".mtl", ".png", ".jpg", ".webp"}  # of files in a mesh folder


def write_robot(
    path: Path, kind: str, suffixes: tuple[str, ...], write: Callable[[Path, Path], None]
) -> Path:
    """Calls `write(description, meshes)` on a hidden folder, then moves both into place.

    The meshes go to `<stem>_meshes/<kind>`. A folder of an earlier export is replaced; one with other files
    is refused.
    """
    if path.suffix.lower() not in suffixes:
        raise InputError(
            path, f"the name does not end in {' or '.join(suffixes)}", f"Call it {path.stem}{suffixes[0]}"
        )
    check_replaceable(path)
    meshes = path.parent / mesh_folder(path, kind)
    _check_only_exports(meshes)
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
    """The mesh folder of a description, relative to it."""
    return f"{path.stem}_meshes/{kind}"


def write_xml(root: Element, path: Path) -> None:
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def numbers(*values: float) -> str:
    """Numbers as attribute text with 12 significant digits; −0 becomes 0."""
    return " ".join(f"{float(v) + 0.0:.12g}" for v in np.ravel(values))


def _check_only_exports(folder: Path) -> None:
    """Refuses a mesh folder that holds files of other kinds than an export writes."""
    for file in folder.rglob("*") if folder.exists() else ():
        if file.is_file() and file.suffix.lower() not in EXPORTED_SUFFIXES:
            raise InputError(
                folder, f"holds {file.name!r}, which is not from an export", "Move it, or choose another name"
            )
