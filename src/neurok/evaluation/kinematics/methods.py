"""Defines the compared methods: each is prepared for a case and then predicts the vertices of its poses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from scipy import sparse
from torch import Tensor

from neurok.evaluation.kinematics.cases import Case
from neurok.kinematics import Basis, Kinematics, elastic_modes_of
from neurok.kinematics.inverse import FitConfig, fit_in, fit_points, unmoved
from neurok.latent import NeuROK
from neurok.latent.reduction import ReductionConfig
from neurok.pipelines.choose import fitting_spaces
from neurok.shapes import Shape

Array = np.ndarray
Predictor = Callable[[Float[Array, "p 3"]], Float[Array, "n 3"]]  # maps a point cloud to all vertices
Method = Callable[[Case], tuple[Predictor, dict[str, float]]]  # with facts such as the confidence
ORACLE_COMPONENTS = 12  # principal components


def no_motion(case: Case) -> tuple[Predictor, dict[str, float]]:
    """Baseline without motion: the rest pose."""
    return lambda _: case.shape.vertices, {}


def neural(model: NeuROK, reduction: ReductionConfig | None, fit: FitConfig) -> Method:
    """The learned space, reduced or complete.

    The rest pose, or the space of the found parts, is preferred where it matches the cloud equally well.
    """

    def method(case: Case) -> tuple[Predictor, dict[str, float]]:
        spaces = fitting_spaces(case.shape, model, reduction)

        def predict(cloud: Float[np.ndarray, "p 3"]) -> Float[np.ndarray, "n 3"]:
            rest = unmoved(spaces[0], cloud)
            space, found = fit_in(spaces, lambda kinematics: fit_points(kinematics, cloud, fit), rest)
            return space.positions(found.q).numpy(force=True)

        return predict, {"confidence": spaces[-1].confidence}

    return method


def elastic(fit: FitConfig) -> Method:
    """Baseline of elastic modes of the mesh, without learning."""

    def method(case: Case) -> tuple[Predictor, dict[str, float]]:
        return fitted(elastic_modes_of(case.shape, modes=12), fit), {}

    return method


def principal(fit: FitConfig) -> Method:
    """Oracle: principal components of the other frames of the recording."""

    def method(case: Case) -> tuple[Predictor, dict[str, float]]:
        return fitted(PrincipalKinematics.from_case(case), fit), {}

    return method


def fitted(kinematics: Kinematics, fit: FitConfig) -> Predictor:
    """Predictor that fits a kinematics to the cloud."""
    return lambda cloud: kinematics.positions(fit_points(kinematics, cloud, fit).q).numpy(force=True)


@dataclass(frozen=True, eq=False)
class LinearBasis(Basis):
    """Linear basis x = X + Σ_i c_i s_i."""

    rest: Float[Tensor, "n 3"]
    shifts: Float[Tensor, "k n 3"]

    def apply(self, code: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch n 3"]:
        return self.rest + torch.einsum("...k,kni->...ni", code, self.shifts)

    def gram(self, mass: Float[Tensor, " n"]) -> Float[Tensor, "k k"]:
        return torch.einsum("kni,n,lni->kl", self.shifts, mass, self.shifts)

    def at(self, mix: sparse.csr_matrix) -> Callable[[Tensor], Tensor]:
        mixed = [torch.tensor(mix @ x.numpy()) for x in (self.rest, *self.shifts)]
        return LinearBasis(mixed[0], torch.stack(mixed[1:])).apply


def principal_shifts(case: Case, max_shifts: int) -> tuple[Float[Tensor, "f k"], Float[Tensor, "k n 3"]]:
    """Coefficients of the frames (rest first), and principal components σ_i e_i of the other frames."""
    moved = np.concatenate([case.shape.vertices[None], case.others]) - case.shape.vertices
    left, size, rows = np.linalg.svd(moved.reshape(len(moved), -1), full_matrices=False)
    k = min(max_shifts, max(1, int((size > 1e-6 * size[0]).sum())))
    scale, root = size[:k, None] / len(moved) ** 0.5, len(moved) ** 0.5
    shifts = (scale * rows[:k]).reshape(k, *moved.shape[1:])
    return torch.tensor(left[:, :k] * root), torch.tensor(shifts)


@dataclass(frozen=True, eq=False)
class PrincipalKinematics(Kinematics):
    """x(q) = X + Σ_i q_i σ_i e_i with the principal components e and their standard deviations σ."""

    shape: Shape
    names: tuple[str, ...]
    rest: Float[Tensor, " k"]
    limits: Float[Tensor, "k 2"]
    basis: LinearBasis

    @classmethod
    def from_case(cls, case: Case) -> PrincipalKinematics:
        _, shifts = principal_shifts(case, ORACLE_COMPONENTS)
        k = len(shifts)
        return cls(
            case.shape,
            tuple(f"component_{i + 1}" for i in range(k)),
            torch.zeros(k, dtype=torch.float64),
            torch.tensor([[-3.0, 3.0]], dtype=torch.float64).repeat(k, 1),
            LinearBasis(torch.tensor(case.shape.vertices), shifts),
        )

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch k"]:
        return q
