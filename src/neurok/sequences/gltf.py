"""Reads animations of glTF files into `Sequence`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.geometry.quaternions import quaternion_from_matrix, to_xyzw
from neurok.sequences.gltf_rig import read_skin, skin_transforms
from neurok.sequences.keyframes import Interpolation, sample
from neurok.sequences.sequence import Rig, Sequence
from neurok.shapes.gltf import Document, Scene, read_scene, scene_shape
from neurok.shapes.gltf.fields import REQUIRED, Fields
from neurok.shapes.gltf.nodes import POSE, compose
from neurok.shapes.shape import unique_names

Array = np.ndarray
Path3D = Literal["translation", "rotation", "scale", "weights"]
MAX_BYTES = 4 * 2**30  # of all positions of one clip


@dataclass(frozen=True, eq=False)
class Track:
    """The keyframes of one property of one node."""

    node: int
    path: Path3D
    keys: Float[Array, " k"]
    values: Float[Array, "v d"]
    interpolation: Interpolation

    def at(self, times: Float[Array, " t"]) -> Float[Array, "t d"]:
        return sample(self.keys, self.values, self.interpolation, times, self.path == "rotation")


@dataclass(frozen=True, eq=False)
class Clip:
    """One animation of the file."""

    name: str
    tracks: tuple[Track, ...]

    @property
    def start(self) -> float:
        """Time of the first key of any track, in seconds."""
        return min((float(track.keys[0]) for track in self.tracks), default=0.0)

    @property
    def end(self) -> float:
        return max((float(track.keys[-1]) for track in self.tracks), default=0.0)


def load_gltf_sequences(path: str | Path, fps: float = 30.0) -> list[Sequence]:
    """One sequence per animation, all of the shape that `load_gltf` gives.

    Frames run from the clip's first key to its last. A rig is attached if rest vertices and joints determine
    the motion (see `gltf_rig`). A clip that animates morph targets has none.
    """
    if not (np.isfinite(fps) and fps > 0):
        raise InputError(path, f"fps is {fps}", "Give a positive number of frames per second")
    scene = read_scene(Document.open(path))
    clips, notes = read_clips(scene)
    shape = scene_shape(scene, Path(path).stem)
    shape = shape.with_(notes=(*shape.notes, *notes))
    skin = read_skin(scene, shape.normalisation.radius) if clips else None
    sequences = []
    for clip in clips:
        times = frame_times(scene, clip, fps)
        rig = None
        if skin is not None and not any(track.path == "weights" for track in clip.tracks):
            worlds = (worlds_at(scene, clip, chunk) for chunk in chunks(scene, times))
            rig = Rig(skin.skin, np.concatenate([skin_transforms(scene, skin, world) for world in worlds]))
        sequences.append(Sequence(shape, positions_at(scene, clip, times), fps, clip.name, rig))
    return sequences


def has_animation(path: str | Path) -> bool:
    """Whether a file animates any node or morph target. Buffers are not decoded."""
    root = Document.open(path).root
    channels = (c for animation in root.objects("animations") for c in animation.objects("channels"))
    return any("node" in (t := c.object("target")) and t.text("path") in get_args(Path3D) for c in channels)


def frame_times(scene: Scene, clip: Clip, fps: float) -> Float[Array, " t"]:
    """Evenly spaced times of the clip. Refuses clips that are too long before allocating memory."""
    frames = (clip.end - clip.start) * fps + 1
    need = frames * (12 * scene.vertex_count + 128)
    if need > MAX_BYTES:
        cause = f"animation {clip.name!r} lasts {clip.end - clip.start:g} s, which at {fps:g} fps"
        cause += f" and {scene.vertex_count:,} vertices needs {need / 2**30:.1f} GiB"
        raise InputError(scene.document.source, cause, "Give a lower fps, or cut or simplify the animation")
    whole = int(frames + 0.01)  # float32 keys round down: 99 / 30 s is stored slightly short
    return clip.start + np.arange(whole) / fps


def positions_at(scene: Scene, clip: Clip, times: Float[Array, " t"]) -> Float[Array, "t n 3"]:
    """All vertices at each time, in float32: node motion, then morph targets, then skins."""
    times = np.asarray(times, dtype=np.float64)
    positions = np.empty((len(times), scene.vertex_count, 3), np.float32)
    done = 0
    for chunk in chunks(scene, times):
        weights = {track.node: track.at(chunk) for track in clip.tracks if track.path == "weights"}
        for i, world in enumerate(worlds_at(scene, clip, chunk)):
            placed = scene.positions(world, {node: w[i] for node, w in weights.items()})
            with np.errstate(over="ignore"):  # `Sequence` refuses infinite positions
                positions[done + i] = placed
        done += len(chunk)
    return positions


def chunks(scene: Scene, times: Float[Array, " t"]) -> list[Float[Array, " _"]]:
    """The times in chunks for which the transforms of all nodes take a few megabytes."""
    length = max(1, 2**18 // max(len(scene.document.nodes), 1))
    return [times[i : i + length] for i in range(0, len(times), length)]


def worlds_at(scene: Scene, clip: Clip, times: Float[Array, " t"]) -> Float[Array, "t nodes 4 4"]:
    """World transforms of all nodes at each time; properties without a track keep their default."""
    local = np.tile(scene.graph.local, (len(times), 1, 1, 1))
    moving: dict[int, dict[str, Array]] = {}
    for track in clip.tracks:
        if track.path != "weights":
            moving.setdefault(track.node, {})[track.path] = track.at(times)
    for node, changed in moving.items():
        rest = dict(zip(POSE, default_pose(scene, node), strict=True))
        pose = [changed.get(key, np.tile(value, (len(times), 1))) for key, value in rest.items()]
        local[:, node] = compose(*pose)
    return scene.graph.world(local)


def default_pose(scene: Scene, node: int) -> tuple[Array, Array, Array]:
    """Translation, rotation and scale of a node, fitted to its matrix if it has one."""
    record = scene.document.nodes[node]
    if record.matrix is None:
        return np.array(record.translation), np.array(record.rotation), np.array(record.scale)
    matrix = scene.graph.local[node]
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    scale[0] *= -1.0 if np.linalg.det(matrix[:3, :3]) < 0 else 1.0
    if (scale == 0).any():
        return matrix[:3, 3], np.array([0.0, 0.0, 0.0, 1.0]), scale
    return matrix[:3, 3], to_xyzw(quaternion_from_matrix(matrix[:3, :3] / scale)), scale


def read_clips(scene: Scene) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """The animations of nodes or morph targets, and notes on ignored ones."""
    notes: dict[str, None] = {}
    fields = scene.document.root.objects("animations")
    names = unique_names([f.text("name", "") or f"animation_{i}" for i, f in enumerate(fields)])
    clips = [Clip(name, read_tracks(scene, f, name, notes)) for name, f in zip(names, fields, strict=True)]
    for clip in clips:
        if not clip.tracks:
            notes[f"animation {clip.name!r} moves nothing and is left out"] = None
    return tuple(clip for clip in clips if clip.tracks), tuple(notes)


def read_tracks(scene: Scene, animation: Fields, name: str, notes: dict[str, None]) -> tuple[Track, ...]:
    samplers = animation.objects("samplers")
    tracks = []
    for channel in animation.objects("channels"):
        target = channel.object("target")
        node, path = target.index("node", len(scene.document.nodes)), target.text("path")
        if path == "pointer":
            notes[
                f"animation {name!r}: KHR_animation_pointer is ignored, only nodes and morph targets move"
            ] = None
        elif path not in get_args(Path3D):
            target.refuse(f"{target.where}.path is {path[:20]!r}")
        elif node is not None:
            sampler = samplers[channel.index("sampler", len(samplers), REQUIRED)]
            tracks.append(read_track(scene.document, sampler, node, cast(Path3D, path)))
    return tuple(tracks)


def read_track(document: Document, sampler: Fields, node: int, path: Path3D) -> Track:
    count = len(document.accessors)
    interpolation = sampler.text("interpolation", "LINEAR")
    if interpolation not in get_args(Interpolation):
        sampler.refuse(f"{sampler.where}.interpolation is {interpolation[:20]!r}")
    kind = {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
    keys = document.floats(sampler.index("input", count, REQUIRED), "SCALAR")[:, 0].astype(np.float64)
    values = document.floats(sampler.index("output", count, REQUIRED), kind).astype(np.float64)
    if not len(keys) or not np.isfinite(keys).all() or (np.diff(keys) < 0).any():
        sampler.refuse(f"{sampler.where} has times that are missing, not finite or not in order")
    rows = len(keys) * (3 if interpolation == "CUBICSPLINE" else 1)
    if path == "weights" and len(values) % rows == 0:
        values = values.reshape(rows, -1)
    if len(values) != rows or not np.isfinite(values).all():
        sampler.refuse(
            f"{sampler.where} has {len(values)} values for {len(keys)} times, or some that are not finite"
        )
    return Track(node, path, keys, values, cast(Interpolation, interpolation))
