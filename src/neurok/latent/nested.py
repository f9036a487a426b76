"""How well the first few coordinates of the prior hold a motion.

The first k coordinates are the leading principal axes U_k of the handles' motion under the prior. Its
covariance is C = W Ξ Ξᵀ W, where W turns angles into lengths. A motion W ξ keeps U_k U_kᵀ W ξ.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.latent.surface import ShapeCode

COUNTS = (4, 8, 12, 24)  # coordinates
HANDLE_RADIUS = 0.25  # radii: a handle that turns by ω moves its surroundings by about that times |ω|
LEAST_GAP = 1e-2  # relative to the larger eigenvalue: bounds the gradient where two are nearly equal


def nested_error(code: ShapeCode, screws: Float[Tensor, "b d s"], least_motion: float) -> Float[Tensor, ""]:
    """Mean over COUNTS and motions of |ξ − U_k U_kᵀ ξ| / |ξ|, or / `least_motion` where that is larger.

    Lengths are root mean squares over the handles, in radii, of W ξ.
    """
    weight = _weights(screws)
    motion, modes = screws * weight, code.modes * weight[:, None]
    lost = torch.stack([
        (motion - motion @ kept).square().sum(-1) for kept in leading(modes @ modes.mT, COUNTS)
    ])  # fmt: skip
    handles = screws.shape[-1] // 6
    size = (motion.square().sum(-1) / handles).sqrt().clamp(min=least_motion)
    return ((lost / handles + 1e-8).sqrt() / size).mean()


def leading(covariance: Float[Tensor, "b s s"], counts: tuple[int, ...]) -> list[Float[Tensor, "b s s"]]:
    """The projections U_k U_kᵀ on the leading eigenvectors of each matrix, for several k.

    Their derivative along dC is U_k E U_⊥ᵀ + its transpose, with E = (U_kᵀ dC U_⊥) / (λ_k − λ_⊥). Derivatives
    of single eigenvectors do not enter; they would be infinite where eigenvalues of a group are equal.
    """
    with torch.no_grad():
        values, vectors = torch.linalg.eigh(covariance.double())
        values, vectors = values.flip(-1).to(covariance.dtype), vectors.flip(-1).to(covariance.dtype)
    change = vectors.mT @ (covariance - covariance.detach()) @ vectors
    found = []
    for k in counts:
        kept, gone = vectors[..., :k], vectors[..., k:]
        gap = values[..., :k, None] - values[..., None, k:]
        gap = torch.maximum(gap, LEAST_GAP * values[..., :k, None]).clamp(min=1e-8)
        turned = kept @ (change[..., :k, k:] / gap) @ gone.mT
        found.append(kept @ kept.mT + turned + turned.mT)
    return found


def _weights(screws: Float[Tensor, "b d s"]) -> Float[Tensor, " s"]:
    """HANDLE_RADIUS for the turns of each handle, one for its shifts."""
    one = torch.tensor([HANDLE_RADIUS] * 3 + [1.0] * 3, dtype=screws.dtype, device=screws.device)
    return one.repeat(screws.shape[-1] // 6)
