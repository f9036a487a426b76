"""Find the pose of a mechanism from an unordered point cloud."""

import numpy as np
import torch

import neurok
from neurok.assets import shipped
from neurok.kinematics import JointKinematics
from neurok.kinematics.inverse import fit_points
from neurok.shapes.sample import sample_surface

cabinet = JointKinematics(neurok.load_shape(shipped("cabinet")))
true = cabinet.rest.clone()
true[cabinet.names.index("door_hinge")] = 1.0  # rad

opened = cabinet.shape.moved(cabinet.positions(true).numpy())
scan = sample_surface(opened, 2000).positions(opened)
scan += np.random.default_rng(0).normal(0, 0.002, scan.shape)  # 2 mm of noise

fit = fit_points(cabinet, scan)
for name, value, truth in zip(cabinet.names, fit.q.tolist(), true.tolist(), strict=True):
    print(f"{name}: found {value:.3f}, true {truth:.3f}")
assert torch.allclose(fit.q, true, atol=0.05)
