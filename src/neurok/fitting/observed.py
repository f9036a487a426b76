"""Some points of a surface as linear functions of a kinematics' small code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy import sparse
from torch import Tensor

from neurok.kinematics import Kinematics
from neurok.kinematics.skinning import SkinBasis
from neurok.shapes.sample import Samples

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class ObservedPoints:
    """y_s(c) = Σ_a B_sa c_a, for each of the three axes; c has one 3 × 4 map per handle."""

    basis: Float[Tensor, "s four_h"]  # (weights × rest position, weights) per handle

    def positions(self, code: Float[Tensor, "*batch r"]) -> Float[Tensor, "*batch s 3"]:
        maps = code.unflatten(-1, (-1, 3, 4)).transpose(-2, -3).flatten(-2)  # *batch 3 4h
        return self.basis @ maps.transpose(-1, -2)


def at_vertices(kinematics: Kinematics, vertices: Int[Array, " s"]) -> ObservedPoints:
    """Some of the vertices."""
    return ObservedPoints(torch.tensor(sparse.csr_matrix(_matrix(kinematics)[vertices]).toarray()))


def at_samples(kinematics: Kinematics, samples: Samples) -> ObservedPoints:
    """Points on faces."""
    corners = kinematics.shape.faces[samples.face]
    rows = np.repeat(np.arange(len(corners)), 3)
    mix = sparse.csr_matrix(
        (samples.weights.ravel(), (rows, corners.ravel())),
        shape=(len(corners), len(kinematics.shape.vertices)),
    )
    return ObservedPoints(torch.tensor(sparse.csr_matrix(mix @ _matrix(kinematics)).toarray()))


def _matrix(kinematics: Kinematics) -> sparse.csr_matrix:
    assert isinstance(kinematics.basis, SkinBasis), "every kinematics of this project skins"
    return kinematics.basis.matrix
