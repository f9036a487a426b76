# pyright: reportAttributeAccessIssue=false
"""Compares the joint trajectories of mechanisms with MuJoCo, under gravity and a push."""

from __future__ import annotations

import traceback
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import mujoco
import numpy as np
import torch
from jaxtyping import Float

from neurok.datasets.sources import DESCRIPTIONS, find_objects
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
from neurok.evaluation.mujoco_poses import skeleton
from neurok.jobs.journal import earlier_results, journalled, plain
from neurok.jobs.pool import collect, run
from neurok.kinematics import LinkedKinematics, joints_of
from neurok.kinematics.qpos import q_to_qpos
from neurok.shapes.load import load_shape
from neurok.shapes.robots.mjcf import compile_mjcf
from neurok.shapes.robots.mjcf_bodies import joint_names
from neurok.shapes.robots.mujoco_warnings import collected_warnings
from neurok.shapes.robots.urdf import read_robot

Array = np.ndarray
Integrator = Literal["rk4", "variational"]
WIDTHS = {int(mujoco.mjtJoint.mjJNT_BALL): 4, int(mujoco.mjtJoint.mjJNT_FREE): 7}  # in qpos
SECONDS, FPS = 2.0, 60.0  # duration and frame rate of the compared motion
STEPS = (1 / 240, 1 / 480, 1 / 1920, 1 / 7680)  # s, of the engine; refined until CONVERGED_ERROR is reached
REFERENCE_STEP_RATIO = 0.4  # step of the Runge–Kutta method on MuJoCo's equations, relative to the engine's
VARIATIONAL_STEP = 1 / 480  # s
PUSH_PER_KG = 5.0  # N per kilogram of the pushed link
PUSH_SECONDS = 0.3
INITIAL_SPEED = 0.05  # rad/s or radii/s of every revolute and prismatic joint
MAX_ERROR = 0.01  # of the amplitude: the accuracy that the evaluation requires
CONVERGED_ERROR = 0.001  # of the amplitude: no finer step is tried below this
PERTURBATION = 1e-6  # relative change of the initial speed, which tests whether MuJoCo's motion is chaotic
MIN_AMPLITUDE = 1e-3  # rad or radii: lower bound of the amplitude in relative errors


@dataclass(frozen=True)
class Row:
    """Result of one mechanism: largest error of its joints relative to the amplitude, or a reason."""

    path: Path
    coordinates: int = 0
    error: float | None = None  # Runge–Kutta method of the engine
    variational_error: float = float("nan")  # default integrator at VARIATIONAL_STEP
    default_error: float = float("nan")  # default integrator at its default step
    halved: float = float("nan")  # MuJoCo against itself at twice the step; only for errors above MAX_ERROR
    nudged: float = float("nan")  # MuJoCo against itself with a perturbed start; only above MAX_ERROR
    not_compared: str = ""
    reason: str = ""  # of an error above MAX_ERROR

    @property
    def is_chaotic(self) -> bool:
        """Whether PERTURBATION changes MuJoCo's own motion by more than MAX_ERROR.

        A step that is too long does not count as chaos; `halved` shows that case.
        """
        return self.nudged >= MAX_ERROR


FIGURES = ("variational_error", "default_error", "halved", "nudged")


def find_mechanisms(data: Path, count: int | None, seed: int) -> list[Path]:
    """Descriptions below a folder: all, or `count` random ones."""
    found = [p / "mobility.urdf" if p.is_dir() else p for p in find_objects(data)]
    found = [p for p in found if p.suffix.lower() in DESCRIPTIONS]
    if count is None or count >= len(found):
        return found
    chosen = np.random.default_rng(seed).permutation(len(found))[:count]
    return [found[i] for i in sorted(chosen)]


def evaluate(
    paths: list[Path], seed: int, workers: int, step: Callable[[], None] = lambda: None,
    journal: Path | None = None,
) -> list[Row]:  # fmt: skip
    """Rows in the order of paths; after ^C those that are finished, a random sample.

    Rows in the journal are not computed again.
    """
    order = {path: i for i, path in enumerate(paths)}
    done = {row.path: row for row in earlier_results(journal, partial(_read, seed=seed)) if row.path in order}
    for _ in done:
        step()
    shuffled = [paths[i] for i in np.random.default_rng(seed).permutation(len(paths))]
    rows = run(partial(compare, seed=seed), [p for p in shuffled if p not in done], _lost, workers, None)
    found = collect(journalled(rows, journal, lambda row: plain(row) | {"seed": seed}), step)
    return sorted([*done.values(), *found], key=lambda row: order[row.path])


def _read(line: dict[str, Any], seed: int) -> Row | None:
    """Row of the journal with the same seed; a null error of a compared mechanism is infinite."""
    if line.pop("seed") != seed:
        return None
    line["path"] = Path(line["path"])
    ours = ("error", "variational_error", "default_error") if not line["not_compared"] else ()
    infinite: dict[str, Any] = {name: float("inf") for name in ours if name in line and line[name] is None}
    unknown: dict[str, Any] = {name: float("nan") for name in FIGURES if line.get(name) is None}
    return Row(**{**line, **unknown, **infinite})


def _lost(path: Path) -> Row:
    return Row(path, error=float("inf"), reason="its process died")


def compare(path: Path, seed: int = 0) -> Row:
    """Compares one file; an exception counts as an infinite error."""
    try:
        return _compared(path, seed)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Row(path, error=float("inf"), reason=f"{type(error).__name__} in {where.name}: {error}"[:200])


def _compared(path: Path, seed: int) -> Row:
    """Compares one file with the same masses, gravity and push in both simulators."""
    try:
        kinematics = joints_of(load_shape(path))
        model = load_mujoco_model(path)
    except InputError as error:
        return Row(path, not_compared=error.cause)
    except (ValueError, mujoco.FatalError) as error:
        return Row(path, not_compared=f"MuJoCo: {' '.join(str(error).split())[:120]}")
    row = Row(path, len(kinematics.names))
    if not kinematics.names:
        return replace(row, not_compared="it has no movable joint")
    if kinematics.shape.frame.metres_per_unit != 1.0:
        return replace(row, not_compared="its unit is not the metre")
    if has_massless_joint(kinematics):
        return replace(row, not_compared="a joint moves no mass")
    push = random_push(kinematics, np.random.default_rng([seed, zlib.crc32(path.parent.name.encode())]))
    prepared(model, kinematics)
    error, finer, truth = float("inf"), [], np.zeros(0)
    for step in STEPS:
        truth = trajectory(model, kinematics, push, REFERENCE_STEP_RATIO * step)
        if not np.isfinite(truth).all():
            return replace(row, not_compared="the motion in MuJoCo is not finite")
        error = _error(kinematics, model, push, truth, "rk4", step)
        finer.append(f"{error:.2%} at steps of 1/{1 / step:.0f} s")
        if error < CONVERGED_ERROR:
            break
    row = replace(
        row,
        error=error,
        variational_error=_error(kinematics, model, push, truth, "variational", VARIATIONAL_STEP),
        default_error=_error(kinematics, model, push, truth, "variational", SimulationConfig().step),
    )
    if error < MAX_ERROR:
        return row
    halved, nudged = self_consistency(kinematics, model, push, truth)
    return replace(row, halved=halved, nudged=nudged, reason=", ".join(finer))


def _error(kinematics, model, push, truth: Array, integrator: Integrator, step: float) -> float:
    """Error of the engine; infinite if its run stops."""
    ours = engine_trajectory(kinematics, push, integrator, step)
    return difference(kinematics, model, ours, truth) if len(ours) == len(truth) else float("inf")


def load_mujoco_model(path: Path) -> mujoco.MjModel:
    """MuJoCo model of a file; a URDF without geometry, because its masses are replaced."""
    with collected_warnings():
        if path.suffix.lower() == ".urdf":
            return mujoco.MjModel.from_xml_string(skeleton(read_robot(path)))
        return compile_mjcf(path)


def has_massless_joint(kinematics: LinkedKinematics) -> bool:
    """Whether a joint moves no mass."""
    heavy = {kinematics.body_of_link[name] for name in link_inertias(kinematics)}
    parent = [kinematics.body_of_link[j.parent] for j in kinematics.movable]
    carried = set()
    for body in heavy:
        while body:
            carried.add(body)
            body = parent[body - 1]
    return len(carried) < len(parent)


def random_push(kinematics: LinkedKinematics, rng: np.random.Generator) -> tuple[BodyPush, int]:
    """Force of PUSH_PER_KG on a random vertex of a moving link, and that vertex."""
    shape, weighed = kinematics.shape, link_inertias(kinematics)
    links = [n for n in shape.part_names if kinematics.body_of_link[n] and n in weighed]
    name = str(rng.choice(links or list(shape.part_names)))
    own = np.unique(shape.faces[shape.faces_of(name)])
    vertex = int(rng.choice(own))
    direction = rng.normal(size=3)
    mass = weighed[name].mass if name in weighed else 1.0
    pose = kinematics.tree.rest_poses[name]
    place = pose[:3, :3].T @ (shape.vertices[vertex] - pose[:3, 3])
    return BodyPush(
        name, place, PUSH_PER_KG * mass * direction / np.linalg.norm(direction), PUSH_SECONDS
    ), vertex


def initial_velocity(kinematics: LinkedKinematics) -> Float[Array, " k"]:
    """INITIAL_SPEED of revolute and prismatic joints.

    It avoids unstable equilibria. An upright pendulum at rest falls by round-off alone, which grows by exp(t
    √(m g l / I)), and two programs cannot agree on its motion.
    """
    reach = max(1.0, kinematics.shape.normalisation.radius)
    free = [joint for joint in kinematics.movable if joint.coupling is None]
    speeds = {"revolute": INITIAL_SPEED, "continuous": INITIAL_SPEED, "prismatic": INITIAL_SPEED * reach}
    return np.array([speeds.get(joint.kind, 0.0) for joint in free for _ in range(joint.dim)])


def trajectory(model: mujoco.MjModel, kinematics: LinkedKinematics, push, dt: float) -> Array:
    """Frames of MuJoCo: qpos, or independent coordinates if joints are coupled."""
    return Motion(model, kinematics, push[0], initial_velocity(kinematics)).frames(SECONDS, FPS, dt)


def engine_trajectory(
    kinematics: LinkedKinematics, push, integrator: Integrator, step: float
) -> Float[Array, "frames k"]:
    """Frames of the engine under the same push."""
    conditions = [Gravity(), Push(push[0].force, at=push[1], duration=PUSH_SECONDS), Limits(strength=0.0)]
    config = SimulationConfig(seconds=SECONDS, fps=FPS, step=step, integrator=integrator)
    motion = simulate(kinematics, conditions, config, v=torch.tensor(initial_velocity(kinematics)))
    return motion.q[: motion.frames[0], 0].numpy()


def difference(
    kinematics: LinkedKinematics, model: mujoco.MjModel, ours: Float[Array, "f k"], truth: Array
) -> float:
    """Largest difference over joints and frames, relative to the amplitude of each joint in MuJoCo."""
    least = MIN_AMPLITUDE * max(1.0, kinematics.shape.normalisation.radius)
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
            worst = max(worst, _orientation_error(own[:, -4:], true[:, -4:]))
    return worst


def _relative(ours: Array, truth: Array, least: float, whole: bool = False) -> float:
    """Relative difference by column, or of whole vectors."""
    if whole:
        ours, truth = np.linalg.norm(ours - truth, axis=1), np.linalg.norm(truth, axis=1)
        return float(ours.max() / max(truth.max(), least))
    return float((np.abs(ours - truth).max(0) / np.maximum(np.abs(truth).max(0), least)).max(initial=0.0))


def _orientation_error(ours: Float[Array, "f 4"], truth: Float[Array, "f 4"]) -> float:
    """Angle between two orientations, relative to the largest angle from the initial one."""

    def angle(a: Array, b: Array) -> Array:
        return 2 * np.arccos(np.clip(np.abs((a * b).sum(-1)), 0, 1))

    return float(angle(ours, truth).max() / max(angle(truth, truth[:1]).max(), MIN_AMPLITUDE))


def self_consistency(
    kinematics: LinkedKinematics, model: mujoco.MjModel, push, truth: Array
) -> tuple[float, float]:
    """Differences of MuJoCo's motion at the finest step from twice that step, and from a perturbed start.

    If the second exceeds MAX_ERROR, the motion is chaotic and no other program can reproduce it.
    """
    speed, dt = initial_velocity(kinematics), REFERENCE_STEP_RATIO * STEPS[-1]
    others = (
        Motion(model, kinematics, push[0], speed).frames(SECONDS, FPS, 2 * dt),
        Motion(model, kinematics, push[0], (1 + PERTURBATION) * speed).frames(SECONDS, FPS, dt),
    )
    halved, nudged = (
        difference(kinematics, model, as_coordinates(kinematics, model, other), truth) for other in others
    )
    return halved, nudged
