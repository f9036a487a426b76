"""Points of a surface as functions of the code of a kinematics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Int
from scipy import sparse
from torch import Tensor

from neurok.kinematics import Kinematics
from neurok.shapes.sample import Samples

Observed = Callable[[Tensor], Tensor]  # (*batch, r) codes ↦ (*batch, s, 3) points


def at_vertices(kinematics: Kinematics, vertices: Int[np.ndarray, " s"]) -> Observed:
    """Some of the vertices."""
    return _at(kinematics, vertices[:, None], np.ones((len(vertices), 1)))


def at_samples(kinematics: Kinematics, samples: Samples) -> Observed:
    """Points on faces."""
    return _at(kinematics, kinematics.shape.faces[samples.face], samples.weights)


def _at(kinematics: Kinematics, vertices: np.ndarray, weights: np.ndarray) -> Observed:
    rows = np.repeat(np.arange(len(vertices)), vertices.shape[1])
    size = (len(vertices), len(kinematics.shape.vertices))
    return kinematics.basis.at(sparse.csr_matrix((weights.ravel(), (rows, vertices.ravel())), shape=size))
