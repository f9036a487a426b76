"""One push on a mesh, compared with the motion of the true joints."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from PIL import Image

from carpentry import board, carcass, locker
from neurok.cli.main import run as neurok
from neurok.dynamics.places import vertex_areas
from neurok.evaluation.dynamics.as_user import pushing, run, table
from neurok.evaluation.dynamics.as_user.found import found_at
from neurok.evaluation.dynamics.as_user.gallery import draw, write_pages
from neurok.evaluation.dynamics.as_user.judgement import Judgement, judge
from neurok.evaluation.dynamics.as_user.objects import Target, targets
from neurok.evaluation.dynamics.as_user.pushing import find_push
from neurok.evaluation.dynamics.as_user.run import Row, Task
from neurok.evaluation.dynamics.as_user.truth import body_of_vertex, true_kinematics, watch
from neurok.evaluation.dynamics.as_user.visibility import Seen
from neurok.evaluation.forms import given
from neurok.geometry.rotations import exp_so3
from neurok.kinematics import joints_of
from neurok.shapes import Joint, JointTree, Link, Shape
from neurok.shapes.shape import concatenate

OPEN = 0.9  # radians


def jointed_locker() -> Shape:
    """A locker whose door turns about its left edge; the knob is fixed to the door."""
    hinge = Joint(
        "hinge", "revolute", "body", "door", axis=np.array([0.0, -1.0, 0.0]),
        pivot=np.array([-0.5, 0.0, 0.505]), lower=0.0, upper=OPEN,
    )  # fmt: skip
    links = (Link("body"), Link("door"), Link("knob"))
    tree = JointTree(links, (hinge, Joint("glue", "fixed", "door", "knob")))
    return joints_of(locker(), tree).shape.with_(joints=tree)


@pytest.fixture(scope="module")
def pushed():
    truth = true_kinematics(jointed_locker())
    count = len(truth.shape.vertices)
    found = find_push(truth, count, np.random.default_rng(0))
    assert found is not None
    return truth, found


def test_a_push_far_from_the_hinge_opens_the_door_by_half_of_its_range(pushed):
    truth, found = pushed
    start = truth.shape.vertices[found.vertex]
    assert start[0] + 0.5 > 0.65 and start[2] > 0.5
    turned = found.truth.q[:, 0]
    assert abs(float(turned.max()) - OPEN / 2) < 0.25 * OPEN / 2
    force = np.asarray(found.push.force)
    assert force[2] / np.linalg.norm(force) > np.cos(pushing.MAX_TILT) - 0.2


def test_only_what_is_seen_from_outside_is_pushed():
    crate = concatenate([carcass(), board((-0.5, -0.5, 0.5), (0.5, 0.5, 0.54), "front")], "crate")
    x, y, z = crate.vertices.T
    inside = np.flatnonzero((np.abs(x) < 0.47) & (np.abs(y) < 0.47) & (np.abs(z) < 0.47))
    outside = np.flatnonzero((z > 0.53) | (np.abs(x) == 0.5))
    seen = Seen(crate)
    assert len(inside) and not seen.from_outside(inside).any() and seen.from_outside(outside).all()


def _judged(truth, found, moved) -> Judgement:
    count = len(truth.shape.vertices)
    body, area = body_of_vertex(truth, count), vertex_areas(truth.shape)
    return judge(found.truth.positions, moved, body, area, found.body, truth.shape.normalisation.radius)


def test_the_true_joints_move_rightly(pushed):
    truth, found = pushed
    again = watch(truth, found.push, len(truth.shape.vertices))
    judged = _judged(truth, found, again.positions)
    assert judged.fails == "" and abs(judged.ratio - 1) < 1e-6 and judged.cosine > 1 - 1e-9


def _moved(truth, door) -> np.ndarray:
    """Frames of the locker in which only the door moves, frame by frame by door(points, share of the way)."""
    rest = truth.shape.vertices
    own = body_of_vertex(truth, len(rest)) > 0
    frames = [np.where(own[:, None], door(rest, share), rest) for share in np.linspace(0, 1, 31)]
    return np.array(frames)


@pytest.mark.parametrize(
    ("turn", "slide", "body", "fails"),
    [
        (1.0, 0.0, 0.0, ""),
        (0.0, 0.0, 0.0, "moves"),
        (-1.0, 0.0, 0.0, "way"),
        (0.0, 0.5, 0.0, "way"),
        (0.5, 0.0, 0.0, "amount"),
        (1.0, 0.0, 0.2, "rest"),
    ],
)
def test_each_condition_fails_by_itself(pushed, turn, slide, body, fails):
    """A door that turns by a share of the true angle, slides, or moves the carcass too."""
    truth, found = pushed
    angle = float(found.truth.q[:, 0].max())
    pivot = np.array([-0.5, 0.0, 0.505])

    def door(points, share):
        turned = exp_so3(torch.tensor([0.0, -angle * turn * share, 0.0]).double()).numpy()
        return (points - pivot) @ turned.T + pivot + np.array([0.0, 0.0, slide * share])

    frames = _moved(truth, door)
    still = body_of_vertex(truth, len(frames[0])) == 0
    frames[1:, still] += np.array([0.0, 0.0, body])
    assert _judged(truth, found, frames).fails == fails


def test_found_parts_and_joints_are_compared_with_the_true_ones(pushed):
    truth, found = pushed
    count = len(truth.shape.vertices)
    own, area = body_of_vertex(truth, count) == found.body, vertex_areas(truth.shape)
    same = found_at(truth, truth, found.vertex, own, area)
    assert same.kind == "joint" and same.overlap == 1.0 and same.axis_deg < 1e-4 and same.centre < 1e-9
    hinge = Joint("hinge", "revolute", "body", "door", axis=np.array([1.0, 0.0, 0.0]))
    tree = JointTree((Link("body"), Link("door"), Link("knob")), (hinge, Joint("k", "fixed", "body", "knob")))
    other = found_at(joints_of(truth.shape.with_(joints=tree)), truth, found.vertex, own, area)
    assert 0.9 < other.overlap < 1.0 and other.axis_deg == pytest.approx(90)


@pytest.mark.slow
def test_the_three_forms_hold_what_a_user_has():
    shape = jointed_locker()
    rng = np.random.default_rng(0)
    parts, bare, fused = (given(shape, form, rng) for form in ("parts", "bare", "fused"))
    assert parts.shape.part_names == ("part_1", "part_2", "part_3") and parts.shape.joints is None
    assert len(set(bare.shape.part.tolist())) == 1 and bare.shape.joints is None
    assert len(set(fused.shape.part.tolist())) == 1 and set(fused.labelled.part_names) <= {
        "body",
        "door",
        "knob",
    }
    door = fused.labelled.faces_of("door")
    assert fused.labelled.vertices[fused.labelled.faces[door]].min(axis=(0, 1))[2] > 0.45


def _row(name: str, fails: str = "", **other) -> Row:
    return Row(name, "bare", fails=fails, kind="joint", **other)


def test_figures_are_shares_of_the_objects_that_were_pushed():
    rows = [_row("a/1"), _row("a/2", "moves"), _row("b/1"), Row("b/2", "bare", left_out="no joint")]
    summary = table.summarise(rows)
    assert summary.figures["as_user_right_bare"] == pytest.approx(2 / 3)
    assert summary.figures["as_user_right_bare_a"] == 0.5 and summary.figures["as_user_right_bare_b"] == 1.0
    assert summary.left_out == [(1, "no joint")] and "as_user_right_parts" not in summary.figures


def test_a_journal_resumes(tmp_path, monkeypatch):
    made = []

    def count(task, seed, pictures):
        made.append(task.key)
        return Row(*task.key, amount=0.5)

    monkeypatch.setattr(run, "evaluate_one", count)
    tasks = [Task(Target(f"a/{k}", None), "bare") for k in range(3)]
    first = run.evaluate(tasks[:2], 0, 1, journal=tmp_path / "rows.jsonl")
    second = run.evaluate(tasks, 0, 1, journal=tmp_path / "rows.jsonl")
    assert made == [("a/0", "bare"), ("a/1", "bare"), ("a/2", "bare")]
    assert repr(second[:2]) == repr(first) and len(second) == 3


def test_the_pushed_body_is_orange_in_every_frame_of_its_strip(pushed, tmp_path):
    truth, found = pushed
    own = body_of_vertex(truth, len(truth.shape.vertices)) == found.body
    last = found.truth.positions[-1]
    strips = [
        (name, draw(truth.shape, own, [last, last], name, "right", tmp_path)) for name in ("a/one", "a/two")
    ]
    page, sheet = write_pages(tmp_path, strips)
    pixels = np.asarray(Image.open(strips[0][1]).convert("RGB")).astype(int)
    orange = (pixels[..., 0] > pixels[..., 2] + 60).sum(0) > 0
    assert all(part.any() for part in np.array_split(orange, 3))
    assert all(path.name in page.read_text() for _, path in strips)
    assert Image.open(sheet).size == (2 * pixels.shape[1], pixels.shape[0])


def test_held_out_objects_of_a_folder(tmp_path):
    for name in ("iai_wardrobe", "gz_cessna"):
        folder = tmp_path / "articulated_household" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.urdf").write_text("<robot name='x'><link name='a'/></robot>")
    assert [t.name for t in targets(tmp_path, "test", None, 0)] == [
        "articulated_household/iai_wardrobe/iai_wardrobe"
    ]
    assert len(targets(tmp_path, "validation", 5, 0)) == 1


def test_the_command_needs_objects(capsys):
    assert neurok(["eval", "dynamics", "--as-user"]) == 2
    assert "--data" in capsys.readouterr().err
