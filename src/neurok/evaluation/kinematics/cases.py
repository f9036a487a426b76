"""Makes test cases: a mesh at rest, and poses of its recording with a clear displacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from neurok.datasets.store.store import Store
from neurok.datasets.store.stored_object import StoredObject
from neurok.shapes import Frame, Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
MIN_DISPLACEMENT = 0.01  # radii, mean over the vertices of a target pose
CLOUD_POINTS = 4000  # points of the target cloud
MAX_FRAMES = 200  # frames of a recording for oracles


@dataclass(frozen=True, eq=False)
class Case:
    """A mesh in the unit ball of its rest pose, and target poses."""

    name: str
    category: str
    group: str  # collection, which selects the table
    shape: Shape
    part: Int[Array, " m"]  # rigid parts, where known; otherwise one part
    is_rigid: bool
    frames: tuple[int, ...]  # of the targets
    targets: Float[Array, "t n 3"]
    others: Float[Array, "f n 3"]  # remaining frames, for oracles only

    def cloud(self, target: int) -> Float[Array, "p 3"]:
        """Unordered points of the moved surface."""
        samples = sample_surface(self.shape, CLOUD_POINTS, seed=1000 + target, even=False)
        return samples.positions(self.shape, self.targets[target])


def cases_of(store: Store, names: list[str], poses: int, seed: int) -> list[Case]:
    """One case per object with displaced poses; deterministic for a seed."""
    found = (make_case(store.load(name), poses, seed) for name in names)
    return [case for case in found if case is not None]


def make_case(stored: StoredObject, poses: int, seed: int) -> Case | None:
    """Case of one object: the first frame is the rest mesh, and random displaced frames are targets."""
    entry = stored.entry
    rest = stored.positions(0).astype(np.float64)
    frames = np.arange(1, entry.frames)
    frames = frames[:: max(1, len(frames) // MAX_FRAMES)]
    if not len(frames):
        return None
    moved = np.stack([stored.positions(int(f)) for f in frames]).astype(np.float64)
    away = np.linalg.norm(moved - rest, axis=-1).mean(-1)
    rng = np.random.default_rng([seed, len(rest), entry.frames])
    chosen = np.sort(rng.permutation(np.flatnonzero(away > MIN_DISPLACEMENT))[:poses])
    if not len(chosen):
        return None
    handle = np.zeros(len(rest), np.int32) if stored.handle is None else stored.handle
    part = handle[stored.faces[:, 0]].astype(np.int32)
    shape = Shape(rest, stored.faces, name=entry.name, frame=Frame(entry.up))
    centre, radius = shape.normalisation.centre, shape.normalisation.radius
    ball = [(x - centre) / radius for x in (rest, moved[chosen], np.delete(moved, chosen, axis=0))]
    return Case(
        entry.name, entry.category, entry.name.partition("/")[0], shape.with_(vertices=ball[0]), part,
        stored.handle is not None, tuple(int(f) for f in frames[chosen]),
        ball[1], ball[2],
    )  # fmt: skip
