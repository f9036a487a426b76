"""A minute of three conservative motions; prints what became of their energy.

A program of its own: the checks of array shapes that tests run with would take longer than the mechanics.
"""

from __future__ import annotations

import json

import numpy as np
import torch
import trimesh
from dynamics_samples import rods

from neurok.assets import SHIPPED
from neurok.dynamics import Gravity, Limits, Moving, Pose, SimulationConfig, Stiffness, simulate
from neurok.kinematics import ElasticKinematics, LatentKinematics
from neurok.kinematics.elastic import ElasticMaterial
from neurok.kinematics.latent import INFLUENCES
from neurok.model import ModelConfig, NeuROK
from neurok.reduction import ReductionConfig
from neurok.shapes import Frame, Shape
from neurok.shapes.load import load_shape

MINUTE = SimulationConfig(seconds=60.0, fps=10.0, step=1 / 60)


def bar() -> ElasticKinematics:
    """A rubber bar held at one end."""
    mesh = trimesh.creation.box((0.6, 0.06, 0.04)).subdivide().subdivide()
    shape = Shape(np.array(mesh.vertices), np.array(mesh.faces), "bar", frame=Frame("z"))
    pinned = shape.vertices[:, 0] < -0.299
    return ElasticKinematics.from_shape(
        shape, modes=3, material=ElasticMaterial(6e6), pinned=pinned, handles=6
    )


def learned() -> LatentKinematics:
    """The latent space of a model of no training, but of no zero weights either."""
    torch.manual_seed(0)
    network = NeuROK(ModelConfig(width=32, heads=2, tokens=INFLUENCES, shape_blocks=2, decoder_blocks=1))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    few = ReductionConfig(samples=8, probes=4, held_out=8, most=3)
    return LatentKinematics.from_shape(load_shape(SHIPPED["cabinet"]), network.requires_grad_(False), few)


def drift(run) -> float:
    """Change of the mean unexplained energy from the first half to the second, in energy scales."""
    error = run.energy.unexplained[:, 0] / run.energy.scale[0]
    half = len(error) // 2
    return float((error[half:].mean() - error[:half].mean()).abs())


MOTIONS = {
    "joints": lambda: (rods(0.6, 0.4), [Gravity(), Pose({"hinge0": 0.9, "hinge1": -0.5})]),
    "elastic": lambda: (bar(), [Gravity(), Moving([0], (0.0, 0.3, 0.0))]),
    "latent": lambda: (
        learned(),
        [Stiffness(frequency=1.0), Pose({"latent_1": 1.2, "latent_2": -0.7}), Limits(strength=0.0)],
    ),
}

if __name__ == "__main__":
    torch.set_num_threads(1)
    for name, make in MOTIONS.items():
        run = simulate(*make(), MINUTE)
        figures = {"error": float(run.energy.error.max()), "drift": drift(run), "stopped": run.stopped}
        print(json.dumps({"name": name, **figures}), flush=True)
