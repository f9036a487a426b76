"""Conversion of joint values q to and from MuJoCo's `qpos`, with quaternions for balls and free bodies."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.errors import InputError
from neurok.geometry.quaternions import (
    canonical,
    normalised,
    quaternion_exp,
    quaternion_from_matrix,
    quaternion_log,
    quaternion_to_matrix,
)
from neurok.geometry.rotations import exp_so3, log_so3
from neurok.kinematics.linked import LinkedKinematics
from neurok.shapes import Joint

WIDTH = {"ball": 4, "floating": 7}  # numbers in qpos; every other kind has as many as it has values


def q_to_qpos(
    kinematics: LinkedKinematics, q: Float[Tensor, "*batch k"]
) -> dict[str, Float[Tensor, "*batch w"]]:
    """The piece of qpos of every movable joint, followers included, by joint name.

    For a tree from MJCF the pieces stand in MuJoCo's order: concatenated they are qpos.
    """
    values = kinematics.joint_values(q).split([j.dim for j in kinematics.movable], dim=-1)
    return {j.name: _to_qpos(j, v) for j, v in zip(kinematics.movable, values, strict=True)}


def qpos_to_q(kinematics: LinkedKinematics, qpos: Float[Tensor, "*batch w"]) -> Float[Tensor, "*batch k"]:
    """Coordinates of a qpos in the order of the tree's joints; values of followers are ignored."""
    widths = [WIDTH.get(j.kind, j.dim) for j in kinematics.movable]
    if qpos.shape[-1] != sum(widths):
        raise InputError(
            kinematics.shape.name, f"got {qpos.shape[-1]} numbers in qpos instead of {sum(widths)}",
            "Take qpos from the same model",
        )  # fmt: skip
    pieces = zip(kinematics.movable, qpos.to(torch.float64).split(widths, dim=-1), strict=True)
    columns = [_from_qpos(j, piece) for j, piece in pieces if j.coupling is None]
    return torch.cat(columns, dim=-1) if columns else qpos[..., :0].to(torch.float64)


def _to_qpos(joint: Joint, value: Tensor) -> Tensor:
    """A free body's qpos is its pose in the world: origin · [exp r, t]."""
    if joint.kind == "ball":
        return canonical(quaternion_exp(value))
    if joint.kind == "floating":
        origin = torch.tensor(joint.origin)
        position = value[..., :3] @ origin[:3, :3].T + origin[:3, 3]
        return torch.cat([position, quaternion_from_matrix(origin[:3, :3] @ exp_so3(value[..., 3:]))], dim=-1)
    return value


def _from_qpos(joint: Joint, piece: Tensor) -> Tensor:
    if joint.kind == "ball":
        return quaternion_log(normalised(piece))
    if joint.kind == "floating":
        origin = torch.tensor(joint.origin)
        position = (piece[..., :3] - origin[:3, 3]) @ origin[:3, :3]
        turn = origin[:3, :3].T @ quaternion_to_matrix(normalised(piece[..., 3:]))
        return torch.cat([position, log_so3(turn)], dim=-1)
    return piece
