"""Assembles pieces of geometry, each fixed to a link, into one `Shape` in its rest pose."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.shapes.appearance import Material, Texture, linear_color
from neurok.shapes.robots.tree import JointTree
from neurok.shapes.shape import Frame, Shape, concatenate

Array = np.ndarray
NEXT, AFTER = [1, 2, 0], [2, 0, 1]  # the other two axes, in cyclic order


@dataclass(frozen=True, eq=False)
class Piece:
    """Geometry with the affine map to the frame of its link."""

    link: str
    shape: Shape
    place: Float[Array, "4 4"]


def assemble(pieces: Many[Piece], tree: JointTree, name: str, notes: Many[str], source: object) -> Shape:
    """A shape with one part per link that has geometry, in the tree's order and in the rest pose."""
    if not pieces:
        raise InputError(str(source), "describes no visible geometry", "Add visual or collision geometry")
    rank = {link: i for i, link in enumerate(tree.order)}
    pieces = sorted(pieces, key=lambda piece: rank[piece.link])
    part_names = tuple(dict.fromkeys(piece.link for piece in pieces))
    placed = [transformed(piece.shape, tree.rest_poses[piece.link] @ piece.place) for piece in pieces]
    # The pieces are joined under numbers, because the parts of the result are links, not parts of mesh files.
    numbered = [
        s.with_(part=np.zeros(len(s.faces), np.int32), part_names=(str(i),)) for i, s in enumerate(placed)
    ]
    whole = concatenate(numbered, name)
    index = {link: i for i, link in enumerate(part_names)}
    part = np.repeat([index[piece.link] for piece in pieces], [len(s.faces) for s in placed])
    return whole.with_(
        part=part, part_names=part_names, joints=tree, frame=Frame("z"),
        notes=tuple(dict.fromkeys([*notes, *whole.notes])),
    )  # fmt: skip


def transformed(shape: Shape, matrix: Float[Array, "4 4"]) -> Shape:
    """The shape after an affine map. A mirroring map reverses the winding of faces."""
    linear = matrix[:3, :3]
    cofactor = _cofactor(linear)
    flipped = linear[0] @ cofactor[0] < 0  # the determinant
    normals = shape.normals
    if normals is not None:
        # n ↦ |det L| L⁻ᵀ n = ± cof(L) n keeps normals outward under mirroring.
        turned = normals @ (-cofactor if flipped else cofactor).T
        length = np.linalg.norm(turned, axis=1, keepdims=True)
        normals = np.divide(turned, length, out=np.array(normals, np.float64), where=length > 0)
    return shape.with_(
        vertices=shape.vertices @ linear.T + matrix[:3, 3],
        faces=shape.faces[:, ::-1] if flipped else shape.faces,
        normals=normals,
    )


def _cofactor(matrix: Float[Array, "3 3"]) -> Float[Array, "3 3"]:
    """cof(M) = det(M) M⁻ᵀ, computed from products of entries so that it is defined for singular M."""
    one, two = matrix[NEXT], matrix[AFTER]
    return one[:, NEXT] * two[:, AFTER] - one[:, AFTER] * two[:, NEXT]


def painted(shape: Shape, material: Material) -> Shape:
    """The shape with a single material."""
    return shape.with_(material=np.zeros(len(shape.faces), np.int32), materials=(material,), colors=None)


def recoloured(shape: Shape, material: Material) -> Shape:
    """A mesh with the material of its description; a plain colour tints the textures of the mesh."""
    if material.textures or not any(own.textures for own in shape.materials):
        return painted(shape, material)
    return shape.with_(
        materials=tuple(replace(own, color=_product(own, material)) for own in shape.materials)
    )


def _product(one: Material, other: Material) -> tuple[float, float, float, float]:
    r, g, b, a = (x * y for x, y in zip(one.color, other.color, strict=True))
    return r, g, b, a


class Palette:
    """Matt materials by name, sRGB colour and texture, each created once so that shapes share them."""

    def __init__(self) -> None:
        self._made: dict[tuple, Material] = {}

    def material(
        self, name: str, rgba: Float[Array, "4"], texture: Texture | None, is_mapped: bool
    ) -> Material:
        """`is_mapped`: the surface has texture coordinates. Otherwise the texture's mean colour tints it."""
        key = (name, tuple(float(x) for x in rgba), None if texture is None else texture.name, is_mapped)
        if key not in self._made:
            color = np.array(linear_color(rgba))
            if texture is not None and not is_mapped:
                color, texture = color * mean_color(texture), None
            r, g, b, a = (float(x) for x in color)
            self._made[key] = Material(
                name=name, color=(r, g, b, a), alpha_mode="BLEND" if a < 1 else "OPAQUE",
                textures={} if texture is None else {"color": texture},
            )  # fmt: skip
        return self._made[key]


def mean_color(texture: Texture) -> tuple[float, float, float, float]:
    """The mean linear colour of a texture, estimated from a 16×16 thumbnail."""
    try:
        picture = texture.image().resize((16, 16))
    except (
        OSError,
        ValueError,
        SyntaxError,
    ):  # raised by Pillow for a damaged image, which then tints nothing
        return 1.0, 1.0, 1.0, 1.0
    pixels = np.asarray(picture, np.float64).reshape(-1, 4) / 255
    return linear_color(pixels.mean(0))
