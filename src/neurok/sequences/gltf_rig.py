"""Derives the rig of a glTF scene on its rest shape, if there is one.

Every node that moves vertices is a handle: a mesh node moves its mesh rigidly, a joint moves its skins.
With W(t) a node's world transform, its handle maps rest to frame by A(t) = W(t) · W(0)⁻¹.

A mesh node gives x(t) = W(t) X, so A(t) x(0) = x(t) always. A skin gives x(t) = Σ_j w_j W_j(t) B_j X from
bind vertices X. Blending the A_j over the rest vertex x(0) gives the same result exactly if every joint that
influences a vertex maps it to the same point at rest, W_j(0) B_j X = x(0). This holds if the file rests in
its bind pose, as most do. Otherwise maps from the rest shape cannot represent the motion: there is no rig.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.sequences.sequence import Skin
from neurok.shapes.gltf import Scene
from neurok.shapes.gltf.scene import Instance
from neurok.shapes.shape import unique_names

Array = np.ndarray
TOLERANCE = 1e-5  # relative to the shape's radius, because bind matrices are float32
MAX_CONDITION = 1e7  # condition number up to which a rest transform is inverted


@dataclass(frozen=True, eq=False)
class SceneSkin:
    """A skin of the rest shape, and the node of each handle."""

    skin: Skin
    nodes: Int[Array, " h"]


def read_skin(scene: Scene, radius: float) -> SceneSkin | None:
    """The skin of the whole scene, or None if the rest shape has none."""
    columns = [influences(scene, index, TOLERANCE * radius) for index in range(len(scene.instances))]
    if any(column is None for column in columns):
        return None
    pairs = [column for column in columns if column is not None]
    width = max(nodes.shape[1] for nodes, _ in pairs)
    nodes = np.concatenate([np.pad(n, [(0, 0), (0, width - n.shape[1])], mode="edge") for n, _ in pairs])
    weights = np.concatenate([np.pad(w, [(0, 0), (0, width - w.shape[1])]) for _, w in pairs])
    used, handles = np.unique(nodes, return_inverse=True)
    if not invertible(scene.graph.rest[used]).all():
        return None
    names = unique_names([node_name(scene, int(i)) for i in used])
    return SceneSkin(Skin(handles.reshape(nodes.shape).astype(np.int32), weights, names), used)


def influences(
    scene: Scene, index: int, tolerance: float
) -> tuple[Int[Array, "n c"], Float[Array, "n c"]] | None:
    """Nodes and weights that move each vertex of an instance; None if its joints disagree at rest."""
    instance = scene.instances[index]
    count = len(instance.block.positions)
    if instance.binding is None:
        return np.full((count, 1), instance.node), np.ones((count, 1))
    weights = instance.binding.weights
    rest = scene.rest[scene.starts[index] : scene.starts[index + 1]]
    if not joints_agree(scene, instance, rest, tolerance):
        return None
    lengths = np.diff(weights.indptr)
    rows = np.repeat(np.arange(count), lengths)
    slots = np.arange(weights.nnz) - np.repeat(weights.indptr[:-1], lengths)
    joints = np.full((count, int(lengths.max(initial=1))), instance.binding.joints[0])
    joints[:] = instance.binding.joints[weights.indices[weights.indptr[:-1]]][:, None]
    pulls = np.zeros(joints.shape)
    joints[rows, slots] = instance.binding.joints[weights.indices]
    pulls[rows, slots] = weights.data
    return joints, pulls


def joints_agree(scene: Scene, instance: Instance, rest: Float[Array, "n 3"], tolerance: float) -> bool:
    """Whether W_j B_j X = x(0) for every vertex and each of its joints."""
    assert instance.binding is not None
    points, weights = instance.bind_positions(instance.weights), instance.binding.weights
    maps = (scene.graph.rest[instance.binding.joints] @ instance.binding.inverse_bind)[:, :3]
    rows = np.repeat(np.arange(len(points)), np.diff(weights.indptr))
    chosen = maps[weights.indices]
    placed = np.einsum("eij,ej->ei", chosen[:, :, :3], points[rows]) + chosen[:, :, 3]
    return bool((np.linalg.norm(placed - rest[rows], axis=1) <= tolerance).all())


def invertible(matrices: Float[Array, "h 4 4"]) -> Bool[Array, " h"]:
    """Whether the linear part is well conditioned, so that W⁻¹ is accurate."""
    size = np.linalg.svd(matrices[:, :3, :3], compute_uv=False)
    return size[:, 2] * MAX_CONDITION > size[:, 0]


def skin_transforms(
    scene: Scene, skin: SceneSkin, world: Float[Array, "t nodes 4 4"]
) -> Float[Array, "t h 3 4"]:
    """A(t) = W(t) · W(0)⁻¹ of every handle."""
    return (world[:, skin.nodes] @ np.linalg.inv(scene.graph.rest[skin.nodes]))[:, :, :3]


def node_name(scene: Scene, node: int) -> str:
    record = scene.document.nodes[node]
    mesh = None if record.mesh is None else scene.document.meshes[record.mesh].name
    return record.name or mesh or f"node_{node}"
