"""`Scene`: all visible mesh instances of a glTF file, and their vertices in any pose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

from neurok.errors import InputError
from neurok.shapes.appearance import Material
from neurok.shapes.gltf.document import Document
from neurok.shapes.gltf.materials import Mapping2D, read_materials
from neurok.shapes.gltf.meshes import MAX_MORPHED, MAX_VERTICES, Block, mesh_size, read_blocks
from neurok.shapes.gltf.nodes import Graph, compose, read_graph

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Binding:
    """The skin binding of a block: joints, inverse bind matrices and weights."""

    joints: Int[Array, " j"]  # node of each joint
    inverse_bind: Float[Array, "j 4 4"]
    weights: sparse.csr_matrix  # (vertices, joints), rows sum to one

    def blend(self, world: Float[Array, "nodes 4 4"]) -> Float[Array, "n 3 4"]:
        """The affine map of every vertex, Σ_j w_j · W_j · B_j; the mesh node's transform is ignored."""
        maps = (world[self.joints] @ self.inverse_bind)[:, :3].reshape(-1, 12)
        return (self.weights @ maps).reshape(-1, 3, 4)


@dataclass(frozen=True, eq=False)
class Instance:
    """One block of vertices, placed by one node."""

    node: int
    name: str
    block: Block
    offset: Float[Array, "4 4"]  # of EXT_mesh_gpu_instancing, below the node
    binding: Binding | None
    weights: Float[Array, " k"]  # default weights of the morph targets

    def bind_positions(self, weights: Float[Array, " k"]) -> Float[Array, "n 3"]:
        """X + Σ_k w_k Δ_k: the vertices with morph targets, before any transform."""
        moving = np.flatnonzero(weights)
        if not len(moving):
            return self.block.positions
        return self.block.positions + np.tensordot(weights[moving], self.block.targets[moving], axes=1)

    def maps(self, world: Float[Array, "nodes 4 4"]) -> Float[Array, "_ 3 4"]:
        """Affine maps from vertices to the world: one per vertex if skinned, else one for all."""
        if self.binding is not None:
            return self.binding.blend(world)
        return (world[self.node] @ self.offset)[None, :3]

    def positions(
        self, world: Float[Array, "nodes 4 4"], weights: Float[Array, " k"] | None = None
    ) -> Float[Array, "n 3"]:
        points, maps = self.bind_positions(self.weights if weights is None else weights), self.maps(world)
        if self.binding is None:
            return points @ maps[0, :, :3].T + maps[0, :, 3]
        return np.einsum("nij,nj->ni", maps[..., :3], points) + maps[..., 3]


@dataclass(frozen=True, eq=False)
class Scene:
    """The visible instances, in the vertex order of the shape and of every clip."""

    document: Document
    graph: Graph
    instances: tuple[Instance, ...]
    materials: Mapping[int, Material]
    notes: tuple[str, ...]
    starts: Int[Array, " starts"] = field(init=False)

    def __post_init__(self) -> None:
        sizes = [len(instance.block.positions) for instance in self.instances]
        object.__setattr__(self, "starts", np.cumsum([0, *sizes]))

    @property
    def vertex_count(self) -> int:
        return int(self.starts[-1])

    def positions(
        self, world: Float[Array, "nodes 4 4"], weights: Mapping[int, Float[Array, " k"]]
    ) -> Float[Array, "n 3"]:
        """All vertices for given node transforms and morph weights; missing weights take their default."""
        placed = np.empty((self.vertex_count, 3))
        with np.errstate(over="ignore", invalid="ignore"):
            for instance, start in zip(self.instances, self.starts, strict=False):
                placed[start : start + len(instance.block.positions)] = instance.positions(
                    world,
                    fitted(weights[instance.node], len(instance.weights))
                    if instance.node in weights
                    else None,
                )
        return placed

    @cached_property
    def rest(self) -> Float[Array, "n 3"]:
        """All vertices in the default pose."""
        return self.positions(self.graph.rest, {})


def read_scene(document: Document) -> Scene:
    graph, notes = read_graph(document), dict[str, None]()
    mesh_of = {int(i): mesh for i in graph.visible if (mesh := document.nodes[i].mesh) is not None}
    used = {
        p.material for m in mesh_of.values() for p in document.meshes[m].primitives if p.material is not None
    }
    materials, mappings = read_materials(document, used, notes)
    check_size(document, mesh_of, mappings)
    morphed = {m for i, m in mesh_of.items() if any(document.nodes[i].weights or document.meshes[m].weights)}
    blocks = {
        m: read_blocks(document, document.meshes[m], mappings, m in morphed, notes)
        for m in dict.fromkeys(mesh_of.values())
    }
    instances = tuple(i for node, m in mesh_of.items() for i in read_instances(document, node, m, blocks[m]))
    if not instances:
        raise InputError(document.source, "has no triangles", "Export at least one mesh")
    return Scene(document, graph, instances, materials, tuple(notes))


def check_size(document: Document, mesh_of: Mapping[int, int], mappings: Mapping[int, Mapping2D]) -> None:
    """Refuses scenes that are too large, by declared counts: a small file can expand into a huge scene."""
    size = {m: mesh_size(document, document.meshes[m], mappings) for m in set(mesh_of.values())}
    total = sum(size[m][0] * instance_count(document, node) for node, m in mesh_of.items())
    if total > MAX_VERTICES:
        cause = f"expands to {total:,} vertices; up to {MAX_VERTICES:,} can be read"
        raise InputError(document.source, cause, "Simplify it, or export fewer objects")
    morphs = sum(morph for _, morph in size.values())
    if morphs > MAX_MORPHED:
        cause = f"has morph targets of {morphs:,} vertices together; up to {MAX_MORPHED:,} can be read"
        raise InputError(document.source, cause, "Apply some of them before the export")


def instance_count(document: Document, node: int) -> int:
    placing = document.nodes[node].instancing
    return max((document.accessors[i].count for i in placing.values()), default=1)


def read_instances(document: Document, node: int, mesh: int, blocks: tuple[Block, ...]) -> Iterator[Instance]:
    """The blocks of one mesh node, once per GPU instance."""
    record = document.nodes[node]
    name = record.name or document.meshes[mesh].name or f"node_{node}"
    defaults = np.array(record.weights or document.meshes[mesh].weights, dtype=np.float64)
    bindings = [read_binding(document, node, block) for block in blocks]
    for offset in read_offsets(document, node):
        for block, binding in zip(blocks, bindings, strict=True):
            yield Instance(node, name, block, offset, binding, fitted(defaults, len(block.targets)))


def fitted(weights: Float[Array, "*time k"], count: int) -> Float[Array, "*time count"]:
    """Morph weights of a block with `count` targets; missing ones are zero."""
    short = max(count - weights.shape[-1], 0)
    return np.pad(weights[..., :count], [(0, 0)] * (weights.ndim - 1) + [(0, short)])


def read_offsets(document: Document, node: int) -> Float[Array, "i 4 4"]:
    """Transforms of EXT_mesh_gpu_instancing relative to the node; the identity if there are none."""
    placing = document.nodes[node].instancing
    if not placing:
        return np.eye(4)[None]
    defaults = {
        "TRANSLATION": ([0.0] * 3, "VEC3"),
        "ROTATION": ([0.0, 0.0, 0.0, 1.0], "VEC4"),
        "SCALE": ([1.0] * 3, "VEC3"),
    }
    count = instance_count(document, node)
    columns = []
    for key, (default, kind) in defaults.items():
        column = document.floats(placing[key], kind) if key in placing else np.tile(default, (count, 1))
        if len(column) != count or not np.isfinite(column).all():
            document.root.refuse(f"nodes[{node}] has {key} of its instances missing, NaN or infinite")
        columns.append(column.astype(np.float64))
    return compose(*columns)


def read_binding(document: Document, node: int, block: Block) -> Binding | None:
    """The skin binding of a block; None if its node has no skin or its vertices have no joints."""
    skin = document.nodes[node].skin
    if skin is None or block.joints is None or block.weights is None:
        return None
    skeleton = document.skeletons[skin]
    count = len(skeleton.joints)
    inverse_bind = np.tile(np.eye(4), (count, 1, 1))
    if skeleton.inverse_bind is not None:
        matrices = document.floats(skeleton.inverse_bind, "MAT4").astype(np.float64)
        if len(matrices) < count or not np.isfinite(matrices).all():
            document.root.refuse(f"skins[{skin}] has inverse bind matrices missing, NaN or infinite")
        inverse_bind = matrices[:count].reshape(-1, 4, 4).transpose(0, 2, 1)
    pulling = block.weights > 0
    if (block.joints[pulling] >= count).any():
        document.root.refuse(
            f"a vertex follows joint {block.joints[pulling].max()} of skins[{skin}], which has {count}"
        )
    rows = np.repeat(np.arange(len(block.joints)), block.joints.shape[1])[pulling.ravel()]
    entries = (block.weights[pulling], (rows, block.joints[pulling]))
    weights = sparse.csr_matrix(entries, shape=(len(block.joints), count))
    return Binding(np.array(skeleton.joints), inverse_bind, weights)
