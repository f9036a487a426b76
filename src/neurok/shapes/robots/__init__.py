"""Reads robot descriptions: URDF, MJCF and PartNet-Mobility folders.

Takes a file or folder; gives a `Shape` whose `joints` are a `JointTree` of links and joints.
"""
