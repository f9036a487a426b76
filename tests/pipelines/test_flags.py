"""Flags give the same conditions as a file."""

from __future__ import annotations

import numpy as np
import pytest
import yaml

from neurok.dynamics import load_conditions
from neurok.errors import InputError
from neurok.pipelines.condition_flags import READERS, condition

SAME = {
    ("push", "lid=0,0,-3"): {"kind": "push", "at": "lid", "force": [0, 0, -3]},
    ("push", "120=1e1,0,.5@0.5+0.2"): {
        "kind": "push", "at": 120, "force": [10, 0, 0.5], "start": 0.5, "duration": 0.2,
    },
    ("push", "-0.1,0,0.3~0.05=0,0,-3@+1"): {
        "kind": "push", "at": [-0.1, 0, 0.3], "radius": 0.05, "force": [0, 0, -3], "duration": 1,
    },
    ("push", "odd=name@2=1,2,3"): {"kind": "push", "at": "odd=name@2", "force": [1, 2, 3]},
    ("drag", "7=0.1,0,0.4@1+2"): {"kind": "drag", "at": 7, "to": [0.1, 0, 0.4], "start": 1, "duration": 2},
    ("throw", "1,0,3/0,0,5"): {"kind": "throw", "velocity": [1, 0, 3], "spin": [0, 0, 5]},
    ("drop", "0.5"): {"kind": "drop", "height": 0.5},
    ("wind", "4,1,0@0.5"): {"kind": "wind", "velocity": [4, 1, 0], "start": 0.5},
    ("tilt", "20deg/0,1,0"): {"kind": "tilt", "angle": 20, "axis": [0, 1, 0]},
    ("gravity", "1.62"): {"kind": "gravity", "acceleration": 1.62},
    ("gravity", "0,0,-2"): {"kind": "gravity", "acceleration": 2, "direction": [0, 0, -2]},
    ("pin", "auto"): {"kind": "pin"},
    ("pin", "0,0,0.5~0.1"): {"kind": "pin", "at": [0, 0, 0.5], "radius": 0.1},
    ("floor", "height=0,friction=0.2"): {"kind": "floor", "height": 0, "friction": 0.2},
    ("obstacle", "ball:0,0,1,0.2"): {"kind": "obstacle", "form": "ball", "centre": [0, 0, 1], "size": 0.2},
    ("obstacle", "box:0,0,1,1,2,3"): {
        "kind": "obstacle", "form": "box", "centre": [0, 0, 1], "size": [1, 2, 3],
    },
    ("obstacle", "step.stl"): {"kind": "obstacle", "form": "mesh", "file": "step.stl"},
    ("motor", "hinge=90deg@0+2"): {
        "kind": "motor", "coordinate": "hinge", "target": np.pi / 2, "start": 0, "duration": 2,
    },
    ("pose", "hinge=0.3"): {"kind": "pose", "values": {"hinge": 0.3}},
    ("damping", "1.5"): {"kind": "damping", "by_mass": 1.5},
    ("damping", "by_mass=1,by_stiffness=0.01"): {"kind": "damping", "by_mass": 1, "by_stiffness": 0.01},
    ("stiffness", "2"): {"kind": "stiffness", "scale": 2},
    ("stiffness", "skin=50,glue=2"): {"kind": "stiffness", "skin": 50, "glue": 2},
}  # fmt: skip


@pytest.mark.parametrize(("flag", "text"), SAME)
def test_a_flag_is_the_record_of_a_yaml_file(flag, text, tmp_path):
    (tmp_path / "c.yaml").write_text(yaml.safe_dump([_plain(SAME[flag, text])]))
    (record,) = load_conditions(tmp_path / "c.yaml")
    found = condition(flag, text)
    assert type(found) is type(record)
    for name, value in vars(record).items():
        own = getattr(found, name)
        assert own == pytest.approx(value) if isinstance(value, (float, list)) else own == value


def test_every_flag_is_compared():
    assert {flag for flag, _ in SAME} == set(READERS)


@pytest.mark.parametrize(
    ("flag", "text", "words"),
    [
        ("push", "lid", "--push lid: is not PLACE=VALUE. Write it like"),
        ("push", "lid=1,2", "'1,2' is not 3 numbers. Write X,Y,Z"),
        ("wind", "fast", "--wind fast: 'fast' is not 3 numbers"),
        ("drop", "high", "'high' is no number"),
        ("drop", "-1", "height is -1"),
        ("floor", "fraction=2", "no field 'fraction'. It has: height, friction, restitution"),
        ("obstacle", "ball:1,2", "Write ball:X,Y,Z,RADIUS"),
        ("damping", "1,2", "'2' has no name"),
    ],
)
def test_errors_name_the_flag_and_the_fix(flag, text, words):
    with pytest.raises(InputError) as error:
        condition(flag, text)
    assert words in str(error.value) and f"--{flag}" in str(error.value)


def _plain(record):
    return {k: float(v) if isinstance(v, np.floating) else v for k, v in record.items()}
