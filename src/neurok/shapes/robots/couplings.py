"""Adjusts the rest pose of a mechanism so that it satisfies its couplings."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import replace

import numpy as np
from numpy.polynomial import Polynomial

from neurok.geometry.rotations import rotation_about
from neurok.geometry.transforms import pose
from neurok.shapes.robots.tree import Coupling, Joint


def with_coupled_rest(joints: Many[Joint]) -> tuple[Joint, ...]:
    """The same mechanism with every follower at the value that its leader's rest prescribes.

    A follower satisfies q − r = P(q' − r') with its leader q'. If P(0) ≠ 0, the rest pose violates this and
    is moved: the origin absorbs the motion by s = P(s'), where s' is the leader's shift; rest becomes r + s;
    and the polynomial about the new rests is P(x + s') − s.
    """
    by_name = {joint.name: joint for joint in joints}
    shifts: dict[str, float] = {}

    def shift(joint: Joint, chain: tuple[str, ...] = ()) -> float:
        if joint.coupling is None or joint.coupling.joint not in by_name or joint.name in chain:
            return 0.0  # `JointTree` refuses missing leaders and loops
        if joint.name not in shifts:
            leader = by_name[joint.coupling.joint]
            polynomial = Polynomial(joint.coupling.coefficients)
            shifts[joint.name] = float(polynomial(shift(leader, (*chain, joint.name))))
        return shifts[joint.name]

    result = []
    for joint in joints:
        moved = shift(joint)
        if joint.coupling is None:
            result.append(joint)
            continue
        lead = shifts.get(joint.coupling.joint, 0.0)
        about = Polynomial(joint.coupling.coefficients)(Polynomial([lead, 1.0])) - moved
        coefficients = tuple(float(c) for c in np.atleast_1d(about.coef))
        result.append(
            replace(
                joint, origin=joint.origin @ _motion(joint, moved), rest=joint.rest + moved,
                coupling=Coupling(joint.coupling.joint, coefficients),
            )
        )  # fmt: skip
    return tuple(result)


def _motion(joint: Joint, value: float) -> np.ndarray:
    """The motion of a one-degree joint by `value` from rest, about its pivot."""
    if joint.kind == "prismatic":
        return pose(np.eye(3), joint.axis * value)
    rotation = rotation_about(joint.axis, value)
    return pose(rotation, joint.pivot - rotation @ joint.pivot)
