"""How a motion starts: coordinates and velocities from poses, places and throws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.conditions import Condition
from neurok.dynamics.places import rows, surface_vertices, vertex_areas
from neurok.dynamics.scene import Scene, coordinate
from neurok.dynamics.touching import floor_height
from neurok.errors import InputError
from neurok.kinematics.inverse.solver import fit_vertices


def starting(
    scene: Scene, conditions: Sequence[Condition]
) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
    """q₀ and q̇₀ of one scenario: rest and standstill but for what the conditions say, in their order."""
    q, v = scene.kinematics.rest.clone(), torch.zeros_like(scene.kinematics.rest)
    for c in conditions:
        if isinstance(c, ask.Pose):
            for name, value in c.values.items():
                q[coordinate(scene.kinematics, name)] = value
            for name, value in c.rates.items():
                v[coordinate(scene.kinematics, name)] = value
        elif isinstance(c, ask.Placed):
            q = _placed(scene, c)
        elif isinstance(c, ask.Drop):
            q = q + _lifted(scene, q, c, conditions)
        elif isinstance(c, ask.Throw):
            root = (
                scene.vector(c.velocity, "the velocity of a throw") / scene.metres,
                scene.vector(c.spin, "spin"),
            )
            v = torch.cat([*root, v[scene.kinematics.root_dim :]])
    for c in conditions:
        if isinstance(c, ask.Moving):
            v = v + _moving(scene, c, q)
    return q, v


def _placed(scene: Scene, c: ask.Placed) -> Float[Tensor, " k"]:
    targets = np.stack([scene.vector(p, "a position").numpy(force=True) for p in c.positions])
    vertices = _vertices(scene, c.vertices)
    if len(vertices) != len(targets):
        raise InputError(
            scene.shape.name,
            f"{len(vertices)} vertices are placed at {len(targets)} positions",
            "Give one each",
        )
    return fit_vertices(scene.kinematics, vertices, targets).q


def _vertices(scene: Scene, chosen: Sequence[int]) -> np.ndarray:
    vertices = np.asarray(chosen, np.int64)
    wrong = vertices[(vertices < 0) | (vertices >= len(scene.shape.vertices))]
    if not len(vertices) or len(wrong):
        what = f"has no vertex {wrong[0]}" if len(wrong) else "no vertex is named"
        raise InputError(scene.shape.name, what, f"There are {len(scene.shape.vertices):,}")
    return vertices


def _lifted(scene: Scene, q: Float[Tensor, " k"], c: ask.Drop, conditions: Sequence[Condition]) -> Tensor:
    floor = next((x for x in conditions if isinstance(x, ask.Floor)), ask.Floor())
    used = torch.tensor(surface_vertices(scene.shape))
    lowest = float((scene.kinematics.positions(q)[used] @ scene.up).min())
    rise = floor_height(scene, floor) + c.height / scene.metres - lowest
    return torch.cat([rise * scene.up, torch.zeros(len(q) - 3, dtype=torch.float64)])


def _moving(scene: Scene, c: ask.Moving, q: Float[Tensor, " k"]) -> Float[Tensor, " k"]:
    """argmin ‖ẋ₀ − J q̇‖ over the named vertices by area, and least motion where that says nothing."""
    vertices = _vertices(scene, c.vertices)
    wanted = torch.as_tensor(np.asarray(c.velocity), dtype=torch.float64)
    if wanted.shape not in ((3,), (len(vertices), 3)) or not torch.isfinite(wanted).all():
        raise InputError(
            scene.shape.name, f"velocities have the shape {tuple(wanted.shape)}", "Give one or one each"
        )
    at = scene.kinematics.basis.at(rows(vertices, len(scene.shape.vertices)))

    def place(x: Tensor) -> Tensor:
        return at(scene.kinematics.code(x)) * scene.metres

    jacobian = torch.func.jacfwd(place)(q)  # s 3 k
    weight = torch.tensor(vertex_areas(scene.shape)[vertices]).clamp(min=1e-12) ** 0.5
    matrix = (weight[:, None, None] * jacobian).reshape(-1, len(q))
    right = (weight[:, None] * wanted.expand(len(vertices), 3)).reshape(-1, 1)
    scale = scene.inertia.clamp(min=1e-30) ** 0.5  # the least kinetic energy among equals
    return torch.linalg.lstsq(matrix / scale, right, driver="gelsd").solution[:, 0] / scale
