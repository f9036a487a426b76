"""Evaluation of `neurok simulate` with default settings on a pushed mesh, against the true joints.

Takes held-out objects with joints; gives the share whose parts move as they should, by form of the object.
"""
