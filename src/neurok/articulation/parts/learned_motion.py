"""Relative motion of loose pieces under the learned kinematics: pieces that move together are one part.

The motion of a piece is the mean of its handles' screws about the origin, v + ω × x. To first order it is
linear in the latent z ~ N(μ, I).
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from neurok.geometry.screws import screws_at
from neurok.latent import NeuROK
from neurok.latent.encoding import EncodedShape, encode_shape
from neurok.latent.features import ShapeFeatures
from neurok.shapes import Shape

Array = np.ndarray


def learned_motion(
    shape: Shape, piece: Int[Array, " m"], count: int
) -> tuple[Float[Array, "c c"], Float[Array, " c"], ShapeFeatures]:
    """Relative motion of pieces, motion of each piece, and features of the shape.

    Motions are in units of the motion of the shape. The relative motion of pieces i and j is the root mean
    square of |x_i − x_j| over the prior, at both centres.
    """
    encoded = encode_shape(shape, NeuROK.from_pretrained())
    screws, centre, weight = _screws(encoded, shape, piece, count)
    at = screws_at(screws[:, None], centre[None, :, :, None])[:, :, 3:]  # piece i at the centre of piece j
    own = at[torch.arange(count), torch.arange(count)]
    square = (at - own[None]).square().sum((2, 3))
    alone = own.square().sum((1, 2))
    whole = (alone * weight).sum() / weight.sum() + 1e-12
    return ((square + square.T) / 2 / whole).sqrt().numpy(), (alone / whole).sqrt().numpy(), encoded.features


def _screws(
    encoded: EncodedShape, shape: Shape, piece: Int[Array, " m"], count: int
) -> tuple[Float[Tensor, "c 6 l"], Float[Tensor, "c 3"], Float[Tensor, " c"]]:
    """Screws of every piece about the origin per latent coordinate, its centre, and its number of points."""
    read, code, weights = encoded.features, encoded.code, encoded.weights
    modes, anchors = code.modes[0].double().unflatten(0, (-1, 6)), code.anchors.points[0].double()
    of_vertex = np.zeros(len(shape.vertices), np.int64)
    of_vertex[shape.faces.ravel()] = np.repeat(piece, 3)
    label = np.zeros(len(weights), np.int64)
    label[read.of_vertex] = of_vertex
    member = torch.nn.functional.one_hot(torch.tensor(label), count).double()
    size = member.sum(0).clamp(min=1)[:, None]
    share, centre = member.T @ weights / size, member.T @ read.queries.points[0].double() / size
    mean = torch.einsum("ch,hil->cil", share, screws_at(modes, -anchors[:, :, None]))
    return mean, centre, size[:, 0]
