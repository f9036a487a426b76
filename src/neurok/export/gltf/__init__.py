"""Writes binary glTF 2.0 (GLB).

Takes a `Shape` or motions of one shape; gives one file whose motion is nodes, a skin or morph targets.
"""
