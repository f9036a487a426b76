"""Test objects with known motion: rods, blocks and balls, rigid, jointed, elastic or learned."""

from __future__ import annotations

import numpy as np
import trimesh

from neurok.assets import SHIPPED
from neurok.kinematics import Kinematics, LinkedKinematics, elastic_modes_of, joints_of
from neurok.kinematics.elastic.modes import ElasticMaterial
from neurok.latent import NeuROK
from neurok.latent.kinematics import latent_space_of
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Frame, Inertia, Joint, JointTree, Link, Shape
from neurok.shapes.load import load_shape
from neurok.shapes.robots.primitives import box
from neurok.shapes.shape import concatenate

Y = np.array([0.0, 1.0, 0.0])
ONE_BODY = JointTree((Link("body"),), ())


def block(*sides: float) -> LinkedKinematics:
    """Rigid block centred at the origin, with z up."""
    shape = box(np.array(sides)).with_(part_names=("body",), frame=Frame("z"))
    return joints_of(shape, ONE_BODY)


def rods(*lengths: float, mass: float = 2.0) -> LinkedKinematics:
    """Chain of slender rods connected by hinges about y."""
    shapes, links, joints, top = [], [Link("world")], [], 0.0
    for i, length in enumerate(lengths):
        rod = box(np.array([0.05, 0.05, length]))
        shapes.append(
            rod.with_(vertices=rod.vertices + np.array([0, 0, top - length / 2]), part_names=(f"rod{i}",))
        )
        tensor = np.diag([mass * length**2 / 12] * 2 + [mass * 0.05**2 / 6])
        links.append(Link(f"rod{i}", Inertia(mass, np.array([0.0, 0.0, -length / 2]), tensor)))
        origin = np.eye(4)
        origin[2, 3] = -lengths[i - 1] if i else 0.0
        joints.append(Joint(f"hinge{i}", "revolute", links[-2].name, f"rod{i}", origin, Y))
        top -= length
    shape = concatenate(shapes, "rods").with_(frame=Frame("z"))
    return joints_of(shape, JointTree(tuple(links), tuple(joints)))


def slider(mass: float = 3.0) -> LinkedKinematics:
    """Block on a prismatic joint along x."""
    shape = box(np.array([0.1, 0.1, 0.1])).with_(part_names=("body",), frame=Frame("z"))
    inertia = Inertia(mass, np.zeros(3), 1e-3 * np.eye(3))
    tree = JointTree((Link("world"), Link("body", inertia)), (Joint("slide", "prismatic", "world", "body"),))
    return joints_of(shape, tree)


def ball(radius: float = 0.1) -> Shape:
    """Ball as a mesh."""
    mesh = trimesh.creation.icosphere(subdivisions=2, radius=radius)
    return Shape(
        np.array(mesh.vertices), np.array(mesh.faces), "ball", part_names=("body",), frame=Frame("z")
    )


def rigid_ball(radius: float = 0.1) -> LinkedKinematics:
    """Free rigid ball."""
    return joints_of(ball(radius), ONE_BODY)


def bar() -> Kinematics:
    """Rubber bar pinned at one end."""
    mesh = trimesh.creation.box((0.6, 0.06, 0.04)).subdivide().subdivide()
    shape = Shape(np.array(mesh.vertices), np.array(mesh.faces), "bar", frame=Frame("z"))
    pinned = shape.vertices[:, 0] < -0.299
    return elastic_modes_of(shape, modes=3, material=ElasticMaterial(6e6), pinned=pinned, handles=6)


def learned(model: NeuROK | None = None, max_coordinates: int = 4) -> Kinematics:
    """Learned space of the shipped cabinet without its joints."""
    cabinet = load_shape(SHIPPED["cabinet"])
    shape = Shape(cabinet.vertices, cabinet.faces, "cabinet", frame=cabinet.frame)
    return latent_space_of(shape, model, ReductionConfig(max_coordinates=max_coordinates))
