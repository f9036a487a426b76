"""What goes over the wire: frames of floats, and messages of a JSON header with arrays behind it.

A binary message starts with the length of its header as a little-endian uint32. 0 is a frame. Every array
begins at a multiple of four bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from neurok.studio.live import Live

Array = np.ndarray
KINDS = {np.dtype("<f4"): "f4", np.dtype("<u4"): "u4", np.dtype("<u2"): "u2", np.dtype("u1"): "u1"}


def pack_frame(live: Live, speed: float, seen: int) -> bytes:
    """Time, energies, how fast time goes, the last word of the hand that was heard, q, and all maps.

    The page's GPU does the rest: 48 bytes a handle instead of 12 a vertex.
    """
    head = np.array([0.0, live.time, *live.energies, speed, seen], "<f4")
    head[:1].view("<u4")[0] = 0
    return b"".join((head.tobytes(), live.q.astype("<f4").tobytes(), live.maps.astype("<f4").tobytes()))


def pack(header: Mapping[str, Any], arrays: Mapping[str, Array | bytes]) -> bytes:
    """A message with arrays, or files, that the page finds by name."""
    blocks, places, offset = [], [], 0
    for name, array in arrays.items():
        flat = np.frombuffer(array, np.uint8) if isinstance(array, bytes) else np.ascontiguousarray(array)
        data = flat.tobytes()
        places.append({"name": name, "kind": KINDS[flat.dtype], "offset": offset, "count": flat.size})
        data += bytes(-len(data) % 4)
        blocks.append(data)
        offset += len(data)
    text = json.dumps({**header, "arrays": places}).encode()
    text += b" " * (-len(text) % 4)
    return b"".join((len(text).to_bytes(4, "little"), text, *blocks))
