"""Adds animation to a glTF document: nodes that follow affine maps, and weights of morph targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.export.affine import Tracks, conjugate
from neurok.export.gltf.document import Document, Kind
from neurok.sequences import Sequence

Array = np.ndarray

AT_REST: dict[str, list[float]] = {
    "translation": [0.0, 0.0, 0.0],
    "rotation": [0.0, 0.0, 0.0, 1.0],
    "scale": [1.0, 1.0, 1.0],
}


@dataclass(frozen=True, eq=False)
class Channel:
    """One animated property of some nodes: its value at every frame of all clips, concatenated."""

    nodes: list[int]
    path: str
    values: Float[Array, "frames c"]


def add_handle(
    document: Document,
    name: str,
    tracks: Tracks,
    handle: int,
    translation: Float[Array, "frames 3"],
    pivot: Float[Array, "3"],
    **content: Any,
) -> tuple[int, int, list[Channel]]:
    """Adds one node, or three nested ones, that move as A = R V diag(s) Vᵀ about `pivot`.

    Returns the outermost node (the child of the scene), the innermost (which has the mesh or is the joint),
    and their channels. At rest the nodes translate by the pivot.
    """
    rotation, scale, axes = (t[:, handle] for t in (tracks.rotation, tracks.scale, tracks.axes))
    place = {"translation": pivot.tolist() if pivot.any() else None}
    moves = {"translation": translation, "rotation": rotation}
    if not tracks.sheared[handle]:
        node = document.add("nodes", name=name, **place, **content)
        return node, node, moving(node, {**moves, "scale": scale}, pivot)
    inner = document.add("nodes", name=name, **content)
    middle = document.add("nodes", name=f"{name}_stretch", children=[inner])
    outer = document.add("nodes", name=f"{name}_motion", **place, children=[middle])
    channels = moving(outer, moves, pivot)
    channels += moving(middle, {"rotation": axes, "scale": scale}, pivot)
    channels += moving(inner, {"rotation": conjugate(axes)}, pivot)
    return outer, inner, channels


def moving(node: int, values: dict[str, Array], pivot: Float[Array, "3"]) -> list[Channel]:
    """Channels of the properties that differ from the node's rest value at some frame."""
    rest = {**AT_REST, "translation": pivot.tolist()}
    near = {"translation": 1e-7 * (np.abs(values.get("translation", 0.0)).max() + 1e-30), "rotation": 1e-8}
    return [
        Channel([node], path, value)
        for path, value in values.items()
        if np.abs(value - rest[path]).max() > near.get(path, 1e-7)
    ]


def add_animations(document: Document, clips: list[Sequence], channels: list[Channel]) -> None:
    """Adds one named animation per clip, each with every channel, so that no clip inherits another's pose."""
    end = 0
    for clip in clips:
        start, end = end, end + len(clip)
        times = document.accessor(clip.times.astype(np.float32), "SCALAR", bounds=True)
        samplers: list[dict[str, Any]] = []
        targets: list[dict[str, Any]] = []
        for channel in channels:
            output = document.accessor(*keyed(channel, start, end))
            samplers.append({"input": times, "output": output})
            targets += [
                {"sampler": len(samplers) - 1, "target": {"node": node, "path": channel.path}}
                for node in channel.nodes
            ]
        document.add(
            "animations",
            name=clip.name,
            samplers=samplers,
            channels=targets,
            extras={"neurok": {"fps": float(clip.fps), "frames": len(clip)}},
        )


def keyed(channel: Channel, start: int, end: int) -> tuple[Float[Array, ...], Kind]:
    """The values of one clip as glTF stores them; weights of all targets are consecutive scalars."""
    values = channel.values[start:end].astype(np.float32)
    kinds: dict[str, Kind] = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3", "weights": "SCALAR"}
    return (values.ravel() if channel.path == "weights" else values), kinds[channel.path]


def resting(nodes: list[int], frames: int, pivot: Float[Array, "3"]) -> Iterator[Channel]:
    """Constant channels, so that a motion without movement keeps its duration."""
    yield Channel(nodes[:1], "translation", np.broadcast_to(pivot, (frames, 3)))
