"""Draws random frame pairs with new surface samples, reproducibly for any number of readers."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from neurok.datasets.augment import Augment, draw_kept_faces, draw_linear, draw_stretch
from neurok.datasets.pair_motion import pair_motion
from neurok.datasets.sampling import draw_samples
from neurok.datasets.store.store import Store
from neurok.datasets.store.stored_object import StoredObject
from neurok.errors import InputError
from neurok.geometry.quaternions import canonical, normalised, quaternion_in_frame, quaternion_rotate
from neurok.shapes import Frame

Array = np.ndarray
MAX_OPEN_OBJECTS = 32  # objects kept open; bounds the memory on large stores


@dataclass(frozen=True)
class PairConfig:
    """Content and sampling of a pair."""

    points: int = 1024  # number of surface samples
    augment: Augment | None = field(default_factory=Augment)  # None: no augmentation
    seed: int = 0
    balance: Literal["object", "category", "family", "tempered"] = "tempered"
    """Unit of uniform sampling: every object; every category; or every family and every category in it.
    Tempered: families in proportion to the square root of their number of categories."""
    identity: float = 0.02  # probability that both frames are the same
    rest: float = 0.5  # probability that the first frame is the rest frame of the recording

    def __post_init__(self) -> None:
        if self.points < 1 or self.seed < 0 or not (0 <= self.identity <= 1 and 0 <= self.rest <= 1):
            cause = f"points {self.points}, seed {self.seed}, identity {self.identity}, rest {self.rest}"
            raise InputError("pairs", cause, "Give a positive number, a seed from 0, and a probability")


@dataclass(frozen=True, eq=False)
class Pair:
    """Points of an object in a first frame and their motion to a second frame. All float32.

    Y is up. The bounding box of the first frame is centred at 0 and its farthest vertex has distance 1.
    For every point, target = R(rotation) · point + translation.
    """

    points: Float[Array, "s 3"]
    normals: Float[Array, "s 3"]  # unit, of the faces
    rotation: Float[Array, "s 4"]  # unit quaternions (w, x, y, z) with w ≥ 0
    translation: Float[Array, "s 3"]
    target: Float[Array, "s 3"]
    part: Int[Array, " s"]
    component: Int[Array, " s"]  # connected component of the surface, regardless of parts
    jointed: bool  # whether the object has joints
    object: int  # index into the names of the data set
    frames: tuple[int, int]
    scale: float  # radius of the first frame, in radii of the object at rest
    step: int


class PairDataset:
    """Pairs by step number: `pair(step)` depends on the seed and the step only."""

    def __init__(
        self, store: Store, names: Many[str] | None = None, config: PairConfig | None = None
    ) -> None:
        self.store, self.config = store, config or PairConfig()
        self.names = tuple(sorted(store.names() if names is None else names))
        if not self.names:
            raise InputError(
                store.folder, "there is no object to read", "Choose another split, or build more objects"
            )
        self._entries = [store.entry(name) for name in self.names]
        self._cumulated = np.cumsum(
            object_weights([(e.family, e.category) for e in self._entries], self.config.balance)
        )
        self._open: OrderedDict[int, StoredObject] = OrderedDict()

    def __getstate__(self) -> dict:
        return self.__dict__ | {"_open": OrderedDict()}  # mapped files cannot be pickled

    def pair(self, step: int) -> Pair:
        """The pair of one step."""
        return self.pairs(step, 1)[0]

    def pairs(self, step: int, targets: int) -> list[Pair]:
        """Pairs of one step: one first frame and several second frames, at the same points."""
        rng = np.random.default_rng([self.config.seed, step])
        place = rng.random() * self._cumulated[-1]
        index = min(int(np.searchsorted(self._cumulated, place, side="right")), len(self.names) - 1)
        stored = self._stored(index)
        frames = draw_frames(stored.entry.frames, targets, self.config.identity, self.config.rest, rng)
        return make_pairs(stored, frames, self.config, rng, index, step)

    def shard(self, rank: int, world: int, start: int = 0, stop: int | None = None) -> Iterator[Pair]:
        """Pairs of the steps `start` + `rank` + k · `world`; all ranks together cover every step once."""
        if not 0 <= rank < world:
            raise InputError("pairs", f"rank {rank} of {world}", "Count ranks from 0")
        steps = count(start + rank, world) if stop is None else range(start + rank, stop, world)
        return (self.pair(step) for step in steps)

    def _stored(self, index: int) -> StoredObject:
        if index in self._open:
            self._open.move_to_end(index)
            return self._open[index]
        stored = self._open[index] = self.store.load(self.names[index])
        if len(self._open) > MAX_OPEN_OBJECTS:
            self._open.popitem(last=False)
        return stored


def make_pairs(
    stored: StoredObject, frames: tuple[int, ...], config: PairConfig, rng: np.random.Generator,
    index: int = 0, step: int = 0,
) -> list[Pair]:  # fmt: skip
    """Pairs of the first frame with each other frame, at one set of points."""
    upright = Frame(stored.entry.up).to(Frame("y"))[:3, :3]
    linear = draw_linear(config.augment, rng) @ upright
    motion = pair_motion(stored, frames, draw_stretch(config.augment, rng))
    kept = draw_kept_faces(config.augment, stored.part, stored.entry.parts, stored.area, rng)
    samples = draw_samples(motion.vertices, stored.faces, stored.area, config.points, rng, kept)
    seen = motion.vertices if kept is None else motion.vertices[stored.faces[kept].ravel()]
    centre, radius = _ball(seen, linear)
    points = samples.of(motion.vertices)
    x = (points.astype(np.float64) @ linear.T - centre) / radius
    jitter = config.augment.jitter if config.augment is not None else 0.0
    jittered = x + jitter * rng.standard_normal(x.shape, np.float32) if jitter else x
    normals = (samples.normal @ linear.T).astype(np.float32)
    part = stored.part[samples.face].astype(np.int32)
    component = stored.component[samples.face].astype(np.int32)
    shown = jittered.astype(np.float32)
    jointed = stored.entry.degrees_of_freedom is not None
    pairs = []
    for second, (quaternion, image) in zip(frames[1:], motion.motions(samples, points), strict=True):
        y = (image.astype(np.float64) @ linear.T - centre) / radius
        quaternion = canonical(_turned(normalised(quaternion.astype(np.float64)), linear))
        translation = y - quaternion_rotate(quaternion, x)
        if jitter:
            y = quaternion_rotate(quaternion, jittered) + translation
        turn, shift, target = (array.astype(np.float32) for array in (quaternion, translation, y))
        two = (frames[0], second)
        pairs.append(
            Pair(shown, normals, turn, shift, target, part, component, jointed, index, two, radius, step)
        )
    return pairs


def draw_frames(
    frames: int, targets: int, identity: float, rest: float, rng: np.random.Generator
) -> tuple[int, ...]:
    """A first frame and `targets` others of any clip; each equals the first with probability `identity`."""
    first = 0 if rng.random() < rest else int(rng.integers(frames))
    if frames == 1:
        return (first,) * (targets + 1)
    still = rng.random(targets) < identity
    others = (first + 1 + rng.integers(frames - 1, size=targets)) % frames
    return (first, *(int(f) for f in np.where(still, first, others)))


def _ball(vertices: Float[Array, "n 3"], linear: Float[Array, "3 3"]) -> tuple[Float[Array, "3"], float]:
    """Centre of the bounding box of L x, and the largest distance of a vertex from it."""
    turned = linear.astype(vertices.dtype) @ vertices.T
    centre = (turned.min(1).astype(np.float64) + turned.max(1)) / 2
    turned -= centre.astype(vertices.dtype)[:, None]
    radius = float(np.sqrt((turned * turned).sum(0).max()))
    return centre, radius if radius > 0 else 1.0


def _turned(quaternion: Float[Array, "s 4"], linear: Float[Array, "3 3"]) -> Float[Array, "s 4"]:
    """Quaternion of L R Lᵀ = P R Pᵀ for orthogonal L and the rotation P = L det L."""
    proper = linear * np.sign(np.linalg.det(linear))
    return quaternion_in_frame(quaternion, proper)


def object_weights(kinds: list[tuple[str, str]], balance: str) -> Float[Array, " objects"]:
    """Unnormalised probability of each object."""
    if balance == "object":
        return np.ones(len(kinds))
    if balance == "category":
        named = Counter(category for _, category in kinds)
        return np.array([1 / named[category] for _, category in kinds])
    members = Counter(kinds)
    categories = Counter(family for family, _ in members)
    power = 0.5 if balance == "tempered" else 1.0
    return np.array([1 / members[kind] / categories[kind[0]] ** power for kind in kinds])
