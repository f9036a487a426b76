"""Small shapes and motions that the export tests share."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image
from scipy.spatial.transform import Rotation

from neurok.sequences import Rig, Sequence, Skin
from neurok.shapes import Frame, Material, Shape, Texture
from neurok.shapes.normals import vertex_normals

HOSTILE_NAMES = [
    "",
    "..",
    "../../etc/passwd",
    "a/b\\c",
    "\x00\n\t",
    "дверь 🚪",
    "con",
    "x" * 300,
    "/root",
    "\ud800",
    "1st",
]


def box_and_ball(**changes) -> Shape:
    """Two separate parts with smooth shading."""
    box, ball = trimesh.creation.box(), trimesh.creation.icosphere(subdivisions=1)
    vertices = np.r_[box.vertices, ball.vertices + np.array([2.0, 0.0, 0.0])]
    faces = np.r_[box.faces, ball.faces + len(box.vertices)]
    part = np.repeat([0, 1], [len(box.faces), len(ball.faces)])
    shape = Shape(
        vertices,
        faces,
        "toy",
        part,
        ("box", "ball"),
        normals=vertex_normals(vertices, faces),
        frame=Frame("z", 1e-3),
    )
    return shape.with_(**changes)


def picture(kind: str = "PNG", size: int = 4) -> Texture:
    buffer = io.BytesIO()
    pixels = np.random.default_rng(7).integers(0, 255, (size, size, 3), np.uint8)
    Image.fromarray(pixels).save(buffer, format=kind)
    return Texture(buffer.getvalue(), f"image/{kind.lower()}", kind)  # type: ignore[arg-type]


def textured() -> Shape:
    """Two materials in each part, with textures of every role and format."""
    shape = box_and_ball()
    png, jpeg, webp = picture("PNG"), picture("JPEG"), picture("WEBP")
    painted = Material(
        "painted",
        emissive=(0.5, 0.5, 0.5),
        alpha_mode="MASK",
        textures={
            "color": png,
            "normal": jpeg,
            "metallic_roughness": png,
            "occlusion": jpeg,
            "emissive": webp,
        },
    )
    glass = Material("glass", (0.2, 0.4, 0.6, 0.5), alpha_mode="BLEND", double_sided=False)
    return shape.with_(
        materials=(painted, glass), material=np.arange(len(shape.faces)) % 2, uv=shape.vertices[:, :2] * 0.3
    )


def colored() -> Shape:
    shape = box_and_ball()
    return shape.with_(
        colors=np.random.default_rng(3).integers(0, 256, (len(shape.vertices), 4), dtype=np.uint8),
        materials=(Material(color=(1.0, 1.0, 1.0, 1.0)),),
    )


def rigid_skin(shape: Shape) -> Skin:
    return Skin(shape.vertex_part[:, None], np.ones((len(shape.vertices), 1)), ("hand_0", "hand_1"))


def soft_skin(shape: Shape) -> Skin:
    weight = np.random.default_rng(0).random(len(shape.vertices))
    handles = np.tile([0, 1], (len(shape.vertices), 1))
    return Skin(handles, np.stack([weight, 1 - weight], axis=1), ("hand_0", "hand_1"))


def hinge(angle: float, pivot=(1.0, 0.3, 0.0), axis=(0.0, 0.0, 1.0)) -> np.ndarray:
    """The 3×4 rotation about an axis through a pivot."""
    turn = Rotation.from_rotvec(angle * np.asarray(axis)).as_matrix()
    return np.c_[turn, np.asarray(pivot) - turn @ np.asarray(pivot)]


def swing(frames: int = 13, step: float = 0.15) -> np.ndarray:
    """The box stays at rest, the ball rotates about a hinge."""
    return np.array([[hinge(0.0), hinge(t * step)] for t in range(frames)])


def sheared(times: np.ndarray) -> np.ndarray:
    """The ball rotates, stretches and shears smoothly, with stretch axes that rotate in time."""
    maps = []
    for t in times:
        axes = Rotation.from_euler("xyz", [0.4 + 0.2 * t, 0.7, -0.3 * t]).as_matrix()
        stretch = axes @ np.diag([1 + 0.8 * t, 1 - 0.4 * t, 1.0]) @ axes.T
        linear, pivot = hinge(1.2 * t)[:, :3] @ stretch, np.array([1.0, 0.3, 0.0])
        maps.append([hinge(0.0), np.c_[linear, pivot - linear @ pivot]])
    return np.array(maps)


def rigged(
    shape: Shape, skin: Skin, transforms: np.ndarray, name: str = "move", fps: float = 24.0
) -> Sequence:
    rig = Rig(skin, transforms)
    return Sequence(shape, rig.positions(shape.vertices), fps, name, rig)


def all_forms() -> dict[str, Shape | Sequence | list[Sequence]]:
    """One item of every kind that a .glb can hold."""
    shape, times = box_and_ball(), np.linspace(0.0, 1.0, 13)
    turning = rigged(shape, rigid_skin(shape), swing(), "swing")
    soft = rigged(shape, soft_skin(shape), sheared(times), "soft")
    return {
        "static": shape,
        "textured": textured(),
        "colored": colored(),
        "nodes": turning,
        "nodes_found": turning.with_(rig=None),
        "nodes_sheared": rigged(textured(), rigid_skin(shape), sheared(times), "shear"),
        "skin": soft,
        "morph": soft.with_(rig=None),
        "morph_colored": soft.with_(rig=None, shape=colored()),
        "two_clips": [turning.with_(rig=None), soft.with_(rig=None)],
        "two_swings": [turning, turning.with_(name="again", fps=12.0)],
        "still": Sequence(shape, np.tile(shape.vertices, (5, 1, 1)), 10.0, "hold"),
    }


def written_order(shape: Shape) -> np.ndarray:
    """The shape's vertex behind each vertex of the file: by part, then material, then number."""
    groups = [
        np.unique(shape.faces[(shape.part == part) & (shape.material == material)])
        for part in range(len(shape.part_names))
        for material in range(len(shape.materials))
    ]
    return np.concatenate(groups)


def in_metres(shape: Shape, points: np.ndarray) -> np.ndarray:
    """The shape's coordinates converted to glTF's."""
    matrix = shape.frame.to(Frame())
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def glb_json(path: Path) -> dict:
    data = path.read_bytes()
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
