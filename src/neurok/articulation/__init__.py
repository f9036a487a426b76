"""GEOPARD: which parts of a static shape move, and how: candidates, a geometric simulator and a network."""

from neurok.articulation.articulation import Articulation, Following, JointWish, PartJoint
from neurok.articulation.parts.find import Parts, find_parts

__all__ = ["Articulation", "Following", "JointWish", "PartJoint", "Parts", "find_parts"]
