"""Soft bodies, cloth and objects of both kinds, moved by a solver."""
