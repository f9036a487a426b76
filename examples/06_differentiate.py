"""Differentiate a simulation: find the push that opens a door by 5° in 0.2 s."""

import torch

import neurok
from neurok.assets import shipped
from neurok.dynamics import Damping, Push, SimulationConfig, simulate
from neurok.kinematics import JointKinematics

cabinet = JointKinematics(neurok.load_shape(shipped("cabinet")))
hinge, wanted = cabinet.names.index("door_hinge"), torch.deg2rad(torch.tensor(5.0))
force = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)


def angle_at_the_end() -> torch.Tensor:
    push = Push(torch.stack([torch.zeros_like(force), force, torch.zeros_like(force)]), at="door")
    return simulate(cabinet, [push, Damping(0.5)], SimulationConfig(seconds=0.2, fps=10, step=1 / 30)).q[
        -1, 0, hinge
    ]


for step in range(2):  # Newton's method: the angle and its slope come from one simulation
    angle = angle_at_the_end()
    (slope,) = torch.autograd.grad(angle, force)
    print(f"step {step}: {force:.3f} N, {torch.rad2deg(angle):.2f}°, {torch.rad2deg(slope):.1f}° per N")
    with torch.no_grad():
        force += (wanted - angle) / slope

assert abs(torch.rad2deg(angle_at_the_end()) - 5) < 0.1
