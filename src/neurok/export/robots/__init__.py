"""Writes a shape with joints as URDF or MJCF, with meshes, masses and convex colliders beside it."""
