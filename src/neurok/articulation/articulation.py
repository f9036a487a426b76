"""`Articulation`: the joint of every part of a shape, and the kinematics that these joints make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float

from neurok.kinematics.joints import JointKinematics
from neurok.shapes.mass import part_inertia
from neurok.shapes.robots.tree import Coupling, Joint, JointTree, Link
from neurok.shapes.shape import Shape, unique_names

Array = np.ndarray
MotionKind = Literal["fixed", "revolute", "prismatic", "cylindrical"]
MAX_STUCK_MOTION = 0.1  # radians or radii: a joint with less free motion is drawn with overlapping parts
MOTION_KINDS: tuple[MotionKind, ...] = get_args(MotionKind)
SINGLE: tuple[MotionKind, ...] = ("revolute", "prismatic")  # kinds with one coordinate


@dataclass(frozen=True, eq=False)
class JointHint:
    """A joint given by the user: its kind and, if known, the direction of its axis."""

    kind: MotionKind
    axis: Float[Array, "3"] | None = None  # in the shape's coordinates


@dataclass(frozen=True)
class Following:
    """Coupling of a joint: its value is `ratio` times that of the joint of `part`."""

    part: str
    ratio: float  # radians or units of the follower, per radian or unit of the leader


@dataclass(frozen=True, eq=False)
class PartJoint:
    """Joint of one part, in the shape's coordinates. All values are zero in the given pose.

    A revolute part turns about the line through `pivot` along `axis`. A prismatic part slides along `axis`. A
    cylindrical part does both independently.
    """

    part: str
    kind: MotionKind
    parent: str | None  # None: fixed to the world
    axis: Float[Array, "3"]
    pivot: Float[Array, "3"]
    lower: float  # radians, or units of a prismatic joint; ±inf: unlimited turns
    upper: float
    confidence: float  # 0 … 1
    collision_free: bool  # no collision with the other parts over the whole range
    attached: bool  # contact with the other parts over the whole range
    slide: tuple[float, float] = (0.0, 0.0)  # units: range of the slide of a cylindrical joint
    free: tuple[float, float] = (0.0, 0.0)  # as lower and upper: until it collides or loses contact
    follows: Following | None = None  # coupling, if it has one

    @property
    def moves(self) -> bool:
        return self.kind != "fixed"


def following(joint: PartJoint, leader: PartJoint, ratio: float) -> PartJoint:
    """The joint coupled to a leader. Its range follows from the leader's, unless that is unlimited."""

    def scaled(ends: tuple[float, float]) -> tuple[float, float]:
        low, high = sorted(ratio * end for end in ends)
        return low, high

    coupled = replace(joint, follows=Following(leader.part, ratio))
    if not np.isfinite([leader.lower, leader.upper, *leader.free]).all():
        return coupled
    lower, upper = scaled((leader.lower, leader.upper))
    return replace(coupled, lower=lower, upper=upper, free=scaled(leader.free))


@dataclass(frozen=True, eq=False)
class Articulation:
    """One joint for each part of a shape, with confidences."""

    shape: Shape
    joints: tuple[PartJoint, ...]
    parts_source: str  # see `neurok.articulation.parts.find.Parts`
    notes: tuple[str, ...] = ()
    parts_confidence: float = 1.0  # 0 … 1: that the parts are rigid bodies

    def __post_init__(self) -> None:
        given = Counter(joint.part for joint in self.joints)
        wrong = [name for name in {*given, *self.shape.part_names} if given[name] != 1]
        if wrong or set(given) != set(self.shape.part_names):
            raise ValueError(f"{self.shape.name}: needs one joint for each part, got {sorted(given)}")
        adrift = [joint.part for joint in self.joints if joint.moves and joint.parent is None]
        if adrift:
            raise ValueError(f"{self.shape.name}: {adrift[0]!r} moves, but nothing carries it")
        free = {joint.part for joint in self.joints if joint.follows is None and joint.kind in SINGLE}
        for joint in self.joints:
            if joint.follows is not None and not (
                joint.kind in SINGLE and joint.follows.part in free and np.isfinite(joint.follows.ratio)
            ):
                raise ValueError(f"{self.shape.name}: {joint.part!r} can't follow {joint.follows.part!r}")

    @property
    def moving(self) -> tuple[PartJoint, ...]:
        """The joints that are not fixed."""
        return tuple(joint for joint in self.joints if joint.moves)

    @property
    def confidence(self) -> float:
        """Confidence in the parts times the mean of the moving joints (of all joints, if none moves)."""
        return self.parts_confidence * float(np.mean([j.confidence for j in self.moving or self.joints]))

    @cached_property
    def kinematics(self) -> JointKinematics:
        """Coordinates of the movable joints, by name: q = 0 is the pose that was given."""
        return JointKinematics(self.shape_with_joints())

    def with_likely_joints(self, least: float, kept: Collection[str] = ()) -> Articulation:
        """The same parts, with joints of a confidence below `least` fixed, except `kept` ones.

        A joint that follows a fixed joint is fixed too.
        """
        unlikely = {j.part for j in self.joints if j.confidence < least and j.part not in kept}
        unlikely |= {j.part for j in self.joints if j.follows is not None and j.follows.part in unlikely}
        joints = [replace(j, kind="fixed", follows=None) if j.part in unlikely else j for j in self.joints]
        return replace(self, joints=tuple(joints))

    def with_both_ways(self, moved: Collection[str] = ()) -> Articulation:
        """Ranges that extend in both directions as far as the simulator finds free motion.

        The predicted direction of a joint is a guess. If the simulator finds the joint of a `moved` part, or
        of one that carries it, stuck in both directions, its range is open in both, because files draw parts
        with overlaps.
        """
        chain = self.carriers(moved)
        unit = self.shape.normalisation.radius
        return replace(self, joints=tuple(_both_ways(j, j.part in chain, unit) for j in self.joints))

    def carriers(self, parts: Collection[str]) -> set[str]:
        """These parts and every part that carries one of them."""
        above = {joint.part: joint.parent for joint in self.joints}
        chain = set[str]()
        for part in parts:
            at: str | None = part
            while at is not None and at not in chain:
                chain.add(at)
                at = above[at]
        return chain

    def save(self, path: str | Path) -> list[Path]:
        """Write the mechanism (.urdf, .xml) or a sweep of its joints (.glb, .usd), if MuJoCo accepts it."""
        from neurok.articulation.files import save_articulation

        return save_articulation(self, Path(path))

    def tree(self) -> JointTree:
        """The joints as a `JointTree` whose link frames are those of the shape in the given pose.

        Followers are coupled. A cylindrical joint becomes two: a slide to a carrier, a link without geometry,
        and a hinge from there.
        """
        carriers = _carriers(self)
        links = (*(Link(name) for name in self.shape.part_names), *map(Link, carriers.values()))
        placed = {joint.part: self._placed(joint) for joint in self.joints}
        joints = tuple(
            replace(j, coupling=_coupling(joint, placed)) if j.dim else j
            for joint in placed.values()
            for j in _joints(joint, carriers.get(joint.part))
        )
        return JointTree(links, joints, self.shape.name)

    def _placed(self, joint: PartJoint) -> PartJoint:
        """A slide has a direction but no position; its pivot is the centre of its part."""
        faces = self.shape.faces_of(joint.part)
        if joint.kind != "prismatic" or not len(faces):
            return joint
        corners = self.shape.vertices[self.shape.faces[faces]].reshape(-1, 3)
        return replace(joint, pivot=(corners.min(axis=0) + corners.max(axis=0)) / 2)

    def shape_with_joints(self) -> Shape:
        """The shape with its joints, and with the inertia of every part from its geometry.

        The frames of all links are the shape's own, so that `part_inertia` applies to them directly.
        """
        tree = self.tree()
        has_faces = {self.shape.part_names[k] for k in np.unique(self.shape.part)}
        links = tuple(
            Link(link.name, part_inertia(self.shape, link.name)) if link.name in has_faces else link
            for link in tree.links
        )
        return self.shape.with_(joints=JointTree(links, tree.joints, tree.name))


def _both_ways(joint: PartJoint, is_moved: bool, unit: float) -> PartJoint:
    if not joint.moves:
        return joint
    length = joint.upper - joint.lower
    free = joint.free
    if is_moved and max(-free[0], free[1]) < MAX_STUCK_MOTION * (unit if joint.kind == "prismatic" else 1.0):
        free = (-np.inf, np.inf)
    lower = min(joint.lower, max(free[0], -length))
    upper = max(joint.upper, min(free[1], length))
    return replace(joint, lower=lower, upper=upper, free=free)


def _carriers(articulation: Articulation) -> dict[str, str]:
    """Name of the sliding link of each cylindrical part."""
    names = articulation.shape.part_names
    parts = [joint.part for joint in articulation.joints if joint.kind == "cylindrical"]
    new = unique_names([*names, *(f"{part}_carrier" for part in parts)])[len(names) :]
    return dict(zip(parts, new, strict=True))


def _joints(joint: PartJoint, carrier: str | None) -> list[Joint]:
    """Joints of the tree for one part; none if it is fixed to the world."""
    if joint.parent is None:
        return []
    if joint.kind == "fixed":
        return [Joint(f"{joint.part}_fixed", "fixed", joint.parent, joint.part)]
    if joint.kind == "prismatic":
        return [_slide(joint, joint.parent, joint.part, joint.lower, joint.upper)]
    if joint.kind == "revolute":
        return [_hinge(joint, joint.parent)]
    assert carrier is not None
    return [_slide(joint, joint.parent, carrier, *joint.slide), _hinge(joint, carrier)]


def _coupling(joint: PartJoint, joints: dict[str, PartJoint]) -> Coupling | None:
    if joint.follows is None:
        return None
    (leader,) = _joints(joints[joint.follows.part], None)
    return Coupling(leader.name, (0.0, joint.follows.ratio))


def _slide(joint: PartJoint, parent: str, child: str, lower: float, upper: float) -> Joint:
    return Joint(
        f"{joint.part}_slide", "prismatic", parent, child,
        axis=_unit(joint.axis), pivot=np.asarray(joint.pivot, np.float64), lower=lower, upper=upper,
        confidence=joint.confidence,
    )  # fmt: skip


def _hinge(joint: PartJoint, parent: str) -> Joint:
    endless = np.isneginf(joint.lower) and np.isposinf(joint.upper)
    return Joint(
        f"{joint.part}_{'spin' if endless else 'hinge'}", "continuous" if endless else "revolute",
        parent, joint.part, axis=_unit(joint.axis), pivot=np.asarray(joint.pivot, np.float64),
        lower=joint.lower, upper=joint.upper, confidence=joint.confidence,
    )  # fmt: skip


def _unit(axis: Float[Array, "3"]) -> Float[Array, "3"]:
    return np.asarray(axis, np.float64) / np.linalg.norm(axis)
