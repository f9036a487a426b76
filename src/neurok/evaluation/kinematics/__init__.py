"""Inverse kinematics of held-out objects: learned kinematics against baselines, in one run.

A case is a mesh at rest and a pose that its recording holds. A method sees the mesh, and of the pose an
unordered cloud of surface points; it answers with all vertices.
"""

from neurok.evaluation.kinematics.cases import Case, cases_of
from neurok.evaluation.kinematics.compare import Comparison, compare

__all__ = ["Case", "Comparison", "cases_of", "compare"]
