"""Inverse kinematics: coordinates of any `Kinematics` from what is seen of the moved object."""

from neurok.fitting.inverse import Fit, FitConfig, fit_points, fit_vertices

__all__ = ["Fit", "FitConfig", "fit_points", "fit_vertices"]
