"""Elastic modes by finite elements on voxels: takes a shape, gives its slowest vibrations as coordinates."""

from neurok.kinematics.elastic.modes import ElasticKinematics, ElasticMaterial, elastic_modes_of

__all__ = ["ElasticKinematics", "ElasticMaterial", "elastic_modes_of"]
