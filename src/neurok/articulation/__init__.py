"""GEOPARD: which parts of a static shape move, and how: candidates, a geometric simulator and a network."""

from neurok.articulation.answer import Articulation, JointWish, PartJoint
from neurok.articulation.parts import Parts, find_parts

__all__ = ["Articulation", "JointWish", "PartJoint", "Parts", "find_parts"]
