"""`save_video`: writes sequences as MP4, WebP or GIF, encoded frame by frame."""

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
from neurok.rendering.frame_renderer import open_frame_renderer
from neurok.rendering.renderer import Renderer
from neurok.sequences import Sequence
from neurok.writing import replacing

Array = np.ndarray
Progress = Callable[[int, int], None]  # frames done, total frames
SUFFIXES = (".mp4", ".webp", ".gif")
MIN_FPS, MAX_FPS = 0.01, 1000.0  # frames per second
ENCODER_THREADS = "4"  # fixed, because the output of x264 depends on the number


def save_video(
    sequence: Sequence, path: str | Path, camera: Camera | None = None, *,
    width: int = 768, height: int = 768, crf: int = 20, shadow: bool = True,
    show_joints: bool = False, renderer: Renderer | None = None, progress: Progress | None = None,
    keep_partial: bool = False,
) -> Path:  # fmt: skip
    """Writes a sequence as .mp4 (H.264), .webp or .gif (both looping), by its suffix.

    Memory does not grow with the number of frames. `crf` is H.264's quality: lower is better and larger. An
    odd side of an MP4 grows by one pixel, because its chroma has half the resolution. ^C leaves no file, or
    with `keep_partial` a file of the frames so far, and is raised again.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(path, f"videos are not written as {suffix or 'a file without suffix'}",
                         f"Use one of {' '.join(SUFFIXES)}")  # fmt: skip
    if not 0 <= crf <= 51:
        raise InputError(path, f"crf is {crf}", "Give a quality from 0 (best) to 51")
    if not MIN_FPS <= sequence.fps <= MAX_FPS:
        raise InputError(path, f"{sequence.fps:g} frames per second are more or less than a video can have",
                         f"Give from {MIN_FPS:g} to {MAX_FPS:g}")  # fmt: skip
    camera = camera or look_at(sequence, width=width, height=height)
    if suffix == ".mp4":
        camera = replace(
            camera, width=camera.width + camera.width % 2, height=camera.height + camera.height % 2
        )
    with (
        open_frame_renderer(sequence, camera, (width, height), renderer, shadow, show_joints) as frames,
        replacing(path) as temporary,
        av.open(str(temporary), "w", options=_container_options(suffix)) as container,
    ):
        stream = _stream(container, suffix, sequence.fps, camera, crf)
        stopped: KeyboardInterrupt | None = None
        for index in range(len(sequence)):
            try:
                frame = _frame(frames.rgb(index), suffix)
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
    """The encoder of a format for the picture's size and frame rate."""
    codec, pixels, options = {
        ".mp4": ("libx264", "yuv420p", {"crf": str(crf), "threads": ENCODER_THREADS}),
        ".webp": ("libwebp_anim", "yuv420p", {"quality": "85"}),
        ".gif": ("gif", "pal8", {}),
    }[suffix]
    stream = container.add_stream(codec, rate=Fraction(fps).limit_denominator(100_000), options=options)
    stream.width, stream.height, stream.pix_fmt = camera.width, camera.height, pixels
    return stream


def _frame(rgb: UInt8[Array, "h w 3"], suffix: str) -> av.VideoFrame:
    """The picture as an encoder frame; for GIF with an optimised palette of 256 colours."""
    if suffix != ".gif":
        return av.VideoFrame.from_ndarray(np.ascontiguousarray(rgb), format="rgb24")
    indexed = Image.fromarray(rgb).quantize(256, dither=Image.Dither.FLOYDSTEINBERG)
    colours = np.frombuffer(bytes(indexed.getpalette("RGB") or b""), np.uint8).reshape(-1, 3)
    palette = np.zeros((256, 4), np.uint8)
    palette[:, 0], palette[: len(colours), 1:] = 255, colours
    pair: Any = (np.asarray(indexed), palette)  # PyAV's stubs lack this form
    return av.VideoFrame.from_ndarray(pair, format="pal8")
