"""Predicts the joints of parts: the simulator tests candidates, the networks rank them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int

from neurok.articulation.articulation import (
    SINGLE,
    Articulation,
    Following,
    JointHint,
    PartJoint,
    following,
)
from neurok.articulation.choice import JointChoice, choose_joints
from neurok.articulation.clouds import PartClouds, read_parts
from neurok.articulation.ensemble import ArticulationEnsemble, load_articulator
from neurok.articulation.features import SURFACE, PartScene, part_scene, points_to_read, scene_features
from neurok.articulation.kinematic_tree import subtree
from neurok.articulation.network import PartsBatch, Scores
from neurok.articulation.parts.find import Parts
from neurok.articulation.push_evidence import Pull
from neurok.articulation.ranges import joint_range
from neurok.articulation.simulator import (
    FreeMotion,
    check_range,
    free_arrays,
    free_range,
    simulate_parts,
)
from neurok.errors import InputError

Array = np.ndarray
MIN_ENDLESS_TURN = 5.5  # radians: longer ranges are unlimited
MAX_SLIDE = 2.0  # radii: slides are simulated up to this length


def predict_joints(
    parts: Parts,
    *,
    joints: Mapping[str, JointHint] = {},
    fixed: Collection[str] = (),
    standing: Collection[str] = (),
    moved: Collection[str] = (),
    follows: Mapping[str, Following] = {},
    pulls: Sequence[Pull] = (),
    seed: int = 0,
    model: Path | None = None,
) -> Articulation:
    """Joints of all parts, by the weights in the file `model` or by the shipped ones.

    Hints constrain the result. `joints` gives kinds and axes. `fixed` parts do not move, and `standing` parts
    are fixed to the world. `moved` parts move, or a part that carries them moves. `follows` couples the joint
    of a part to another's. `pulls` are evidence that their parts move, and which way.
    """
    shape = parts.shape
    _check_names(parts, (*joints, *fixed, *standing, *moved, *follows, *(f.part for f in follows.values())))
    _check_leaders(shape.name, follows)
    kinds = {name: hint.kind for name, hint in joints.items()} | dict.fromkeys((*fixed, *standing), "fixed")
    for part in (name for own, leader in follows.items() for name in (own, leader.part)):
        if kinds.get(part, SINGLE[0]) not in SINGLE:
            raise InputError(
                shape.name, f"{part!r} is {kinds[part]}, and follows or is followed",
                f"Say that it is {' or '.join(SINGLE)}",
            )  # fmt: skip
    clouds = read_parts(shape, seed=seed)
    if clouds.count == 1:
        return _still(parts)
    scene = part_scene(clouds)
    ensemble = networks(model)
    batch = parts_batch(scene, simulate_parts(scene))
    scores = score(batch, ensemble)
    hints = {clouds.names.index(name): _in_frame(hint, clouds) for name, hint in joints.items()}
    hints |= {clouds.names.index(name): JointHint("fixed") for name in (*fixed, *standing)}
    stands, moves = ([clouds.names.index(name) for name in names] for names in (standing, moved))
    single = [clouds.names.index(name) for part, own in follows.items() for name in (part, own.part)]
    chosen, parents = choose_joints(scene, scores, hints, stands, moves, single, pulls)
    chosen = directions(batch, chosen, ensemble)
    joints_of = {clouds.names[k]: part_joint(clouds, chosen, parents, k) for k in range(clouds.count)}
    for part, own in follows.items():
        joints_of[part] = following(joints_of[part], joints_of[own.part], own.ratio)
    found = tuple(joints_of.values())
    notes = () if any(j.moves for j in found) else ("No part looks movable.",)
    return Articulation(shape, found, parts.source, (*parts.notes, *notes), parts.confidence)


def _still(parts: Parts) -> Articulation:
    """The articulation of a shape of one part, which does not move."""
    (name,) = parts.shape.part_names
    joint = PartJoint(name, "fixed", None, np.eye(3)[1], np.zeros(3), 0.0, 0.0, 1.0, True, True)
    notes = (*parts.notes, "It is one part: nothing can move.")
    return Articulation(parts.shape, (joint,), parts.source, notes, parts.confidence)


@cache
def networks(model: Path | None) -> ArticulationEnsemble:
    """The ensemble of a file, or the one that ships, loaded once."""
    return load_articulator(model)


@torch.no_grad()
def score(batch: PartsBatch, ensemble: ArticulationEnsemble) -> Scores:
    """Scores of the ensemble, in float64."""
    return Scores(*(t.double() for t in ensemble(batch)))


def parts_batch(scene: PartScene, free: list[FreeMotion], named: bool = True) -> PartsBatch:
    """Inputs of the networks for one scene. Without `named` they do not read the part names."""
    numbers = scene_features(scene).arrays() | free_arrays(free)
    kept = points_to_read(numbers["gaps"], np.arange(numbers["gaps"].shape[1]))
    rows = np.arange(len(kept))[:, None]
    numbers |= {name: numbers[name][rows, kept] for name in SURFACE}
    numbers["words"] = numbers["words"] * named
    arrays = {name: torch.tensor(a)[None] for name, a in numbers.items()}
    arrays = {n: t.float() if t.is_floating_point() else t for n, t in arrays.items()}
    return PartsBatch(present=torch.ones(1, scene.clouds.count, dtype=torch.bool), **arrays)


@torch.no_grad()
def directions(
    batch: PartsBatch, chosen: list[JointChoice], ensemble: ArticulationEnsemble
) -> list[JointChoice]:
    """The choices, each in its likelier direction unless a push shows the direction."""
    axis, pivot = (
        torch.tensor(np.stack([getattr(own, n) for own in chosen]), dtype=torch.float32)[None]
        for n in ("axis", "pivot")
    )
    slides = torch.tensor([[own.kind == "prismatic" for own in chosen]])
    odds = ensemble.ahead(batch, axis, pivot, slides)[0].tolist()
    return [
        own if own.ahead is not None else replace(own, ahead=value >= 0)
        for own, value in zip(chosen, odds, strict=True)
    ]


def part_joint(clouds: PartClouds, chosen: list[JointChoice], parents: Int[Array, " k"], k: int) -> PartJoint:
    """Joint of part k in the shape's coordinates, with its range.

    The part moves with its subtree. Its range has the likely length, in the chosen direction or else in the
    freer one.
    """
    own, name = chosen[k], clouds.names[k]
    parent = None if parents[k] == clouds.count else clouds.names[parents[k]]
    axis, pivot = clouds.direction_to_shape(own.axis), clouds.point_to_shape(own.pivot)
    if own.kind == "fixed":
        return PartJoint(name, "fixed", parent, axis, pivot, 0.0, 0.0, own.confidence, True, True)
    moving = subtree(parents, k)
    slides = own.kind == "prismatic"
    motion = (clouds, moving, "prismatic" if slides else "revolute", own.axis, own.pivot)
    found = free_range(*motion, min(2.0 * own.length, MAX_SLIDE) if slides else np.pi)
    ahead = found.upper >= -found.lower if own.ahead is None else own.ahead
    lower, upper = joint_range(found.lower, found.upper, own.length, own.one_way, ahead)
    if not slides and upper - lower > MIN_ENDLESS_TURN:
        lower, upper = -np.inf, np.inf
    checks = check_range(*motion, max(lower, -np.pi), min(upper, np.pi))
    unit = clouds.radius if slides else 1.0
    along = (0.0, 0.0)
    if own.kind == "cylindrical":
        free = free_range(clouds, moving, "prismatic", own.axis, own.pivot, 0.5)
        along = (free.lower * clouds.radius, free.upper * clouds.radius)
    return PartJoint(
        name, own.kind, parent, axis, pivot, lower * unit, upper * unit, own.confidence, *checks, along,
        (found.lower * unit, found.upper * unit),
    )  # fmt: skip


def _check_leaders(name: str, follows: Mapping[str, Following]) -> None:
    """Refuses parts that follow themselves, and leaders that follow another part."""
    for part, own in follows.items():
        if own.part == part or follows.get(own.part, own).part == part:
            raise InputError(name, f"{part!r} would follow itself", "Name a part that follows none")
        if own.part in follows:
            onward = follows[own.part]
            raise InputError(
                name, f"{part!r} follows {own.part!r}, which follows {onward.part!r}",
                f"Let both follow the last: --follows {part}={onward.part}:{own.ratio * onward.ratio:g}",
            )  # fmt: skip


def _in_frame(hint: JointHint, clouds: PartClouds) -> JointHint:
    """A hint with its axis in the coordinates of the clouds."""
    return hint if hint.axis is None else JointHint(hint.kind, clouds.direction_from_shape(hint.axis))


def _check_names(parts: Parts, asked: Collection[str]) -> None:
    from difflib import get_close_matches

    for name in asked:
        if name not in parts.shape.part_names:
            near = get_close_matches(name, parts.shape.part_names, n=1)
            known = ", ".join(parts.shape.part_names[:8])
            fix = f"Did you mean {near[0]!r}?" if near else f"Its parts are: {known}"
            raise InputError(parts.shape.name, f"has no part {name!r}", fix)
