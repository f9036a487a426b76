"""What a process and all that it started cost, as Linux tells it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from neurok.errors import InputError


def memory_of(pid: int) -> int:
    """Bytes that a process and its descendants hold; what they share counts once."""
    return sum(map(_memory, family(pid)))


def seconds_of(pid: int) -> float:
    """CPU time of a process and its living descendants."""
    fields = (_stat(member) for member in family(pid))
    return sum(int(f[11]) + int(f[12]) for f in fields if f) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    if not Path("/proc/self/stat").exists():
        raise InputError("processes", "are looked at as Linux shows them", "Run it on Linux")
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if found := _stat(int(entry.name)):
            children.setdefault(int(found[1]), []).append(int(entry.name))
    members, left = [], [pid]
    while left:
        members.append(left.pop())
        left += children.get(members[-1], [])
    return members


def _stat(pid: int) -> list[str]:
    """What follows the name in a process's line: state, parent, …; nothing for one that has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []


def _memory(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    return 0
