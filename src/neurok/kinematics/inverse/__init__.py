"""Inverse kinematics: coordinates of any `Kinematics` from what is seen of the moved object."""

from neurok.kinematics.inverse.solver import Fit, FitConfig, fit_points, fit_vertices, unmoved
from neurok.kinematics.inverse.spaces import fit_in

__all__ = ["Fit", "FitConfig", "fit_in", "fit_points", "fit_vertices", "unmoved"]
