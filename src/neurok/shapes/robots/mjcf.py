# pyright: reportAttributeAccessIssue=false
"""Reads MJCF files into a `Shape` with its `JointTree`, compiled by MuJoCo."""

from __future__ import annotations

import warnings
from pathlib import Path

import mujoco
import numpy as np

from neurok.errors import InputError
from neurok.shapes.repair import MAX_COORDINATE
from neurok.shapes.robots.assembly import assemble
from neurok.shapes.robots.mjcf_bodies import read_tree
from neurok.shapes.robots.mjcf_geoms import read_pieces
from neurok.shapes.robots.mjcf_source import Source, read_source, with_valid_inertia
from neurok.shapes.robots.mujoco_warnings import collected_warnings
from neurok.shapes.robots.reframe import reframed, stated_frame
from neurok.shapes.shape import Shape

REFUSALS = (ValueError, RuntimeError, mujoco.FatalError)  # C++ exceptions become RuntimeError


def load_mjcf(path: str | Path, asset_root: str | Path | None = None) -> Shape:
    """The mechanism of an MJCF file in its reference pose (qpos0).

    MuJoCo compiles defaults, frames, orientations and meshes. A body with several joints becomes a chain of
    links. The visible geoms are those of groups 0 to 2, as in MuJoCo's viewer; of a body with visual-only
    geoms (contype and conaffinity 0), only these. Fragments (`<mujocoinclude>`) take missing meshes,
    materials and defaults from the asset files beside them. Files are read only from below `asset_root`, by
    default two folders above the description.
    """
    path = Path(path)
    source = read_source(path, None if asset_root is None else Path(asset_root))
    model = compile_source(source)
    if (np.abs(model.geom_size) > MAX_COORDINATE).any():
        raise InputError(path, f"a geom is larger than {MAX_COORDINATE:g}", "Correct its size")
    tree, notes = read_tree(model, path.stem)
    pieces, more = read_pieces(model, source, tree)
    name = model.names[: model.names.index(b"\0")].decode("utf-8", errors="replace")
    if not name or name.lower() == "mujoco model":
        name = path.stem
    shape = assemble(pieces, tree, name, [*source.notes, *notes, *more], path)
    written_from = _custom_text(model).get("neurok_frame")
    if written_from is None:
        return shape
    attributes = {key: value for key, _, value in (word.partition("=") for word in written_from.split())}
    return reframed(shape, stated_frame(attributes, path))


def _custom_text(model: mujoco.MjModel) -> dict[str, str]:
    """The file's <custom><text> entries."""
    texts = {}
    for i in range(model.ntext):
        start, size = model.text_adr[i], model.text_size[i]
        data = bytes(model.text_data[start : start + size])
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_TEXT, i)
        texts[name] = data.split(b"\0")[0].decode("utf-8", errors="replace")
    return texts


def compile_mjcf(path: str | Path, asset_root: str | Path | None = None) -> mujoco.MjModel:
    """The compiled model of `load_mjcf`, with bodies and joints in the order of the shape's tree."""
    return compile_source(read_source(Path(path), None if asset_root is None else Path(asset_root)))


def compile_source(source: Source) -> mujoco.MjModel:
    """The compiled model. Masses that MuJoCo refuses are corrected, with a note: geometry needs no mass."""
    try:
        return _compile(source, source.text)
    except REFUSALS as error:
        try:
            model = _compile(source, with_valid_inertia(source.text))
        except REFUSALS:
            raise InputError(
                source.path, f"MuJoCo refuses it: {_plain(error)}", "Correct the model"
            ) from error
        source.note(f"masses were corrected, because MuJoCo refused them ({_plain(error)}).")
        return model


def _compile(source: Source, text: str) -> mujoco.MjModel:
    """Compiles without output on stderr and without a log file; warnings become notes."""
    with collected_warnings() as messages, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        spec = mujoco.MjSpec.from_string(text, include=source.models, assets=source.assets)
        model = _compile_without_contact(spec)
    for message in [*messages, *(str(w.message) for w in caught)]:
        source.note(f"MuJoCo: {message.strip()}.")
    return model


def _compile_without_contact(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """Compiles without collisions, which skips the convex hulls: flat meshes have none, others are slow.

    The collision masks are restored in the model, where they distinguish visual from collision geoms.
    """
    masks = [(geom, geom.contype, geom.conaffinity) for geom in spec.geoms]
    for geom, _, _ in masks:
        geom.contype = geom.conaffinity = 0
    model = spec.compile()
    for geom, contype, conaffinity in masks:
        model.geom_contype[geom.id], model.geom_conaffinity[geom.id] = contype, conaffinity
    return model


def _plain(error: Exception) -> str:
    """MuJoCo's message on one line, without line numbers, which refer to the expanded text."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines).split(", line")[0].removeprefix("Error: ")[:200]
