"""`JointTree`: the links of a mechanism and the joints between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError

Array = np.ndarray
JointKind = Literal["fixed", "revolute", "continuous", "prismatic", "planar", "ball", "floating"]

DEGREES_OF_FREEDOM: Mapping[JointKind, int] = {
    "fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "ball": 3, "floating": 6,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass, centre of mass and 3×3 central inertia in the link's frame, in SI units."""

    mass: float
    centre: Float[Array, "3"]
    tensor: Float[Array, "3 3"]


@dataclass(frozen=True, eq=False)
class Link:
    """One rigid body. Its geometry is the part of the same name in the shape."""

    name: str
    inertia: Inertia | None = None


@dataclass(frozen=True)
class Coupling:
    """A joint follows another: q − rest = Σ_k c_k (q_other − rest_other)^k (URDF mimic, MJCF equality)."""

    joint: str
    coefficients: tuple[float, ...]  # c_0, c_1, …


@dataclass(frozen=True, eq=False)
class Joint:
    """The motion of `child` in the frame of `parent`: child = origin · motion(q − rest).

    The motion rotates about or slides along `axis` through `pivot`, both in the joint's frame, which
    `origin` gives. A revolute joint rotates by q radians; a prismatic one slides by q units; planar is
    (slide, slide, rotation) with `axis` the plane's normal; ball is a rotation vector; floating is
    (translation, rotation vector).
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: Float[Array, "4 4"] = field(default_factory=lambda: np.eye(4))
    axis: Float[Array, "3"] = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    pivot: Float[Array, "3"] = field(default_factory=lambda: np.zeros(3))
    lower: float = -np.inf
    upper: float = np.inf
    rest: float = 0.0  # value of q in the rest pose of the file (MJCF `ref`)
    damping: float = 0.0  # N·m·s/rad or N·s/m
    friction: float = 0.0  # N·m or N
    effort: float = np.inf  # N·m or N
    velocity: float = np.inf  # rad/s or m/s
    coupling: Coupling | None = None
    confidence: float | None = None  # 0 … 1 of a predicted joint; None: a file states it

    @property
    def dim(self) -> int:
        """The number of coordinates of the motion, coupled or not."""
        return DEGREES_OF_FREEDOM[self.kind]


@dataclass(frozen=True, eq=False)
class JointTree:
    """A forest of links. Every link has at most one joint to a parent; links without one are roots."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    name: str = "mechanism"
    roots: Mapping[str, Float[Array, "4 4"]] = field(default_factory=dict)  # pose of a root, else identity

    def __post_init__(self) -> None:
        self._check_names()
        self._check_tree()
        self._check_couplings()

    def _check_names(self) -> None:
        names = [link.name for link in self.links]
        for what, given in (("link", names), ("joint", [j.name for j in self.joints])):
            twice = {n for n in given if given.count(n) > 1} if len(set(given)) < len(given) else set()
            if twice:
                raise InputError(self.name, f"{what} name {min(twice)!r} is used twice", "Rename one of them")
        known = set(names)
        for joint in self.joints:
            for end in (joint.parent, joint.child):
                if end not in known:
                    raise InputError(
                        self.name, f"joint {joint.name!r} names link {end!r}, which does not exist",
                        f"Add the link, or correct the name; there are: {', '.join(names[:8])}",
                    )  # fmt: skip

    def _check_tree(self) -> None:
        parent: dict[str, Joint] = {}
        for joint in self.joints:
            if joint.child in parent:
                raise InputError(
                    self.name,
                    f"link {joint.child!r} has two parents: {parent[joint.child].name!r} and {joint.name!r}",
                    "A mechanism must be a tree: remove one of them",
                )
            parent[joint.child] = joint
        reached: set[str] = set()  # links whose path to a root is known
        for link in self.links:
            path, at = [link.name], link.name
            while at in parent and at not in reached:
                at = parent[at].parent
                if len(path) > len(parent):  # longer than any path that repeats no link
                    raise InputError(
                        self.name, f"links form a cycle ({_loop(at, parent)})", "Remove one joint of the loop"
                    )
                path.append(at)
            reached.update(path)

    def _check_couplings(self) -> None:
        by_name = {j.name: j for j in self.joints}
        for joint in self.joints:
            seen, at = {joint.name}, joint
            while at.coupling is not None:
                if at.coupling.joint not in by_name:
                    raise InputError(
                        self.name, f"joint {at.name!r} follows {at.coupling.joint!r}, which does not exist",
                        "Correct the name of the leading joint",
                    )  # fmt: skip
                follower, at = at, by_name[at.coupling.joint]
                if follower.dim != 1 or at.dim != 1:
                    raise InputError(
                        self.name, f"{follower.kind} {follower.name!r} follows {at.kind} {at.name!r}",
                        "Only hinges and slides can be coupled",
                    )  # fmt: skip
                if at.name in seen:
                    raise InputError(
                        self.name, f"joint {joint.name!r} follows itself", "Break the loop of mimics"
                    )
                seen.add(at.name)

    @cached_property
    def parent_joint(self) -> Mapping[str, Joint]:
        """The parent joint of each link that has one."""
        return {joint.child: joint for joint in self.joints}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Link names, parents before children."""
        children: dict[str, list[str]] = {}
        for joint in self.joints:
            children.setdefault(joint.parent, []).append(joint.child)
        order = [link.name for link in self.links if link.name not in self.parent_joint]
        for name in order:  # grows during the iteration
            order.extend(children.get(name, ()))
        return tuple(order)

    @cached_property
    def rest_poses(self) -> Mapping[str, Float[Array, "4 4"]]:
        """The pose of every link at rest, where every motion is the identity."""
        poses: dict[str, Array] = {}
        for name in self.order:
            joint = self.parent_joint.get(name)
            poses[name] = (
                self.roots.get(name, np.eye(4)) if joint is None else poses[joint.parent] @ joint.origin
            )
        return poses

    @cached_property
    def movable(self) -> tuple[Joint, ...]:
        return tuple(joint for joint in self.joints if joint.dim)

    @cached_property
    def bodies(self) -> Mapping[str, int]:
        """The body of each link: 1 + the index of the nearest movable joint above it, or 0 without one."""
        index = {joint.child: 1 + i for i, joint in enumerate(self.movable)}
        body: dict[str, int] = {}
        for name in self.order:
            above = self.parent_joint.get(name)
            body[name] = index.get(name, 0 if above is None else body[above.parent])
        return body

    @property
    def dim(self) -> int:
        """The number of independent degrees of freedom: those of joints that follow no other."""
        return sum(j.dim for j in self.joints if j.coupling is None)


def _loop(link: str, parent: Mapping[str, Joint]) -> str:
    """The cycle that contains a link, from parent to child: "a → b → a"."""
    loop = [link]
    while (at := parent[loop[-1]].parent) != link:
        loop.append(at)
    names = [link, *reversed(loop)]
    return " → ".join(names if len(names) <= 6 else [*names[:5], "…", link])
