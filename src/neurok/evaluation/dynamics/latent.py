"""Compares the motion of held-out objects without joints with MuJoCo's motion with their annotated joints.

Each object is evaluated as a bare mesh with and without knowledge of the push, in the parts of its file, and,
as an oracle, with its annotated joints. Both simulators use the same point masses on the vertices and the
same push, without gravity. Parts that the joints fix to the world are pinned.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from neurok.articulation.annotations import true_articulation
from neurok.datasets.store.store import open_once
from neurok.dynamics import Run, SimulationConfig, simulate
from neurok.dynamics.places import vertex_areas
from neurok.errors import InputError
from neurok.evaluation.dynamics.gallery import draw
from neurok.evaluation.dynamics.mujoco_motion import prepared
from neurok.evaluation.dynamics.mujoco_trees import model_of
from neurok.evaluation.dynamics.pushes import Pushed, find_push
from neurok.evaluation.forms import bare
from neurok.evaluation.selection import sample_per_collection
from neurok.jobs.pool import collect, run
from neurok.kinematics import Kinematics, LinkedKinematics, joints_of
from neurok.pipelines.choose import Surroundings, choose_kinematics
from neurok.shapes import Inertia, Shape
from neurok.shapes.mass import vertex_mass

Array = np.ndarray
SECONDS, FPS = 1.0, 60.0  # duration and frame rate of the compared motion


@dataclass(frozen=True)
class Row:
    """Result of one object; errors are root mean squares over the surface, relative to the amplitude."""

    name: str
    error: float | None = None  # bare mesh, mean over the frames
    last: float = float("nan")  # bare mesh, last frame
    still: float = float("nan")  # no motion
    push_unknown: float = float("nan")  # bare mesh without knowledge of the push
    in_parts: float = float("nan")  # mesh in its parts
    true_joints: float = float("nan")  # annotated joints, where all have a supported type
    coordinates: int = 0
    joints: int = 0
    stopped: bool = False
    left_out: str = ""
    picture: Path | None = None


@dataclass(frozen=True)
class LatentEvaluation:
    """Options of the evaluation, as passed to a worker process."""

    store: Path
    model: Path | None = None
    seed: int = 0
    pictures: Path | None = None


def choose(folder: Path, count: int | None, seed: int) -> list[str]:
    """Test objects with joints: all, or `count` random ones of every collection."""
    store = open_once(folder)
    jointed = [name for name in store.names("test") if store.entry(name).family == "articulated"]
    return sample_per_collection(jointed, count, seed)


def evaluate(
    evaluation: LatentEvaluation, names: list[str], workers: int, step: Callable[[], None] = lambda: None
) -> list[Row]:
    """Rows in the order of names; after ^C those that are finished."""
    found = collect(run(partial(evaluate_object, evaluation), names, _lost, workers, None), step)
    order = {name: i for i, name in enumerate(names)}
    return sorted(found, key=lambda row: order[row.name])


def _lost(name: str) -> Row:
    return Row(name, left_out="its process died")


def evaluate_object(evaluation: LatentEvaluation, name: str) -> Row:
    """Compares the true motion of one object with the simulated motion of its four forms."""
    shape = open_once(evaluation.store).recording(name).clips[0].shape
    try:
        kinematics = joints_of(shape)
        mass = torch.tensor(vertex_mass(kinematics.shape))
        model = prepared(model_of(kinematics.tree), kinematics, 0.0, point_inertias(kinematics, mass.numpy()))
    except (InputError, ValueError) as error:
        return Row(name, left_out=error.cause if isinstance(error, InputError) else str(error))
    rng = np.random.default_rng([evaluation.seed, zlib.crc32(name.encode())])
    pushed = find_push(model, kinematics, rng, SECONDS, FPS)
    if pushed is None:
        return Row(name, left_out="no random push moves it ahead within its limits")
    shape, truth = kinematics.shape, kinematics.positions(torch.tensor(pushed.q))
    pinned, pulled = fixed_vertices(kinematics), pushed.vertices(shape)

    def chosen(given: Shape, pulled: Bool[Array, " n"] | None = None) -> Kinematics:
        surroundings = Surroundings(pinned=pinned, pulled=pulled)
        return choose_kinematics(given, surroundings=surroundings, model=evaluation.model).kinematics

    def error_of(learned: Kinematics) -> float:
        moved = _vertices(shape, learned, learned_motion(learned, mass, pushed))
        return float(errors_of(shape, truth, moved)[0].mean())

    learned = chosen(bare(shape), pulled)
    motion = learned_motion(learned, mass, pushed)
    moved = _vertices(shape, learned, motion)
    errors, still = errors_of(shape, truth, moved)
    push_unknown = error_of(chosen(bare(shape)))
    in_parts = error_of(chosen(shape.with_(joints=None), pulled))
    known, oracle = true_articulation(shape), float("nan")
    if known is not None:
        oracle = error_of(known.kinematics)
    picture = None
    if evaluation.pictures is not None:
        last = truth[-1].numpy(), moved[-1].numpy()
        picture = draw(shape, name, last, float(errors.mean()), evaluation.pictures)
    return Row(
        name, float(errors.mean()), float(errors[-1]), still, push_unknown, in_parts, oracle, learned.dim,
        len(kinematics.names), motion.stopped, picture=picture,
    )  # fmt: skip


def fixed_vertices(kinematics: LinkedKinematics) -> Bool[Array, " n"]:
    """Mask of the vertices of parts that the joints fix to the world."""
    shape = kinematics.shape
    held = np.array([kinematics.body_of_link[name] == 0 for name in shape.part_names])
    return held[shape.vertex_part]


def learned_motion(learned: Kinematics, mass: Float[Tensor, " n"], pushed: Pushed) -> Run:
    """Motion of a kinematics under the same push."""
    if len(learned.shape.vertices) > len(mass):  # vertices on seams between found parts are duplicated
        mass = torch.tensor(vertex_mass(learned.shape))
    config = SimulationConfig(seconds=SECONDS, fps=FPS, root="fixed")
    return simulate(learned, pushed.on(learned.shape), config, mass=mass)


def _vertices(shape: Shape, learned: Kinematics, motion: Run) -> Float[Tensor, "f n 3"]:
    """Vertices of the original shape in all simulated frames."""
    return learned.positions(motion.q[: motion.frames[0], 0])[:, : len(shape.vertices)]


def errors_of(
    shape: Shape, truth: Float[Tensor, "f n 3"], moved: Float[Tensor, "g n 3"]
) -> tuple[Float[Array, " f"], float]:
    """Error per frame and mean displacement, relative to the amplitude; a stopped run keeps its last pose."""
    area = torch.tensor(vertex_areas(shape))
    weight = area / area.sum()

    def size(difference: Float[Tensor, "f n 3"]) -> Float[Tensor, " f"]:
        return (difference.square().sum(-1) @ weight).sqrt()

    moved = torch.cat([moved, moved[-1:].expand(len(truth) - len(moved), -1, -1)])
    away = size(truth - truth[0])
    amplitude = away.max().clamp(min=1e-12)
    return (size(moved - truth) / amplitude).numpy(), float(away.mean() / amplitude)


def point_inertias(kinematics: LinkedKinematics, mass: Float[Array, " n"]) -> dict[str, Inertia]:
    """Inertia of every link as the point masses of its vertices, in the frame of the link."""
    shape, found = kinematics.shape, {}
    for part, name in enumerate(shape.part_names):
        own = (shape.vertex_part == part) & (mass > 0)
        if not own.any():
            continue
        pose, m = kinematics.tree.rest_poses[name], mass[own]
        x = (shape.vertices[own] - pose[:3, 3]) @ pose[:3, :3]
        centre = m @ x / m.sum()
        second = ((x - centre) * m[:, None]).T @ (x - centre)
        found[name] = Inertia(float(m.sum()), centre, np.trace(second) * np.eye(3) - second)
    return found


@dataclass(frozen=True)
class Summary:
    """Tables and figures of the evaluation."""

    table: list[list[str]]
    worst: list[list[str]]
    left_out: list[str]
    figures: dict[str, float]


def summarise(rows: list[Row], worst_count: int = 10) -> Summary:
    """Error distribution by collection, the objects with the largest errors, and figures."""
    evaluated = [r for r in rows if r.error is not None]
    groups: dict[str, list[Row]] = {}
    for row in evaluated:
        groups.setdefault(row.name.partition("/")[0], []).append(row)
    every = [(name, members) for name, members in (*groups.items(), ("all", evaluated)) if members]
    table = [_line(name, [r.error or 0.0 for r in members], members) for name, members in every]
    table += [
        _line(f"{name}, push unknown", [r.push_unknown for r in members], members) for name, members in every
    ]
    table += [_line(f"{name}, in parts", [r.in_parts for r in members], members) for name, members in every]
    known = [(name, [r for r in members if np.isfinite(r.true_joints)]) for name, members in every]
    table += [_line(f"{name}, true joints", [r.true_joints for r in own], own) for name, own in known if own]
    worst = [
        [
            r.name,
            *(f"{x:.0%}" for x in (r.error or 0.0, r.last, r.in_parts)),
            f"{r.true_joints:.0%}" if np.isfinite(r.true_joints) else "–",
            f"{r.coordinates} / {r.joints}",
        ]
        for r in sorted(evaluated, key=lambda r: -(r.error or 0.0))[:worst_count]
    ]
    figures: dict[str, Any] = {}
    if evaluated:
        figures = {
            "latent_vs_mujoco_median": float(np.median([r.error or 0.0 for r in evaluated])),
            "latent_push_unknown_vs_mujoco_median": float(np.median([r.push_unknown for r in evaluated])),
            "latent_in_parts_vs_mujoco_median": float(np.median([r.in_parts for r in evaluated])),
            "latent_vs_mujoco_at_end_median": float(np.median([r.last for r in evaluated])),
            "latent_vs_mujoco_still_median": float(np.median([r.still for r in evaluated])),
            "latent_vs_mujoco_objects": float(len(evaluated)),
            "latent_vs_mujoco_stopped": float(sum(r.stopped for r in evaluated)),
        }
        oracle = [r.true_joints for r in evaluated if np.isfinite(r.true_joints)]
        figures |= {"latent_true_joints_vs_mujoco_median": float(np.median(oracle))} if oracle else {}
    return Summary(table, worst, [f"{r.name}: {r.left_out}" for r in rows if r.error is None], figures)


def _line(name: str, errors: list[float], rows: list[Row]) -> list[str]:
    cells = [f"{q:.0%}" for q in np.quantile(errors, (0.1, 0.25, 0.5, 0.75, 0.9))]
    return [name, str(len(rows)), *cells, f"{np.median([r.still for r in rows]):.0%}"]
