"""Ways to obtain a pair (coordinates q, map F: q → geometry)."""

from neurok.kinematics.choose import (
    Choice,
    KinematicsKind,
    articulate,
    choose_kinematics,
    coordinate_quantity,
    explain,
    kinematics_of,
    learned_kinematics,
    learned_spaces,
)
from neurok.kinematics.elastic import ElasticKinematics, ElasticMaterial
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.latent import LatentKinematics
from neurok.kinematics.protocol import Basis, Kinematics, animate, random_poses, sweep

__all__ = [
    "Basis",
    "Choice",
    "ElasticKinematics",
    "ElasticMaterial",
    "JointKinematics",
    "Kinematics",
    "KinematicsKind",
    "LatentKinematics",
    "animate",
    "articulate",
    "choose_kinematics",
    "coordinate_quantity",
    "explain",
    "kinematics_of",
    "learned_kinematics",
    "learned_spaces",
    "random_poses",
    "sweep",
]
