"""The own frame of a shape does not depend on its heading, and its walls face along the axes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.latent.features import shape_features
from neurok.latent.objective import Deformations
from neurok.latent.own_frame import heading
from neurok.shapes import Shape


def box_normals(angle: float) -> torch.Tensor:
    """Normals of a cupboard that is turned by an angle about the vertical, by area."""
    sides = np.repeat(np.array([[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0]]), [9, 9, 4, 4, 5], 0)
    return torch.tensor(Rotation.from_euler("y", angle).apply(sides))


@given(angle=st.floats(-10, 10))
@settings(max_examples=50, deadline=None)
def test_walls_face_along_the_axes_however_the_shape_stands(angle):
    turned = box_normals(angle) @ heading(box_normals(angle)).T
    assert torch.minimum(turned[:, 0].abs(), turned[:, 2].abs()).max() < 1e-6
    assert torch.allclose(turned[:, 1], box_normals(angle)[:, 1])


def test_it_is_a_rotation_about_the_vertical_also_where_there_are_no_walls():
    normals = torch.stack([torch.tensor([[0.0, 1, 0]] * 4), torch.zeros(4, 3), torch.randn(4, 3)]).double()
    turn = heading(normals)
    assert torch.allclose(turn @ turn.mT, torch.eye(3).double().expand(3, 3, 3), atol=1e-12)
    assert torch.allclose(turn[:, 1], torch.tensor([0.0, 1, 0]).double().expand(3, 3))


def test_a_turned_mesh_is_read_the_same_up_to_quarter_turns():
    """Sorted |x|, |z| of the samples' box are those of the mesh that was not turned."""
    box = trimesh.creation.box((1.0, 2.0, 0.6)).subdivide().subdivide()
    for angle in (0.0, 0.3, 1.1):
        vertices = Rotation.from_euler("y", angle).apply(box.vertices)
        queries = shape_features(Shape(vertices, np.asarray(box.faces))).queries.points[0]
        radius = np.linalg.norm([1.0, 2.0, 0.6]) / 2
        assert sorted(queries.abs().amax(0).tolist()) == pytest.approx(
            [0.3 / radius, 0.5 / radius, 1 / radius], abs=0.02
        )


def test_turned_deformations_move_turned_points_to_turned_places():
    rng = np.random.default_rng(0)
    q = Rotation.random(5, random_state=0)
    points, shift = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    scalar_first = torch.tensor(np.roll(q.as_quat(), 1, axis=1))[None, None]
    moved = Deformations(scalar_first, torch.tensor(q.apply(points) + shift)[None, None])
    turn = torch.tensor(Rotation.random(random_state=1).as_matrix())[None]
    x = torch.tensor(points)[None] @ turn.mT
    maps = moved.turned(turn).matrices(x)
    image = (maps[..., :3] @ x[:, None, :, :, None])[..., 0] + maps[..., 3]
    assert torch.allclose(image, moved.target @ turn.mT[:, None])
    inner = turn @ torch.tensor(q.as_matrix()) @ turn.mT
    assert torch.allclose(maps[0, 0, ..., :3], inner)
