"""Simulate 64 pushes of growing strength on one object in one batch."""

import time

import torch

import neurok
from neurok.assets import shipped
from neurok.dynamics import Push, SimulationConfig, simulate
from neurok.kinematics import JointKinematics

cabinet = JointKinematics(neurok.load_shape(shipped("cabinet")))
forces = torch.linspace(0.5, 4.0, 64)
pushes = [[Push((0, -float(f), 0), at="door")] for f in forces]

start = time.perf_counter()
run = simulate(cabinet, pushes, SimulationConfig(seconds=1.0))
opened = torch.rad2deg(run.q[-1, :, cabinet.names.index("door_hinge")])  # q: frames × scenarios × coordinates

print(f"{len(pushes)} motions of a second in {time.perf_counter() - start:.2f} s")
print(f"{forces[0]:.1f} N opens the door by {opened[0]:.0f}°, {forces[-1]:.1f} N by {opened[-1]:.0f}°")
assert (opened[1:] >= opened[:-1] - 1).all(), "a stronger push opens the door farther"
neurok.save(run.sequence(63), "strongest.glb")
