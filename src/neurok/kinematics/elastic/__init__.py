"""Elastic modes: a shape in, its slowest vibrations as coordinates out, by finite elements on voxels."""

from neurok.kinematics.elastic.modes import ElasticKinematics, ElasticMaterial, elastic_modes_of

__all__ = ["ElasticKinematics", "ElasticMaterial", "elastic_modes_of"]
