"""`save_npz`: writes motions of one shape as a small .npz file, the format of `load_npz_sequences`.

Frames are written one by one, so memory does not grow with their number.

Coordinates are y-up, with frame 0 centred and its longest box side 1, in 16-bit steps. `centre`, `size`, `up`
and `metres_per_unit` restore the original coordinates:

    x = turn(vertices · scale · size) + centre

The error per coordinate is at most half a step, scale · size / 2. That is 1/65534 of the farthest coordinate
of the motion, or about 1.5e-5 of the longest side if the object stays in place. The format holds vertex
colours but no materials; use .glb for those.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from collections.abc import Sequence as Many
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy.lib import format as npy

from neurok.export.forms import as_clips
from neurok.export.pieces import check_writable
from neurok.sequences import Sequence
from neurok.shapes import Frame
from neurok.writing import replacing

Array = np.ndarray
STEPS = 32767  # largest 16-bit step


def save_npz(item: Sequence | Many[Sequence], path: str | Path) -> Path:
    """Writes one or more motions of one shape, one clip each."""
    clips = as_clips(item)
    shape = clips[0].shape
    check_writable(shape)
    first = clips[0].positions[0]
    box = np.stack([first.min(axis=0), first.max(axis=0)]).astype(np.float64)
    centre, size = box.mean(axis=0), float(np.ptp(box, axis=0).max()) or 1.0
    turn = shape.frame.to(Frame("y", shape.frame.metres_per_unit))[:3, :3]

    def moved() -> Iterator[Float[Array, "n 3"]]:
        return (standard(frame, turn, centre, size) for clip in clips for frame in clip.positions)

    rest = standard(np.nan_to_num(shape.vertices), turn, centre, size)
    farthest = max(float(np.abs(rest).max()), max(float(np.abs(frame).max()) for frame in moved()), 1e-12)
    scale = np.float32(farthest / STEPS)
    scale = np.nextafter(scale, np.float32(np.inf))  # keeps the farthest coordinate within 16 bits
    columns = others(clips, scale, quantise(rest, scale), centre, size)
    count = (sum(map(len, clips)), *shape.vertices.shape)
    with (
        replacing(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive,
    ):
        with archive.open("vertices.npy", "w", force_zip64=True) as entry:
            header = {"descr": "<i2", "fortran_order": False, "shape": count}
            npy.write_array_header_1_0(entry, header)  # pyright: ignore
            for frame in moved():
                entry.write(quantise(frame, scale).astype("<i2").tobytes())
        for name, values in columns.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                npy.write_array(entry, np.asanyarray(values), allow_pickle=False)  # pyright: ignore
    return Path(path)


def others(
    clips: list[Sequence], scale: np.float32, rest: Array, centre: Float[Array, "3"], size: float
) -> dict[str, Any]:
    """All arrays of the file except the frames."""
    shape = clips[0].shape
    columns: dict[str, Any] = {
        "scale": scale,
        "faces": shape.faces.astype(np.uint16 if len(shape.vertices) <= 65536 else np.uint32),
        "clip_names": np.array([clip.name for clip in clips], dtype=np.str_),
        "clip_start": np.cumsum([0, *map(len, clips)]).astype(np.int32),
        "fps": np.array([clip.fps for clip in clips], np.float32),
        "rest": rest,
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
    """Coordinates of the format: centred, rotated to y up, longest side 1."""
    return ((points - centre) / size) @ turn.T


def quantise(values: Array, scale: np.float32) -> Array:
    return np.clip(np.round(values / np.float64(scale)), -STEPS, STEPS).astype(np.int16)
