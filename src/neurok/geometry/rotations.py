"""The exponential map of rotations in torch, smooth through zero, and its inverse."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

SERIES_BELOW = 1.0  # θ² under which the power series is used: 12 terms are exact to rounding there
TERMS = 12


def cross_matrix(v: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """[v]ₓ, with [v]ₓ w = v × w."""
    x, y, z = v.unbind(-1)
    zero = torch.zeros_like(x)
    return torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))


def rotation_matrix(r: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """exp [r]ₓ = I + a(θ²) [r]ₓ + b(θ²) [r]ₓ², with a = sin θ / θ, b = (1 − cos θ) / θ², θ = |r|.

    a and b are analytic functions of θ². Near zero they are summed as series, so that first and second
    derivatives are right at r = 0, where a square root would have none.
    """
    square = (r * r).sum(-1)
    small = square < SERIES_BELOW
    # The branch not taken must stay finite too: its derivative is multiplied by zero, and 0 · ∞ is NaN.
    theta = torch.where(small, torch.ones_like(square), square).sqrt()
    near = torch.where(small, square, torch.zeros_like(square))
    a = torch.where(small, _series(near, 1), theta.sin() / theta)
    b = torch.where(small, _series(near, 2), 2 * (theta / 2).sin() ** 2 / theta**2)
    k = cross_matrix(r)
    eye = torch.eye(3, dtype=r.dtype, device=r.device)
    return eye + a[..., None, None] * k + b[..., None, None] * (k @ k)


def _series(square: Tensor, offset: int) -> Tensor:
    """Σ_k (−θ²)^k / (2k + offset)! by Horner: sin θ / θ for offset 1, (1 − cos θ) / θ² for offset 2."""
    total = torch.zeros_like(square)
    for k in reversed(range(TERMS)):
        total = total * square + (-1) ** k / math.factorial(2 * k + offset)
    return total


def rotation_vector(matrix: Float[Tensor, "*batch 3 3"]) -> Float[Tensor, "*batch 3"]:
    """log: the rotation vector of length ≤ π, by way of the unit quaternion. For values, not derivatives."""
    quaternion = quaternion_of(matrix)
    w, v = quaternion[..., :1], quaternion[..., 1:]
    sine = v.norm(dim=-1, keepdim=True)
    angle = 2 * torch.atan2(sine, w)
    return torch.where(sine > 1e-12, v * angle / sine.clamp(min=1e-12), 2 * v)


def quaternion_of(matrix: Float[Tensor, "*batch 3 3"]) -> Float[Tensor, "*batch 4"]:
    """The unit quaternion (w ≥ 0, x, y, z): the top eigenvector of Bar-Itzhack's symmetric 4×4 matrix."""
    m = matrix
    trace = m.diagonal(dim1=-2, dim2=-1).sum(-1)
    skew = torch.stack(
        [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], dim=-1
    )
    k = m.new_zeros(*m.shape[:-2], 4, 4)
    k[..., 0, 0] = trace
    k[..., 0, 1:] = k[..., 1:, 0] = skew
    k[..., 1:, 1:] = m + m.mT - trace[..., None, None] * torch.eye(3, dtype=m.dtype)
    quaternion = torch.linalg.eigh(k)[1][..., -1]
    return torch.where(quaternion[..., :1] < 0, -quaternion, quaternion)


def matrix_of_quaternion(wxyz: Float[Tensor, "*batch 4"]) -> Float[Tensor, "*batch 3 3"]:
    """The rotation of a quaternion of any length but zero."""
    q = wxyz / wxyz.norm(dim=-1, keepdim=True)
    k = cross_matrix(q[..., 1:])
    return torch.eye(3, dtype=q.dtype) + 2 * q[..., :1, None] * k + 2 * (k @ k)
