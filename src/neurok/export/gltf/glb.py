"""`save_glb`: writes a shape or its motions as one binary glTF file."""

from __future__ import annotations

from collections.abc import Sequence as Many
from pathlib import Path

import numpy as np

from neurok.export.affine import decompose, moved_points, pivots, quaternions
from neurok.export.forms import Morphed, Nodes, Skinned, as_clips, choose, piece_centres
from neurok.export.gltf.animation import Channel, add_animations, add_handle, resting
from neurok.export.gltf.document import Document
from neurok.export.gltf.materials import Materials
from neurok.export.gltf.meshes import add_mesh
from neurok.export.pieces import check_writable, part_pieces
from neurok.sequences import Sequence
from neurok.shapes import Frame, Shape
from neurok.shapes.gltf.nodes import FRAME_NODE


def save_glb(item: Shape | Sequence | Many[Sequence], path: str | Path) -> Path:
    """Writes a shape, or one or more motions of a shape, as a .glb; each motion is a named animation.

    Vertices keep the shape's coordinates below a node that converts them to metres with y up.
    `animation_form` chooses between nodes, a skin and morph targets.
    """
    shape = item if isinstance(item, Shape) else as_clips(item)[0].shape
    check_writable(shape)
    document = Document()
    materials = Materials(document, shape.materials)
    if isinstance(item, Shape):
        children = [
            document.add("nodes", name=p.name, mesh=add_mesh(document, materials, shape, p))
            for p in part_pieces(shape)
        ]
        roots = []
    else:
        children, roots = add_motion(document, materials, as_clips(item))
    frame = document.add("nodes", name=FRAME_NODE, children=children, **frame_pose(shape.frame))
    scene = {"name": shape.name, "nodes": [frame, *roots]}
    extras = {"up": shape.frame.up, "metres_per_unit": float(shape.frame.metres_per_unit)}
    return document.write(path, scene, {"neurok": extras})


def frame_pose(frame: Frame) -> dict[str, list[float]]:
    """Rotation and scale of the node that converts the shape's coordinates to metres with y up."""
    metres = float(frame.metres_per_unit)
    turn = frame.to(Frame())[:3, :3] / metres
    pose = {"rotation": quaternions(turn[None, None])[0, 0].tolist()} if frame.up != "y" else {}
    return {**pose, "scale": [metres] * 3} if metres != 1 else pose


def add_motion(
    document: Document, materials: Materials, clips: list[Sequence]
) -> tuple[list[int], list[int]]:
    """Adds meshes, nodes and animations; returns the children of the frame node and its siblings."""
    shape, form = clips[0].shape, choose(clips)
    if isinstance(form, Nodes):
        children, roots, channels = add_nodes(document, materials, shape, form)
    elif isinstance(form, Skinned):
        children, roots, channels = add_skin(document, materials, shape, form)
    else:
        children, roots, channels = add_morph(document, materials, shape, form)
    add_animations(document, clips, channels)
    return children, roots


def add_nodes(document: Document, materials: Materials, shape: Shape, form: Nodes):
    """Adds one node per piece, with its mesh centred on the pivot of its rotation."""
    pivot = pivots(form.transforms, piece_centres(shape, form), shape.normalisation.radius)
    tracks, places = decompose(form.transforms[..., :3]), moved_points(form.transforms, pivot)
    children, channels = [], []
    for piece in form.pieces:
        h = piece.handle
        mesh = add_mesh(document, materials, shape, piece, origin=pivot[h])
        outer, _, moves = add_handle(document, piece.name, tracks, h, places[:, h], pivot[h], mesh=mesh)
        children.append(outer)
        channels += moves
    return children, [], channels or list(resting(children, len(places), pivot[form.pieces[0].handle]))


def add_skin(document: Document, materials: Materials, shape: Shape, form: Skinned):
    """Adds one joint per handle below the frame node; skinned meshes are its siblings, as glTF recommends.

    A joint's inverse bind matrix translates the shape's coordinates by −pivot.
    """
    names = form.skin.names
    weight = np.zeros((len(names), 1))
    centres = np.zeros((len(names), 3))
    for handle, w in zip(form.skin.handles.T, form.skin.weights.T, strict=True):
        np.add.at(weight, handle, w[:, None])
        np.add.at(centres, handle, w[:, None] * shape.vertices)
    centres /= np.where(weight > 0, weight, 1.0)
    pivot = pivots(form.transforms, centres, shape.normalisation.radius)
    tracks, places = decompose(form.transforms[..., :3]), moved_points(form.transforms, pivot)
    children, joints, channels = [], [], []
    for h, name in enumerate(names):
        outer, joint, moves = add_handle(document, name, tracks, h, places[:, h], pivot[h])
        children.append(outer)
        joints.append(joint)
        channels += moves
    bind = np.tile(np.eye(4, dtype=np.float32), (len(names), 1, 1))
    bind[:, 3, :3] = -pivot  # column-major
    skin = document.add("skins", joints=joints, inverseBindMatrices=document.accessor(bind, "MAT4"))
    roots = [
        document.add(
            "nodes", name=p.name, mesh=add_mesh(document, materials, shape, p, skinned=form), skin=skin
        )
        for p in form.pieces
    ]
    return children, roots, channels


def add_morph(document: Document, materials: Materials, shape: Shape, form: Morphed):
    """Adds one mesh per part with all targets; the nodes share one channel of weights."""
    nodes = [
        document.add("nodes", name=p.name, mesh=add_mesh(document, materials, shape, p, morphed=form))
        for p in form.pieces
    ]
    return nodes, [], [Channel(nodes, "weights", form.weights)]
