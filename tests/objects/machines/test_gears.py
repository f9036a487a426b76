"""Gears roll on each other without slip."""

from __future__ import annotations

import numpy as np
import torch

from neurok.kinematics.joints import JointKinematics
from neurok.objects import families


def test_rims_of_meshing_gears_move_at_the_same_speed():
    for seed in range(9):
        shape = families()["gear_train"](np.random.default_rng(seed))
        kinematics, tree = JointKinematics(shape), shape.joints
        q = torch.tensor([0.01], dtype=torch.float64)
        speed = kinematics.joint_values(q).numpy() / 0.01
        centres = np.array([tree.rest_poses[j.child][:3, 3] for j in tree.joints])
        gap = np.linalg.norm(np.diff(centres, axis=0), axis=1)
        # two rims that roll on each other: ω_i r_i = −ω_j r_j with r_i + r_j the distance of the centres
        radius = gap * np.abs(speed[1:]) / (np.abs(speed[:-1]) + np.abs(speed[1:]))
        following = gap - radius
        assert (np.sign(speed[1:]) == -np.sign(speed[:-1])).all()
        assert np.allclose(following[:-1], radius[1:], rtol=1e-9)
