"""What a process and all that it started cost, as Linux tells it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from neurok.errors import InputError


def memory_of(pid: int) -> int:
    """Bytes that a process and its descendants hold; what they share counts once.

    Without the pages of files: those are shared with whoever else has mapped them, and a share of them comes
    and goes with other programs.
    """
    return sum(_memory(member, "Pss_Anon:", "Pss_Shmem:") for member in family(pid))


def lasting_memory_of(pid: int) -> int:
    """Bytes that a process and its children hold, without their own children, which come and go with a job.

    In full, although those share in what they were forked with: a job that runs does not show.
    """
    return sum(_memory(member, "Anonymous:") for member in (pid, *_children().get(pid, [])))


def seconds_of(pid: int) -> float:
    """CPU time of a process and its descendants, also of those that have ended."""
    fields = (_stat(member) for member in family(pid))
    return sum(sum(map(int, f[11:15])) for f in fields if f) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    children, members, left = _children(), [], [pid]
    while left:
        members.append(left.pop())
        left += children.get(members[-1], [])
    return members


def child_called(pid: int, name: str) -> int | None:
    """The eldest descendant whose program's name begins so."""
    return next((member for member in family(pid)[1:] if _program(member).startswith(name)), None)


def _children() -> dict[int, list[int]]:
    """Of every process that has any."""
    if not Path("/proc/self/stat").exists():
        raise InputError("processes", "are looked at as Linux shows them", "Run it on Linux")
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
    """What follows the name in a process's line: state, parent, …; nothing for one that has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []


def _memory(pid: int, *kinds: str) -> int:
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return 1024 * sum(int(x.split()[1]) for x in lines if x.startswith(kinds))
    return 0
