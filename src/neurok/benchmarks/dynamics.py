"""Measures the speed of the Lagrangian engine.

The figures are steps per CPU second by mesh size, the cost of an explicit particle method for the same body,
the set-up time, and the error of dropping small skinning weights.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from neurok.assets import SHIPPED
from neurok.benchmarks.kinematics import teddy
from neurok.dynamics import (
    Condition,
    Damping,
    Floor,
    Gravity,
    Push,
    SimulationConfig,
    Stiffness,
    stream,
)
from neurok.errors import InputError
from neurok.export import save
from neurok.kinematics import Kinematics, elastic_modes_of, joints_of
from neurok.kinematics.elastic.modes import ElasticMaterial
from neurok.latent import NeuROK
from neurok.latent.kinematics import latent_space_of
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.shapes.mass import vertex_mass

COORDINATES = 8
EIGHT = ReductionConfig(max_coordinates=COORDINATES, tolerance=0.0)
SIZES = (1_000, 20_000, 200_000)  # vertices
REPEATS = 3  # runs per measurement
SWING = (Stiffness(frequency=1.0), Damping(), Push((0.3, 0.0, 0.3), at=10, duration=0.5))
HEADER = ["object", "coordinates", "vertices", "scenarios", "steps of 1/60 s per CPU second"]

FIRST_STEP = """
import sys, time
import torch
torch.set_num_threads(1)
from neurok.dynamics import Gravity, stream
from neurok.latent.kinematics import latent_space_of
from neurok.latent import NeuROK
from neurok.shapes.load import load_shape
model = NeuROK.from_pretrained(sys.argv[2] or None)
frames = stream(latent_space_of(load_shape(sys.argv[1]), model), [Gravity()])[1]
next(frames), next(frames)
print(time.process_time())
"""


def steps_per_second(
    kinematics: Kinematics, conditions: Sequence[Condition], seconds: float = 2.0, scenarios: int = 1
) -> float:
    """Steps of 1/60 s of all scenarios per CPU second, after the first step.

    The maximum of REPEATS runs counts, because other load only adds time.
    """
    config = SimulationConfig(seconds=seconds)
    mass = torch.tensor(vertex_mass(kinematics.shape)) if kinematics.prior is not None else None
    speeds = []
    for _ in range(REPEATS):
        _, frames = stream(kinematics, [list(conditions)] * scenarios, config, mass=mass)
        next(frames)
        next(frames)
        start = time.process_time()
        count = sum(1 for _ in frames)
        speeds.append(scenarios * count / (time.process_time() - start))
    return max(speeds)


def measure(
    model: Path | None = None, particles: bool = True, step: Callable[[], None] = lambda: None
) -> tuple[list[list[str]], dict[str, float], list[str]]:
    """Rows of the table, figures, and notes on the comparison with particles."""
    torch.set_num_threads(1)
    network = NeuROK.from_pretrained(model)
    rows, speeds = [], {}
    for count in SIZES:
        learned = latent_space_of(teddy(2 * count), network, EIGHT)
        speeds[count] = steps_per_second(learned, SWING)
        rows.append(_row("learned teddy", learned, 1, speeds[count]))
        if count == SIZES[0]:
            many = steps_per_second(learned, SWING, seconds=0.5, scenarios=64)
            rows.append(_row("learned teddy", learned, 64, many))
        step()
    elastic = elastic_modes_of(teddy(40_000), modes=COORDINATES)
    elastic_speed = steps_per_second(elastic, [Gravity(), Damping()])
    rows.append(_row("elastic teddy", elastic, 1, elastic_speed))
    cabinet = joints_of(load_shape(SHIPPED["cabinet"]))
    pushed = [Gravity(), Damping(), Push((0.0, 0.2, 0.0), at=10), Floor()]
    rows.append(_row("cabinet, joints and floor", cabinet, 1, steps_per_second(cabinet, pushed)))
    step()
    figures = {
        "latent_steps_per_s_20k": speeds[20_000],
        "elastic_steps_per_s_20k": elastic_speed,
        "vertex_growth_ratio": speeds[SIZES[0]] / speeds[SIZES[-1]],
        "setup_s": setup_seconds(model),
        "bake_error": max(latent_space_of(s, network).dropped for s in (teddy(8_000), _bare_cabinet())),
    }
    step()
    notes = []
    if particles:
        ratios, notes = particle_ratios({"learned": speeds[20_000], "elastic": elastic_speed})
        figures |= {"mpm_compute_ratio": min(ratios.values())}
        step()
    return rows, figures, notes


def _row(name: str, kinematics: Kinematics, scenarios: int, speed: float) -> list[str]:
    sizes = (f"{len(kinematics.names)}", f"{len(kinematics.shape.vertices):,}", f"{scenarios}")
    return [name, *sizes, f"{speed:,.0f}"]


def particle_ratios(speeds: dict[str, float]) -> tuple[dict[str, float], list[str]]:
    """Ratio of the processor times of particles and coordinates for the teddy, and notes."""
    try:
        from neurok.benchmarks import mpm
    except ImportError:
        fix = 'Run pip install "neurok[mpm]", or pass --no-particles'
        raise InputError("neurok bench dynamics", "Warp is not installed", fix) from None
    cost = mpm.measure(teddy(10_000), ElasticMaterial())
    ratios = {name: cost.seconds_per_second / (60 / speed) for name, speed in speeds.items()}
    notes = [
        f"explicit MPM of the teddy: {cost.particles:,} particles, {cost.cells} cells on its longest side, "
        f"steps of {cost.dt:.1e} s, {cost.seconds_per_second:.0f} CPU seconds per simulated second; "
        f"its top sinks by {cost.sag:.1%} of the radius",
        *(f"{name} coordinates are {ratio:,.0f} times faster" for name, ratio in ratios.items()),
    ]
    return ratios, notes


def setup_seconds(model: Path | None = None) -> float:
    """CPU seconds from a GLB of 20,000 vertices to the first step, in a new process, with imports."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "teddy.glb"
        save(teddy(40_000), file)
        arguments = [sys.executable, "-c", FIRST_STEP, str(file), "" if model is None else str(model)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def _bare_cabinet() -> Shape:
    shape = load_shape(SHIPPED["cabinet"])
    return Shape(shape.vertices, shape.faces, "cabinet", frame=shape.frame)
