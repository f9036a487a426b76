"""Chooses a push for an object: at its most compliant point, with a visible effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from neurok.dynamics import Condition, Push
from neurok.dynamics.assembly import assemble
from neurok.dynamics.body import EARTH, Body
from neurok.dynamics.equations_of_motion import balance
from neurok.dynamics.places import rows
from neurok.kinematics import Kinematics, with_free_root
from neurok.pipelines.defaults import is_free

MAX_POINTS = 300  # vertices that are compared
DURATION = 0.2  # s
ENERGY = 0.1  # energy of a nudge, in weight × radius


@dataclass(frozen=True, eq=False)
class Compliance:
    """Compliance W of points at rest: a force f of duration T gives a point the velocity W f T."""

    kinematics: Kinematics
    vertices: Int[np.ndarray, " s"]
    mobility: Float[np.ndarray, "s 3 3"]  # W, 1/kg
    energy: float  # J: weight × radius
    mass: Float[Tensor, "k k"]  # M at rest
    stiffness: Float[Tensor, "k k"]  # K at rest, of all that acts

    @property
    def inertia(self) -> Float[Tensor, "k k"]:
        """M + ½ T² K: the effective inertia against a push of duration T."""
        return self.mass + 0.5 * DURATION**2 * self.stiffness

    def force(self, place: int, direction: Float[np.ndarray, "3"], share: float = ENERGY) -> float:
        """N that give `share` of weight × radius within DURATION: ½ (F T)² dᵀ W d = share · energy."""
        w = float(direction @ self.mobility[place] @ direction)
        return float(np.sqrt(2 * share * self.energy / max(w, 1e-12)) / DURATION)

    def at(self, place: int, force: Float[np.ndarray, "3"]) -> tuple[Push, str]:
        """The push and its description."""
        vertex = int(self.vertices[place])
        push = Push(tuple(float(f"{x:.3g}") for x in force), at=vertex, duration=DURATION)
        shape = self.kinematics.shape
        part = shape.part_names[shape.vertex_part[vertex]]
        numbers = ", ".join(f"{x:g}" for x in push.force)
        return push, f"pushed at {part} (vertex {vertex}) by ({numbers}) N for {DURATION:g} s"


def compliance_of(
    kinematics: Kinematics, conditions: Sequence[Condition], mass: Float[Tensor, " n"] | None
) -> Compliance:
    """W = J (M + ½ T² K)⁻¹ Jᵀ at points spread over the surface; K is the total stiffness at rest."""
    if is_free(conditions):
        kinematics = with_free_root(kinematics)
    body = Body(kinematics, kinematics.mass(mass))
    vertices = _spread(kinematics)
    system, q, v = assemble(body, [list(conditions)])
    found = balance(system, system.jets, 0.0, q, v)
    k = q.shape[1]
    stiffness = torch.as_tensor(found.load.stiffness, dtype=torch.float64).expand(1, k, k)[0].detach()
    matrix = torch.as_tensor(found.now.mass)[0].detach()
    inertia = matrix + 0.5 * DURATION**2 * stiffness
    at = kinematics.basis.at(rows(vertices, len(body.shape.vertices)))
    jacobian = torch.func.jacfwd(lambda x: at(kinematics.code(x)) * body.metres)(q[0].detach())
    moved = torch.linalg.solve(inertia, jacobian.flatten(0, 1).T).T.reshape(jacobian.shape)
    mobility = torch.einsum("sik,sjk->sij", jacobian, moved)
    energy = body.total_mass * EARTH * body.radius
    return Compliance(kinematics, vertices, mobility.numpy(force=True), energy, matrix, stiffness)


def nudge(
    kinematics: Kinematics, conditions: Sequence[Condition], mass: Float[Tensor, " n"] | None
) -> tuple[Push, str]:
    """An outward push at the most compliant point."""
    found = compliance_of(kinematics, conditions, mass)
    values, axes = np.linalg.eigh(found.mobility)
    place = int(values[:, -1].argmax())
    direction = axes[place, :, -1]
    shape = kinematics.shape
    outward = (shape.vertices[found.vertices[place]] - shape.normalisation.centre) @ direction
    direction = -direction if outward < 0 else direction
    return found.at(place, found.force(place, direction) * direction)


def _spread(kinematics: Kinematics) -> Int[np.ndarray, " s"]:
    """Vertices spread over the surface."""
    used = np.unique(kinematics.shape.faces)
    return used[np.unique(np.linspace(0, len(used) - 1, min(MAX_POINTS, len(used))).astype(int))]
