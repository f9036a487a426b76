"""Videos of sequences: MP4, WebP and GIF, encoded frame by frame while they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from jaxtyping import UInt8
from PIL import Image

from neurok.errors import InputError
from neurok.rendering.camera import Camera, look_at
from neurok.rendering.renderer import Renderer
from neurok.rendering.stage import open_stage
from neurok.sequences import Sequence
from neurok.writing import replacing

Array = np.ndarray
Progress = Callable[[int, int], None]  # frames done, frames in all
SUFFIXES = (".mp4", ".webp", ".gif")
SLOWEST, FASTEST = 0.01, 1000.0  # frames per second
THREADS = "4"  # fixed: what x264 writes depends on their number


def save_video(
    sequence: Sequence, path: str | Path, camera: Camera | None = None, *,
    width: int = 768, height: int = 768, crf: int = 20, shadow: bool = True,
    show_joints: bool = False, renderer: Renderer | None = None, progress: Progress | None = None,
    keep_partial: bool = False,
) -> Path:  # fmt: skip
    """Write a sequence as .mp4 (H.264, which every player knows), .webp or .gif (which loop), by its suffix.

    Memory does not grow with the number of frames. `crf` is H.264's quality: lower is better and larger.
    An odd side of an MP4 grows by one pixel, because its chroma has half the resolution. ^C leaves no file,
    or with `keep_partial` one of the frames so far; it is raised again either way.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(path, f"videos are not written as {suffix or 'a file without suffix'}",
                         f"Use one of {' '.join(SUFFIXES)}")  # fmt: skip
    if not 0 <= crf <= 51:
        raise InputError(path, f"crf is {crf}", "Give a quality from 0 (best) to 51")
    if not SLOWEST <= sequence.fps <= FASTEST:
        raise InputError(path, f"{sequence.fps:g} frames per second are more or less than a video can have",
                         f"Give from {SLOWEST:g} to {FASTEST:g}")  # fmt: skip
    camera = camera or look_at(sequence, width=width, height=height)
    if suffix == ".mp4":
        camera = replace(
            camera, width=camera.width + camera.width % 2, height=camera.height + camera.height % 2
        )
    with (
        open_stage(sequence, camera, (width, height), renderer, shadow, show_joints) as stage,
        replacing(path) as temporary,
        av.open(str(temporary), "w", options=_container_options(suffix)) as container,
    ):
        stream = _stream(container, suffix, sequence.fps, camera, crf)
        stopped: KeyboardInterrupt | None = None
        for index in range(len(sequence)):
            try:
                frame = _frame(stage.rgb(index), suffix)
            except KeyboardInterrupt as interrupt:
                if not (keep_partial and index):
                    raise
                stopped = interrupt
                break
            container.mux(stream.encode(frame))
            if progress is not None:
                progress(index + 1, len(sequence))
        container.mux(stream.encode())
    if stopped is not None:
        raise stopped
    return path


def _container_options(suffix: str) -> dict[str, str]:
    return {"movflags": "faststart"} if suffix == ".mp4" else {"loop": "0"}


def _stream(container, suffix: str, fps: float, camera: Camera, crf: int):
    """The encoder of a format, set to the picture's size and rate."""
    codec, pixels, options = {
        ".mp4": ("libx264", "yuv420p", {"crf": str(crf), "threads": THREADS}),
        ".webp": ("libwebp_anim", "yuv420p", {"quality": "85"}),
        ".gif": ("gif", "pal8", {}),
    }[suffix]
    stream = container.add_stream(codec, rate=Fraction(fps).limit_denominator(100_000), options=options)
    stream.width, stream.height, stream.pix_fmt = camera.width, camera.height, pixels
    return stream


def _frame(rgb: UInt8[Array, "h w 3"], suffix: str) -> av.VideoFrame:
    """The picture as the encoder wants it: GIF with the 256 colours that suit it best."""
    if suffix != ".gif":
        return av.VideoFrame.from_ndarray(np.ascontiguousarray(rgb), format="rgb24")
    indexed = Image.fromarray(rgb).quantize(256, dither=Image.Dither.FLOYDSTEINBERG)
    colours = np.frombuffer(bytes(indexed.getpalette("RGB") or b""), np.uint8).reshape(-1, 3)
    palette = np.zeros((256, 4), np.uint8)
    palette[:, 0], palette[: len(colours), 1:] = 255, colours
    pair: Any = (np.asarray(indexed), palette)  # which the stubs of PyAV leave out
    return av.VideoFrame.from_ndarray(pair, format="pal8")
