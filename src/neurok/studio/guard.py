"""Confines a process that reads an untrusted file: bounded memory and time, no other files."""

from __future__ import annotations

import errno
import os
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect")
SYSTEM = (  # files that libraries read to detect the system
    "/dev/null", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/self/status",
    "/proc/self/maps",
)  # fmt: skip
PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Limits:
    """Limits of one job on one file."""

    size: int = 50 << 20  # bytes of an upload
    faces: int = 300_000
    seconds: float = 120.0
    memory: int = 4 << 30  # bytes of address space beyond those at the start of the process


def confine(limits: Limits, folder: Path | None) -> None:
    """Limits this process permanently. With a folder, it can open only files in there and its own code."""
    _bound_memory(limits)
    if folder is None:
        return
    tempfile.tempdir = str(folder)
    libraries = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    packages = {p for p in sys.path if Path(p).name in ("site-packages", "dist-packages", "lib-dynload")}
    roots = tuple(os.path.realpath(p) + os.sep for p in (folder, PACKAGE, *libraries, *packages) if p)

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event in FORBIDDEN:
            raise PermissionError(errno.EACCES, f"{event} is not allowed here")
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            asked = os.fsdecode(arguments[0])
            path = os.path.realpath(asked)
            if asked not in SYSTEM and not path.startswith((*roots, "/sys/devices/")):
                raise PermissionError(errno.EACCES, "a file outside the upload", path)

    sys.addaudithook(refuse)


def _bound_memory(limits: Limits) -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    pages = Path("/proc/self/statm")
    used = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 8 << 30
    most = used + limits.memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(2 * limits.seconds) + 1  # CPU time, summed over cores
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
