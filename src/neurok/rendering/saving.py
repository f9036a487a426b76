"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neurok.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside the target: renamed to it on success, removed on failure or ^C."""
    if not path.parent.is_dir():
        raise InputError(path, f"the folder {path.parent} does not exist", "Make it first")
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            path, f"it can't be written ({error.strerror or error})", "Check the folder and the disk"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
