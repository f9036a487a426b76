"""Kinematics: coordinates q of one shape and the map x(q) = B c(q) to its vertices.

Holds the protocol and every map that needs no network: joints, elastic modes, skins and the free root.
Takes a `Shape`, gives a `Kinematics`.
"""

from neurok.kinematics.elastic import ElasticKinematics, ElasticMaterial
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.protocol import Basis, Kinematics, animate, random_poses, sweep

__all__ = [
    "Basis",
    "ElasticKinematics",
    "ElasticMaterial",
    "JointKinematics",
    "Kinematics",
    "animate",
    "random_poses",
    "sweep",
]
