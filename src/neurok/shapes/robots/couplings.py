"""Followers at rest: the drawn pose of a mechanism should obey its own couplings."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import replace

import numpy as np
from numpy.polynomial import Polynomial

from neurok.geometry.transforms import pose, rotation_about
from neurok.shapes.robots.tree import Coupling, Joint


def settle(joints: Many[Joint]) -> tuple[Joint, ...]:
    """The same mechanism drawn where every follower is in the place that its leader's rest asks for.

    A follower obeys q − r = P(q' − r') with its leader q'. When P(0) ≠ 0 the drawn pose breaks the rule, so
    the pose is moved: the origin takes up the motion by s = P(s'), where s' is the leader's own shift, rest
    becomes r + s, and the polynomial is written about the new rests: P(x + s') − s.
    """
    by_name = {joint.name: joint for joint in joints}
    shifts: dict[str, float] = {}

    def shift(joint: Joint, chain: tuple[str, ...] = ()) -> float:
        if joint.coupling is None or joint.coupling.joint not in by_name or joint.name in chain:
            return 0.0  # missing leaders and loops are for the tree's own checks to tell
        if joint.name not in shifts:
            leader = by_name[joint.coupling.joint]
            polynomial = Polynomial(joint.coupling.coefficients)
            shifts[joint.name] = float(polynomial(shift(leader, (*chain, joint.name))))
        return shifts[joint.name]

    settled = []
    for joint in joints:
        moved = shift(joint)
        if joint.coupling is None:
            settled.append(joint)
            continue
        lead = shifts.get(joint.coupling.joint, 0.0)
        about = Polynomial(joint.coupling.coefficients)(Polynomial([lead, 1.0])) - moved
        coefficients = tuple(float(c) for c in np.atleast_1d(about.coef))
        settled.append(
            replace(
                joint, origin=joint.origin @ _motion(joint, moved), rest=joint.rest + moved,
                coupling=Coupling(joint.coupling.joint, coefficients),
            )
        )  # fmt: skip
    return tuple(settled)


def _motion(joint: Joint, value: float) -> np.ndarray:
    """The motion of a one-degree joint by `value` from rest, about its pivot."""
    if joint.kind == "prismatic":
        return pose(np.eye(3), joint.axis * value)
    rotation = rotation_about(joint.axis, value)
    return pose(rotation, joint.pivot - rotation @ joint.pivot)
