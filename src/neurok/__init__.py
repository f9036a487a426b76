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
    "Joint": "neurok.shapes",
    "JointTree": "neurok.shapes",
    "Link": "neurok.shapes",
    "load_shape": "neurok.shapes.load",
    "make_proxy": "neurok.shapes.proxy",
    "sample_surface": "neurok.shapes.sample",
    "Sequence": "neurok.sequences",
    "load_sequences": "neurok.sequences.load",
    "Kinematics": "neurok.kinematics",
    "JointKinematics": "neurok.kinematics",
    "ElasticKinematics": "neurok.kinematics",
    "LatentKinematics": "neurok.latent.kinematics",
    "load_model": "neurok.latent",
    "kinematics_of": "neurok.pipelines.choose",
    "articulate": "neurok.pipelines.choose",
    "animate": "neurok.kinematics",
    "random_poses": "neurok.kinematics",
    "sweep": "neurok.kinematics",
    "simulate": "neurok.pipelines",
    "SimulationConfig": "neurok.dynamics",
    "Push": "neurok.dynamics",
    "Wind": "neurok.dynamics",
    "Drop": "neurok.dynamics",
    "Pin": "neurok.dynamics",
    "save": "neurok.export",
    "render": "neurok.rendering",
    "save_video": "neurok.rendering",
    "contact_sheet": "neurok.rendering",
}

__all__ = ["__version__", *_HOME]  # pyright: ignore


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module 'neurok' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from neurok.dynamics import Drop, Pin, Push, SimulationConfig, Wind
    from neurok.errors import InputError
    from neurok.export import save
    from neurok.kinematics import ElasticKinematics, JointKinematics, Kinematics, animate, random_poses, sweep
    from neurok.latent import load_model
    from neurok.latent.kinematics import LatentKinematics
    from neurok.pipelines import simulate
    from neurok.pipelines.choose import articulate, kinematics_of
    from neurok.rendering import contact_sheet, render, save_video
    from neurok.sequences import Sequence
    from neurok.sequences.load import load_sequences
    from neurok.shapes import Joint, JointTree, Link, Shape
    from neurok.shapes.load import load_shape
    from neurok.shapes.proxy import make_proxy
    from neurok.shapes.sample import sample_surface
