"""Rotations, quaternions, screws, rigid fits and farthest points: arrays in, arrays out.

The only room in which formulas of SO(3) and SE(3) are written; most serve numpy and torch from one source.
"""
