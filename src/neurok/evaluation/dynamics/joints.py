# pyright: reportAttributeAccessIssue=false
"""Joint trajectories of every mechanism below a folder against MuJoCo's, pushed and under gravity."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

import mujoco
import numpy as np
import torch
from jaxtyping import Float

from neurok.datasets.reasons import counted
from neurok.datasets.running import run
from neurok.datasets.sources import DESCRIPTIONS, family_folder, find_objects
from neurok.dynamics import Gravity, Limits, Push, SimulationConfig, simulate
from neurok.errors import InputError
from neurok.evaluation.dynamics.mujoco_motion import (
    BodyPush,
    Motion,
    as_coordinates,
    columns_of,
    link_inertias,
    prepared,
)
from neurok.evaluation.dynamics.so_far import so_far
from neurok.evaluation.mujoco_poses import quiet, skeleton
from neurok.kinematics import JointKinematics
from neurok.kinematics.qpos import q_to_qpos
from neurok.shapes.articulated.mjcf import compile_mjcf
from neurok.shapes.articulated.mjcf_bodies import joint_names
from neurok.shapes.articulated.urdf import read_robot
from neurok.shapes.load import load_shape

Array = np.ndarray
Integrator = Literal["rk4", "variational"]
WIDTHS = {int(mujoco.mjtJoint.mjJNT_BALL): 4, int(mujoco.mjtJoint.mjJNT_FREE): 7}  # in qpos
SECONDS, FPS = 2.0, 60.0
STEP = 1 / 480  # s, of our engine
TRUTH_STEP = 1 / 1200  # s, of the Runge–Kutta method on MuJoCo's equations
PUSH = 5.0  # N for every kilogram of the link that is pushed,
LASTS = 0.3  # s
WITHIN = 0.01  # of the amplitude
NUDGE = 1e-5  # of gravity, to see whether a motion is chaotic
LEAST = 1e-3  # rad or radii: amplitudes below count as this


@dataclass(frozen=True)
class Row:
    """One mechanism: its largest error over all joints and frames in amplitudes, or why there is none."""

    path: Path
    coordinates: int = 0
    error: float | None = None  # with the engine's Runge–Kutta method
    variational_error: float = float("nan")  # with its default
    not_compared: str = ""
    reason: str = ""  # of an error above WITHIN


def find_mechanisms(data: Path, count: int | None, seed: int) -> list[Path]:
    """Every description below a folder, or a sample of so many."""
    found = [p / "mobility.urdf" if p.is_dir() else p for p in find_objects(data)]
    found = [p for p in found if p.suffix.lower() in DESCRIPTIONS]
    if count is None or count >= len(found):
        return found
    chosen = np.random.default_rng(seed).permutation(len(found))[:count]
    return [found[i] for i in sorted(chosen)]


def evaluate(
    paths: list[Path], seed: int, workers: int, step: Callable[[], None] = lambda: None
) -> list[Row]:
    """Rows in the order of paths; after ^C those so far."""
    found = so_far(run(partial(compare, seed=seed), paths, _lost, workers, None), step)
    order = {path: i for i, path in enumerate(paths)}
    return sorted(found, key=lambda row: order[row.path])


def _lost(path: Path) -> Row:
    return Row(path, not_compared="its process died")


def compare(path: Path, seed: int = 0) -> Row:
    """One file: the same masses, gravity and push in both, over two seconds."""
    try:
        kinematics = JointKinematics(load_shape(path))
        model = mujoco_reading(path)
    except InputError as error:
        return Row(path, not_compared=error.cause)
    except (ValueError, mujoco.FatalError) as error:
        return Row(path, not_compared=f"MuJoCo: {' '.join(str(error).split())[:120]}")
    row = Row(path, len(kinematics.names))
    if not kinematics.names:
        return replace(row, not_compared="it has no joint that moves")
    if kinematics.shape.frame.metres_per_unit != 1.0:
        return replace(row, not_compared="its unit is not the metre")
    if moves_nothing(kinematics):
        return replace(row, not_compared="a joint moves no mass")
    push = random_push(kinematics, np.random.default_rng([seed, zlib.crc32(path.parent.name.encode())]))
    prepared(model, kinematics)
    truth = trajectory(model, kinematics, push)
    if not np.isfinite(truth).all():
        return replace(row, not_compared="MuJoCo's own motion is not finite")
    errors = [_error(kinematics, model, push, truth, name) for name in ("rk4", "variational")]
    row = replace(row, error=errors[0], variational_error=errors[1])
    return row if errors[0] < WITHIN else finer(row, kinematics, model, push)


def _error(kinematics, model, push, truth: Array, integrator: Integrator, step: float = STEP) -> float:
    """Infinite when our run stops."""
    ours = engine_trajectory(kinematics, push, integrator, step)
    return difference(kinematics, model, ours, truth) if len(ours) == len(truth) else float("inf")


def mujoco_reading(path: Path) -> mujoco.MjModel:
    """MuJoCo's own reading of a file; a URDF without its geometry, whose masses are replaced anyway."""
    with quiet():
        if path.suffix.lower() == ".urdf":
            return mujoco.MjModel.from_xml_string(skeleton(read_robot(path)))
        return compile_mjcf(path)


def moves_nothing(kinematics: JointKinematics) -> bool:
    """Whether some joint has no mass on its far side."""
    heavy = {kinematics.body_of_link[name] for name in link_inertias(kinematics)}
    parent = [kinematics.body_of_link[j.parent] for j in kinematics.movable]
    carried = set()
    for body in heavy:
        while body:
            carried.add(body)
            body = parent[body - 1]
    return len(carried) < len(parent)


def random_push(kinematics: JointKinematics, rng: np.random.Generator) -> tuple[BodyPush, int]:
    """A force of PUSH newtons per kilogram on a random vertex of a link that moves, and that vertex."""
    shape, weighed = kinematics.shape, link_inertias(kinematics)
    links = [n for n in shape.part_names if kinematics.body_of_link[n] and n in weighed]
    name = str(rng.choice(links or list(shape.part_names)))
    own = np.unique(shape.faces[shape.faces_of(name)])
    vertex = int(rng.choice(own))
    way = rng.normal(size=3)
    mass = weighed[name].mass if name in weighed else 1.0
    pose = kinematics.tree.rest_poses[name]
    place = pose[:3, :3].T @ (shape.vertices[vertex] - pose[:3, 3])
    return BodyPush(name, place, PUSH * mass * way / np.linalg.norm(way), LASTS), vertex


def trajectory(model: mujoco.MjModel, kinematics: JointKinematics, push, dt: float = TRUTH_STEP) -> Array:
    """MuJoCo's frames: qpos, or independent coordinates where joints follow others."""
    return Motion(model, kinematics, push[0]).frames(SECONDS, FPS, dt)


def engine_trajectory(
    kinematics: JointKinematics, push, integrator: Integrator, step: float
) -> Float[Array, "frames k"]:
    conditions = [Gravity(), Push(push[0].force, at=push[1], duration=LASTS), Limits(strength=0.0)]
    config = SimulationConfig(seconds=SECONDS, fps=FPS, step=step, integrator=integrator)
    motion = simulate(kinematics, conditions, config)
    return motion.q[: motion.frames[0], 0].numpy()


def difference(
    kinematics: JointKinematics, model: mujoco.MjModel, ours: Float[Array, "f k"], truth: Array
) -> float:
    """The largest difference of any joint at any frame, each relative to its own amplitude in MuJoCo."""
    least = LEAST * max(1.0, kinematics.shape.normalisation.radius)
    if kinematics.followers.rounds:
        return _relative(ours - ours[0], truth, least)
    pieces = {name: p.numpy() for name, p in q_to_qpos(kinematics, torch.tensor(ours)).items()}
    values, columns = kinematics.joint_values(torch.tensor(ours)).numpy(), columns_of(model, kinematics)
    worst = 0.0
    for joint, (name, at) in enumerate(zip(joint_names(model), model.jnt_qposadr, strict=True)):
        width = WIDTHS.get(int(model.jnt_type[joint]), 1)
        own = values[:, [columns[joint]]] if width == 1 else pieces[name]
        true = truth[:, at : at + width]
        if width != 4:
            places = own[:, :3] - own[0, :3], true[:, :3] - true[0, :3]
            worst = max(worst, _relative(*places, least, whole=width == 7))
        if width != 1:
            worst = max(worst, _turned(own[:, -4:], true[:, -4:]))
    return worst


def _relative(ours: Array, truth: Array, least: float, whole: bool = False) -> float:
    """By column, or of vectors as a whole."""
    if whole:
        ours, truth = np.linalg.norm(ours - truth, axis=1), np.linalg.norm(truth, axis=1)
        return float(ours.max() / max(truth.max(), least))
    return float((np.abs(ours - truth).max(0) / np.maximum(np.abs(truth).max(0), least)).max(initial=0.0))


def _turned(ours: Float[Array, "f 4"], truth: Float[Array, "f 4"]) -> float:
    """Angle between two orientations, relative to the largest angle from the start."""

    def angle(a: Array, b: Array) -> Array:
        return 2 * np.arccos(np.clip(np.abs((a * b).sum(-1)), 0, 1))

    return float(angle(ours, truth).max() / max(angle(truth, truth[:1]).max(), LEAST))


def finer(row: Row, kinematics: JointKinematics, model: mujoco.MjModel, push) -> Row:
    """The comparison again with both at a quarter of their steps, and whether the motion is chaotic."""
    truth = trajectory(model, kinematics, push, TRUTH_STEP / 4)
    error = _error(kinematics, model, push, truth, "rk4", STEP / 4)
    reason = f"{row.error:.2%} at steps of 1/{1 / STEP:.0f} s, {error:.2%} at a quarter of them"
    if error >= WITHIN:
        model.opt.gravity[:] *= 1 + NUDGE
        nudged = trajectory(model, kinematics, push, TRUTH_STEP / 4)
        model.opt.gravity[:] /= 1 + NUDGE
        change = difference(kinematics, model, as_coordinates(kinematics, model, truth), nudged)
        reason += f"; 0.001 % more gravity changes MuJoCo's own by {change:.1%}"
    return replace(row, error=error, reason=reason)


@dataclass(frozen=True)
class Summary:
    table: list[list[str]]
    not_compared: list[tuple[int, str]]
    worst: list[list[str]]
    figures: dict[str, float]


def summarise(rows: list[Row], data: Path, most: int = 12) -> Summary:
    """Counts by source, reasons, the worst, and the figures."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        families[family_folder(row.path, data) or data.name].append(row)
    table = []
    for family, members in families.items():
        errors = np.array([r.error for r in members if r.error is not None])
        cells = ["–"] * 3
        if len(errors):
            cells = [f"{(errors < WITHIN).sum()}", f"{np.median(errors):.1e}", f"{errors.max():.1e}"]
        table.append([family, str(len(members)), str(len(errors)), *cells])
    compared = sorted((r for r in rows if r.error is not None), key=lambda r: -(r.error or 0.0))
    errors = np.array([r.error for r in compared])
    figures = {"mujoco_compared": float(len(errors))}
    if len(errors):
        figures |= {
            "mujoco_joint_error": float(errors.max()),
            "mujoco_joint_error_median": float(np.median(errors)),
            "mujoco_joint_error_p99": float(np.quantile(errors, 0.99)),
            "mujoco_within_1_percent": float((errors < WITHIN).mean()),
            "mujoco_within_1_percent_variational": float(
                np.mean([r.variational_error < WITHIN for r in compared])
            ),
        }
    worst = [
        [r.path.relative_to(data).as_posix(), str(r.coordinates), f"{r.error:.2%}", r.reason]
        for r in compared[:most]
    ]
    return Summary(table, counted(r.not_compared for r in rows), worst, figures)
