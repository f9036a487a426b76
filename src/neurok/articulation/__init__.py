"""GEOPARD: which parts of a static shape move, and how: candidates, a geometric simulator and a network."""

from neurok.articulation.answer import Articulation, Following, JointWish, PartJoint
from neurok.articulation.parts import Parts, find_parts

__all__ = ["Articulation", "Following", "JointWish", "PartJoint", "Parts", "find_parts"]
