# pyright: reportAttributeAccessIssue=false
"""Converts geoms of a compiled MuJoCo model into shapes with materials."""

from __future__ import annotations

import mujoco
import numpy as np
from jaxtyping import Float

from neurok.geometry.quaternions import normalised, quaternion_to_matrix
from neurok.geometry.transforms import pose
from neurok.shapes.appearance import Material, Texture
from neurok.shapes.robots.assembly import Palette, Piece, painted
from neurok.shapes.robots.mjcf_bodies import body_names
from neurok.shapes.robots.mjcf_source import Source
from neurok.shapes.robots.primitives import box, capsule, cylinder, ellipsoid, height_field, sphere
from neurok.shapes.robots.tree import JointTree
from neurok.shapes.robots.urdf_visuals import MIME
from neurok.shapes.shape import Shape

Kind = mujoco.mjtGeom
SHOWN_GROUPS = 3  # MuJoCo's viewer shows groups 0, 1 and 2
RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


def read_pieces(model: mujoco.MjModel, source: Source, tree: JointTree) -> tuple[list[Piece], list[str]]:
    """The visible geoms, each in its body's frame, and notes on omitted ones."""
    names, paint = body_names(model), _Paint(model, source)
    pieces: list[Piece] = []
    left_out: dict[str, int] = {}
    meshes: dict[int, Shape] = {}
    for g in np.flatnonzero(shown(model)):
        shape = _geometry(model, int(g), meshes)
        if shape is None:
            kind = Kind(int(model.geom_type[g])).name.removeprefix("mjGEOM_").lower()
            left_out[kind] = left_out.get(kind, 0) + 1
            continue
        place = pose(quaternion_to_matrix(normalised(model.geom_quat[g])), model.geom_pos[g])
        link = names[model.geom_bodyid[g]]
        shape = _repeated(
            painted(shape, paint.material(int(g), shape.uv is not None)), model, int(model.geom_matid[g])
        )
        pieces.append(Piece(link, shape, place))
    return pieces, [
        f"{count} {kind} geom(s) without a finite surface were left out." for kind, count in left_out.items()
    ]


def shown(model: mujoco.MjModel) -> np.ndarray:
    """Whether each geom is part of the object's visual geometry.

    These are the visible geoms (groups 0 to 2, not fully transparent), or all if none is visible. In a body
    with geoms that never collide, only those count: the others are its collision geometry.
    """
    visible = (model.geom_group < SHOWN_GROUPS) & (geom_colors(model)[:, 3] > 0)
    visible = visible if visible.any() else np.ones(model.ngeom, bool)
    is_visual = visible & (model.geom_contype == 0) & (model.geom_conaffinity == 0)
    is_visual &= model.geom_type != Kind.mjGEOM_PLANE
    has_visuals = np.isin(model.geom_bodyid, model.geom_bodyid[is_visual])
    return np.where(has_visuals, is_visual, visible)


def geom_colors(model: mujoco.MjModel) -> Float[np.ndarray, "g 4"]:
    """sRGB colours: the geom's if it differs from MuJoCo's default grey, otherwise the material's."""
    own = np.asarray(model.geom_rgba, np.float64)
    if not model.nmat:
        return own
    is_own = (model.geom_matid < 0) | (np.abs(own - (0.5, 0.5, 0.5, 1)) > 1e-6).any(axis=1)
    return np.where(is_own[:, None], own, model.mat_rgba[model.geom_matid])


def _geometry(model: mujoco.MjModel, g: int, meshes: dict[int, Shape]) -> Shape | None:
    """The surface of a geom in its own frame; None for planes and signed distance fields."""
    kind, size, data = int(model.geom_type[g]), model.geom_size[g], int(model.geom_dataid[g])
    if kind == Kind.mjGEOM_BOX:
        return box(2 * size)
    if kind == Kind.mjGEOM_SPHERE:
        return sphere(size[0])
    if kind == Kind.mjGEOM_ELLIPSOID:
        return ellipsoid(size)
    if kind == Kind.mjGEOM_CYLINDER:
        return cylinder(size[0], 2 * size[1])
    if kind == Kind.mjGEOM_CAPSULE:
        return capsule(size[0], 2 * size[1])
    if kind == Kind.mjGEOM_HFIELD:
        return _hfield(model, data)
    if kind in (Kind.mjGEOM_MESH, Kind.mjGEOM_SDF) and data >= 0:
        if data not in meshes:
            meshes[data] = _mesh(model, data)
        return meshes[data]
    return None


def _hfield(model: mujoco.MjModel, h: int) -> Shape:
    rows, cols, start = (int(x[h]) for x in (model.hfield_nrow, model.hfield_ncol, model.hfield_adr))
    heights = model.hfield_data[start : start + rows * cols].reshape(rows, cols) * model.hfield_size[h, 2]
    return height_field(heights.astype(np.float64), model.hfield_size[h, :2])


def _mesh(model: mujoco.MjModel, m: int) -> Shape:
    """A mesh in MuJoCo's frame (centre of mass, principal axes), which geom poses refer to.

    A vertex is repeated for each pair of normal and texture coordinate of its corners.
    """
    faces = _rows(model.mesh_face, model.mesh_faceadr, model.mesh_facenum, m)
    corners = [faces.ravel(), _rows(model.mesh_facenormal, model.mesh_faceadr, model.mesh_facenum, m).ravel()]
    has_uv = model.mesh_texcoordadr[m] >= 0
    if has_uv:
        corners.append(_rows(model.mesh_facetexcoord, model.mesh_faceadr, model.mesh_facenum, m).ravel())
    unique, inverse = np.unique(np.stack(corners, axis=1), axis=0, return_inverse=True)
    vertices = _rows(model.mesh_vert, model.mesh_vertadr, model.mesh_vertnum, m)
    normals = _rows(model.mesh_normal, model.mesh_normaladr, model.mesh_normalnum, m)
    uv = None
    if has_uv:
        uv = _rows(model.mesh_texcoord, model.mesh_texcoordadr, model.mesh_texcoordnum, m)[unique[:, 2]]
        uv = np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)  # MuJoCo's origin is at the top
    return Shape(
        vertices[unique[:, 0]].astype(np.float64),
        inverse.reshape(-1, 3),
        uv=uv,
        normals=normals[unique[:, 1]],
    )


def _repeated(shape: Shape, model: mujoco.MjModel, material: int) -> Shape:
    """Texture coordinates scaled by the material's `texrepeat`, whose origin is at the top left."""
    if shape.uv is None or material < 0 or (model.mat_texrepeat[material] == 1).all():
        return shape
    u, v = shape.uv.T
    along, down = model.mat_texrepeat[material]
    return shape.with_(uv=np.stack([u * along, 1 - (1 - v) * down], axis=1))


def _rows(table: np.ndarray, start: np.ndarray, count: np.ndarray, m: int) -> np.ndarray:
    return table[start[m] : start[m] + count[m]]


class _Paint:
    """Materials of geoms."""

    def __init__(self, model: mujoco.MjModel, source: Source) -> None:
        self.model, self.source = model, source
        self.colors, self.palette = geom_colors(model), Palette()
        self.textures: dict[int, Texture | None] = {}

    def material(self, g: int, has_uv: bool) -> Material:
        """The geom's material. A cube texture does not use texture coordinates, so it only tints."""
        index = int(self.model.geom_matid[g])
        name = self.model.mat(index).name if index >= 0 else ""
        t = -1 if index < 0 else int(self.model.mat_texid[index, RGB])
        is_flat = t >= 0 and self.model.tex_type[t] == mujoco.mjtTexture.mjTEXTURE_2D
        return self.palette.material(name or "color", self.colors[g], self.texture(t), has_uv and is_flat)

    def texture(self, t: int) -> Texture | None:
        """The image of a texture as in the file."""
        if t not in self.textures:
            file = self.source.pictures.get(self.model.tex(t).name) if t >= 0 else None
            mime = None if file is None else MIME.get(file.suffix.lower())
            readable = file is not None and mime is not None
            self.textures[t] = Texture(file.read_bytes(), mime, file.name) if readable else None  # type: ignore
        return self.textures[t]
