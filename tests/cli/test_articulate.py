"""`neurok articulate` writes files that load and move the right parts, and reports them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from neurok.articulation import Articulation, PartJoint
from neurok.articulation.annotations import true_articulation
from neurok.articulation.articulation import Following
from neurok.articulation.ensemble import ArticulationEnsemble, save_articulator
from neurok.articulation.network import ArticulationConfig
from neurok.assets import shipped
from neurok.cli.commands.articulate import Articulate, known_part, parse_follows, parse_joints
from neurok.cli.main import run
from neurok.errors import InputError
from neurok.export import save
from neurok.export.robots.mujoco_check import check_in_mujoco
from neurok.objects import families
from neurok.pipelines.articulate import parts_of
from neurok.sequences.load import load_sequences
from neurok.shapes.load import load_shape

HERE = Path("box.glb")
NAMES = ("body", "lid", "left=door")


@pytest.fixture(scope="module")
def laptop() -> Articulation:
    return true_articulation(families()["laptop"](np.random.default_rng(5)))


def deliver(answer: Articulation, output: Path | None, json: str | None = None) -> None:
    """Delivers an articulation as the command does."""
    Articulate(HERE, output=output, json=json).deliver(answer)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_a_written_mechanism_is_read_back_with_its_joints(laptop, tmp_path, suffix, capsys) -> None:
    path = tmp_path / f"laptop{suffix}"
    deliver(laptop, path)
    joint = laptop.moving[0]
    tree = load_shape(path).joints
    assert tree is not None and tree.parent_joint[joint.part].upper == pytest.approx(joint.upper)
    assert check_in_mujoco(path).is_sound and path.with_suffix(".png").stat().st_size > 5000
    printed = capsys.readouterr().out
    assert (
        "1 movable" in printed
        and "every joint moves its part" in printed
        and joint.part in printed
        and "1,000 steps without a warning" in printed
    )


@pytest.mark.slow
def test_a_glb_sweeps_every_joint_through_its_range(laptop, tmp_path) -> None:
    path = tmp_path / "laptop.glb"
    deliver(laptop, path)
    clip = load_sequences(path)[0]
    moved = np.abs(clip.positions - clip.positions[:1]).max(axis=(0, 2)) > 0.05
    lid = laptop.shape.part_names.index(laptop.moving[0].part)
    assert moved[clip.shape.vertex_part == clip.shape.part_names.index(laptop.shape.part_names[lid])].any()
    assert not moved[
        clip.shape.vertex_part != clip.shape.part_names.index(laptop.shape.part_names[lid])
    ].any()


def test_the_json_says_what_the_table_says(laptop, tmp_path) -> None:
    deliver(laptop, None, str(tmp_path / "report.json"))
    report = json.loads((tmp_path / "report.json").read_text())
    joint = next(j for j in report["joints"] if j["type"] != "fixed")
    assert joint["part"] == laptop.moving[0].part and joint["range"][1] == laptop.moving[0].upper
    assert report["movable"] == 1 and report["mujoco"]["motion_error"] < 1e-6 and report["outputs"] == []


@pytest.mark.slow
def test_nothing_movable_is_said_and_becomes_one_rigid_body(laptop, tmp_path, capsys) -> None:
    zero = np.zeros(3)
    still = tuple(
        PartJoint(name, "fixed", None, zero, zero, 0.0, 0.0, 1.0, True, True)
        for name in laptop.shape.part_names
    )
    path = tmp_path / "still.urdf"
    deliver(Articulation(laptop.shape, still, "file"), path)
    assert "no movable part found" in capsys.readouterr().out
    assert check_in_mujoco(path).joints == ()


def test_nothing_is_written_when_mujoco_would_refuse(laptop, tmp_path) -> None:
    broken = [replace(j, lower=1.0, upper=-1.0) if j.moves else j for j in laptop.joints]
    with pytest.raises(InputError, match="lower limit"):
        deliver(Articulation(laptop.shape, tuple(broken), "file"), tmp_path / "a.urdf")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def untrained(tmp_path_factory) -> Path:
    """Weights of an untrained network; the hints of the user must hold nevertheless."""
    torch.manual_seed(0)
    config = ArticulationConfig()
    path = tmp_path_factory.mktemp("weights") / "untrained.safetensors"
    return save_articulator(path, ArticulationEnsemble(config).state_dict(), config)


@pytest.mark.slow
def test_what_the_user_says_holds_and_the_same_seed_gives_the_same_file(untrained, tmp_path) -> None:
    box = save(families()["lidded_box"](np.random.default_rng(4)).with_(joints=None), tmp_path / "box.glb")[0]
    first, *others = load_shape(box).part_names
    wishes = [a for name in others for a in ("--joint", f"{name}=revolute:1,0,0")]
    for out in ("a", "b"):
        (tmp_path / out).mkdir()
        arguments = ["articulate", box, "-o", tmp_path / out / "box.urdf", "--model", untrained, *wishes,
                     "--fixed", first]  # fmt: skip
        assert run([str(a) for a in arguments]) == 0
    assert (tmp_path / "a/box.urdf").read_bytes() == (tmp_path / "b/box.urdf").read_bytes()
    tree = load_shape(tmp_path / "a/box.urdf").joints
    assert tree is not None and first not in tree.parent_joint
    for name in others:
        joint = tree.parent_joint[name]
        assert joint.kind in ("revolute", "continuous") and abs(joint.axis[0]) > 0.9


def test_a_misspelt_part_ends_in_one_line(untrained, tmp_path, capsys) -> None:
    box = save(families()["lidded_box"](np.random.default_rng(4)).with_(joints=None), tmp_path / "box.glb")[0]
    assert run(["articulate", str(box), "--model", str(untrained), "--fixed", "boxx"]) == 2
    assert "has no part 'boxx'" in capsys.readouterr().err


def test_wishes_name_a_kind_and_may_name_an_axis() -> None:
    wishes = parse_joints(("lid=revolute:0,0,2", "left=door=prismatic"), frozenset(), NAMES, HERE)
    assert wishes["lid"].kind == "revolute" and np.allclose(wishes["lid"].axis, (0, 0, 1))
    assert wishes["left=door"].kind == "prismatic" and wishes["left=door"].axis is None


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("lib=revolute", "Did you mean 'lid'"),
        ("lid", "cannot read"),
        ("lid=revolut", "Did you mean 'revolute'"),
        ("lid=revolute:0,0", "no direction"),
        ("lid=revolute:0,0,0", "no direction"),
        ("lid=revolute:a,b,c", "no direction"),
        ("body=revolute", "is given two"),
    ],
)
def test_an_invalid_joint_request_names_its_cause(text: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        parse_joints((text,), frozenset({"body"}), NAMES, HERE)


def test_an_unknown_part_lists_those_that_there_are() -> None:
    with pytest.raises(InputError, match="There are: body, lid"):
        known_part("wheel", NAMES, HERE)


def test_parts_come_from_where_the_user_asks() -> None:
    shape = families()["turntable"](np.random.default_rng(1))
    assert parts_of(shape, "file").source == "file"
    assert parts_of(shape, "components").source == "components"
    one = shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=("mesh",), joints=None)
    with pytest.raises(InputError, match="names one part only"):
        parts_of(one, "file")


def test_what_follows_what_may_have_a_ratio() -> None:
    assert parse_follows(("lid=body", "left=door=lid:-1.4"), NAMES, HERE) == {
        "lid": Following("body", 1.0),
        "left=door": Following("lid", -1.4),
    }


@pytest.mark.parametrize("text", ["lid", "lid=body:fast", "lid=body:0", "lid=body:inf", "=body"])
def test_a_ratio_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="PART=LEADER:RATIO"):
        parse_follows((text,), NAMES, HERE)


def test_a_part_follows_once() -> None:
    with pytest.raises(InputError, match="is given two"):
        parse_follows(("lid=body", "lid=body:2"), NAMES, HERE)


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--follows", "screen=screen"), "would follow itself"),
        (("--follows", "screen=base:2", "--follows", "base=screen"), "would follow itself"),
        (("--follows", "screen=base", "--fixed", "base"), "'base' is fixed"),
    ],
)
def test_only_what_is_free_can_be_followed(untrained, options, cause: str, capsys) -> None:
    file = shipped("laptop")
    assert run(["articulate", str(file), "--model", str(untrained), *options]) == 2
    assert cause in capsys.readouterr().err


@pytest.mark.slow
def test_what_follows_is_written_as_a_mimic_joint(untrained, tmp_path, capsys) -> None:
    unit = save(
        families()["drawer_unit"](np.random.default_rng(4)).with_(joints=None), tmp_path / "unit.glb"
    )[0]
    first, second = load_shape(unit).part_names[1:3]
    arguments = ["articulate", unit, "--model", untrained, "--follows", f"{second}={first}:-0.5"]
    assert run([str(a) for a in (*arguments, "-o", tmp_path / "corrected.urdf")]) == 0
    assert f"{second} follows {first}: -0.5" in capsys.readouterr().out
    tree = load_shape(tmp_path / "corrected.urdf").joints
    assert tree is not None
    joint, leader = tree.parent_joint[second], tree.parent_joint[first]
    assert joint.coupling is not None and joint.coupling.joint == leader.name
    assert joint.coupling.coefficients[1] == pytest.approx(-0.5)
    assert (joint.lower, joint.upper) == pytest.approx((-0.5 * leader.upper, -0.5 * leader.lower), abs=1e-6)
