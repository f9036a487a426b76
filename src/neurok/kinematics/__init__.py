"""Ways to obtain a pair (coordinates q, map F: q → geometry)."""

from neurok.kinematics.choose import KinematicsKind, coordinate_quantity, explain, kinematics_of
from neurok.kinematics.elastic import ElasticKinematics
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.latent import LatentKinematics
from neurok.kinematics.protocol import Basis, Kinematics, animate, random_poses, sweep

__all__ = [
    "Basis",
    "ElasticKinematics",
    "JointKinematics",
    "Kinematics",
    "KinematicsKind",
    "LatentKinematics",
    "animate",
    "coordinate_quantity",
    "explain",
    "kinematics_of",
    "random_poses",
    "sweep",
]
