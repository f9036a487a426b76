"""Atomic file writing: data goes to a temporary file beside the target, which is then renamed.

A failure or ^C leaves either the old file or the new one.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from neurok.errors import InputError

CAUSES = {
    errno.ENOSPC: ("the disk is full", "Free some space or choose another folder"),
    errno.EDQUOT: ("the disk quota is used up", "Free some space or choose another folder"),
    errno.EACCES: ("the place can't be written to", "Choose a folder that you may write to"),
    errno.EPERM: ("the place can't be written to", "Choose a folder that you may write to"),
    errno.EROFS: ("the disk is read-only", "Choose a folder that you may write to"),
    errno.ENOTDIR: ("a part of the path is a file, not a folder", "Choose another folder"),
    errno.EEXIST: ("a part of the path is a file, not a folder", "Choose another folder"),
    errno.ELOOP: ("is a link that leads back to itself", "Choose another name"),
    errno.ENAMETOOLONG: ("the name is too long", "Choose a shorter name"),
}


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """Yields a temporary path beside `target`, which replaces it when the block ends without an exception.

    The temporary name keeps the target's suffix, because some writers choose the format by it. If `target`
    is a symbolic link, the file it points to is replaced.
    """
    path = Path(target)
    check_replaceable(path)
    behind = path.resolve()
    with staging_beside(behind, path) as folder:
        temporary = folder / f"new{path.suffix}"
        yield temporary
        temporary.replace(behind)


def check_replaceable(path: Path) -> None:
    """Refuses targets that a rename would destroy: folders, devices and pipes."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise as_input_error(error, path) from error
    if stat.S_ISDIR(mode):
        raise InputError(path, "is a folder", "Give the name of a file")
    if not stat.S_ISREG(mode):
        raise InputError(path, "is a device or a pipe, not a file", "Give the name of a file")


@contextmanager
def staging_beside(target: Path, shown_as: Path | None = None) -> Iterator[Path]:
    """Yields a hidden empty folder on the same disk as `target` and removes it afterwards.

    An OSError inside the block becomes an InputError about `shown_as`, the path that the user gave, which
    is `target` by default.
    """
    folder: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=".neurok-", dir=target.parent))
        yield folder
    except OSError as error:
        raise as_input_error(error, shown_as or target) from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def as_input_error(error: OSError, target: Path) -> InputError:
    """The InputError that explains an OSError in plain words."""
    reason = (error.strerror or str(error)).lower()
    cause, fix = CAUSES.get(error.errno or 0, (f"can't be written: {reason}", "Choose another place"))
    return InputError(target, cause, fix)


def encodable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot encode, replaced by `?`."""
    return text.encode("utf-8", "replace").decode()


def write_bytes(target: str | Path, *chunks: bytes | memoryview) -> Path:
    """Writes the chunks one after the other as one file, atomically."""
    with replacing(target) as temporary, temporary.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        with suppress(OSError):  # some network disks can't sync; the rename still keeps the file whole
            os.fsync(file.fileno())
    return Path(target)
