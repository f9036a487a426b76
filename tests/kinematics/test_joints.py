"""Joint kinematics against MuJoCo, closed forms and differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.errors import InputError
from neurok.evaluation.mujoco_poses import skeleton, tree_error
from neurok.geometry.rotations import exp_so3, log_so3
from neurok.kinematics import Kinematics, random_poses
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.qpos import q_to_qpos, qpos_to_q
from neurok.shapes import Coupling, Joint, JointTree, Link, Shape
from neurok.shapes.robots.description import parse_xml
from neurok.shapes.robots.mjcf_bodies import read_tree
from neurok.shapes.robots.primitives import box
from neurok.shapes.robots.urdf import read_tree as read_urdf_tree
from neurok.shapes.shape import concatenate

Z = np.array([0.0, 0.0, 1.0])
seeds = st.integers(0, 2**32 - 1)


def text(values) -> str:
    return " ".join(f"{v:.17g}" for v in values)


def random_mjcf(rng: np.random.Generator) -> str:
    """Up to nine bodies with any joints MuJoCo knows, several to a body, pivots, refs and couplings."""
    count, children, singles = int(rng.integers(1, 10)), {}, []
    bodies = []
    for b in range(count):
        parent = int(rng.integers(-1, b)) if b else -1
        children.setdefault(parent, []).append(b)
        joints = ""
        if parent == -1 and rng.random() < 0.2:
            joints = f'<freejoint name="free{b}"/>'
        else:
            for k in range(int(rng.integers(0, 4))):
                kind = rng.choice(["hinge", "slide", "ball"])
                name, axis = f"j{b}_{k}", text(rng.normal(size=3))
                reference = f' ref="{rng.normal():.9g}"' if kind != "ball" else ""
                place = f'axis="{axis}" pos="{text(rng.normal(size=3))}"{reference}'
                joints += f'<joint name="{name}" type="{kind}" {place}/>'
                if kind == "ball":  # MuJoCo allows no further rotation after a ball
                    break
                singles.append(name)
        bodies.append((f'pos="{text(rng.normal(size=3))}" quat="{text(rng.normal(size=4))}"', joints))

    def nested(b: int) -> str:
        place, joints = bodies[b]
        inner = "".join(nested(c) for c in children.get(b, []))
        return f'<body name="b{b}" {place}>{joints}<geom size="0.1"/>{inner}</body>'

    couplings = ""
    if len(singles) > 1:
        first, second = rng.choice(singles, 2, replace=False)
        rule = f'joint1="{first}" joint2="{second}" polycoef="{text(rng.normal(size=5))}"'
        couplings = f"<equality><joint {rule}/></equality>"
    world = "".join(nested(b) for b in children[-1])
    return f'<mujoco><compiler angle="radian"/><worldbody>{world}</worldbody>{couplings}</mujoco>'


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_poses_of_random_mjcf_trees_match_mujoco(seed):
    model = mujoco.MjModel.from_xml_string(random_mjcf(np.random.default_rng(seed)))
    tree, _ = read_tree(model, "random")
    assert tree_error(tree, model, samples=3, seed=seed % 1000) < 1e-9


def random_urdf(rng: np.random.Generator) -> str:
    count = int(rng.integers(2, 10))
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    joints = ""
    for i in range(1, count):
        parent = int(rng.integers(0, i))
        kind = rng.choice(["fixed", "revolute", "continuous", "prismatic", "planar"])
        mimic = ""
        if kind == "continuous" and rng.random() < 0.3 and 'name="lead"' in joints:
            mimic = f'<mimic joint="lead" multiplier="{rng.normal():.9g}" offset="{rng.normal():.9g}"/>'
        name = "lead" if kind == "revolute" and 'name="lead"' not in joints else f"j{i}"
        joints += (
            f'<joint name="{name}" type="{kind}"><parent link="l{parent}"/><child link="l{i}"/>'
            f'<origin xyz="{text(rng.normal(size=3))}" rpy="{text(rng.normal(size=3))}"/>'
            f'<axis xyz="{text(rng.normal(size=3))}"/>{mimic}</joint>'
        )
    return f'<robot name="r">{links}{joints}</robot>'


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_poses_of_random_urdf_trees_match_mujoco(seed):
    root = parse_xml(random_urdf(np.random.default_rng(seed)).encode(), "random", "URDF")
    tree, _ = read_urdf_tree(root, Path("random.urdf"))
    model = mujoco.MjModel.from_xml_string(skeleton(root))
    assert tree_error(tree, model, samples=3, seed=seed % 1000) < 1e-9


@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_qpos_converts_there_and_back(seed):
    model = mujoco.MjModel.from_xml_string(random_mjcf(np.random.default_rng(seed)))
    tree, _ = read_tree(model, "random")
    kinematics = JointKinematics(empty(tree), tree)
    q = random_poses(kinematics, 2, seed % 1000)
    pieces = q_to_qpos(kinematics, q)
    qpos = torch.cat(list(pieces.values()), dim=-1) if pieces else q[:, :0]
    assert qpos.shape[-1] == model.nq
    assert torch.allclose(qpos_to_q(kinematics, qpos), q, atol=1e-9)


def empty(tree: JointTree) -> Shape:
    return Shape(np.zeros((0, 3)), np.zeros((0, 3), np.int32), part_names=(tree.links[0].name,))


@dataclass(frozen=True)
class Mechanism:
    shape: Shape
    tree: JointTree

    def kinematics(self) -> JointKinematics:
        return JointKinematics(self.shape, self.tree)


def every_kind() -> Mechanism:
    """Boxes in a tree with every kind of joint, a pivot, and a follower of second degree."""
    rng = np.random.default_rng(7)

    def origin() -> np.ndarray:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = (
            Rotation.random(random_state=rng.integers(1000)).as_matrix(),
            rng.normal(size=3),
        )
        return pose

    kinds = ["floating", "revolute", "ball", "planar", "prismatic", "continuous", "fixed", "revolute"]
    axes = rng.normal(size=(8, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    joints = [
        Joint(f"j{i}", kind, f"l{max(i - 1, 0)}", f"l{i + 1}", origin(), axes[i], rng.normal(size=3))
        for i, kind in enumerate(kinds)
    ]  # fmt: skip
    joints[5] = replace(joints[5], coupling=Coupling("j1", (0.0, 0.5, -0.3)))
    names = [f"l{i}" for i in range(9)]
    boxes = [box(np.array([1.0, 0.5, 0.2])).with_(part_names=(name,)) for name in names]
    return Mechanism(concatenate(boxes, "boxes"), JointTree(tuple(Link(n) for n in names), tuple(joints)))


@pytest.mark.parametrize("at_rest", [True, False])
def test_first_and_second_derivatives_match_differences_at_rest_and_away(at_rest):
    kinematics = every_kind().kinematics()
    k = len(kinematics.names)
    assert k == 6 + 1 + 3 + 3 + 1 + 1
    q = kinematics.rest if at_rest else random_poses(kinematics, 1, seed=3)[0]
    steps = 1e-5 * torch.eye(k, dtype=torch.float64)
    jacobian = torch.func.jacfwd(kinematics.code)
    numeric = ((kinematics.code(q + steps) - kinematics.code(q - steps)) / 2e-5).T
    assert torch.allclose(jacobian(q), numeric, atol=1e-8)
    second = torch.func.jacfwd(jacobian)(q)
    change = torch.stack([(jacobian(q + s) - jacobian(q - s)) / 2e-5 for s in steps], dim=-1)
    assert torch.allclose(second, change, atol=1e-8)
    direction = torch.randn(k, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    curve = torch.func.jvp(
        lambda x: torch.func.jvp(kinematics.code, (x,), (direction,))[1], (q,), (direction,)
    )[1]
    assert torch.allclose(curve, torch.einsum("rij,i,j->r", second, direction, direction), atol=1e-12)
    hessian = torch.func.hessian(lambda x: kinematics.positions(x).square().sum())(q)
    assert torch.isfinite(hessian).all() and torch.allclose(hessian, hessian.T, atol=1e-8)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-4, 0.9999, 1.0001, 3.0, 40.0])
def test_the_exponential_map_is_a_rotation_with_the_right_derivative(size):
    r = size * torch.nn.functional.normalize(torch.tensor([0.3, -0.5, 0.8], dtype=torch.float64), dim=0)
    matrix = exp_so3(r)
    assert np.allclose(matrix, Rotation.from_rotvec(r.numpy()).as_matrix(), atol=1e-14)
    steps = 1e-6 * torch.eye(3, dtype=torch.float64)
    numeric = (exp_so3(r + steps) - exp_so3(r - steps)).movedim(0, -1) / 2e-6
    assert torch.allclose(torch.func.jacfwd(exp_so3)(r), numeric, atol=1e-8)
    assert torch.allclose(exp_so3(log_so3(matrix)), matrix, atol=1e-12)


def test_second_derivative_of_the_exponential_map_at_zero_is_the_symmetric_product():
    """∂²exp/∂r_i∂r_j at 0 is ½ (E_i E_j + E_j E_i) with E_i the cross matrix of the i-th axis."""
    zero = torch.zeros(3, dtype=torch.float64)
    second = torch.func.jacfwd(torch.func.jacfwd(exp_so3))(zero)
    generators = torch.func.jacfwd(exp_so3)(zero).movedim(-1, 0)
    product = torch.einsum("iab,jbc->acij", generators, generators)
    assert torch.allclose(second, (product + product.transpose(-1, -2)) / 2, atol=1e-14)


def test_a_chain_of_a_hundred_links_curls_into_a_regular_polygon():
    """Each of 100 links of length one turns by θ more: link n ends at Σ_k (cos kθ, sin kθ)."""
    step = np.eye(4)
    step[0, 3] = 1.0
    joints = tuple(
        Joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}", step if i else np.eye(4), Z) for i in range(100)
    )
    tree = JointTree(tuple(Link(f"l{i}") for i in range(101)), joints)
    kinematics = JointKinematics(empty(tree), tree)
    theta = 0.05
    poses = kinematics.link_poses(torch.full((2, 100), theta, dtype=torch.float64))
    angles = theta * np.arange(1, 100)
    assert poses.shape == (2, 101, 4, 4)
    expected = [np.cos(angles).sum(), np.sin(angles).sum(), 0]
    assert np.allclose(poses[1, kinematics.link_index["l100"], :3, 3], expected, atol=1e-12)


def test_batches_give_what_single_poses_give():
    kinematics = every_kind().kinematics()
    q = random_poses(kinematics, 6).reshape(2, 3, -1)
    batch = kinematics.positions(q)
    assert batch.shape == (2, 3, len(kinematics.shape.vertices), 3)
    assert torch.allclose(batch[1, 2], kinematics.positions(q[1, 2]), atol=1e-14)


def test_vertices_follow_the_pose_of_their_link():
    mechanism = every_kind()
    kinematics = mechanism.kinematics()
    q = random_poses(kinematics, 1)[0]
    poses, x = kinematics.link_poses(q).numpy(), kinematics.positions(q).numpy()
    for part, name in enumerate(mechanism.shape.part_names):
        rest = mechanism.tree.rest_poses[name]
        own = mechanism.shape.vertex_part == part
        local = (mechanism.shape.vertices[own] - rest[:3, 3]) @ rest[:3, :3]
        pose = poses[kinematics.link_index[name]]
        assert np.allclose(x[own], local @ pose[:3, :3].T + pose[:3, 3], atol=1e-12)


def test_rest_is_the_input_pose_and_the_protocol_is_met():
    mechanism = every_kind()
    kinematics = mechanism.kinematics()
    assert isinstance(kinematics, Kinematics)
    assert torch.allclose(
        kinematics.positions(kinematics.rest), torch.tensor(mechanism.shape.vertices), atol=1e-14
    )
    assert kinematics.names[:7] == ("j0.x", "j0.y", "j0.z", "j0.rx", "j0.ry", "j0.rz", "j1")
    assert "j5" not in kinematics.names and len(kinematics.limits) == len(kinematics.names)


def test_links_held_by_fixed_joints_share_a_handle():
    kinematics = every_kind().kinematics()
    assert kinematics.body_of_link["l7"] == kinematics.body_of_link["l5"]
    assert len(kinematics.basis.skin.names) == 8


def test_a_follower_moves_by_its_polynomial():
    kinematics = every_kind().kinematics()
    q = kinematics.rest.clone()
    q[6] = 0.8
    column = [j.name for j in kinematics.movable].index("j5")
    offset = sum(j.dim for j in kinematics.movable[:column])
    assert kinematics.joint_values(q)[offset].item() == pytest.approx(0.5 * 0.8 - 0.3 * 0.64)


def test_parts_with_shared_vertices_move_apart():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float)
    shape = Shape(
        vertices, np.array([[0, 1, 2], [1, 3, 2]]), part=np.array([0, 1]), part_names=("base", "lid")
    )
    tree = JointTree((Link("base"), Link("lid")), (Joint("slide", "prismatic", "base", "lid", axis=Z),))
    kinematics = JointKinematics(shape, tree)
    x = kinematics.positions(torch.tensor([2.0], dtype=torch.float64)).numpy()
    corners = x[kinematics.shape.faces]
    assert np.allclose(corners[0, :, 2], 0) and np.allclose(corners[1, :, 2], 2)


def test_a_mechanism_without_movable_joints_stays_still():
    tree = JointTree((Link("body"),), ())
    kinematics = JointKinematics(box(np.ones(3)), tree)
    x = kinematics.positions(kinematics.rest.expand(4, 0))
    assert x.shape == (4, 24, 3) and torch.equal(x[3], torch.tensor(kinematics.shape.vertices))


def test_mistakes_are_told_in_words():
    tree = JointTree((Link("body"), Link("lid")), (Joint("j", "revolute", "body", "lid", axis=Z),))
    with pytest.raises(InputError, match="no joints"):
        JointKinematics(box(np.ones(3)))
    with pytest.raises(InputError, match="'knob' is not a link"):
        JointKinematics(box(np.ones(3)).with_(part_names=("knob",)), tree)
    with pytest.raises(InputError, match="2 joint values for 1"):
        JointKinematics(box(np.ones(3)), tree).code(torch.zeros(2, dtype=torch.float64))
