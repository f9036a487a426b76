"""Products of transforms along the paths of a forest, in a logarithmic number of batched steps."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

Array = np.ndarray


def jump_tables(parent: Int[Array, " b"]) -> tuple[Int[Tensor, " nodes"], ...]:
    """Ancestors 1, 2, 4, … steps up for every node. Nodes count from 1; 0 is above every root.

    `parent[i]` is the node (from 1) above node i + 1, or 0.
    """
    tables, above = [], np.r_[0, parent]
    while above.any():
        tables.append(torch.tensor(above))
        above = above[above]
    return tuple(tables)


def path_products(
    rotation: Float[Tensor, "*batch b 3 3"],
    translation: Float[Tensor, "*batch b 3"],
    tables: tuple[Int[Tensor, " nodes"], ...],
) -> tuple[Float[Tensor, "*batch nodes 3 3"], Float[Tensor, "*batch nodes 3"]]:
    """A_i = M_root … M_parent(i) M_i for every node i, with node 0 the identity in front.

    Pointer jumping: when A_i holds the product of the last 2^k transforms of its path, one multiplication by
    that of the ancestor 2^k steps up doubles the length. A chain of 100 links takes 7 steps, not 100.
    """
    eye = torch.eye(3, dtype=rotation.dtype).expand(*rotation.shape[:-3], 1, 3, 3)
    r = torch.cat([eye, rotation], dim=-3)
    p = torch.cat([translation.new_zeros(*translation.shape[:-2], 1, 3), translation], dim=-2)
    for above in tables:
        upper_r, upper_p = r[..., above, :, :], p[..., above, :]
        p = upper_p + (upper_r @ p[..., None]).squeeze(-1)
        r = upper_r @ r
    return r, p
