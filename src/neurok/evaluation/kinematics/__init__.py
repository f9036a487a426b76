"""Evaluation of inverse kinematics on held-out objects: the learned space against baselines.

A case is a mesh at rest and poses of its recording. A method takes the mesh and an unordered point cloud of a
pose, and gives the positions of all vertices.
"""

from neurok.evaluation.kinematics.cases import Case, cases_of
from neurok.evaluation.kinematics.compare import Comparison, compare

__all__ = ["Case", "Comparison", "cases_of", "compare"]
