"""Examples for articulation: what the network reads of an object, how its candidates fare, its true joints.

They take half a second of geometry each, so they are made once and kept beside the objects of a store, in
articulation/<name>.safetensors.
"""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from neurok.articulation.clouds import read_parts
from neurok.articulation.reading import part_scene, read_scene
from neurok.articulation.simulator import simulate_part
from neurok.articulation.truth import KINDS, TrueJoint, true_joints
from neurok.datasets.running import run
from neurok.datasets.store import Store
from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.writing import write_bytes

Array = np.ndarray
FOLDER = "articulation"
VERSION = 1
MOST_PARTS = 32
HALF = ("points", "normals", "gaps", "line_numbers", "free_turn")  # kept in half precision


def example_of(shape: Shape) -> dict[str, Array]:
    """Arrays of one object with joints, in its own frame and the unit ball: `ReadParts`, free motions both
    ways together, and joints: kind (−1 where it is of no known type), parent (k for the world), and how far
    they move in all."""
    clouds = read_parts(shape)
    scene = part_scene(clouds)
    count = clouds.count
    free = [simulate_part(clouds, scene.shares, k, scene.base, scene.candidates[k]) for k in range(count)]
    truth = true_joints(shape)
    index = {name: i for i, name in enumerate(clouds.names)}
    return read_scene(scene).arrays() | {
        "free_turn": np.stack([f.turn[1] - f.turn[0] for f in free]),
        "free_slide": np.stack([f.slide[1] - f.slide[0] for f in free]),
        "kind": np.array([-1 if t.kind is None else KINDS.index(t.kind) for t in truth], np.int64),
        "true_axis": clouds.direction_from_shape(np.stack([t.axis for t in truth])),
        "true_pivot": clouds.point_from_shape(np.stack([t.pivot for t in truth])),
        "range": np.array([_length(t, clouds.radius) for t in truth]),
        "parent": np.array([count if t.parent is None else index[t.parent] for t in truth], np.int64),
    }


def _length(joint: TrueJoint, radius: float) -> float:
    """How far it moves in all: radians, or radii of the shape; −1 for what is unlimited."""
    length = (joint.upper - joint.lower) / (radius if joint.kind == "prismatic" else 1.0)
    return float(length) if np.isfinite(length) else -1.0


def usable(store: Store, split: str | None) -> list[str]:
    """Objects with joints and a number of parts that the simulator takes."""
    return [
        name
        for name in store.names(split)
        if store.entry(name).family == "articulated" and 2 <= (store.entry(name).parts or 0) <= MOST_PARTS
    ]


def prepare(store: Store, names: list[str], workers: int, step=lambda: None) -> list[str]:
    """Make the examples that are missing; the names of those that there are."""
    missing = [name for name in names if not _current(store, name)]
    failed = set()
    for name, reason in run(
        partial(_make, store.folder), missing, lambda n: (n, "its process died"), workers, None
    ):
        step()
        if reason:
            failed.add(name)
    return [name for name in names if name not in failed]


def stored_example(store: Store, name: str) -> dict[str, Array]:
    """The arrays of `example_of`, as single precision."""
    try:
        with safe_open(_path(store.folder, name), framework="np") as file:
            arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise InputError(_path(store.folder, name), f"is damaged ({error})", "Remove it") from error
    return {k: v.astype(np.float32) if v.dtype.kind == "f" else v for k, v in arrays.items()}


def _make(folder: Path, name: str) -> tuple[str, str]:
    store = _opened(folder)
    try:
        arrays = example_of(store.recording(name).clips[0].shape)
    except InputError as error:
        return name, error.cause
    small = {
        key: value.astype(np.float16 if key in HALF else np.float32) if value.dtype.kind == "f" else value
        for key, value in arrays.items()
    }
    about = json.dumps({"version": VERSION, "content": store.entry(name).content})
    write_bytes(_path(folder, name), save(small, {"neurok": about}))
    return name, ""


@cache
def _opened(folder: Path) -> Store:
    return Store.open(folder)


def _current(store: Store, name: str) -> bool:
    try:
        with safe_open(_path(store.folder, name), framework="np") as file:
            about = json.loads((file.metadata() or {}).get("neurok", "{}"))
    except (SafetensorError, OSError, ValueError):
        return False
    return about == {"version": VERSION, "content": store.entry(name).content}


def _path(folder: Path, name: str) -> Path:
    return folder / FOLDER / f"{name}.safetensors"
