"""Elastic modes: a shape in, its slowest vibrations as coordinates out, by finite elements on voxels."""

from neurok.kinematics.elastic.modes import ElasticKinematics, ElasticMaterial

__all__ = ["ElasticKinematics", "ElasticMaterial"]
