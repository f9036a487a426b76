"""Chooses the kinematics of an object: joints, the learned latent space, or elastic modes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.articulation.articulation import Articulation
from neurok.articulation.decision import predict_joints
from neurok.articulation.parts import Hints, Parts, find_parts
from neurok.articulation.push_evidence import Pull
from neurok.articulation.pushed_part import part_by_push
from neurok.errors import InputError
from neurok.kinematics import Kinematics
from neurok.kinematics.elastic import ElasticKinematics, ElasticMaterial
from neurok.kinematics.joints import JointKinematics
from neurok.latent.cvae import NeuROK
from neurok.latent.kinematics import LatentKinematics
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Shape

KinematicsKind = Literal["auto", "joints", "latent", "elastic"]
MIN_JOINT_CONFIDENCE = 0.5  # a found joint below this stays fixed
MIN_BEST_CONFIDENCE = 0.65  # if the best joint is below this, such as a leaf's, no joint is used
MIN_PARTS_CONFIDENCE = 0.5  # parts below this get no joints, unless a push cut them out
MIN_LATENT_CONFIDENCE = 0.2  # expected share of the motion within few latent coordinates
MIN_STANDING_SHARE = 0.3  # of the pinned vertices, from which a part counts as fixed
MAX_BENDING = 0.3  # of loose pieces in the learned motion, below which found parts may move as one
MERGE_THRESHOLDS = (0.0, 1.0)  # log-odds above which pieces become one part; a fit tries all


class Choice(NamedTuple):
    """The kinematics of an object and the reason for it."""

    kinematics: Kinematics
    why: str  # empty if the description suffices

    @property
    def line(self) -> str:
        """The description and the reason in one line."""
        reason = f" ({self.why})" if self.why else ""
        return f"{self.kinematics.shape.name}: {self.kinematics.describe()}{reason}"


class Tug(NamedTuple):
    """A push or drag: its vertices and its direction."""

    vertices: Int[np.ndarray, " v"]
    way: Float[np.ndarray, "3"]

    def on(self, shape: Shape) -> Pull:
        """The pull on the part that contains most of the vertices, at their mean position."""
        part = np.bincount(shape.vertex_part[self.vertices]).argmax()
        return Pull(shape.part_names[part], shape.vertices[self.vertices].mean(0), self.way)


class Surroundings(NamedTuple):
    """Vertices that help to find parts and joints: user pins, the assumed base, pushed or dragged ones."""

    pinned: Bool[np.ndarray, " n"] | None = None
    base: Bool[np.ndarray, " n"] | None = None
    pulled: Bool[np.ndarray, " n"] | None = None
    tugs: tuple[Tug, ...] = ()  # all pushes and drags

    @property
    def held(self) -> Bool[np.ndarray, " n"] | None:
        """The fixed vertices: the pins, else the base without the pulled vertices."""
        if self.pinned is not None or self.base is None:
            return self.pinned
        held = self.base if self.pulled is None else self.base & ~self.pulled
        return held if held.any() else None


def choose_kinematics(
    shape: Shape,
    kind: KinematicsKind = "auto",
    *,
    surroundings: Surroundings = Surroundings(),  # noqa: B008  # frozen
    modes: int = 8,
    material: ElasticMaterial = ElasticMaterial(),  # noqa: B008  # frozen
    seed: int = 0,
    model: Path | None = None,
    reduction: ReductionConfig = ReductionConfig(),  # noqa: B008  # frozen
) -> Choice:
    """Joints of the file, else joints that are found, else the latent space, else elastic modes.

    Found joints are used if they are likely. The reduced latent space, of the weights in `model` or the
    shipped ones, is used if its confidence suffices; parts that the file names are rigid in it. A `kind`
    other than auto selects that kinematics without conditions, or raises.
    """
    network = NeuROK.from_pretrained(model) if model is not None else None  # refuses an invalid file first
    if kind in ("joints", "auto"):
        if shape.joints is not None and shape.joints.dim > 0:
            return Choice(JointKinematics(shape), "the file has joints" if kind == "auto" else "as asked")
        found = find_joints(shape, surroundings, seed=seed)
        if kind == "joints":
            return Choice(_required(found), "as asked")
        likely = likely_joints(found, surroundings.pulled)
        if likely is not None:
            return Choice(likely.kinematics, "")
    why = "as asked"
    if kind in ("latent", "auto"):
        latent = LatentKinematics.from_shape(
            shape, network, reduction, pinned=surroundings.held,
            whole=named_parts(shape) if kind == "auto" else None, attached=True, seed=seed,
        )  # fmt: skip
        if kind == "latent":
            return Choice(latent, why)
        if latent.confidence >= MIN_LATENT_CONFIDENCE:
            return Choice(latent, "no likely joint is found, and the model is confident")
        why = f"the model is not confident: {latent.confidence:.2f}, below {MIN_LATENT_CONFIDENCE:g}"
    elastic = ElasticKinematics.from_shape(
        shape, modes=modes, material=material, pinned=surroundings.held, seed=seed
    )
    return Choice(elastic, why)


def kinematics_of(shape: Shape, kind: KinematicsKind = "auto", **options: Any) -> Kinematics:
    """The kinematics of `choose_kinematics`, with the same options."""
    return choose_kinematics(shape, kind, **options).kinematics


def find_joints(
    shape: Shape,
    surroundings: Surroundings = Surroundings(),  # noqa: B008  # frozen
    *,
    seed: int = 0,
) -> Articulation:
    """The joints that are predicted for a shape, with ranges up to the nearest collision in both directions.

    A part with a good share of the user's pins is fixed. The assumed base alone fixes no part: the network
    decides, so that a door that reaches the floor may open. If nothing moves at a pulled place, the surface
    is cut, and its joints are predicted again, given that this place moves and the base does not. One push on
    a fused surface cuts out the part that it moves.
    """
    pinned, pulled, tugs = surroundings.pinned, surroundings.pulled, surroundings.tugs
    if pinned is not None:
        return _predicted(shape, Hints(pinned, pulled), pinned, pulled, tugs, seed)
    bare = len(np.unique(shape.part)) == 1
    if bare and len(tugs) == 1 and (cut := part_by_push(shape, *tugs[0])) is not None:
        return _joints_of(cut, ["rest"], ["pushed"], tugs, seed)
    found = _predicted(shape, None, None, None, tugs, seed)
    pushed = _parts_of(found.shape, pulled, 0.0)
    chain = found.carriers(pushed)
    if not pushed or any(joint.part in chain for joint in found.moving):
        return found.with_both_ways(pushed)
    hints = None if surroundings.held is None else Hints(surroundings.held, pulled)
    return _predicted(shape, hints, None, pulled, tugs, seed)


def _predicted(
    shape: Shape,
    hints: Hints | None,
    pinned: Bool[np.ndarray, " n"] | None,
    pulled: Bool[np.ndarray, " n"] | None,
    tugs: Sequence[Tug],
    seed: int,
) -> Articulation:
    """Joints given that pinned parts are fixed, and that pulled parts or their ancestors move."""
    parts = find_parts(shape, hints=hints)
    standing = _parts_of(parts.shape, pinned, MIN_STANDING_SHARE)
    moved = [name for name in _parts_of(parts.shape, pulled, 0.0) if name not in standing]
    moved = moved if len(moved) < len(parts.shape.part_names) else []
    return _joints_of(parts, standing, moved, tugs, seed)


def _joints_of(
    parts: Parts, standing: list[str], moved: list[str], tugs: Sequence[Tug], seed: int
) -> Articulation:
    """Joints of parts of which some stand and some move, given all pushes."""
    pulls = [pull for tug in tugs if (pull := tug.on(parts.shape)).part not in standing]
    found = predict_joints(parts, standing=standing, moved=moved, pulls=pulls, seed=seed)
    return found.with_both_ways(moved)


def likely_joints(found: Articulation, pulled: Bool[np.ndarray, " n"] | None = None) -> Articulation | None:
    """The joints of sufficient confidence, the others fixed; None if no joint remains.

    A part that a push cuts out, and the likeliest joint that moves a pulled part, are kept at any confidence.
    """
    if found.parts_confidence < MIN_PARTS_CONFIDENCE and found.parts_source != "push":
        return None
    chain = found.carriers(_parts_of(found.shape, pulled, 0.0))
    movers = [joint for joint in found.moving if joint.part in chain]
    kept = [max(movers, key=lambda joint: joint.confidence).part] if movers else []
    best = max((joint.confidence for joint in found.moving), default=0.0)
    least = MIN_JOINT_CONFIDENCE if best >= MIN_BEST_CONFIDENCE else np.inf
    likely = found.with_likely_joints(least, kept)
    return likely if likely.moving else None


def fitting_spaces(
    shape: Shape, model: NeuROK, reduction: ReductionConfig | None, *, named: bool = True, seed: int = 0
) -> list[LatentKinematics]:
    """Latent spaces of one shape in which a pose is fitted, the stiffest first.

    Parts that the file names are rigid if `named` is set. Otherwise, if the learned prior hardly bends the
    pieces, found parts are rigid: first few large ones, then more, then every loose piece.
    """
    parts = named_parts(shape) if named else None
    latent = LatentKinematics.from_shape(shape, model, reduction, whole=parts, rooted=True, seed=seed)
    if parts is not None or latent.bending > MAX_BENDING:
        return [latent]
    found = [find_parts(shape, merge_threshold=merge_threshold).shape for merge_threshold in MERGE_THRESHOLDS]
    several = {len(parts.part_names): parts for parts in found if len(parts.part_names) > 1}
    wholes = [parts.vertex_part[: len(shape.vertices)].astype(np.int64) for parts in several.values()]
    stiff = [
        LatentKinematics.from_shape(shape, model, reduction, whole=w, rooted=True, seed=seed) for w in wholes
    ]
    return [*stiff, latent]


def named_parts(shape: Shape) -> Int[np.ndarray, " n"] | None:
    """The part of each vertex where the file names several, else None."""
    return shape.vertex_part.astype(np.int64) if len(np.unique(shape.part)) > 1 else None


def _parts_of(shape: Shape, mask: Bool[np.ndarray, " n"] | None, share: float) -> list[str]:
    """Names of the parts that contain masked vertices, and at least this share of them."""
    if mask is None or not mask.any():
        return []
    count = np.bincount(shape.vertex_part[: len(mask)][mask], minlength=len(shape.part_names))
    return [shape.part_names[k] for k in np.flatnonzero((count > 0) & (count >= share * count.sum()))]


def _required(found: Articulation) -> JointKinematics:
    if not found.moving:
        raise InputError(
            found.shape.name, f"no joints are found in it ({' '.join(found.notes)})",
            "Use --kinematics latent or elastic, or name a joint: neurok articulate FILE --joint PART=KIND",
        )  # fmt: skip
    return found.kinematics
