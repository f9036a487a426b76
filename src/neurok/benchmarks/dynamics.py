"""Speed of the Lagrangian engine: steps per second of compute, and whether the size of the mesh matters.

Run as a program it measures the shipped teddy with elastic modes, with and without contact, and with a
learned space of untrained weights, whose cost is that of trained ones.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import torch

from neurok.assets import SHIPPED
from neurok.benchmarks.kinematics import teddy
from neurok.dynamics import Condition, Damping, Floor, Gravity, Push, SimulationConfig, Stiffness, stream
from neurok.kinematics import ElasticKinematics, JointKinematics, Kinematics, LatentKinematics
from neurok.model import ModelConfig, NeuROK
from neurok.reduction import ReductionConfig
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

COORDINATES = 8


def steps_per_second(
    kinematics: Kinematics, conditions: Sequence[Condition], seconds: float = 3.0, scenarios: int = 1
) -> float:
    """Steps of 1/60 s, of all scenarios, per second of processor time, after the first."""
    config = SimulationConfig(seconds=seconds)
    _, frames = stream(kinematics, [list(conditions)] * scenarios, config)
    for _ in range(2):
        next(frames)
    start = time.process_time()
    count = sum(1 for _ in frames)
    return scenarios * count / (time.process_time() - start)


def untrained(shape: Shape) -> LatentKinematics:
    torch.manual_seed(0)
    network = NeuROK(ModelConfig(width=32, heads=2, shape_blocks=2, decoder_blocks=1))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    few = ReductionConfig(samples=8, probes=4, held_out=8, most=COORDINATES)
    return LatentKinematics.from_shape(shape, network.requires_grad_(False), few)


def main() -> None:
    torch.set_num_threads(1)
    nudge = Push((0.3, 0.0, 0.3), at=10, duration=0.5)
    swing = [Stiffness(frequency=1.0), Damping(), nudge]
    for vertices in (1_000, 20_000, 200_000):
        shape = teddy(2 * vertices)
        learned = untrained(shape)
        speed = steps_per_second(learned, swing)
        print(
            f"latent, {learned.dim} coordinates, {len(shape.vertices):,} vertices: {speed:.0f} steps/s",
            flush=True,
        )
    speed = steps_per_second(learned, swing, 1.0, scenarios=64)
    print(f"latent, {learned.dim} coordinates, 64 scenarios at once: {speed:.0f} steps/s", flush=True)
    elastic = ElasticKinematics.from_shape(teddy(20_000), modes=COORDINATES)
    print(
        f"elastic, {elastic.dim} modes: {steps_per_second(elastic, [Gravity(), Damping()]):.0f} steps/s",
        flush=True,
    )
    cabinet = JointKinematics(load_shape(SHIPPED["cabinet"]))
    pushed = [Gravity(), Damping(), Push((0.0, 0.2, 0.0), at=10), Floor()]
    print(
        f"joints, {len(cabinet.names)} of a cabinet: {steps_per_second(cabinet, pushed):.0f} steps/s",
        flush=True,
    )


if __name__ == "__main__":
    main()
