"""Soft bodies, cloth and mixed objects: takes a random generator, gives simulated clips of one object.

MuJoCo's flexible bodies compute the motion. A family gives one to three clips from rest, 30 to 60 frames in
all, in metres with z up. It raises `Rejected` when a clip fails its checks. The same state of the random
generator gives the same bytes.
"""

from neurok.objects.soft.registry import SoftGenerator, soft_families, soft_family, soft_groups

__all__ = ["SoftGenerator", "soft_families", "soft_family", "soft_groups"]
