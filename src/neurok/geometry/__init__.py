"""Rotations, quaternions, screws, rigid fits and farthest points: arrays in, arrays of the same library out.

The only room in which formulas of SO(3) and SE(3) are written. It takes NumPy arrays and torch tensors alike
and does not import torch.
"""
