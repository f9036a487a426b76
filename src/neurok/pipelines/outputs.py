"""Writes a motion to files by suffix, the fast formats first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from neurok.errors import InputError
from neurok.export import check_usd
from neurok.sequences import Sequence as Motion

PICTURES = (".png", ".jpg", ".jpeg")
VIDEOS = (".mp4", ".webp", ".gif")
MOTIONS = (".glb", ".npz", ".usd", ".usda", ".usdc", ".usdz", ".ply", ".obj")
VIDEO_SIDE = 512  # pixels


def check_outputs(paths: Sequence[Path]) -> None:
    """Refuse unknown formats before anything is computed."""
    for path in paths:
        if path.suffix.lower() not in (*MOTIONS, *VIDEOS, *PICTURES):
            what = path.suffix or "a file without suffix"
            known = " ".join((*MOTIONS, *VIDEOS, *PICTURES))
            raise InputError(path, f"a motion is not written as {what}", f"Use one of {known}")
        check_usd(path)


def by_cost(paths: Sequence[Path]) -> list[Path]:
    """Paths ordered by cost: GLB, .npz, other meshes, videos. An interrupted job then leaves most files."""
    order = {".glb": 0, ".npz": 1, **dict.fromkeys(PICTURES, 2), **dict.fromkeys(VIDEOS, 4)}
    return sorted(paths, key=lambda path: order.get(path.suffix.lower(), 3))


def write_motion(motion: Motion, path: Path, step: Callable[..., None] | None = None) -> list[Path]:
    """Write one file or numbered ones; a picture is a contact sheet. ^C ends a video early."""
    suffix = path.suffix.lower()
    if suffix in VIDEOS:
        from neurok.rendering import save_video

        return [
            save_video(motion, path, width=VIDEO_SIDE, height=VIDEO_SIDE, progress=step, keep_partial=True)
        ]
    if suffix in PICTURES:
        from neurok.rendering import contact_sheet, save_image

        return [save_image(contact_sheet(motion), path)]
    from neurok.export import save

    return save(motion, path)
