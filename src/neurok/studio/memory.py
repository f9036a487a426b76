"""What the studio has let go of goes back to the system, however many pages come and go."""

from __future__ import annotations

import ctypes
import platform

MMAP_THRESHOLD, ARENA_MAX = -3, -8  # what glibc's malloc.h calls M_…
LARGE = 1 << 20  # bytes: more than an array of a step, less than the arrays of a large object


def keep_little() -> None:
    """Bound the memory that this process holds though it is free. To be called before it starts threads.

    glibc gives threads heaps of their own, eight for each core, and what is freed stays in its heap: an
    object arrives in the thread of one page and goes with that of another, until every heap has grown to the
    most that it was ever asked for. Python's threads take turns, so that one heap serves them all. Large
    arrays have pages of their own, which go back at once; by itself glibc raises what is large to 32 MB.
    """
    if platform.libc_ver()[0] == "glibc":
        library = ctypes.CDLL(None)
        library.mallopt(ARENA_MAX, 1)
        library.mallopt(MMAP_THRESHOLD, LARGE)
