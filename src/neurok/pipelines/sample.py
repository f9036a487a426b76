"""`sample`: a file or shape in, plausible poses drawn from the prior over its coordinates out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import standing_base
from neurok.kinematics import Kinematics, animate, sample_poses, sweep
from neurok.latent.reduction import ReductionConfig
from neurok.pipelines.choose import KinematicsKind, Surroundings, choose_kinematics
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

HOLD_FRAMES, BLEND_FRAMES = 6, 18  # a pose is held, then leads to the next
MAX_COORDINATES = 12


@dataclass(frozen=True, eq=False)
class Samples:
    """Poses of one object."""

    kinematics: Kinematics
    q: Float[Tensor, "count k"]
    choice: str  # the coordinates and the reason for them, in a line

    @property
    def poses(self) -> Sequence:
        """The input pose, then one frame per sample."""
        return animate(self.kinematics, self._with_rest, name="samples")

    @property
    def tour(self) -> Sequence:
        """From pose to pose along smooth steps, each held for a moment."""
        angle = np.linspace(0, np.pi, BLEND_FRAMES, endpoint=False)
        blend = torch.tensor(np.r_[np.zeros(HOLD_FRAMES), (1 - np.cos(angle)) / 2])[:, None]
        legs = [a + blend * (b - a) for a, b in pairwise(self._with_rest)]
        frames = torch.cat([*legs, self._with_rest[-1:].repeat(HOLD_FRAMES, 1)])
        return animate(self.kinematics, frames, name="samples")

    @property
    def sweeps(self) -> Sequence:
        """Each coordinate in turn through its range."""
        return animate(self.kinematics, sweep(self.kinematics), name="coordinates")

    @property
    def ends(self) -> Sequence:
        """Each coordinate at its lower limit, at rest and at its upper limit."""
        k = self.kinematics
        q = k.rest.repeat(k.dim, 3, 1)
        for i, (low, high) in enumerate(k.finite_limits(np.pi)):
            q[i, 0, i], q[i, 2, i] = low, high
        return animate(k, q.flatten(0, 1), name="coordinates")

    @property
    def shares(self) -> Float[Tensor, " k"]:
        """Share of the motion that each coordinate makes, in the metric of mass."""
        return motion_shares(self.kinematics)

    @property
    def _with_rest(self) -> Float[Tensor, "frames k"]:
        return torch.cat([self.kinematics.rest[None], self.q])


def sample(
    item: str | Path | Shape,
    *,
    count: int = 12,
    kinematics: KinematicsKind = "auto",
    is_anchored: bool = True,
    max_coordinates: int = MAX_COORDINATES,
    seed: int = 0,
    model: Path | None = None,
) -> Samples:
    """Draw poses of a static object: `neurok.sample("laptop.glb").poses`.

    `max_coordinates` bounds the number of latent coordinates. Unless `is_anchored`, latent and elastic
    coordinates move the base too.
    """
    shape = item if isinstance(item, Shape) else load_shape(item)
    choice = choose_kinematics(
        shape, kinematics, surroundings=Surroundings(base=standing_base(shape) if is_anchored else None),
        modes=max_coordinates, seed=seed, model=model,
        reduction=ReductionConfig(max_coordinates=max_coordinates, seed=seed),
    )  # fmt: skip
    return Samples(choice.kinematics, sample_poses(choice.kinematics, count, seed), choice.line)


def motion_shares(kinematics: Kinematics) -> Float[Tensor, " k"]:
    """σ_i² M_ii / Σ_j σ_j² M_jj, M the mass matrix at rest and σ_i the deviation of plausible poses."""
    slope = kinematics.jets(kinematics.rest[None], None).slope[0]
    moved = (kinematics.mass().times(slope) * slope).flatten(1).sum(1)
    energy = kinematics.pose_deviation**2 * moved
    return energy / energy.sum().clamp(min=1e-30)
