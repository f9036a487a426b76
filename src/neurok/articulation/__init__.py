"""Joints of the parts of a static shape, after GEOPARD (arXiv:2504.02747).

Takes a shape; gives rigid parts (`find_parts`) and an `Articulation`, a tree of joints with ranges and
confidences. A geometric simulator tests candidate axes and pivots, and a network ranks them.
"""

from neurok.articulation.articulation import Articulation, Following, JointHint, PartJoint
from neurok.articulation.parts.find import Parts, find_parts

__all__ = ["Articulation", "Following", "JointHint", "PartJoint", "Parts", "find_parts"]
