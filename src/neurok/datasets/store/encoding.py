"""Encodes a recording as the arrays and the JSON of one store file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.datasets.hinges import hinges_of
from neurok.datasets.local_rigid import fit_local_rigid
from neurok.datasets.motion_statistics import displacement, linear_dimension
from neurok.datasets.record import Recording
from neurok.datasets.rigid_motion import RigidMotion, normalised_transforms, rigid_motion
from neurok.datasets.sampling import face_areas
from neurok.datasets.store.index import IndexEntry, dumps, file_of
from neurok.datasets.store.joint_json import tree_to_json
from neurok.datasets.store.quantise import quantise_positions, quantise_quaternions
from neurok.errors import Rejected
from neurok.shapes import Material, Shape
from neurok.shapes.appearance import linear_to_srgb
from neurok.shapes.surface import weld

Array = np.ndarray
MAX_LABELS = np.iinfo(np.int16).max
MAX_QUANTISATION_STEP = 1e-4  # radii between neighbouring stored positions


@dataclass(frozen=True)
class Errors:
    """Errors of the stored motion in radii (see `IndexEntry`)."""

    fit: float = 0.0
    fit_max: float = 0.0
    quantisation: float = 0.0


@dataclass(frozen=True, eq=False)
class Encoded:
    """Arrays, metadata and index entry of one object."""

    arrays: dict[str, Array]
    metadata: dict[str, Any]
    entry: IndexEntry


def encode(recording: Recording, split: str) -> Encoded:
    """Encodes a recording deterministically: the same recording gives the same bytes.

    Unreferenced vertices and textures are removed; materials keep their base colour.
    """
    shape = recording.shape
    _check(shape)
    used = np.unique(shape.faces)
    faces = np.searchsorted(used, shape.faces).astype(np.int32)
    rest = shape.normalisation.apply(shape.vertices[used])
    moved = np.concatenate([clip.positions[:, used] for clip in recording.clips])
    moved = np.ascontiguousarray(shape.normalisation.apply(moved.astype(np.float64)))
    arrays = {"rest": rest.astype(np.float32), "faces": faces, "part": shape.part.astype(np.int16)}
    arrays["area"] = face_areas(rest, faces)
    arrays["component"] = face_components(rest, faces)
    arrays["clip_start"] = np.cumsum([0] + [len(clip) for clip in recording.clips]).astype(np.int32)
    if (colors := vertex_colors(shape)) is not None:
        arrays["colors"] = colors[used]
    motion = rigid_motion(recording)
    if motion is not None and len(motion.names) <= MAX_LABELS:
        stored, errors = _rigid(shape, motion, used), Errors()
    else:
        motion = None
        stored, errors = _soft(rest, faces, shape.vertex_part[used], moved)
    # safetensors copies raw memory, so every array must be in C order.
    arrays = {name: np.ascontiguousarray(array) for name, array in (arrays | stored).items()}
    metadata = _metadata(recording, motion)
    entry = _entry(recording, split, arrays, metadata, rest, moved, errors)
    return Encoded(arrays, metadata | {"entry": entry.to_json()}, entry)


def _rigid(shape: Shape, motion: RigidMotion, used: Int[Array, " u"]) -> dict[str, Array]:
    """Transforms per handle and, where joints reproduce them, the hinges between the handles."""
    transforms = normalised_transforms(motion.transforms, shape.normalisation)
    arrays = {"handle": motion.handle[used].astype(np.int16), "transforms": transforms.astype(np.float32)}
    if shape.joints is None:
        return arrays
    hinges = hinges_of(shape.joints, motion.names, transforms, shape.normalisation)
    if hinges is not None:
        arrays |= {
            f"hinge_{key}": getattr(hinges, key) for key in ("parent", "kind", "axis", "pivot", "values")
        }
    return arrays


def _soft(rest, faces, group, moved: Float[Array, "f n 3"]) -> tuple[dict[str, Array], Errors]:
    """Quantised positions and local rotations, with their errors."""
    positions, centre, step = quantise_positions(moved)
    if step.max() > MAX_QUANTISATION_STEP:
        grown = float(step.max() * MAX_LABELS)
        raise Rejected(f"it grows to {grown:.1f} times the radius of its rest shape")
    fit = fit_local_rigid(weld(rest, faces, group), moved)
    arrays = {
        "positions": positions,
        "centre": centre,
        "step": step,
        "rotations": quantise_quaternions(fit.rotations),
    }
    errors = Errors(
        fit=_four_digits(float(np.mean(fit.residual.astype(np.float64) ** 2)) ** 0.5),
        fit_max=_four_digits(float(fit.residual.max())),
        quantisation=_four_digits(1.0001 * float(step.max()) / 2 * 3**0.5),
    )
    return arrays, errors


def face_components(rest: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> Int[Array, " m"]:
    """Connected component of every face, regardless of parts."""
    surface = weld(rest, faces, np.zeros(len(rest), np.int32))
    return surface.component[surface.of_vertex[faces[:, 0]]]


def vertex_colors(shape: Shape) -> UInt8[Array, "n 4"] | None:
    """sRGB per vertex: vertex colours times the base colour of the material; None for the default colour."""
    plain = all(material.color == Material().color for material in shape.materials)
    if shape.colors is None and plain:
        return None
    color = np.array([material.color for material in shape.materials], np.float64)
    color[:, :3] = linear_to_srgb(np.clip(color[:, :3], 0, 1))
    tint = np.ones((len(shape.vertices), 4))
    if not plain:
        tint[shape.faces] = color[shape.material][:, None]
    own = 255.0 if shape.colors is None else shape.colors
    return np.clip(np.round(tint * own), 0, 255).astype(np.uint8)


def _metadata(recording: Recording, motion: RigidMotion | None) -> dict[str, Any]:
    shape = recording.shape
    return {
        "shape": {
            "name": shape.name,
            "centre": shape.normalisation.centre.tolist(),
            "radius": shape.normalisation.radius,
            "up": shape.frame.up,
            "metres_per_unit": shape.frame.metres_per_unit,
            "part_names": list(shape.part_names),
            "handle_names": [] if motion is None else list(motion.names),
        },
        "clips": [{"name": clip.name, "fps": clip.fps} for clip in recording.clips],
        "joints": None if shape.joints is None else tree_to_json(shape.joints, shape.normalisation),
    }


def _entry(recording, split, arrays, metadata, rest, moved, errors: Errors) -> IndexEntry:
    shape, origin = recording.shape, recording.origin
    mean, largest = displacement(rest, moved)
    entry = IndexEntry(
        name=origin.name, file=file_of(origin.name), category=origin.category, family=origin.family,
        licence=origin.licence, source=origin.source, split=split,
        motion="rigid" if "handle" in arrays else "soft",
        vertices=len(rest), faces=len(shape.faces), parts=len(shape.part_names),
        frames=recording.frames, clips=len(recording.clips), up=shape.frame.up,
        degrees_of_freedom=None if shape.joints is None else shape.joints.dim,
        linear_dimension=linear_dimension(moved),
        displacement_mean=mean, displacement_max=largest,
        fit_error=errors.fit, fit_error_max=errors.fit_max, quantisation_error=errors.quantisation,
        topology=hashlib.sha256(arrays["faces"].tobytes()).hexdigest()[:32], content="",
    )  # fmt: skip
    return replace(entry, content=content_hash(arrays, metadata, entry))


def _four_digits(value: float) -> float:
    return float(f"{value:.4g}")


def content_hash(arrays: dict[str, Array], metadata: dict[str, Any], entry: IndexEntry) -> str:
    """Hash of the whole content of a file except the hash itself."""
    digest = hashlib.sha256(dumps([metadata, replace(entry, content="").to_json()]).encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def _check(shape: Shape) -> None:
    if not len(shape.faces):
        raise Rejected("it has no faces")
    if not np.isfinite(shape.vertices[np.unique(shape.faces)]).all():
        raise Rejected("its rest shape has vertices that are NaN or infinite")
    if not shape.area > 0:
        raise Rejected("it has no surface area")
    if len(shape.part_names) > MAX_LABELS:
        raise Rejected(f"it has {len(shape.part_names)} parts")
