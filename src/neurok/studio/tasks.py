"""Tasks that run in child processes: preparing a mesh, and writing a recording."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.kinematics import Kinematics, animate
from neurok.pipelines.choose import KinematicsKind
from neurok.pipelines.outputs import VIDEOS, write_motion
from neurok.shapes.load import load_shape
from neurok.studio.guard import Limits
from neurok.studio.stage import Stage, stage_of
from neurok.studio.worker import Report

MODES = 12
FPS = 30.0  # of recordings: every other step
FORMATS = (".glb", ".usdc", ".mp4")
VIDEO_SECONDS = 20.0  # longest video, because drawing is slower than real time


def prepare(report: Report, path: Path, name: str, kind: KinematicsKind, limits: Limits) -> Stage:
    """Loads a file and prepares it for interactive simulation."""
    torch.set_num_threads(1)
    report("reading the file", 0.1)
    shape = load_shape(path, repair=True, max_faces=limits.faces).with_(name=name)
    report(f"computing the kinematics of {len(shape.vertices):,} vertices", 0.35)
    return stage_of(shape, kind, MODES)


def write(report: Report, kinematics: Kinematics, q: Float[Tensor, "frames k"], suffix: str) -> bytes:
    """The bytes of a file that holds a recording."""
    torch.set_num_threads(1)
    if suffix in VIDEOS:
        q = q[: round(VIDEO_SECONDS * FPS)]
    motion = animate(kinematics, q, FPS, "studio", lazy=True)
    with tempfile.TemporaryDirectory(prefix="neurok-studio-") as folder:
        file = Path(folder) / f"recording{suffix}"
        report(f"writing {len(q)} frames as {suffix}", 0.2)
        write_motion(motion, file, lambda done, total: report(f"frame {done} of {total}", done / total))
        return file.read_bytes()
