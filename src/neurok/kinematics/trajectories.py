"""Coordinates over time, from tables, files or at random, and their `Sequence`."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import ArrayLike
from torch import Tensor

from neurok.errors import InputError
from neurok.kinematics.poses import animate
from neurok.kinematics.protocol import Kinematics
from neurok.sequences import Sequence

TIME_COLUMNS = ("time", "t", "seconds")
MAX_FRAMES = 1_000_000


def play(
    kinematics: Kinematics,
    trajectory: Mapping[str, ArrayLike] | ArrayLike,
    fps: float = 30.0,
    name: str = "motion",
) -> Sequence:
    """The sequence of a joint trajectory: columns by coordinate name, or an array (frames, k).

    Coordinates that a mapping leaves out stay at rest.
    """
    if isinstance(trajectory, Mapping):
        q = from_columns(kinematics, trajectory, name)
    else:
        q = torch.as_tensor(np.asarray(trajectory, dtype=np.float64))
        if q.ndim != 2 or q.shape[1] != len(kinematics.names):
            raise InputError(
                name, f"the trajectory has the shape {tuple(q.shape)}",
                f"Give (frames, {len(kinematics.names)}): {', '.join(kinematics.names[:8])}",
            )  # fmt: skip
    _check_finite(q, kinematics, name)
    return animate(kinematics, q, fps, name)


def from_columns(
    kinematics: Kinematics, columns: Mapping[str, ArrayLike], source: str | Path = "trajectory"
) -> Float[Tensor, "frames k"]:
    """Coordinates over time from named columns of equal length; the others stay at rest."""
    table = _table(columns, source)
    unknown = [key for key in table if key not in kinematics.names]
    if unknown:
        raise InputError(
            source, f"column {unknown[0]!r} names no joint of {kinematics.shape.name}",
            f"Its coordinates are: {', '.join(kinematics.names[:12]) or 'none'}",
        )  # fmt: skip
    lengths = {len(column) for column in table.values()}
    if len(lengths) != 1 or not min(lengths):
        raise InputError(
            source, f"columns have {sorted(lengths)} values", "Give each the same number of frames"
        )
    q = kinematics.rest.repeat(lengths.pop(), 1)
    for key, column in table.items():
        q[:, kinematics.names.index(key)] = torch.tensor(column)
    return q


def _table(columns: Mapping[str, ArrayLike], source: str | Path) -> dict[str, Float[np.ndarray, " frames"]]:
    try:
        return {key: np.asarray(column, dtype=np.float64).ravel() for key, column in columns.items()}
    except (TypeError, ValueError) as error:
        raise InputError(
            source, f"a column holds something that is no number ({error})", "Give numbers"
        ) from error


def load_trajectory(path: str | Path, kinematics: Kinematics, fps: float = 30.0) -> Float[Tensor, "frames k"]:
    """Coordinates `fps` times a second: a .csv with a header of names, a .json of name → list, or an .npz.

    With a column called time, t or seconds, values between its times are interpolated; without one, each
    row is a frame.
    """
    path = Path(path)
    readers = {".csv": _read_csv, ".json": _read_json, ".npz": _read_npz}
    if path.suffix.lower() not in readers:
        raise InputError(
            path, f"{path.suffix or 'no suffix'} is no trajectory format", "Use .csv, .json or .npz"
        )
    try:
        columns = readers[path.suffix.lower()](path)
    except InputError:
        raise
    except (OSError, ValueError, KeyError, RecursionError, csv.Error, zipfile.BadZipFile) as error:
        raise InputError(path, f"cannot be read ({error})", "Check the file") from error
    q = from_columns(kinematics, _at_even_times(_table(columns, path), fps, path), path)
    _check_finite(q, kinematics, path)
    return q


def _at_even_times(
    table: dict[str, Float[np.ndarray, " rows"]], fps: float, path: Path
) -> dict[str, Float[np.ndarray, " frames"]]:
    """The columns at t₀ + k / fps, up to the last time; unchanged without a column of times."""
    clocks = [key for key in table if key.lower() in TIME_COLUMNS]
    columns = {key: column for key, column in table.items() if key not in clocks}
    if not clocks or {len(column) for column in columns.values()} != {len(table[clocks[0]])}:
        return columns  # `from_columns` refuses columns of unequal length
    times = table[clocks[0]]
    if not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
        raise InputError(
            path, f"the times of {clocks[0]!r} do not rise", "Sort the rows, and keep one of each"
        )
    frames = (times[-1] - times[0]) * fps if len(times) else 0
    if frames > MAX_FRAMES:
        raise InputError(path, f"lasts {times[-1] - times[0]:g} s: {frames:.3g} frames", "Give seconds")
    even = times[:1] + np.arange(int(frames + 1.01)) / fps
    return {key: np.interp(even, times, column) for key, column in columns.items()}


def _read_csv(path: Path) -> dict[str, list[float]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    if not rows:
        raise InputError(path, "is empty", "Give a header of joint names and one row per frame")
    header, body = [cell.strip() for cell in rows[0]], rows[1:]
    twice = next((cell for cell in header if header.count(cell) > 1), None)
    if twice is not None:
        raise InputError(path, f"has two columns {twice!r}", "Keep one of them")
    for line, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise InputError(
                path, f"row {line} has {len(row)} cells instead of {len(header)}", "Fill or remove it"
            )
    return {key: [float(row[i]) for row in body] for i, key in enumerate(header)}


def _read_json(path: Path) -> dict[str, Any]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise InputError(
            path, "is not an object of joint name → list of values", 'Write {"hinge": [0, 0.1, …]}'
        )
    return content


def _read_npz(path: Path) -> dict[str, np.ndarray]:
    if path.is_file() and not zipfile.is_zipfile(path):
        raise InputError(path, "is not an .npz archive", "Write it with numpy.savez")
    with np.load(path, allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}


def _check_finite(q: Tensor, kinematics: Kinematics, source: str | Path) -> None:
    bad = torch.nonzero(~torch.isfinite(q))
    if len(bad):
        frame, column = bad[0].tolist()
        raise InputError(
            source, f"{kinematics.names[column]} is NaN or infinite in frame {frame}", "Give finite values"
        )


def random_sweep(
    kinematics: Kinematics, frames: int, seed: int = 0, joints: int | None = None, reach: float = 1.0
) -> Float[Tensor, "frames k"]:
    """A smooth random motion from rest and back, inside the limits (±`reach` where there are none).

    Each of `joints` coordinates drawn at random (all when None) is q = rest + s (u − rest), where u is a
    random point of its range and s a sum of three sines over the duration, scaled to stay within 0…1.
    """
    generator = torch.Generator().manual_seed(seed)
    k = len(kinematics.names)
    chosen = torch.randperm(k, generator=generator)[: k if joints is None else joints]
    phase = torch.linspace(0, torch.pi, frames, dtype=torch.float64)[:, None]
    weights = torch.rand(3, len(chosen), generator=generator, dtype=torch.float64)
    harmonics = torch.arange(1, 4, dtype=torch.float64)[:, None]
    wave = (torch.sin(phase[:, :, None] * harmonics) ** 2 * weights).sum(1) / weights.sum(0).clamp(min=1e-9)
    lower, upper = kinematics.finite_limits(reach)[chosen].unbind(-1)
    target = lower + torch.rand(len(chosen), generator=generator, dtype=torch.float64) * (upper - lower)
    q = kinematics.rest.repeat(frames, 1)
    q[:, chosen] += wave * (target - kinematics.rest[chosen])
    return q
