"""Chooses the kinematics of an object: joints, the learned latent space, or elastic modes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.articulation.articulation import Articulation
from neurok.articulation.decision import predict_joints
from neurok.articulation.parts import Hints, find_parts
from neurok.articulation.push_evidence import Pull
from neurok.errors import InputError
from neurok.kinematics import Kinematics
from neurok.kinematics.elastic import ElasticKinematics, ElasticMaterial
from neurok.kinematics.joints import JointKinematics
from neurok.latent.cvae import NeuROK
from neurok.latent.kinematics import LatentKinematics
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Shape

KinematicsKind = Literal["auto", "joints", "latent", "elastic"]
MIN_JOINT_CONFIDENCE = 0.5  # a found joint below this stays fixed; validation: 52 % right at 0.5–0.7
MIN_PARTS_CONFIDENCE = 0.5  # parts below this (a surface cut in doubt) carry no joints
MIN_LATENT_CONFIDENCE = 0.2  # share of the motion that few latent coordinates are expected to hold
MIN_STANDING_SHARE = 0.3  # of the pinned vertices, for a part to count as held
MAX_BENDING = 0.3  # of loose pieces in the learned motion, below which found parts may move as one
MERGE_THRESHOLDS = (0.0, 1.0)  # log-odds beyond which pieces become one part, where a fit tries several


class Choice(NamedTuple):
    """The kinematics of an object and the reason for it."""

    kinematics: Kinematics
    why: str  # empty where the description says it

    @property
    def line(self) -> str:
        """One line for people."""
        reason = f" ({self.why})" if self.why else ""
        return f"{self.kinematics.shape.name}: {self.kinematics.describe()}{reason}"


class Tug(NamedTuple):
    """A push or drag: its vertices and its direction."""

    vertices: Int[np.ndarray, " v"]
    way: Float[np.ndarray, "3"]

    def on(self, shape: Shape) -> Pull:
        """The pull on the part that holds most of the vertices, at their middle."""
        part = np.bincount(shape.vertex_part[self.vertices]).argmax()
        return Pull(shape.part_names[part], shape.vertices[self.vertices].mean(0), self.way)


class Surroundings(NamedTuple):
    """Vertices that tell parts and joints apart: pinned by the user, the assumed base, pushed or dragged."""

    pinned: Bool[np.ndarray, " n"] | None = None
    base: Bool[np.ndarray, " n"] | None = None
    pulled: Bool[np.ndarray, " n"] | None = None
    tugs: tuple[Tug, ...] = ()  # what is known of pushes and drags

    @property
    def held(self) -> Bool[np.ndarray, " n"] | None:
        """What stands still: the pins, else the base without what is pulled."""
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

    Found joints are used where they are likely; the latent space of the weights in `model` (or the shipped
    ones), reduced, where its confidence suffices. Parts that the file names move as one there. A
    `kind` other than auto takes that one, as it is, or raises.
    """
    network = NeuROK.from_pretrained(model) if model is not None else None  # a wrong file is refused first
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
    """The kinematics that `choose_kinematics` gives an object; the same options."""
    return choose_kinematics(shape, kind, **options).kinematics


def find_joints(
    shape: Shape,
    surroundings: Surroundings = Surroundings(),  # noqa: B008  # frozen
    *,
    seed: int = 0,
) -> Articulation:
    """The joints that are predicted for a shape; they move both ways as far as nothing is in the way.

    A part with a good share of the user's pins stands. The assumed base holds no part by itself: the network
    decides which part stands, so that a door that reaches the floor may open. Where nothing moves at a pulled
    place, the surface is cut and its joints are predicted again with the knowledge that this place moves and
    the base does not.
    """
    pinned, pulled, tugs = surroundings.pinned, surroundings.pulled, surroundings.tugs
    if pinned is not None:
        return _predicted(shape, Hints(pinned, pulled), pinned, pulled, tugs, seed)
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
    """Joints given that pinned parts stand, and that pulled ones move or are carried by parts that do."""
    parts = find_parts(shape, hints=hints)
    standing = _parts_of(parts.shape, pinned, MIN_STANDING_SHARE)
    moved = [name for name in _parts_of(parts.shape, pulled, 0.0) if name not in standing]
    moved = moved if len(moved) < len(parts.shape.part_names) else []
    pulls = [pull for tug in tugs if (pull := tug.on(parts.shape)).part not in standing]
    found = predict_joints(parts, standing=standing, moved=moved, pulls=pulls, seed=seed)
    return found.with_both_ways(moved)


def likely_joints(found: Articulation, pulled: Bool[np.ndarray, " n"] | None = None) -> Articulation | None:
    """The joints that are believed, the others fixed; None where nothing is left to move.

    The likeliest joint that lets a pulled part move is believed at any confidence.
    """
    if found.parts_confidence < MIN_PARTS_CONFIDENCE:
        return None
    chain = found.carriers(_parts_of(found.shape, pulled, 0.0))
    movers = [joint for joint in found.moving if joint.part in chain]
    kept = [max(movers, key=lambda joint: joint.confidence).part] if movers else []
    likely = found.with_likely_joints(MIN_JOINT_CONFIDENCE, kept)
    return likely if likely.moving else None


def fitting_spaces(
    shape: Shape, model: NeuROK, reduction: ReductionConfig | None, *, named: bool = True, seed: int = 0
) -> list[LatentKinematics]:
    """Latent spaces of one shape to fit a pose in, the stiffest first.

    Parts that the file names are rigid, if the names are to be used. Else, where the learned prior hardly
    bends the pieces, the parts that are found move as one: first few, then more of them, then every piece by
    itself.
    """
    parts = named_parts(shape) if named else None
    latent = LatentKinematics.from_shape(shape, model, reduction, whole=parts, seed=seed)
    if parts is not None or latent.bending > MAX_BENDING:
        return [latent]
    found = [find_parts(shape, merge_threshold=merge_threshold).shape for merge_threshold in MERGE_THRESHOLDS]
    several = {len(parts.part_names): parts for parts in found if len(parts.part_names) > 1}
    wholes = [parts.vertex_part[: len(shape.vertices)].astype(np.int64) for parts in several.values()]
    stiff = [LatentKinematics.from_shape(shape, model, reduction, whole=w, seed=seed) for w in wholes]
    return [*stiff, latent]


def named_parts(shape: Shape) -> Int[np.ndarray, " n"] | None:
    """The part of each vertex where the file names several, else None."""
    return shape.vertex_part.astype(np.int64) if len(np.unique(shape.part)) > 1 else None


def _parts_of(shape: Shape, mask: Bool[np.ndarray, " n"] | None, share: float) -> list[str]:
    """Names of the parts that hold some of the masked vertices, and at least this share of them."""
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
