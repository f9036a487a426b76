"""Reads glTF and GLB files into a `Shape`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Float

from neurok.shapes.appearance import Material
from neurok.shapes.gltf.document import Document
from neurok.shapes.gltf.scene import Instance, Scene, read_scene
from neurok.shapes.shape import Shape, concatenate

Array = np.ndarray


def load_gltf(path: str | Path) -> Shape:
    """The default scene of a .glb or .gltf file as one shape with one part per mesh node.

    Skins and morph targets are in their default pose. Positions may be NaN, because vertices of all formats
    are checked and repaired after reading.
    """
    return scene_shape(read_scene(Document.open(path)), Path(path).stem)


def scene_shape(scene: Scene, name: str) -> Shape:
    """The rest shape of a scene. Vertices keep the order of the scene's instances."""
    materials = {-1: Material()} | dict(scene.materials)
    shapes = []
    for node_instances in by_place(scene):
        parts = [instance_shape(scene, index, materials) for index in node_instances]
        joined = parts[0] if len(parts) == 1 else concatenate(parts, parts[0].name)
        shapes.append(joined.with_(part=np.zeros(len(joined.faces), np.int32), part_names=(parts[0].name,)))
    shape = concatenate(shapes, name)
    return shape.with_(name=name, frame=scene.graph.frame, notes=scene.notes)


def by_place(scene: Scene) -> list[list[int]]:
    """Instances grouped into parts: the blocks of one mesh at one transform."""
    groups: list[list[int]] = []
    for index, instance in enumerate(scene.instances):
        last = scene.instances[groups[-1][-1]] if groups else None
        if last is None or last.node != instance.node or last.offset is not instance.offset:
            groups.append([])
        groups[-1].append(index)
    return groups


def instance_shape(scene: Scene, index: int, materials: dict[int, Material]) -> Shape:
    instance, block = scene.instances[index], scene.instances[index].block
    maps = instance.maps(scene.graph.rest)
    mirrored = np.linalg.det(maps[:, :, :3]) < 0
    numbers, material = np.unique(block.material, return_inverse=True)
    chosen = tuple(materials[int(i)] for i in numbers)
    if block.colors is not None:  # they multiply the colour of the material; without one they are used alone
        chosen = tuple(
            Material(color=(1.0, 1.0, 1.0, 1.0)) if i < 0 else m for i, m in zip(numbers, chosen, strict=True)
        )
    return Shape(
        vertices=scene.rest[scene.starts[index] : scene.starts[index + 1]],
        faces=block.faces[:, ::-1] if mirrored.mean() > 0.5 else block.faces,
        name=instance.name,
        part_names=(instance.name,),
        material=material.astype(np.int32),
        materials=chosen,
        uv=block.uv,
        colors=block.colors,
        normals=rest_normals(instance, maps[:, :, :3]),
    )


def rest_normals(instance: Instance, maps: Float[Array, "_ 3 3"]) -> Float[Array, "n 3"] | None:
    """Unit normals M⁻ᵀ n of the rest pose.

    Computed as sign(det M) · cof(M) n, which is also defined for singular M.
    """
    block = instance.block
    if block.normals is None:
        return None
    normals = block.normals.astype(np.float64)
    if block.normal_targets is not None and instance.weights.any():
        normals = normals + np.tensordot(instance.weights, block.normal_targets, axes=1)
    a, b, c = maps[:, :, 0], maps[:, :, 1], maps[:, :, 2]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-1)
    turned = np.einsum("nij,nj->ni", np.broadcast_to(cofactors, (len(normals), 3, 3)), normals)
    turned *= np.where(np.einsum("ni,ni->n", a, cofactors[:, :, 0]) < 0, -1.0, 1.0)[:, None]
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    proper = np.isfinite(length) & (length > 0)
    return np.where(proper, turned / np.where(proper, length, 1.0), [0.0, 0.0, 1.0]).astype(np.float32)
