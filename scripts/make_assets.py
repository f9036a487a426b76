"""Make the shipped teddy: a smooth union of ellipsoids, coloured by part, as one closed mesh.

python scripts/make_assets.py
"""

from __future__ import annotations

import igl
import numpy as np

from neurok.assets import SHIPPED
from neurok.export import save
from neurok.shapes import Frame, Material, Shape
from neurok.shapes.normals import vertex_normals

FUR, MUZZLE, DARK, PAW = (176, 118, 74), (232, 205, 170), (38, 28, 24), (214, 170, 128)

# centre, radii (metres), colour; mirrored in x where the centre is off the middle
BODY = [
    ((0.00, 0.095, 0.000), (0.070, 0.085, 0.060), FUR),
    ((0.00, 0.090, 0.022), (0.048, 0.060, 0.045), MUZZLE),  # belly
    ((0.00, 0.215, 0.005), (0.060, 0.054, 0.054), FUR),  # head
    ((0.00, 0.200, 0.048), (0.026, 0.020, 0.024), MUZZLE),
    ((0.00, 0.208, 0.070), (0.009, 0.007, 0.006), DARK),  # nose
    ((0.046, 0.262, 0.000), (0.024, 0.024, 0.013), FUR),  # ears
    ((0.046, 0.260, 0.010), (0.014, 0.014, 0.008), MUZZLE),
    ((0.024, 0.226, 0.052), (0.006, 0.007, 0.005), DARK),  # eyes
    ((0.085, 0.135, 0.015), (0.044, 0.023, 0.025), FUR),  # arms
    ((0.122, 0.130, 0.022), (0.022, 0.024, 0.024), PAW),
    ((0.046, 0.030, 0.045), (0.030, 0.030, 0.060), FUR),  # legs
    ((0.048, 0.036, 0.100), (0.027, 0.033, 0.020), PAW),
]


def field(points: np.ndarray, centre, radii) -> np.ndarray:
    """Distance to an ellipsoid, first order: (|p/r| − 1)·|p/r| / |p/r²|."""
    p = points - np.asarray(centre)
    k0 = np.linalg.norm(p / radii, axis=-1)
    k1 = np.linalg.norm(p / np.square(radii), axis=-1)
    return k0 * (k0 - 1.0) / np.maximum(k1, 1e-9)


def teddy(cells: int = 64, blend: float = 0.006) -> Shape:
    """Marching cubes of the smooth minimum −b·log Σ exp(−d/b)."""
    blobs = [((s * c[0], c[1], c[2]), r, col) for c, r, col in BODY for s in ((1, -1) if c[0] else (1,))]
    low, high = np.array([-0.17, -0.02, -0.09]), np.array([0.17, 0.31, 0.15])
    step = (high - low).max() / cells
    counts = np.ceil((high - low) / step).astype(int) + 1
    axes = [low[k] + step * np.arange(counts[k]) for k in range(3)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    grid = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    distance = np.stack([field(grid, c, np.asarray(r)) for c, r, _ in blobs])
    smooth = -blend * np.log(np.exp(-np.clip(distance, -0.1, 0.2) / blend).sum(0))
    vertices, faces = igl.marching_cubes(smooth, grid, *(int(c) for c in counts), 0.0)[:2]
    vertices, faces = np.asarray(vertices), np.asarray(faces)
    nearest = np.stack([field(vertices, c, np.asarray(r)) for c, r, _ in blobs])
    # softmin over colours: sharp enough for eyes, soft enough for fur to blend into paws
    weight = np.exp(-(nearest - nearest.min(0)) / 0.0012)
    color = (weight / weight.sum(0)).T @ np.array([c for *_, c in blobs], float)
    if (np.linalg.det(vertices[faces]).sum()) < 0:
        faces = faces[:, ::-1]
    return Shape(
        vertices=vertices - [0.0, vertices[:, 1].min(), 0.0],
        faces=faces,
        name="teddy",
        part_names=("teddy",),
        materials=(Material("plush", (1.0, 1.0, 1.0, 1.0), roughness=0.95),),
        colors=np.c_[color.round(), np.full(len(color), 255)].astype(np.uint8),
        normals=vertex_normals(vertices, faces),
        frame=Frame("y", 1.0),
    )


if __name__ == "__main__":
    save(teddy(), SHIPPED["teddy"])
    print(SHIPPED["teddy"])
