"""Measures memory and CPU time of a process and its descendants on Linux."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from neurok.errors import InputError


def memory_of(pid: int) -> int:
    """Memory of a process and its descendants in bytes; shared pages count once.

    File pages are excluded, because other programs share them and change their proportion.
    """
    return sum(_memory(member, "Pss_Anon:", "Pss_Shmem:") for member in family(pid))


def lasting_memory_of(pid: int) -> int:
    """Memory of a process and its children in bytes, without grandchildren, which exist only during a job.

    Pages shared with grandchildren count in full, so that a running job has no influence.
    """
    return sum(_memory(member, "Anonymous:") for member in (pid, *_children().get(pid, [])))


def seconds_of(pid: int) -> float:
    """CPU time of a process and its descendants, including ended ones."""
    fields = (_stat(member) for member in family(pid))
    return sum(sum(map(int, f[11:15])) for f in fields if f) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    children, members, left = _children(), [], [pid]
    while left:
        members.append(left.pop())
        left += children.get(members[-1], [])
    return members


def descendant_named(pid: int, name: str) -> int | None:
    """First descendant whose program name starts with `name`, or None."""
    return next((member for member in family(pid)[1:] if _program(member).startswith(name)), None)


def _children() -> dict[int, list[int]]:
    """Children of every process."""
    if not Path("/proc/self/stat").exists():
        raise InputError("processes", "can be measured only on Linux", "Run it on Linux")
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if found := _stat(int(entry.name)):
            children.setdefault(int(found[1]), []).append(int(entry.name))
    return children


def _program(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text()
    return ""


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat after the name (state, parent, …); empty for an ended process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []


def _memory(pid: int, *kinds: str) -> int:
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return 1024 * sum(int(x.split()[1]) for x in lines if x.startswith(kinds))
    return 0
