"""Rotations, quaternions, screws, rigid fits and farthest points; the only formulas of SO(3) and SE(3).

Takes NumPy arrays or torch tensors and gives arrays of the same library. Does not import torch.
"""
