"""Finds the files that a description names, only within the folder of the asset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from neurok.errors import InputError

SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]+)://")


def default_asset_root(description: Path) -> Path:
    """Two folders above the description's folder, but not the file-system root or a parent of the home."""
    folder = description.resolve().parent
    home = Path.home().resolve()
    for candidate in (folder.parent.parent, folder.parent):
        if len(candidate.parts) > 1 and candidate != home and candidate not in home.parents:
            return candidate
    return folder


def resolve_reference(
    reference: str, description: Path, asset_root: Path | None = None, folders: tuple[Path, ...] = ()
) -> tuple[Path, tuple[str, ...]]:
    """The file of a `reference` in `description`, and notes on how it was found.

    The search covers `folders` (by default the description's folder), then, for package://name/path, the
    package's folder and every folder above up to the asset root. Absolute paths, web addresses and paths
    outside the asset root are refused. A difference in upper and lower case is accepted with a note.
    """
    root = (asset_root or default_asset_root(description)).resolve()
    relative, is_package = _relative_part(reference, description)
    bases = list(folders) or [description.resolve().parent]
    candidates = (
        list(_package_places(relative, bases[0], root)) if is_package else [base / relative for base in bases]
    )
    outside = False
    for exact in (True, False):
        for candidate in candidates:
            found = candidate.resolve() if exact else _without_case(candidate, root)
            if found is None or not _is_file(found):
                continue
            if not found.is_relative_to(root):
                outside = True
                continue
            note = () if exact else (f"{reference} was found as {found.name}: upper and lower case differ.",)
            return found, note
    if outside or not any(_normal(c).is_relative_to(root) for c in candidates):
        raise InputError(
            description, f"{reference!r} leads outside the asset's folder {root}",
            "Move the file into that folder, or name a higher folder as the asset root",
        )  # fmt: skip
    looked = ", ".join(dict.fromkeys(str(_normal(c).parent) for c in candidates[:4]))
    raise InputError(
        description, f"the file {reference!r} that it names does not exist (looked in {looked})",
        "Put the file there, or correct the path",
    )  # fmt: skip


def _relative_part(reference: str, description: Path) -> tuple[PurePosixPath, bool]:
    """The relative path inside the asset, and whether it starts with a package name."""
    text = reference.strip().replace("\\", "/")
    scheme = SCHEME.match(text)
    name = scheme.group(1).lower() if scheme else ""
    if name not in ("", "package", "model"):
        raise InputError(
            description, f"{reference!r} is a {name} address, and only files beside the description are read",
            "Download the file and name it by a relative path",
        )  # fmt: skip
    text = text[scheme.end() :] if scheme else text
    if not text or "\0" in text:
        raise InputError(
            description, f"names the file {reference!r}, which is not a file name", "Correct the path"
        )
    if text.startswith(("/", "~")) or re.match(r"^[A-Za-z]:", text):
        raise InputError(
            description, f"{reference!r} is an absolute path, which works on one machine only",
            "Name the file by a path relative to the description",
        )  # fmt: skip
    return PurePosixPath(text), bool(scheme)


def _package_places(relative: PurePosixPath, folder: Path, root: Path) -> Iterator[Path]:
    """Candidate paths of package://name/rest: the folder `name`, a folder with package.xml, ancestors."""
    rest = PurePosixPath(*relative.parts[1:])
    above = [folder, *(p for p in folder.parents if p.is_relative_to(root))]
    for ancestor in above:
        if ancestor.name == relative.parts[0]:
            yield ancestor / rest
        yield ancestor / relative
    for ancestor in sorted(above, key=lambda a: not (a / "package.xml").is_file()):
        yield ancestor / rest


def _normal(path: Path) -> Path:
    """The absolute path without `..`, with existing links resolved."""
    return path.resolve()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # name too long for the file system
        return False


def _without_case(path: Path, root: Path) -> Path | None:
    """The file whose path differs from `path` only in upper and lower case."""
    path = _normal(path)
    if not path.is_relative_to(root):
        return None
    at = root
    for name in path.relative_to(root).parts:
        if not (at / name).exists():
            matches = sorted(p for p in at.iterdir() if p.name.lower() == name.lower()) if at.is_dir() else []
            if not matches:
                return None
            at = matches[0]
        else:
            at = at / name
    return at
