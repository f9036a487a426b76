"""Mass of rigid links: from the file where it states one, from their geometry otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np
import torch
from jaxtyping import Float, Int

from neurok.kinematics.jets.jet import skin_by_axis
from neurok.kinematics.mass import Mass
from neurok.shapes import Inertia, JointTree, Link, Shape
from neurok.shapes.mass import part_inertia


def mass_of_links(
    shape: Shape, tree: JointTree, body_of_link: Mapping[str, int], handles: Int[np.ndarray, " h"]
) -> Mass:
    """Mass of rigid links: ∫ (X, 1)(X, 1)ᵀ dm of each body in closed form from mass, centre and inertia.

    The second moment about the centre is Σ = ½ tr I · 1 − I. The mass of a link is that of the file, or
    follows from the geometry. A link with neither is massless.
    """
    metres = shape.frame.metres_per_unit
    blocks = torch.zeros(len(tree.joints) + 1, 4, 4, dtype=torch.float64)
    for link in tree.links:
        if (found := link_inertia(shape, tree, link)) is not None:
            blocks[body_of_link[link.name]] += torch.tensor(_moments(*found, metres))
    blocks = blocks[torch.tensor(handles)]
    first = blocks[:, 3].flatten()
    moment = skin_by_axis(torch.einsum("hc,ij->ihjc", blocks[:, 3], torch.eye(3).double()).flatten(1))
    return Mass(torch.block_diag(*blocks) * metres**2, moment * metres, first[3::4].sum())


def link_inertia(
    shape: Shape, tree: JointTree, link: Link
) -> tuple[Inertia, Float[np.ndarray, "4 4"]] | None:
    """The inertia of a link and the rest frame in which it is expressed; None for a massless link."""
    own = link.inertia
    if own is not None and own.mass > 0 and np.isfinite(own.tensor).all():
        return own, tree.rest_poses[link.name]
    if link.name not in shape.part_names or not len(shape.faces_of(link.name)):
        return None
    return _inertia_of_geometry(shape, link.name), np.eye(4)


_PARTS: WeakKeyDictionary[Shape, dict[str, Inertia]] = WeakKeyDictionary()


def _inertia_of_geometry(shape: Shape, part: str) -> Inertia:
    """Inertia of a part from its geometry, cached per shape because filling a solid is slow."""
    known = _PARTS.setdefault(shape, {})
    if part not in known:
        known[part] = part_inertia(shape, part)
    return known[part]


def _moments(inertia: Inertia, pose: Float[np.ndarray, "4 4"], metres: float) -> Float[np.ndarray, "4 4"]:
    """∫ (X, 1)(X, 1)ᵀ dm in the shape's units, for an inertia in metres in the frame `pose`."""
    centre = pose[:3, :3] @ inertia.centre / metres + pose[:3, 3]
    second = np.trace(inertia.tensor) / 2 * np.eye(3) - inertia.tensor
    moments = np.zeros((4, 4))
    moments[:3, :3] = pose[:3, :3] @ second @ pose[:3, :3].T / metres**2
    point = np.r_[centre, 1.0]
    return moments + inertia.mass * np.outer(point, point)
