"""Packs the static data of an object for the page: rest shape, materials and skin, normalised."""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np
from jaxtyping import Float, Int, UInt8

from neurok.rendering.joints import joint_axes
from neurok.shapes import Shape
from neurok.studio.controls import RANGES, Controls
from neurok.studio.protocol import pack
from neurok.studio.stage import Stage

Array = np.ndarray
INFLUENCES = 16  # handles per vertex: four vertex attributes of four each
TEXTURE_BYTES = 32 << 20  # of all textures of an object


def pack_scene(stage: Stage, controls: Controls) -> bytes:
    """The message that describes an object, without its motion."""
    shape, order = stage.shape, np.argsort(stage.shape.material, kind="stable")
    handles, weights = strongest(stage)
    arrays: dict[str, Array | bytes] = {
        "positions": shape.normalisation.apply(shape.vertices).astype("<f4"),
        "faces": shape.faces[order].astype("<u4"),
        "handles": handles.astype("<u2"),
        "weights": weights.astype("<f4"),
        "parts": part_colours(shape),
        "centres": handle_centres(shape, handles, weights, len(stage.kinematics.basis.skin.names)),  # pyright: ignore
    }
    for name, values in (("normals", shape.normals), ("uv", shape.uv), ("colors", shape.colors)):
        if values is not None:
            arrays[name] = values.astype("u1" if name == "colors" else "<f4")
    materials = _materials(shape, order, arrays)
    return pack(_header(stage, controls) | {"materials": materials}, arrays)


def _header(stage: Stage, controls: Controls) -> dict[str, Any]:
    shape, kinematics = stage.shape, stage.kinematics
    up, normalisation = shape.frame.up_vector, shape.normalisation
    limits = kinematics.finite_limits(np.pi).tolist()
    coordinates = [
        {
            "name": name,
            "low": low,
            "high": high,
            "rest": rest,
            "quantity": kinematics.quantity(name),
        }
        for name, (low, high), rest in zip(kinematics.names, limits, kinematics.rest.tolist(), strict=True)
    ]
    return {
        "type": "scene", "name": shape.name, "summary": list(stage.summary), "notes": list(shape.notes),
        "vertices": len(shape.vertices), "up": shape.frame.up, "coordinates": coordinates,
        "solid": is_solid(shape),
        "controls": vars(controls), "ranges": RANGES, "stiffness": stage.has_stiffness,
        "floor": float(normalisation.apply(shape.bounds).dot(up).min()),
        "joints": [
            {
                "kind": axis.kind, "pivot": normalisation.apply(axis.pivot).tolist(),
                "direction": axis.direction.tolist(), "handle": handle,
            }
            for axis, handle in zip(joint_axes(shape), _parents(stage), strict=True)
        ],
    }  # fmt: skip


def _parents(stage: Stage) -> list[int]:
    """The handle that carries each joint's axis; −1 where none does."""
    names, tree = stage.skin.names, stage.shape.joints
    moving = [] if tree is None else [j for j in tree.joints if j.dim and np.linalg.norm(j.axis) > 0]
    return [names.index(j.parent) if j.parent in names else -1 for j in moving]


def strongest(stage: Stage) -> tuple[Int[Array, "n c"], Float[Array, "n c"]]:
    """The strongest handles and weights of every vertex, padded to a multiple of four, at most sixteen."""
    skin = stage.skin
    order = np.argsort(-skin.weights, axis=1, kind="stable")[:, :INFLUENCES]
    handles, weights = (np.take_along_axis(x, order, axis=1) for x in (skin.handles, skin.weights))
    pad = -weights.shape[1] % 4
    weights = np.pad(weights / weights.sum(1, keepdims=True), ((0, 0), (0, pad)))
    return np.pad(handles, ((0, 0), (0, pad))), weights


def handle_centres(
    shape: Shape, handles: Int[Array, "n c"], weights: Float[Array, "n c"], count: int
) -> Float[Array, "h 3"]:
    """The weighted mean position of each handle's vertices; the origin for handles without vertices."""
    points = shape.normalisation.apply(shape.vertices)
    total = np.bincount(handles.ravel(), weights.ravel(), count)
    sums = [
        np.bincount(handles.ravel(), (weights * points[:, axis, None]).ravel(), count) for axis in range(3)
    ]
    return (np.stack(sums, 1) / np.maximum(total, 1e-12)[:, None]).astype("<f4")


def part_colours(shape: Shape) -> UInt8[Array, "n 4"]:
    """A colour for each part, with hues a golden angle apart."""
    hues = (0.58 + 0.618034 * np.arange(len(shape.part_names))) % 1.0
    rgb = np.array([colorsys.hsv_to_rgb(float(h), 0.55, 0.9) for h in hues])
    table = np.c_[np.round(255 * rgb), np.full(len(rgb), 255)].astype(np.uint8)
    return table[shape.vertex_part]


def is_solid(shape: Shape) -> bool:
    """Whether every component of the surface is closed, oriented outward and opaque."""
    surface = shape.surface
    if not surface.is_closed:
        return False
    a, b, c = surface.vertices[surface.faces].transpose(1, 0, 2)
    volumes = np.bincount(surface.component[surface.faces[:, 0]], (a * np.cross(b, c)).sum(1))
    seen_through = any(material.alpha_mode != "OPAQUE" for material in shape.materials)
    return bool((volumes[np.unique(surface.component[surface.faces])] > 0).all()) and not seen_through


def _materials(
    shape: Shape, order: Int[Array, " m"], arrays: dict[str, Array | bytes]
) -> list[dict[str, Any]]:
    """Materials with their face ranges; textures are added to the arrays up to `TEXTURE_BYTES`."""
    labels, starts, counts = np.unique(shape.material[order], return_index=True, return_counts=True)
    found, room = [], TEXTURE_BYTES
    for label, start, count in zip(labels.tolist(), starts.tolist(), counts.tolist(), strict=True):
        material = shape.materials[label]
        texture = material.textures.get("color")
        name, mime = None, None
        if texture is not None and shape.uv is not None and len(texture.data) <= room:
            name, mime, room = f"texture{label}", texture.mime, room - len(texture.data)
            arrays[name] = texture.data
        found.append(
            {
                "start": start, "count": count, "color": list(material.color), "texture": name, "mime": mime,
                "alpha": material.alpha_mode, "cutoff": material.alpha_cutoff,
                "glow": list(material.emissive),
            }
        )  # fmt: skip
    return found
