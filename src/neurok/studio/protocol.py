"""The binary protocol to the page: frames of floats, and messages with a JSON header followed by arrays.

A binary message starts with the length of its header as a little-endian uint32; 0 marks a frame. Every array
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
    """A frame: time, energies, simulation speed, the last mouse message received, q, and all handle maps.

    The page's GPU skins the vertices, so a frame takes 48 bytes per handle instead of 12 per vertex.
    """
    head = np.array([0.0, live.time, *live.energies, speed, seen], "<f4")
    head[:1].view("<u4")[0] = 0
    return b"".join((head.tobytes(), live.q.astype("<f4").tobytes(), live.maps.astype("<f4").tobytes()))


def pack(header: Mapping[str, Any], arrays: Mapping[str, Array | bytes]) -> bytes:
    """A message with named arrays or files."""
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
