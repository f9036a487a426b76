"""Returns freed memory to the system, so that the studio does not grow with the number of pages served."""

from __future__ import annotations

import ctypes
import platform

MMAP_THRESHOLD, ARENA_MAX = -3, -8  # M_MMAP_THRESHOLD and M_ARENA_MAX of glibc's malloc.h
LARGE = 1 << 20  # bytes: between the arrays of one step and those of a large object


def limit_heap() -> None:
    """Bounds the free memory that this process retains. Must be called before threads are started.

    glibc gives threads separate heaps, up to eight per core, and freed memory stays in its heap. As objects
    are allocated in one page's thread and freed in another's, every heap grows to its peak demand. Python's
    threads take turns, so one heap suffices. Arrays above `LARGE` get their own pages, which are returned at
    once; by default glibc raises that threshold up to 32 MB.
    """
    if platform.libc_ver()[0] == "glibc":
        library = ctypes.CDLL(None)
        library.mallopt(ARENA_MAX, 1)
        library.mallopt(MMAP_THRESHOLD, LARGE)
