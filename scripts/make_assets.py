"""Generates the shipped meshes: a teddy (a smooth union of ellipsoids), a laptop, a plant and a flag.

python scripts/make_assets.py
"""

from __future__ import annotations

import igl
import numpy as np

from neurok.assets import SHIPPED
from neurok.export import save
from neurok.objects import families
from neurok.objects.soft import plants
from neurok.shapes import Frame, Material, Shape
from neurok.shapes.normals import vertex_normals

FUR, MUZZLE, DARK, PAW = (176, 118, 74), (232, 205, 170), (38, 28, 24), (214, 170, 128)

# centre and radii in metres, colour; mirrored in x if the centre has x ≠ 0
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
    """First-order distance to an ellipsoid: (|p/r| − 1)·|p/r| / |p/r²|."""
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
    # soft minimum over colours: sharp at the eyes, smooth between fur and paws
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


def laptop() -> Shape:
    """Generated open laptop without its joints."""
    return families()["laptop"](np.random.default_rng(0)).with_(joints=None, name="laptop", notes=())


def plant() -> Shape:
    """Generated potted plant at rest."""
    return plants.plant(np.random.default_rng(0))[0].shape.with_(name="plant")


def flag(width: float = 1.2, height: float = 0.8, columns: int = 25, rows: int = 17) -> Shape:
    """Sheet in the x–z plane with a hoist along its left edge and three stripes."""
    s, t = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    vertices = np.column_stack([width * s.ravel(), np.zeros(s.size), height * (t.ravel() - 0.5)])
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = corner, corner + 1, corner + columns, corner + columns + 1
    faces = np.concatenate([np.c_[a, b, d], np.c_[a, d, c]])
    middle = np.concatenate([(t.ravel()[corner] + t.ravel()[d]) / 2] * 2)
    in_hoist = np.concatenate([s.ravel()[corner] < 1 / columns] * 2)
    return Shape(
        vertices=vertices,
        faces=faces,
        name="flag",
        part=np.where(in_hoist, 0, 1),
        part_names=("hoist", "cloth"),
        materials=tuple(Material(n, c, roughness=0.9, double_sided=True) for n, c in STRIPES.items()),
        material=(3 * middle).astype(int).clip(0, 2),
        normals=np.tile([0.0, -1.0, 0.0], (len(vertices), 1)),
        frame=Frame("z", 1.0),
    )


STRIPES = {
    "blue": (0.02, 0.11, 0.36, 1.0),
    "white": (0.83, 0.83, 0.80, 1.0),
    "red": (0.53, 0.03, 0.04, 1.0),
}


if __name__ == "__main__":
    for make in (teddy, laptop, plant, flag):
        save(make(), SHIPPED[make.__name__])
        print(SHIPPED[make.__name__])
