"""`save_mjcf`: writes a `Shape` with its `JointTree` as MJCF, with all joint kinds and no contact at rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from jaxtyping import Float

from neurok.export.robots.bodies import WORLD, Body, BodyOptions, Mechanism, mechanism, still_links
from neurok.export.robots.files import mesh_folder, numbers, write_robot, write_xml
from neurok.export.robots.link_meshes import LinkFiles, tint, write_meshes, write_png
from neurok.export.robots.mjcf_joints import add_equalities, add_joints
from neurok.export.robots.mujoco_check import touching_bodies
from neurok.geometry.quaternions import quaternion_from_matrix
from neurok.shapes.robots.tree import JointTree
from neurok.shapes.shape import Shape

Array = np.ndarray


def save_mjcf(
    shape: Shape,
    path: str | Path,
    *,
    tree: JointTree | None = None,
    free: bool = False,
    options: BodyOptions | None = None,
) -> Path:
    """Writes `<stem>.xml` and its meshes in `<stem>_meshes/mjcf`.

    Roots are fixed to the world, or free bodies if `free` is set. A link collides neither with its parent nor
    with bodies that it touches at rest, which prevents large contact forces at the first step. The custom
    text `neurok_frame` (`up=… metres_per_unit=…`) states the original frame of the shape.
    """
    path = Path(path)
    body = mechanism(shape, tree, options or BodyOptions())

    def write(description: Path, meshes: Path) -> None:
        folder = mesh_folder(path, "mjcf")
        model = _Model(body, write_meshes(body, meshes), folder, free)
        pictures = _write_pictures(shape, meshes)
        write_xml(model.xml(pictures, ()), description)
        write_xml(model.xml(pictures, touching_bodies(description)), description)

    return write_robot(path, "mjcf", (".xml", ".mjcf"), write)


def _write_pictures(shape: Shape, meshes: Path) -> dict[int, str]:
    """Writes colour textures as PNG, which MuJoCo reads; returns file names by material index."""
    names: dict[int, str] = {}
    written: dict[int, str] = {}
    for k, material in enumerate(shape.materials):
        texture = material.textures.get("color")
        if texture is None or shape.uv is None:
            continue
        if id(texture) not in written:
            written[id(texture)] = f"picture{k}.png"
            write_png(texture, meshes / written[id(texture)], shape.name)
        names[k] = written[id(texture)]
    return names


@dataclass(frozen=True, eq=False)
class _Model:
    """The MJCF description of a mechanism whose meshes are written."""

    mechanism: Mechanism
    files: dict[str, LinkFiles]
    folder: str
    free: bool

    def xml(self, pictures: dict[int, str], apart: tuple[tuple[str, str], ...]) -> Element:
        """The whole document; the pairs `apart` never collide."""
        root = Element("mujoco", model=self.mechanism.tree.name)
        SubElement(
            root, "compiler", angle="radian", autolimits="true", meshdir=self.folder, texturedir=self.folder
        )
        SubElement(root, "option", integrator="implicitfast")
        frame = self.mechanism.shape.frame
        data = f"up={frame.up} metres_per_unit={float(frame.metres_per_unit)!r}"
        SubElement(SubElement(root, "custom"), "text", name="neurok_frame", data=data)
        _add_classes(root)
        self._add_assets(SubElement(root, "asset"), pictures)
        self._add_bodies(SubElement(root, "worldbody"))
        contact = SubElement(root, "contact")
        own = {(joint.parent, joint.child) for joint in self.mechanism.tree.joints}
        for one, other in sorted(own | {p for p in apart if p not in own and p[::-1] not in own}):
            SubElement(contact, "exclude", body1=one, body2=other)
        add_equalities(SubElement(root, "equality"), self.mechanism.tree)
        return root

    def _add_assets(self, asset: Element, pictures: dict[int, str]) -> None:
        shape = self.mechanism.shape
        for file in dict.fromkeys(pictures.values()):
            SubElement(asset, "texture", name=file.removesuffix(".png"), type="2d", file=file)
        for k in sorted({visual.material for files in self.files.values() for visual in files.visuals}):
            material = SubElement(asset, "material", name=f"material{k}", rgba=numbers(*tint(shape, k)))
            material.set("shininess", numbers(1 - shape.materials[k].roughness))
            if k in pictures:
                material.set("texture", pictures[k].removesuffix(".png"))
        for files in self.files.values():
            for visual in files.visuals:  # shell inertia, because MuJoCo refuses flat meshes as solids
                SubElement(asset, "mesh", name=_stem(visual.obj), file=visual.obj, inertia="shell")
            for hull in files.hulls:
                SubElement(asset, "mesh", name=_stem(hull), file=hull)

    def _add_bodies(self, world: Element) -> None:
        tree, still = self.mechanism.tree, still_links(self.mechanism.tree)
        elements = {WORLD: world}
        for body in self.mechanism.bodies:
            if body.name == WORLD:
                continue
            joint = tree.parent_joint.get(body.name)
            flies = self.free if joint is None else joint.kind == "floating" and still[joint.parent]
            parent = world if joint is None or flies else elements[joint.parent]
            placed = tree.rest_poses[body.name] if joint is None or flies else joint.origin
            element = elements[body.name] = SubElement(parent, "body", {"name": body.name, **_placed(placed)})
            if flies:
                SubElement(element, "freejoint", name=f"{body.name}:free" if joint is None else joint.name)
            elif joint is not None:
                add_joints(element, joint)
            self._add_geometry(element, body)

    def _add_geometry(self, element: Element, body: Body) -> None:
        i = body.inertia.tensor
        SubElement(
            element, "inertial", pos=numbers(*body.inertia.centre), mass=numbers(body.inertia.mass),
            fullinertia=numbers(i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]),
        )  # fmt: skip
        for visual in self.files[body.name].visuals:
            material = f"material{visual.material}"
            SubElement(element, "geom", {"class": "visual", "mesh": _stem(visual.obj), "material": material})
        for hull in self.files[body.name].hulls:
            SubElement(element, "geom", {"class": "collision", "mesh": _stem(hull)})


def _add_classes(root: Element) -> None:
    """Adds default classes: visual geoms never collide; collision geoms are in the hidden group 3."""
    default = SubElement(root, "default")
    visual = SubElement(default, "default", {"class": "visual"})
    SubElement(visual, "geom", type="mesh", contype="0", conaffinity="0", group="2", mass="0")
    SubElement(SubElement(default, "default", {"class": "collision"}), "geom", type="mesh", group="3")


def _placed(matrix: Float[Array, "4 4"]) -> dict[str, str]:
    """Position and quaternion (w, x, y, z) of a pose."""
    return {"pos": numbers(*matrix[:3, 3]), "quat": numbers(*quaternion_from_matrix(matrix[:3, :3]))}


def _stem(file: str) -> str:
    return file.removesuffix(".obj")
