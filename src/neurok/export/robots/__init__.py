"""Writes robot descriptions.

Takes a `Shape` with its `JointTree`; gives a URDF or MJCF file with meshes, inertias and convex colliders.
"""
