"""The node hierarchy of a glTF file and the transforms of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.geometry.quaternions import from_xyzw, normalised, quaternion_to_matrix
from neurok.shapes.gltf.document import Document
from neurok.shapes.gltf.fields import MAX_NUMBER
from neurok.shapes.shape import Frame

Array = np.ndarray
POSE = ("translation", "rotation", "scale")
FRAME_NODE = "neurok_frame"  # root node by which `save_glb` converts the user's frame to glTF's


@dataclass(frozen=True, eq=False)
class Graph:
    """All nodes of a file. `frame` is the original frame of the shape if `save_glb` wrote the file."""

    document: Document
    parent: Int[Array, " nodes"]  # −1 for a root
    levels: tuple[Int[Array, " _"], ...]  # nodes by depth
    frame: Frame
    visible: Int[Array, " _"]  # nodes of the default scene, parents before children

    @cached_property
    def frame_root(self) -> int | None:
        """The root that `save_glb` added. Skipping it restores coordinates without rounding."""
        roots = self.levels[0] if self.levels and self.frame != Frame() else ()
        return next((int(r) for r in roots if self.document.nodes[r].name == FRAME_NODE), None)

    @cached_property
    def local(self) -> Float[Array, "nodes 4 4"]:
        """The default transform of each node relative to its parent: T · R · S, or the file's matrix."""
        nodes = self.document.nodes
        translation, rotation, scale = (np.array([getattr(n, k) for n in nodes]) for k in POSE)
        local = compose(translation.reshape(-1, 3), rotation.reshape(-1, 4), scale.reshape(-1, 3))
        for i, node in enumerate(nodes):
            if node.matrix is not None:  # column-major
                local[i] = np.array(node.matrix).reshape(4, 4).T
        return local

    def world(self, local: Float[Array, "*time nodes 4 4"]) -> Float[Array, "*time nodes 4 4"]:
        """World transforms W = W_parent · L, level by level, for any number of times at once.

        The world is the original frame of the shape: roots are converted from glTF's frame, and the frame
        root of `save_glb` is skipped.
        """
        world = local.copy()
        with np.errstate(over="ignore", invalid="ignore"):
            for roots in self.levels[:1]:
                world[..., roots, :, :] = Frame().to(self.frame) @ local[..., roots, :, :]
            if self.frame_root is not None:
                world[..., self.frame_root, :, :] = np.eye(4)
            for level in self.levels[1:]:
                world[..., level, :, :] = world[..., self.parent[level], :, :] @ local[..., level, :, :]
        if not (np.abs(world) <= MAX_NUMBER).all():
            raise InputError(
                self.document.source, "its node transforms overflow", "Check the scales of its nodes"
            )
        return world

    @cached_property
    def rest(self) -> Float[Array, "nodes 4 4"]:
        """The default world transform of every node."""
        return self.world(self.local)


def read_graph(document: Document) -> Graph:
    parent = parents(document)
    levels = by_depth(document, parent)
    return Graph(document, parent, levels, read_frame(document), visible_nodes(document, parent, levels))


def parents(document: Document) -> Int[Array, " nodes"]:
    """The parent of each node, −1 for a root; refuses a node with two parents."""
    parent = np.full(len(document.nodes), -1)
    for i, node in enumerate(document.nodes):
        for child in node.children:
            if parent[child] not in (-1, i):
                cause = f"{label(document, child)} is a child of two nodes"
                raise InputError(document.source, cause, "Export it again: glTF scenes are trees")
            parent[child] = i
    return parent


def by_depth(document: Document, parent: Int[Array, " nodes"]) -> tuple[Int[Array, " _"], ...]:
    """Nodes level by level from the roots; refuses cycles, which no root reaches."""
    levels, level = [], np.flatnonzero(parent < 0)
    reached = 0
    while len(level):
        levels.append(level)
        reached += len(level)
        children = [child for i in level for child in dict.fromkeys(document.nodes[i].children)]
        level = np.array(children, dtype=np.int64)
    if reached < len(parent):
        lost = sorted(set(range(len(parent))) - set(np.concatenate([*levels, []]).astype(int).tolist()))
        cause = f"{label(document, lost[0])} is its own ancestor"
        raise InputError(document.source, cause, "Export it again: glTF scenes are trees")
    return tuple(levels)


def visible_nodes(document: Document, parent: Array, levels: tuple[Array, ...]) -> Int[Array, " _"]:
    """Nodes of the default scene; of the first scene if none is named; all nodes if there is no scene."""
    scenes = document.root.objects("scenes")
    shown = np.ones(len(parent), bool)
    if scenes:
        scene = scenes[document.root.index("scene", len(scenes), 0)]
        shown[:] = False
        shown[list(scene.indices("nodes", len(parent)))] = True
        for level in levels[1:]:
            shown[level] |= shown[parent[level]]
    order = np.concatenate(levels) if levels else np.zeros(0, np.int64)
    return np.sort(order[shown[order]])


def read_frame(document: Document) -> Frame:
    """The frame that `save_glb` stored in the asset's extras; otherwise glTF's (Y up, metres)."""
    asset = document.root.object("asset")
    noted = asset.free_object("extras").free_object("neurok")
    up, scale = noted.text("up", "y"), noted.number("metres_per_unit", 1.0)
    if up not in ("y", "z") or not 1e-12 < scale < 1e12:
        asset.refuse(f"{noted.where} names the frame up={up[:8]!r}, metres_per_unit={scale:g}")
    return Frame(up, scale)


def compose(
    translation: Float[Array, "*batch 3"], rotation: Float[Array, "*batch 4"], scale: Float[Array, "*batch 3"]
) -> Float[Array, "*batch 4 4"]:
    """T · R · S with the quaternion (x, y, z, w) normalised; a zero quaternion is the identity."""
    matrix = np.zeros((*rotation.shape[:-1], 4, 4))
    matrix[..., :3, :3] = quaternion_to_matrix(normalised(from_xyzw(rotation))) * scale[..., None, :]
    matrix[..., :3, 3] = translation
    matrix[..., 3, 3] = 1.0
    return matrix


def label(document: Document, index: int) -> str:
    """The name of a node in error messages."""
    name = document.nodes[index].name
    return f"node {index} ({name[:60]!r})" if name else f"node {index}"
