"""Mechanisms: links and joints as URDF and MJCF files describe them."""
