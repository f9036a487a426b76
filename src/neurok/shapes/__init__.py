"""Reads mesh and robot files into `Shape`, the rest geometry of one object, and computes on it.

Takes files; gives shapes, their joints (`JointTree`), mass, surface samples, voxels and decimated proxies.
"""

from neurok.shapes.appearance import Material, Texture
from neurok.shapes.robots.tree import Coupling, Inertia, Joint, JointTree, Link
from neurok.shapes.shape import Frame, Normalisation, Shape, concatenate
from neurok.shapes.surface import Surface

__all__ = [
    "Coupling",
    "Frame",
    "Inertia",
    "Joint",
    "JointTree",
    "Link",
    "Material",
    "Normalisation",
    "Shape",
    "Surface",
    "Texture",
    "concatenate",
]
