"""`save_npz`: motions of one shape as a small array file, in the format of the open animated data.

Coordinates are stored as the format asks: y up, frame 0 centred with longest box side 1, in 16-bit steps.
`centre`, `size`, `up` and `metres_per_unit` take them back to the user's own coordinates:

    x = turn(vertices · scale · size) + centre

The error per coordinate is at most half a step, scale · size / 2: 1/65534 of the farthest coordinate that
the motion reaches, about 1.5e-5 of the longest side when it stays in place. Appearance beyond vertex
colours is not part of the format: use .glb for that.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from pathlib import Path

import numpy as np
from jaxtyping import Float

from neurok.export.forms import as_clips
from neurok.export.pieces import check_writable
from neurok.sequences import Sequence
from neurok.shapes import Frame
from neurok.writing import replacing

Array = np.ndarray
STEPS = 32767


def save_npz(item: Sequence | Many[Sequence], path: str | Path) -> Path:
    """Write one or more motions of one shape, one clip each."""
    clips = as_clips(item)
    check_writable(clips[0].shape)
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays(clips))
    return Path(path)


def arrays(clips: list[Sequence]) -> dict[str, Array]:
    """The arrays of the file."""
    shape = clips[0].shape
    turn = shape.frame.to(Frame("y", shape.frame.metres_per_unit))[:3, :3]
    frames = np.concatenate([clip.positions for clip in clips])
    box = np.stack([frames[0].min(axis=0), frames[0].max(axis=0)]).astype(np.float64)
    centre, size = box.mean(axis=0), float(np.ptp(box, axis=0).max()) or 1.0
    moved = standard(frames, turn, centre, size)
    rest = standard(np.nan_to_num(shape.vertices), turn, centre, size)
    scale = np.float32(max(np.abs(moved).max(), np.abs(rest).max(), 1e-12) / STEPS)
    scale = np.nextafter(scale, np.float32(np.inf))  # so that the farthest coordinate stays within 16 bits
    columns = {
        "vertices": quantise(moved, scale),
        "scale": scale,
        "faces": shape.faces.astype(np.uint16 if len(shape.vertices) <= 65536 else np.uint32),
        "clip_names": np.array([clip.name for clip in clips], dtype=np.str_),
        "clip_start": np.cumsum([0, *map(len, clips)]).astype(np.int32),
        "fps": np.array([clip.fps for clip in clips], np.float32),
        "rest": quantise(rest, scale),
        "part": shape.part.astype(np.int16 if len(shape.part_names) <= STEPS else np.int32),
        "part_names": np.array(shape.part_names, dtype=np.str_),
        "name": np.array(shape.name, dtype=np.str_),
        "up": np.array(shape.frame.up, dtype=np.str_),
        "metres_per_unit": np.float64(shape.frame.metres_per_unit),
        "centre": centre,
        "size": np.float64(size),
    }
    if shape.colors is not None:
        columns["colors"] = shape.colors[:, :3]
        if (shape.colors[:, 3] < 255).any():
            columns["alpha"] = shape.colors[:, 3]
    return columns


def standard(
    points: Float[Array, "*batch 3"], turn: Float[Array, "3 3"], centre: Float[Array, "3"], size: float
) -> Float[Array, "*batch 3"]:
    """The user's coordinates as the format's: centred, turned to y up, longest side 1."""
    return ((points - centre) / size) @ turn.T


def quantise(values: Array, scale: np.float32) -> Array:
    return np.clip(np.round(values / np.float64(scale)), -STEPS, STEPS).astype(np.int16)
