"""Volumes of closed surfaces."""

from __future__ import annotations

import numpy as np


def enclosed_volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Σ a · (b × c) / 6 over the faces, for a closed surface that faces outwards."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)
