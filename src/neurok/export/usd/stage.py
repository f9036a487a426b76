"""`save_usd`: writes a shape or its motion as a USD stage (.usd, .usda, .usdc, .usdz)."""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.export.affine import Tracks, conjugate, decompose, moved_points, pivots
from neurok.export.forms import Nodes, as_clips, choose_nodes, piece_centres
from neurok.export.gltf.meshes import linear_colors, unit
from neurok.export.pieces import check_writable, part_pieces
from neurok.export.usd.materials import bind_materials, write_materials
from neurok.export.usd.values import extent, identifiers, printable, pxr, vec2, vec3
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.shapes.normals import shading_normals, smoothing_groups
from neurok.writing import check_replaceable, staging_beside

Array = np.ndarray
USD_SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")


def check_usd(path: Path) -> None:
    """Refuses a USD path if usd-core is not installed."""
    if path.suffix.lower() in USD_SUFFIXES:
        pxr("Usd")


def save_usd(item: Shape | Sequence, path: str | Path) -> Path:
    """Writes one mesh per part, with materials; the frame number of a motion is the time code.

    Parts that move rigidly get transform samples, others point samples. Textures are in `<stem>_textures`
    beside the file, or inside a .usdz.
    """
    path = Path(path)
    tf = pxr("Tf")
    if path.suffix.lower() not in USD_SUFFIXES:
        raise InputError(path, f"can't be written as {path.suffix}", f"Use one of {', '.join(USD_SUFFIXES)}")
    check_replaceable(path)
    shape = item if isinstance(item, Shape) else item.shape
    check_writable(shape)
    package = path.suffix.lower() == ".usdz"
    with staging_beside(path) as staging:
        file = staging / ("scene.usdc" if package else f"{path.stem}{path.suffix.lower()}")
        try:
            textures = write_stage(item, shape, file)
        except tf.ErrorException as error:
            raise InputError(path, _plain(error), "Check the disk space and permissions") from error
        if package:
            pack([file, *textures], staging / "new.usdz", path).replace(path)
            return path
        for texture in textures:
            target = path.parent / texture.relative_to(staging)
            target.parent.mkdir(exist_ok=True)
            texture.replace(target)
        file.replace(path)
    return path


def _plain(error: Exception) -> str:
    """USD's message without source locations; the message is in quotes."""
    message = re.search(r"'([^'\n]{1,200})'\s*$", str(error).strip().splitlines()[-1])
    return f"USD can't write it ({message[1] if message else type(error).__name__})"


def pack(files: list[Path], package: Path, path: Path) -> Path:
    """Packs a .usdz: an uncompressed zip with the stage first and the data of every file aligned to 64 bytes.

    USD's packer stores the current time, so that its files would never be identical.
    """
    with zipfile.ZipFile(package, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(package.parent).as_posix())  # dated 1980
            start = archive.fp.tell()  # type: ignore[union-attr]
            padding = -(start + 30 + len(entry.filename.encode())) % 64
            padding += 64 if padding < 4 else 0  # the extra field needs a header of four bytes
            entry.extra = struct.pack("<HH", 0x1986, padding - 4) + bytes(padding - 4)
            try:
                archive.writestr(entry, file.read_bytes())
            except zipfile.LargeZipFile as error:
                raise InputError(path, "would be larger than 2 GiB", "Write .usdc instead") from error
    return package


def write_stage(item: Shape | Sequence, shape: Shape, file: Path) -> list[Path]:
    """Writes the stage and its textures; returns the texture files."""
    Kind, Usd, UsdGeom = pxr("Kind"), pxr("Usd"), pxr("UsdGeom")

    stage = Usd.Stage.CreateNew(str(file))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z if shape.frame.up == "z" else UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, float(shape.frame.metres_per_unit))
    root = UsdGeom.Xform.Define(stage, f"/{identifiers([shape.name])[0]}")
    stage.SetDefaultPrim(root.GetPrim())
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    materials, textures = write_materials(stage, root.GetPath(), shape, file)
    if isinstance(item, Sequence):
        set_time(stage, item)
    nodes = choose_nodes(as_clips(item)) if isinstance(item, Sequence) else None
    pieces = part_pieces(shape) if nodes is None else nodes.pieces
    origins = place_nodes(nodes, shape) if nodes is not None else None
    for name, piece in zip(identifiers([piece.name for piece in pieces], {"Materials"}), pieces, strict=True):
        mesh = UsdGeom.Mesh.Define(stage, root.GetPath().AppendChild(name))
        mesh.GetPrim().SetDisplayName(printable(piece.name))
        used = write_mesh(mesh, shape, piece.faces, None if origins is None else origins[0][piece.handle])
        bind_materials(mesh, shape, piece.faces, materials)
        if origins is not None:
            write_moves(mesh, piece.handle, *origins)
        elif isinstance(item, Sequence):
            write_points(mesh, item, used)
    stage.Save()
    return textures


def set_time(stage: Any, sequence: Sequence) -> None:
    """Sets the time range of the stage: one time code per frame."""
    stage.SetTimeCodesPerSecond(float(sequence.fps))
    stage.SetFramesPerSecond(float(sequence.fps))
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(sequence) - 1)


def write_mesh(mesh: Any, shape: Shape, faces: Array, origin: Float[Array, "3"] | None) -> Array:
    """Writes the mesh at rest, relative to `origin`; returns the vertices of the shape that it uses."""
    Sdf, UsdGeom = pxr("Sdf"), pxr("UsdGeom")

    used, local = np.unique(shape.faces[faces], return_inverse=True)
    points = shape.vertices[used] - (0.0 if origin is None else origin)
    mesh.CreatePointsAttr(vec3(points))
    mesh.CreateExtentAttr(extent(points))
    mesh.CreateFaceVertexCountsAttr(np.full(len(faces), 3, np.int32))
    mesh.CreateFaceVertexIndicesAttr(local.ravel().astype(np.int32))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(any(shape.materials[k].double_sided for k in np.unique(shape.material[faces])))
    primvars = UsdGeom.PrimvarsAPI(mesh)
    if shape.normals is not None:
        mesh.CreateNormalsAttr(vec3(unit(shape.normals[used])))
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    if shape.uv is not None:
        kind = Sdf.ValueTypeNames.TexCoord2fArray
        primvars.CreatePrimvar("st", kind, UsdGeom.Tokens.vertex).Set(vec2(np.nan_to_num(shape.uv[used])))
    if shape.colors is not None:
        write_colors(mesh, shape.colors[used])
    return used


def write_colors(mesh: Any, colors: Array) -> None:
    """Writes vertex colours, which are linear in USD."""
    UsdGeom, Vt = pxr("UsdGeom"), pxr("Vt")

    linear = linear_colors(colors) / np.float32(65535)
    mesh.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex).Set(vec3(linear[:, :3]))
    if (colors[:, 3] < 255).any():
        opacity = Vt.FloatArray.FromNumpy(np.ascontiguousarray(linear[:, 3], np.float32))
        mesh.CreateDisplayOpacityPrimvar(UsdGeom.Tokens.vertex).Set(opacity)


def write_points(mesh: Any, sequence: Sequence, used: Array) -> None:
    """Writes points, extent and normals at every frame."""
    shape = sequence.shape
    groups = None if shape.normals is None else smoothing_groups(shape)
    for t, frame in enumerate(sequence.positions):
        points = frame[used]
        mesh.GetPointsAttr().Set(vec3(points), t)
        mesh.GetExtentAttr().Set(extent(points), t)
        if groups is not None:
            mesh.GetNormalsAttr().Set(vec3(shading_normals(shape, frame, groups)[used]), t)


def place_nodes(nodes: Nodes, shape: Shape) -> tuple[Float[Array, "h 3"], Float[Array, "frames h 3"], Tracks]:
    """Pivots of the handles, their positions at every frame, and rotations and stretches about them."""
    pivot = pivots(nodes.transforms, piece_centres(shape, nodes), shape.normalisation.radius)
    return pivot, moved_points(nodes.transforms, pivot), decompose(nodes.transforms[..., :3])


def write_moves(mesh: Any, handle: int, pivot: Array, places: Array, tracks: Tracks) -> None:
    """Writes A = R V diag(s) Vᵀ about the pivot as a stack of transform operations, sampled at every frame.

    Their default value is the rest pose.
    """
    Gf, UsdGeom = pxr("Gf"), pxr("UsdGeom")

    def turn(q: Array) -> Any:
        return Gf.Quatf(float(q[3]), float(q[0]), float(q[1]), float(q[2]))

    at_rest = np.array([0.0, 0.0, 0.0, 1.0])
    scale, axes = tracks.scale[:, handle], tracks.axes[:, handle]
    stack = [
        (mesh.AddTranslateOp(), lambda v: Gf.Vec3d(*v.tolist()), pivot[handle], places[:, handle]),
        (mesh.AddOrientOp(), turn, at_rest, tracks.rotation[:, handle]),
    ]
    if tracks.sheared[handle]:
        single = UsdGeom.XformOp.PrecisionFloat
        stack.append((mesh.AddOrientOp(single, "axes"), turn, at_rest, axes))
    if np.abs(scale - 1).max() > 1e-7:
        stack.append((mesh.AddScaleOp(), lambda v: Gf.Vec3f(*v.tolist()), np.ones(3), scale))
    if tracks.sheared[handle]:
        stack.append((mesh.AddOrientOp(single, "axesBack"), turn, at_rest, conjugate(axes)))
    for operation, convert, rest, values in stack:
        operation.Set(convert(rest))
        for t, value in enumerate(values):
            operation.Set(convert(value), t)
