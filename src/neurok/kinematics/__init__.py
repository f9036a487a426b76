"""Kinematics: coordinates q of one shape and the map x(q) = B c(q) to its vertices.

Holds the protocol and every map that needs no network: joints, elastic modes, skins and the free root.
Takes a `Shape`, gives a `Kinematics`.
"""

from neurok.kinematics.basis import Basis
from neurok.kinematics.defaults import PhysicalDefaults
from neurok.kinematics.elastic import ElasticKinematics, ElasticMaterial, elastic_modes_of
from neurok.kinematics.free_root import with_free_root
from neurok.kinematics.joints import JointKinematics, joints_of
from neurok.kinematics.linked import LinkedKinematics
from neurok.kinematics.mass import Mass
from neurok.kinematics.poses import animate, random_poses, sample_poses, sweep
from neurok.kinematics.prior import CoordinatePrior
from neurok.kinematics.protocol import Kinematics

__all__ = [
    "Basis",
    "CoordinatePrior",
    "ElasticKinematics",
    "ElasticMaterial",
    "JointKinematics",
    "Kinematics",
    "LinkedKinematics",
    "Mass",
    "PhysicalDefaults",
    "animate",
    "elastic_modes_of",
    "joints_of",
    "random_poses",
    "sample_poses",
    "sweep",
    "with_free_root",
]
