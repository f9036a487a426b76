"""What is asked: a mesh at rest, and poses of its recording that are well away from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from neurok.datasets.store.store import Store
from neurok.datasets.store.stored_object import StoredObject
from neurok.shapes import Frame, Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
LEAST = 0.01  # mean displacement, in radii, below which a pose asks for nothing
CLOUD = 4000  # points of the target that a method sees
MOST_FRAMES = 200  # of a recording that oracles see


@dataclass(frozen=True, eq=False)
class Case:
    """A mesh in the unit ball of its rest pose, and poses to be found."""

    name: str
    category: str
    group: str  # which table it belongs to
    shape: Shape
    part: Int[Array, " m"]  # what moves rigidly, where that is known; else one part
    is_rigid: bool
    frames: tuple[int, ...]  # of the poses
    targets: Float[Array, "t n 3"]
    others: Float[Array, "f n 3"]  # the rest of the recording: for oracles alone

    def cloud(self, target: int) -> Float[Array, "p 3"]:
        """Points of the moved surface, in no order that means anything."""
        samples = sample_surface(self.shape, CLOUD, seed=1000 + target, even=False)
        return samples.positions(self.shape, self.targets[target])


def cases_of(store: Store, names: list[str], poses: int, seed: int) -> list[Case]:
    """A case per object that has poses away from rest; the same for the same seed."""
    found = (make_case(store.load(name), poses, seed) for name in names)
    return [case for case in found if case is not None]


def make_case(stored: StoredObject, poses: int, seed: int) -> Case | None:
    """The first frame is the mesh at rest; poses are drawn from frames that moved."""
    entry = stored.entry
    rest = stored.positions(0).astype(np.float64)
    frames = np.arange(1, entry.frames)
    frames = frames[:: max(1, len(frames) // MOST_FRAMES)]
    if not len(frames):
        return None
    moved = np.stack([stored.positions(int(f)) for f in frames]).astype(np.float64)
    away = np.linalg.norm(moved - rest, axis=-1).mean(-1)
    rng = np.random.default_rng([seed, len(rest), entry.frames])
    chosen = np.sort(rng.permutation(np.flatnonzero(away > LEAST))[:poses])
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
