"""Energy balance of a run: a short table, numbers of every frame, and a plot."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
from jaxtyping import Float
from PIL import Image, ImageDraw, ImageFont

from neurok.dynamics import EnergyReport
from neurok.errors import InputError
from neurok.writing import replacing, write_bytes

Array = np.ndarray
SUFFIXES = (".png", ".csv", ".json")
NAMES = ("kinetic", "potential", "work", "dissipation", "unexplained")
COLOURS = {
    "kinetic": (214, 69, 65), "potential": (36, 113, 163), "work": (40, 155, 95),
    "dissipation": (125, 60, 152), "unexplained": (60, 60, 60),
}  # fmt: skip
WIDTH, HEIGHT, MARGIN = 960, 540, (78, 48, 24, 48)  # pixels: left, top, right, bottom


def curves(report: EnergyReport, frames: int, scenario: int = 0) -> dict[str, Float[Array, " frames"]]:
    """Joules per frame of one scenario; the potential is relative to the start."""
    found = {name: getattr(report, name)[:frames, scenario].numpy(force=True) for name in NAMES}
    found["potential"] = found["potential"] - found["potential"][0]
    return found


def summary(found: dict[str, Float[Array, " frames"]]) -> list[list[str]]:
    """Rows (name, extreme, final, share of the scale); the scale is the largest exchanged energy."""
    scale = max(float(np.abs(found[name]).max()) for name in NAMES[:4]) or 1.0
    return [
        [name, f"{values[np.abs(values).argmax()]:.4g} J", f"{values[-1]:.4g} J", _percent(values, scale)]
        for name, values in found.items()
    ]


def _percent(values: Float[Array, " frames"], scale: float) -> str:
    return f"{np.abs(values).max() / scale:.2%}"


def check_energy_path(path: Path) -> Path:
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            path, f"energy is not written as {path.suffix or 'a file without suffix'}",
            f"Use one of {' '.join(SUFFIXES)}",
        )  # fmt: skip
    return path


def save_energy(
    found: dict[str, Float[Array, " frames"]], times: Float[Array, " frames"], path: Path, title: str
) -> Path:
    """A plot as .png, or every frame's numbers as .csv or .json."""
    suffix = check_energy_path(path).suffix.lower()
    if suffix == ".png":
        with replacing(path) as temporary:
            plot(found, times, title).save(temporary, format="PNG")
        return path
    if suffix == ".json":
        columns = {"time_s": times.tolist()} | {f"{k}_J": v.tolist() for k, v in found.items()}
        return write_bytes(path, (json.dumps(columns) + "\n").encode())
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["time_s", *(f"{name}_J" for name in found)])
    writer.writerows(zip(times.tolist(), *(v.tolist() for v in found.values()), strict=True))
    return write_bytes(path, text.getvalue().encode())


def plot(
    found: dict[str, Float[Array, " frames"]], times: Float[Array, " frames"], title: str
) -> Image.Image:
    """Lines over time on white, drawn at twice the size and halved."""
    scale = 2
    image = Image.new("RGB", (WIDTH * scale, HEIGHT * scale), "white")
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = (m * scale for m in MARGIN)
    box = (left, top, WIDTH * scale - right, HEIGHT * scale - bottom)
    low, high = min(0.0, *(v.min() for v in found.values())), max(0.0, *(v.max() for v in found.values()))
    pad = 0.05 * (high - low) or 1.0
    ranges = ((0.0, float(times[-1]) or 1.0), (float(low) - pad, float(high) + pad))
    _grid(draw, box, ranges, scale)
    for name, values in found.items():
        x = box[0] + (times - ranges[0][0]) / (ranges[0][1] - ranges[0][0]) * (box[2] - box[0])
        y = box[3] - (values - ranges[1][0]) / (ranges[1][1] - ranges[1][0]) * (box[3] - box[1])
        draw.line(list(zip(x.tolist(), y.tolist(), strict=True)), COLOURS[name], 2 * scale, joint="curve")
    _legend(draw, box, title, scale)
    return image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _grid(draw: ImageDraw.ImageDraw, box, ranges, scale: int) -> None:
    font, grey, ink = ImageFont.load_default(12 * scale), (226, 228, 232), (90, 94, 102)
    for value in _ticks(*ranges[0]):
        x = box[0] + (value - ranges[0][0]) / (ranges[0][1] - ranges[0][0]) * (box[2] - box[0])
        draw.line([(x, box[1]), (x, box[3])], grey, scale)
        draw.text((x, box[3] + 8 * scale), f"{value:g} s", ink, font, anchor="ma")
    for value in _ticks(*ranges[1]):
        y = box[3] - (value - ranges[1][0]) / (ranges[1][1] - ranges[1][0]) * (box[3] - box[1])
        draw.line([(box[0], y), (box[2], y)], ink if value == 0 else grey, scale)
        draw.text((box[0] - 8 * scale, y), f"{value:.3g} J", ink, font, anchor="rm")


def _ticks(low: float, high: float) -> list[float]:
    """About six round numbers."""
    rough = (high - low) / 6
    power = 10 ** np.floor(np.log10(rough))
    step = float(power * min((1, 2, 5, 10), key=lambda m: abs(m * power - rough)))
    first = int(np.ceil(low / step))
    return [round(k * step, 12) for k in range(first, int(np.floor(high / step)) + 1)]


def _legend(draw: ImageDraw.ImageDraw, box, title: str, scale: int) -> None:
    font, x = ImageFont.load_default(13 * scale), box[0]
    y = box[1] - 22 * scale
    for name, colour in COLOURS.items():
        draw.line([(x, y), (x + 18 * scale, y)], colour, 3 * scale)
        draw.text((x + 24 * scale, y), name, (70, 74, 82), font, anchor="lm")
        x += 24 * scale + font.getlength(name) + 22 * scale
    draw.text((box[2], y), title[:48], (70, 74, 82), font, anchor="rm")
