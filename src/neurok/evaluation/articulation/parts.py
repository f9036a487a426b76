"""How far found parts agree with the true ones, by area."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment

from neurok.articulation.components import face_areas
from neurok.articulation.parts import found_parts
from neurok.shapes.shape import Shape

Array = np.ndarray


@dataclass(frozen=True)
class PartAgreement:
    """Found parts against true ones; 1 is perfect in every share."""

    rand_index: float  # adjusted for chance, every face weighing its area
    matched: float  # share of the area in the right part, when each found part stands for one true part
    pure: (
        float  # share of the area that shares its found part's commonest true part: low when parts are fused
    )
    whole: (
        float  # share of the area that shares its true part's commonest found part: low when parts are split
    )
    found: int
    true: int


def part_agreement(
    found: Int[Array, " m"], true: Int[Array, " m"], area: Float[Array, " m"]
) -> PartAgreement:
    """Compare two labellings of the same faces."""
    _, f = np.unique(found, return_inverse=True)
    _, t = np.unique(true, return_inverse=True)
    table = np.zeros((f.max(initial=-1) + 1, t.max(initial=-1) + 1))
    np.add.at(table, (f, t), area / area.sum())
    rows, columns = linear_sum_assignment(-table)
    return PartAgreement(
        _rand_index(table), float(table[rows, columns].sum()), float(table.max(axis=1).sum()),
        float(table.max(axis=0).sum()), *table.shape,
    )  # fmt: skip


def _rand_index(table: Float[Array, "f t"]) -> float:
    """(Σ n_ij² − E) / (½ (Σ a_i² + Σ b_j²) − E), E = Σ a_i² Σ b_j²: pairs of points drawn by area."""
    rows, columns = (table.sum(axis=1) ** 2).sum(), (table.sum(axis=0) ** 2).sum()
    chance, best = rows * columns, (rows + columns) / 2
    return 1.0 if best - chance < 1e-12 else float(((table**2).sum() - chance) / (best - chance))


def found_agreement(shape: Shape) -> PartAgreement:
    """How well the true parts of a shape are found when they are forgotten."""
    one = shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=(shape.name,), joints=None)
    return part_agreement(found_parts(one).shape.part, shape.part, face_areas(shape))
