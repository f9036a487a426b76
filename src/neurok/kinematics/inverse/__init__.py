"""Inverse kinematics: takes a `Kinematics` and observed points of the moved object, gives coordinates."""

from neurok.kinematics.inverse.solver import Fit, FitConfig, fit_points, fit_vertices, unmoved
from neurok.kinematics.inverse.spaces import fit_in

__all__ = ["Fit", "FitConfig", "fit_in", "fit_points", "fit_vertices", "unmoved"]
