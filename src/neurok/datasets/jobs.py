"""Defines `Job`, a picklable description of one recording, and executes it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

import numpy as np

from neurok.datasets.motion_statistics import vertex_order_changes
from neurok.datasets.record import Origin, Recording
from neurok.errors import Rejected
from neurok.shapes.load import load_shape

JobKind = Literal["mechanism", "sequence", "articulated", "simulated"]
MAX_FRAMES = 400  # frames per imported object; longer recordings are thinned evenly


@dataclass(frozen=True)
class Job:
    """A file to record, or a generator and the number of the object to generate."""

    origin: Origin
    kind: JobKind
    path: str = ""  # file of a mechanism or sequence
    number: int = 0  # running number of a generated object
    seed: int = 0
    frames: int = 32  # frames of a mechanism's sweeps

    @property
    def rng(self) -> np.random.Generator:
        """Random generator of this object, independent of all other jobs and of their order."""
        return np.random.default_rng([self.seed, self.number, zlib.crc32(self.origin.name.encode())])


def record(job: Job) -> Recording:
    """Makes the recording; raises `InputError` or `Rejected` with the reason of a failure."""
    return Recording(job.origin, MAKERS[job.kind](job))


def _mechanism(job: Job):
    return _swept(load_shape(job.path), job)


def _sequence(job: Job):
    from neurok.sequences.load import load_sequences

    clips = [clip for clip in load_sequences(job.path) if not _vertex_order_changes(clip)]
    if not clips:
        raise Rejected("its frames are of meshes with different orders of vertices")
    stride = max(1, -(-sum(len(clip) for clip in clips) // MAX_FRAMES))
    thinned = tuple(
        clip.with_(positions=clip.positions[::stride], rig=None, fps=clip.fps / stride) for clip in clips
    )
    if all(clip.travel < 1e-3 for clip in thinned):
        raise Rejected("nothing in it moves")
    return thinned


def _vertex_order_changes(clip) -> bool:
    shape = clip.shape
    return vertex_order_changes(shape.vertices, clip.positions, shape.faces, shape.normalisation.radius)


def _articulated(job: Job):
    from neurok.datasets.generators import generators

    return _swept(generators()[job.origin.name.split("/")[1]](job.rng), job)


def _simulated(job: Job):
    from neurok.objects.creatures import creature_families
    from neurok.objects.soft import soft_families

    return tuple({**soft_families(), **creature_families()}[job.origin.category](job.rng))


def _swept(shape, job: Job):
    from neurok.datasets.sweeps import joint_clips
    from neurok.kinematics import joints_of

    if shape.joints is None or shape.joints.dim == 0:
        raise Rejected("nothing in it moves")
    return joint_clips(joints_of(shape), job.frames, int(job.rng.integers(2**31)))


MAKERS = {
    "mechanism": _mechanism,
    "sequence": _sequence,
    "articulated": _articulated,
    "simulated": _simulated,
}
