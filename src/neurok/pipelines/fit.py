"""`fit`: an object and an observation of it in, the matching pose out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

from neurok.kinematics import Kinematics
from neurok.kinematics.inverse import Fit, FitConfig, fit_in, fit_points, fit_vertices, unmoved
from neurok.kinematics.inverse.targets import Target, load_target
from neurok.latent import NeuROK
from neurok.latent.reduction import FOR_FITTING
from neurok.pipelines.choose import (
    MIN_LATENT_CONFIDENCE,
    Choice,
    KinematicsKind,
    choose_kinematics,
    find_joints,
    fitting_spaces,
    likely_joints,
)
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

Array = np.ndarray
Observation = str | Path | Target | Mapping[int, Float[Array, "3"]] | Float[Array, "p 3"]


@dataclass(frozen=True, eq=False)
class FittedPose:
    """The fitted pose, in the coordinates of the space that explains the target best."""

    kinematics: Kinematics
    fit: Fit
    choice: str  # the coordinates and the reason for them, in a line
    target: Target

    @property
    def values(self) -> dict[str, float]:
        """Coordinates by name."""
        return dict(zip(self.kinematics.names, self.fit.q.tolist(), strict=True))

    @property
    def shape(self) -> Shape:
        """The object in this pose."""
        return self.kinematics.shape.moved(self.kinematics.positions(self.fit.q).numpy())


def fit(
    item: str | Path | Shape,
    target: Observation,
    *,
    kinematics: KinematicsKind = "auto",
    partial: bool = False,
    starts: int = 8,
    seed: int = 0,
    model: Path | None = None,
) -> FittedPose:
    """Find the pose of an object: `neurok.fit("laptop.glb", "scan.ply").values`.

    The target is a file, an unordered cloud of points, or positions by vertex number. A `partial` cloud shows
    only a part of the object. Of several spaces the stiffest that explains the target is used.
    """
    shape = item if isinstance(item, Shape) else load_shape(item)
    goal = _target(target, shape, seed)
    config = FitConfig(starts=starts, seed=seed)
    choices = spaces_of(shape, kinematics, model, seed)

    def fit_to(choice: Choice) -> Fit:
        if goal.vertices is not None:
            return fit_vertices(choice.kinematics, goal.vertices, goal.points, config)
        return fit_points(choice.kinematics, goal.points, config, partial=partial)

    rest = None
    if goal.vertices is None and len(choices) > 1:
        rest = unmoved(choices[0].kinematics, goal.points, partial=partial)
    choice, found = fit_in(choices, fit_to, rest)
    return FittedPose(choice.kinematics, found, choice.line, goal)


def spaces_of(shape: Shape, kind: KinematicsKind, model: Path | None, seed: int) -> list[Choice]:
    """The spaces for the fit, the stiffest first: likely joints, then latent spaces, or the requested one."""
    has_joints = shape.joints is not None and shape.joints.dim > 0
    if kind in ("joints", "elastic") or (kind == "auto" and has_joints):
        return [choose_kinematics(shape, kind, seed=seed)]
    joints = likely_joints(find_joints(shape, seed=seed)) if kind == "auto" else None
    latent = fitting_spaces(
        shape, NeuROK.from_pretrained(model), FOR_FITTING, named=kind == "auto", seed=seed
    )
    if kind == "auto" and joints is None and latent[-1].confidence < MIN_LATENT_CONFIDENCE:
        return [choose_kinematics(shape, "elastic", seed=seed)]
    found = [] if joints is None else [Choice(joints.kinematics, "")]
    return [*found, *(Choice(space, "it explains the target best") for space in latent)]


def _target(target: Observation, shape: Shape, seed: int) -> Target:
    if isinstance(target, Target):
        return target
    if isinstance(target, (str, Path)):
        return load_target(Path(target), shape, seed)
    if isinstance(target, Mapping):
        places = np.array([np.asarray(p, np.float64) for p in target.values()])
        return Target(places, np.array([*target]), f"{len(places)} vertices, the rest free")
    return Target(np.asarray(target, np.float64), None, f"a cloud of {len(target):,} points")
