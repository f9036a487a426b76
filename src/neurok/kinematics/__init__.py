"""Ways to obtain a pair (coordinates q, map F: q → geometry)."""

from neurok.kinematics.protocol import Basis, Kinematics, animate, random_poses, sweep

__all__ = ["Basis", "Kinematics", "animate", "random_poses", "sweep"]
