"""Measures how much of the motion of held-out objects the first few coordinates of a space hold.

The vertices of a pose are known. The first k coordinates are fitted to them by damped Gauss-Newton steps, for
objects without joints together with a rigid motion of the whole. The error is the root mean square distance
of the vertices, relative to their motion. For objects without joints that is what no rigid motion explains.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.datasets.store.store import Store, open_once
from neurok.evaluation.kinematics.cases import Case, make_case
from neurok.evaluation.kinematics.methods import PrincipalKinematics
from neurok.geometry.rotations import exp_so3
from neurok.jobs.pool import raise_died, run
from neurok.kinematics import Kinematics, elastic_modes_of
from neurok.latent import NeuROK
from neurok.latent.kinematics import latent_space_of
from neurok.latent.reduction import ReductionConfig
from neurok.shapes.sample import sample_surface

Array = np.ndarray
COUNTS = (4, 8, 12, 24)  # coordinates
POSES = 3
POINTS = 500  # samples of the surface that are fitted
STEPS, TRIES = 15, 6  # Gauss-Newton steps for each count, and dampings of a step
LEAST_GAIN = 1e-4  # of the squared error: a smaller gain ends the steps
DAMPING = 1e-3  # of the first step, relative to the diagonal of JᵀJ
PROBE = 1e-4  # of a coordinate, for differences
MIN_MOTION = 0.02  # radii, root mean square, besides a rigid motion for objects without joints
CHARACTERS = ("animated_free", "animated_sharealike")
SPACES = ("learned", "random weights", "elastic modes", "principal components (oracle)")
HEADER = ["kind", "space", "objects", *(f"{k} coordinates" for k in COUNTS)]


class Fit(NamedTuple):
    """Relative errors of one object in one space, for each of COUNTS."""

    name: str
    kind: str
    space: str
    errors: tuple[float, ...]


def kind_of(store: Store, name: str) -> str:
    """articulated, soft, cloth, mixed, characters or creatures (generated characters)."""
    family = store.entry(name).family
    if family == "animated":
        return "characters" if name.partition("/")[0] in CHARACTERS else "creatures"
    return "soft" if family == "elastic" else family


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """Up to `count` random objects of each kind."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for name in np.random.default_rng(seed).permutation(store.names(split)).tolist():
        by_kind[kind_of(store, name)].append(name)
    return [name for kind in sorted(by_kind) for name in by_kind[kind][:count]]


def measure(
    folder: Path, model: Path | None, names: list[str], seed: int, workers: int, step: Callable[[], None]
) -> list[Fit]:
    """Fits of the poses of all objects that move, by bare meshes."""
    found: list[Fit] = []
    for fits in run(partial(_fits, folder, model, seed), names, raise_died, workers, None):
        found += fits
        step()
    return sorted(found, key=lambda fit: (names.index(fit.name), SPACES.index(fit.space)))


def _fits(folder: Path, model: Path | None, seed: int, name: str) -> list[Fit]:
    store = open_once(folder)
    stored = store.load(name)
    case = make_case(stored, POSES, seed)
    if case is None:
        return []
    is_free = stored.entry.degrees_of_freedom is None
    samples = sample_surface(case.shape, POINTS, seed)
    rest = samples.positions(case.shape)
    targets = [samples.positions(case.shape, target) for target in case.targets]
    moves = [_motion(rest, target, is_free) for target in targets]
    moving = [(t, size) for t, size in zip(targets, moves, strict=True) if size > MIN_MOTION]
    if not moving:
        return []
    found = []
    for space in SPACES:
        kinematics = _space(space, case, model, seed)
        place = kinematics.basis.at(samples.matrix(case.shape))
        errors = [np.array(_lost(kinematics, place, target, is_free)) / size for target, size in moving]
        found.append(Fit(name, kind_of(store, name), space, tuple(np.mean(errors, axis=0).tolist())))
    return found


def _space(space: str, case: Case, model: Path | None, seed: int) -> Kinematics:
    """The coordinates of a bare mesh, the most important first."""
    most = max(COUNTS)
    if space == "elastic modes":
        return elastic_modes_of(case.shape, modes=most, seed=seed)
    if space == "principal components (oracle)":
        return PrincipalKinematics.from_case(case)
    network = _networks(model)[SPACES.index(space)]
    return latent_space_of(
        case.shape, network, ReductionConfig(max_coordinates=most, tolerance=0.0), seed=seed
    )


@cache
def _networks(model: Path | None) -> tuple[NeuROK, NeuROK]:
    """The trained network, and one of the same configuration without training."""
    trained = NeuROK.from_pretrained(model)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return trained, NeuROK(trained.config).eval().requires_grad_(False)


def _motion(rest: Float[Array, "p 3"], target: Float[Array, "p 3"], is_free: bool) -> float:
    """Root mean square of the motion, besides a rigid one for a free object."""
    turn, shift = _rigid(rest, target) if is_free else (np.eye(3), np.zeros(3))
    return float(np.sqrt(((target - rest @ turn.T - shift) ** 2).sum(-1).mean()))


def _rigid(
    rest: Float[Array, "p 3"], target: Float[Array, "p 3"]
) -> tuple[Float[Array, "3 3"], Float[Array, "3"]]:
    """R and t with the least Σ |R x + t − y|² (Kabsch)."""
    left, _, right = np.linalg.svd((target - target.mean(0)).T @ (rest - rest.mean(0)))
    turn = left @ np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))]) @ right
    return turn, target.mean(0) - turn @ rest.mean(0)


class Placed(NamedTuple):
    """Coordinates, and the rigid motion of the whole: y = R x(q) + t."""

    q: Float[Tensor, " k"]
    turn: Float[Tensor, "3 3"]
    shift: Float[Tensor, "3"]

    def points(self, at: Callable[[Tensor], Tensor], q: Tensor | None = None) -> Tensor:
        return at(self.q if q is None else q) @ self.turn.T + self.shift

    def moved(self, change: Tensor, count: int, centre: Tensor) -> Placed:
        """After a step of the first coordinates, of a turn about `centre`, and of a shift."""
        q = self.q.clone()
        q[:count] += change[:count]
        if len(change) == count:
            return Placed(q, self.turn, self.shift)
        more = exp_so3(change[count : count + 3])
        return Placed(q, more @ self.turn, more @ (self.shift - centre) + centre + change[count + 3 :])


@torch.no_grad()
def _lost(
    kinematics: Kinematics, place: Callable[[Tensor], Tensor], target: Float[Array, "p 3"], is_free: bool
) -> list[float]:
    """Root mean square distance of the points once the first coordinates are fitted, for each of COUNTS.

    Every count starts from the fit of the one before.
    """

    def at(q: Tensor) -> Tensor:
        return place(kinematics.code(q))

    rest, goal = kinematics.rest, torch.tensor(target)
    turn, shift = _rigid(at(rest).numpy(), target) if is_free else (np.eye(3), np.zeros(3))
    state, lost = Placed(rest, torch.tensor(turn), torch.tensor(shift)), []
    for count in COUNTS:
        state = _fitted(at, state, goal, min(count, kinematics.dim), is_free)
        lost.append(float((state.points(at) - goal).square().sum(-1).mean().sqrt()))
    return lost


def _fitted(at: Callable[[Tensor], Tensor], state: Placed, goal: Tensor, count: int, is_free: bool) -> Placed:
    """Damped Gauss-Newton steps that each lower the squared distance of the points."""
    axes, damping = torch.eye(3, dtype=torch.float64), DAMPING
    probes = PROBE * torch.eye(len(state.q), dtype=torch.float64)[:count]
    for _ in range(STEPS):
        here = state.points(at)
        error, centre = float((goal - here).square().sum()), here.mean(0)
        columns = ((state.points(at, state.q + probes) - here) / PROBE).flatten(1).T
        if is_free:
            turns = torch.linalg.cross(axes[:, None], (here - centre)[None]).flatten(1).T
            columns = torch.cat([columns, turns, axes.repeat(len(here), 1)], dim=1)
        normal, slope = columns.T @ columns, columns.T @ (goal - here).flatten()
        for _ in range(TRIES):
            lifted = normal + torch.diag(damping * normal.diagonal() + 1e-9 * normal.diagonal().max() + 1e-12)
            tried = state.moved(torch.linalg.solve(lifted, slope), count, centre)
            now = float((goal - tried.points(at)).square().sum())
            if now < error:
                break
            damping *= 10
        else:
            return state
        state, damping = tried, max(damping / 5, 1e-8)
        if error - now < LEAST_GAIN * error:
            return state
    return state


def table(fits: Sequence[Fit]) -> list[list[str]]:
    """Mean errors, one row for each kind and space."""
    return [
        [kind, space, str(len(own)), *(f"{value:.2f}" for value in np.mean([f.errors for f in own], axis=0))]
        for kind in sorted({f.kind for f in fits})
        for space in SPACES
        if (own := [f for f in fits if (f.kind, f.space) == (kind, space)])
    ]


def figures(fits: Sequence[Fit]) -> dict[str, float]:
    """latent_error_12_KIND, and with the prefixes elastic_ and random_."""
    prefix = {"learned": "", "random weights": "random_", "elastic modes": "elastic_"}
    place = COUNTS.index(12)
    return {
        f"{start}latent_error_12_{kind}": float(np.mean(own))
        for kind in sorted({f.kind for f in fits})
        for space, start in prefix.items()
        if (own := [f.errors[place] for f in fits if (f.kind, f.space) == (kind, space)])
    }
