"""Whole jobs, shared by Python, the command line and the studio: a file in, a result out.

`simulate` gives a motion, `articulate` joints, `sample` plausible poses, `fit` the pose of an observation.
"""

from neurok.pipelines.articulate import articulate
from neurok.pipelines.choose import choose_kinematics, kinematics_of
from neurok.pipelines.fit import fit
from neurok.pipelines.sample import sample
from neurok.pipelines.simulate import Options, Setup, prepare, simulate

__all__ = [
    "Options",
    "Setup",
    "articulate",
    "choose_kinematics",
    "fit",
    "kinematics_of",
    "prepare",
    "sample",
    "simulate",
]
