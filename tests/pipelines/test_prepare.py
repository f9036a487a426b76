"""Default conditions, the choice of coordinates, and the Python interface."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import neurok
from neurok.assets import SHIPPED
from neurok.dynamics import Damping, Drop, Floor, Gravity, Pin, Push, SimulationConfig, Stiffness
from neurok.errors import InputError
from neurok.kinematics import ElasticKinematics, Kinematics
from neurok.pipelines import Options, prepare
from neurok.pipelines.random_motion import SCENARIO_KINDS, random_scenarios
from neurok.pipelines.simulate import SHOWN
from neurok.shapes.load import load_shape

SHORT = SimulationConfig(seconds=0.1, fps=20)
LEARNED = Options("latent")  # whatever the model says of its confidence


@pytest.fixture(scope="module")
def laptop():
    return load_shape(SHIPPED["laptop"])


@pytest.fixture(scope="module")
def learned(laptop) -> Kinematics:
    """The learned space of the laptop, found once."""
    return prepare(laptop, (), config=SHORT, options=LEARNED).kinematics


def kinds(setup) -> list[str]:
    return [type(c).__name__ for c in setup.conditions]


@pytest.mark.slow
def test_three_lines_of_python(tmp_path):
    run = neurok.simulate(SHIPPED["laptop"], [neurok.Push((0, -1, 0), at="screen")], config=SHORT)
    files = neurok.save(run.sequence(), tmp_path / "closing.glb")
    assert files[0].is_file()
    assert any(note.startswith("assumed: gravity") for note in run.notes)
    assert "vertex" not in " ".join(run.notes)  # no nudge: a push was asked for


@pytest.mark.slow
def test_dictionaries_and_files_are_conditions_too(learned, tmp_path):
    (tmp_path / "c.json").write_text('[{"kind": "push", "at": "screen", "force": [0, -1, 0]}]')
    records = [{"kind": "push", "at": "screen", "force": [0, -1, 0]}]
    as_file, as_data = (
        prepare(learned, c, config=SHORT, options=LEARNED) for c in (tmp_path / "c.json", records)
    )
    assert kinds(as_file) == kinds(as_data) == ["Pin", "Push", "Gravity", "Floor", "Damping", "Stiffness"]


@pytest.mark.slow
def test_nothing_asked_is_a_nudge_where_it_gives_way(laptop):
    setup = prepare(laptop, (), config=SHORT)
    assert isinstance(setup.conditions[-1], Push) and "no action is given" in setup.assumed[-1]
    assert laptop.part_names[laptop.vertex_part[setup.conditions[-1].at]] == "screen"
    assert setup.run().sequence().travel > 0.01


@pytest.mark.slow
def test_what_is_said_is_not_assumed(learned):
    given = [
        Gravity(1.62),
        Floor(friction=0.1),
        Damping(2.0),
        Stiffness(skin=10),
        Pin("base"),
        Push((0, 1, 0), 3),
    ]
    setup = prepare(learned, given, config=SHORT, options=LEARNED)
    assert list(setup.conditions) == given and not setup.assumed
    bare = prepare(
        learned,
        (),
        config=SHORT,
        options=replace(LEARNED, without={"gravity", "floor", "pin", "nudge", "damping"}),
    )
    assert kinds(bare) == ["Stiffness"]


@pytest.mark.slow
def test_at_rest_a_shape_carries_its_own_weight(laptop):
    """Without a push nothing moves: the lid neither falls nor sags."""
    setup = prepare(
        laptop, (), config=SimulationConfig(seconds=0.3, fps=20), options=Options(without={"nudge"})
    )
    assert setup.run().sequence().travel < 0.01


@pytest.mark.slow
def test_a_dropped_body_is_free_and_meets_the_floor():
    teddy = load_shape(SHIPPED["teddy"])
    setup = prepare(
        teddy, [Drop(0.002)], config=replace(SHOWN, seconds=0.05, fps=20), options=Options("elastic", modes=3)
    )
    assert isinstance(setup.kinematics, ElasticKinematics) and not setup.kinematics.is_anchored
    low = setup.run().sequence().positions[:, :, 1].min(1)
    assert low[0] == pytest.approx(0.002, abs=1e-4) and -0.005 < low[-1] < 0.0015


@pytest.mark.slow
def test_a_dropped_learned_object_falls_as_everything_does(learned):
    """½ g t² in the first tenth of a second, however its coordinates overlap with those of its root."""
    run = prepare(learned, [Drop(0.5)], config=SHORT, options=LEARNED).run()
    fallen = (run.sequence().positions[0] - run.sequence().positions[-1])[:, 2].mean()
    assert fallen == pytest.approx(0.5 * 9.81 * 0.01, rel=0.06)


@pytest.mark.slow
def test_pins_of_elastic_bodies_are_built_into_their_modes():
    teddy = load_shape(SHIPPED["teddy"])
    setup = prepare(teddy, [Push((0, 0, 1), at=0)], config=SHORT, options=Options("elastic", modes=4))
    assert isinstance(setup.kinematics, ElasticKinematics) and setup.kinematics.is_anchored
    assert "Pin" not in kinds(setup)


@pytest.mark.slow
def test_random_motions_differ_are_told_and_repeat(laptop):
    setup = prepare(laptop, (), config=SHORT, options=Options(without={"nudge"}))
    draw = lambda seed: random_scenarios(setup.kinematics, setup.conditions, setup.mass, 5, seed)  # noqa: E731
    first, again, other = draw(0), draw(0), draw(1)
    descriptions = [text for _, text in first]
    assert descriptions == [text for _, text in again] != [text for _, text in other]
    assert len(set(descriptions)) == 5
    starts = ("pushed", "blown", "set moving", "let go")
    assert {next(s for s in starts if text.startswith(s)) for text in descriptions} == set(starts)
    assert len(SCENARIO_KINDS) == len(starts)
    run = neurok.dynamics.simulate(setup.kinematics, [c for c, _ in first], SHORT, mass=setup.mass)
    assert not run.stopped and torch.isfinite(run.q).all()


@pytest.mark.parametrize("options", [{"density": -1.0}, {"modes": 0}])
def test_senseless_options_are_refused(options):
    with pytest.raises(InputError):
        Options(**options)


@pytest.mark.slow
def test_density_scales_the_mass(learned):
    light, heavy = (
        prepare(learned, (), config=SHORT, options=replace(LEARNED, density=d, without={"nudge"})).mass
        for d in (100, 500)
    )
    assert light is not None and heavy is not None and np.allclose(5 * light.numpy(), heavy.numpy())


@pytest.mark.slow
def test_the_assumed_pin_leaves_pushed_parts_free():
    plant = load_shape(SHIPPED["plant"])
    setup = prepare(plant, [Push((1, 0, 0), at="leaf")], config=SHORT, options=LEARNED)
    pin = next(c for c in setup.conditions if isinstance(c, Pin))
    assert pin.free == ("leaf",)
    with pytest.raises(InputError, match="left free"):
        Pin("leaf", free=("leaf",)).vertices(plant)
