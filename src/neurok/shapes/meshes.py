"""Reads PLY, STL, OFF and DAE files into a `Shape` with trimesh; OBJ and glTF have their own readers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import trimesh
from trimesh.visual.material import Material as TrimeshMaterial
from trimesh.visual.material import PBRMaterial

from neurok.errors import InputError
from neurok.shapes.appearance import Material, Texture, linear_color
from neurok.shapes.obj import load_obj
from neurok.shapes.shape import Frame, Shape, concatenate
from neurok.shapes.surface import weld

MAX_METRES = 10.0  # longest side up to which a file without a unit is read as metres, beyond as millimetres


def load_mesh(path: Path, root: Path | None = None) -> Shape:
    """Loads a mesh file of a format without joints. Textures of an OBJ must lie below `root`."""
    suffix = path.suffix.lower()
    if suffix in (".glb", ".gltf"):
        from neurok.shapes.gltf import load_gltf

        return load_gltf(path)
    if suffix == ".obj":
        return load_obj(path, root)
    return _load_trimesh(path)


def _load_trimesh(path: Path) -> Shape:
    kind = path.suffix.lower().lstrip(".")
    frame, turn = _collada_frame(path) if kind == "dae" else (Frame("z" if kind == "stl" else "y"), np.eye(4))
    if kind in SIZE_CHECKS:
        SIZE_CHECKS[kind](path)
    try:
        scene = trimesh.load_scene(path, file_type=kind, process=False)
        pieces = [
            _piece(scene.geometry[name], turn @ matrix, node, frame) for node, matrix, name in _nodes(scene)
        ]
    except InputError:
        raise
    except Exception as error:  # trimesh's parsers raise many types on damaged files
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise InputError(
            path, f"could not be read as {kind.upper()} ({reason})", "Export it again"
        ) from error
    pieces = [piece for piece in pieces if piece is not None]
    if not pieces:
        raise InputError(path, "holds no faces", "Export it as a surface, not as points or lines")
    shape = concatenate(pieces, path.stem)
    if kind == "stl":  # the format stores three vertices per triangle
        soup = weld(shape.vertices, shape.faces, shape.vertex_part)
        shape = shape.with_(vertices=soup.vertices, faces=soup.of_vertex[shape.faces], normals=None)
    return shape.with_(part_names=(path.stem,)) if len(pieces) == 1 and kind != "dae" else shape


def _nodes(scene: trimesh.Scene):
    """(node name, world matrix, geometry name) of every visible node."""
    for node in sorted(scene.graph.nodes_geometry):
        matrix, geometry = scene.graph[node]
        yield node, matrix, geometry


def _piece(mesh, matrix: np.ndarray, name: str, frame: Frame) -> Shape | None:
    """One mesh of a scene in world coordinates. A mirroring matrix reverses the winding of its faces."""
    if not isinstance(mesh, trimesh.Trimesh) or not len(mesh.faces):
        return None
    vertices = mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    faces = mesh.faces[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0 else mesh.faces
    normals = None
    if "vertex_normals" in mesh._cache.cache:  # only those of the file: the property would compute them
        cofactor = np.linalg.pinv(matrix[:3, :3]).T
        turned = mesh.vertex_normals @ cofactor.T
        length = np.linalg.norm(turned, axis=1, keepdims=True)
        normals = np.divide(turned, length, out=np.tile([0.0, 0.0, 1.0], (len(turned), 1)), where=length > 0)
    colors = mesh.visual.vertex_colors if _colouring(mesh) == "vertex" else None  # type: ignore[union-attr]
    return Shape(
        vertices=vertices, faces=faces, name=name, part_names=(str(name),), materials=(_material(mesh),),
        uv=getattr(mesh.visual, "uv", None), colors=colors, normals=normals, frame=frame,
    )  # fmt: skip


def _colouring(mesh: trimesh.Trimesh) -> str | None:
    """The source of the colours: "vertex", "face", "texture" or None."""
    return None if mesh.visual is None else mesh.visual.kind


def _material(mesh: trimesh.Trimesh) -> Material:
    if _colouring(mesh) == "vertex":
        return Material(color=(1.0, 1.0, 1.0, 1.0))
    if _colouring(mesh) == "face":
        color = np.median(mesh.visual.face_colors, axis=0) / 255  # type: ignore[union-attr]
        return Material(color=linear_color(color))
    source: TrimeshMaterial | None = getattr(mesh.visual, "material", None)
    if source is None:
        return Material()
    pbr = source if isinstance(source, PBRMaterial) else source.to_pbr()  # type: ignore[attr-defined]
    color = np.array([255, 255, 255, 255] if pbr.baseColorFactor is None else pbr.baseColorFactor) / 255
    textures = {} if pbr.baseColorTexture is None else {"color": Texture.from_image(pbr.baseColorTexture)}
    return Material(
        name=str(source.name or "default"),
        color=linear_color(color),
        metallic=float(pbr.metallicFactor or 0.0),
        roughness=float(0.8 if pbr.roughnessFactor is None else pbr.roughnessFactor),
        alpha_mode="BLEND" if color[3] < 1 else "OPAQUE",
        textures=textures,  # type: ignore[arg-type]
    )


def _collada_frame(path: Path) -> tuple[Frame, np.ndarray]:
    """The unit and up axis that a DAE states, and the rotation from X-up to Z-up if needed."""
    head = path.read_bytes()
    if b"<!ENTITY" in head or b"<!DOCTYPE" in head:
        raise InputError(path, "declares XML entities, which mesh files do not need", "Remove the DOCTYPE")
    if b"<COLLADA" in head and not re.search(rb"<(\w+:)?scene\b", head):
        raise InputError(path, "has no <scene>: nothing in it is shown", "Export it again with its scene")
    up = re.search(rb"<up_axis>\s*([XYZ])_UP", head)
    axis = up.group(1).decode() if up else "Y"
    turn = np.eye(4)
    if axis == "X":  # (x, y, z) ↦ (y, z, x)
        turn[:3, :3] = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    return Frame("y" if axis == "Y" else "z", _collada_unit(head, path)), turn


def _collada_unit(head: bytes, path: Path) -> float:
    """Metres per unit; 1 if the file states none."""
    unit = re.search(rb"<unit[^>]*\bmeter\s*=\s*[\"']([^\"']*)", head)
    if unit is None:
        return 1.0
    stated = unit.group(1).decode("utf-8", errors="replace")
    try:
        metres = float(stated)
    except ValueError:
        metres = np.nan
    if not (np.isfinite(metres) and metres > 0):
        raise InputError(
            path, f"states a unit of {stated!r} metres", "Correct its <unit>, or export it again"
        )
    return metres


def _check_stl_size(path: Path) -> None:
    """Refuses a binary STL that declares more faces than it holds, before memory for them is allocated."""
    with path.open("rb") as file:
        head = file.read(84)
    if head[:5].lower() == b"solid" or len(head) < 84:
        return
    stated, there = int.from_bytes(head[80:84], "little"), (path.stat().st_size - 84) // 50
    if stated > there:
        raise InputError(
            path, f"states {stated:,} faces but holds {there:,}", "The file is cut off: export it again"
        )


def _check_ply_size(path: Path) -> None:
    """Refuses a text PLY that declares more elements than it has lines, which trimesh does not check."""
    data = path.read_bytes()
    header, end, body = data.partition(b"end_header")
    if not end or b"format ascii" not in header:
        return
    stated = sum(int(n) for n in re.findall(rb"^element\s+\w+\s+(\d+)", header, re.MULTILINE))
    there = sum(1 for line in body.splitlines() if line.strip())
    if stated > there:
        raise InputError(
            path, f"states {stated:,} elements but holds {there:,}", "The file is cut off: export it again"
        )


SIZE_CHECKS = {"stl": _check_stl_size, "ply": _check_ply_size}


def guess_unit(shape: Shape) -> Shape:
    """Reads shapes longer than `MAX_METRES` units as millimetres, with a note.

    STL, OBJ, PLY and OFF state no unit.
    """
    longest = float(np.ptp(shape.bounds, axis=0).max())
    if longest <= MAX_METRES:
        return shape
    note = (
        f"the file states no unit; {longest:,.6g} units long, so read as millimetres (--unit m to override)"
    )
    return shape.with_(frame=Frame(shape.frame.up, 1e-3), notes=(*shape.notes, note))
