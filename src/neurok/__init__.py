"""Hand it a static 3D object; it comes alive.

    import neurok
    run = neurok.simulate("laptop.glb", [neurok.Push((0, -1, 0), at="screen")])
    neurok.save(run.sequence(), "closing.glb")

Names are imported when first used: `import neurok` itself costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOME = {
    "InputError": "neurok.errors",
    "Shape": "neurok.shapes",
    "Sequence": "neurok.sequences",
    "Kinematics": "neurok.kinematics",
    "Articulation": "neurok.articulation",
    "NeuROK": "neurok.latent",
    "load_shape": "neurok.shapes.load",
    "load_sequences": "neurok.sequences.load",
    "simulate": "neurok.pipelines.simulate",
    "articulate": "neurok.pipelines.articulate",
    "sample": "neurok.pipelines.sample",
    "fit": "neurok.pipelines.fit",
    "save": "neurok.export",
    "render": "neurok.rendering",
    "SimulationConfig": "neurok.dynamics",
    **dict.fromkeys(
        (
            "Damping",
            "Drag",
            "Drop",
            "Floor",
            "Gravity",
            "Limits",
            "Motor",
            "Moving",
            "Obstacle",
            "Pin",
            "Placed",
            "Pose",
            "Push",
            "Stiffness",
            "Throw",
            "Tilt",
            "Wind",
        ),
        "neurok.dynamics",
    ),
}

__all__ = ["__version__", *_HOME]  # pyright: ignore


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module 'neurok' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from neurok.articulation import Articulation
    from neurok.dynamics import (
        Damping,
        Drag,
        Drop,
        Floor,
        Gravity,
        Limits,
        Motor,
        Moving,
        Obstacle,
        Pin,
        Placed,
        Pose,
        Push,
        SimulationConfig,
        Stiffness,
        Throw,
        Tilt,
        Wind,
    )
    from neurok.errors import InputError
    from neurok.export import save
    from neurok.kinematics import Kinematics
    from neurok.latent import NeuROK
    from neurok.pipelines.articulate import articulate
    from neurok.pipelines.fit import fit
    from neurok.pipelines.sample import sample
    from neurok.pipelines.simulate import simulate
    from neurok.rendering import render
    from neurok.sequences import Sequence
    from neurok.sequences.load import load_sequences
    from neurok.shapes import Shape
    from neurok.shapes.load import load_shape
