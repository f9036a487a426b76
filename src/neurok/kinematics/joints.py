"""`JointKinematics`: forward kinematics of a joint tree, with the joint values as coordinates."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.errors import InputError
from neurok.geometry.rotations import exp_so3
from neurok.kinematics.chains import jump_tables, path_products
from neurok.kinematics.couplings import Followers
from neurok.kinematics.defaults import PhysicalDefaults
from neurok.kinematics.jets.joints import JointJets, joint_jets
from neurok.kinematics.link_mass import mass_of_links
from neurok.kinematics.linked import LinkedKinematics
from neurok.kinematics.mass import Mass
from neurok.kinematics.motions import COORDINATES, world_screws
from neurok.kinematics.protocol import Quantity
from neurok.kinematics.skinned import SkinBasis
from neurok.sequences import Skin
from neurok.shapes import Joint, JointTree, Shape
from neurok.shapes.seams import check_links, separate_parts

MAX_NAMES = 6  # names of coordinates in a description


class JointKinematics(LinkedKinematics):
    """Forward kinematics of a joint tree as products of exponentials.

    From the rest pose, joint j rotates by the rotation vector r_j about the world point c_j and slides by
    t_j, both linear in its values: M_j(q) = T(c_j + t_j) exp [r_j]ₓ T(−c_j). The motion of a body is the
    product of the M on its path from the root, A_b(q) = M_1 … M_b, which is the identity at rest. Links that
    fixed joints connect are one body. Coordinates are the values of the joints that follow no other joint, in
    the order of the tree. Followers are polynomials of them.
    """

    is_anchored = True  # the root link is fixed to the world

    def __init__(self, shape: Shape, tree: JointTree | None = None) -> None:
        tree = shape.joints if tree is None else tree
        if tree is None:
            raise InputError(
                shape.name,
                "has no joints",
                "Load a URDF or MJCF file, or give a JointTree whose links are its parts",
            )
        check_links(shape, tree)
        self.tree, self.shape = tree, separate_parts(shape)
        self.movable = tree.movable
        self.followers = Followers(tree)
        free = [j for j in self.movable if j.coupling is None]
        self.names = tuple(name for j in free for name in coordinate_names(j))
        self.rest = _per_coordinate(free, lambda j: j.rest)
        self.limits = torch.stack(
            [_per_coordinate(free, lambda j: j.lower), _per_coordinate(free, lambda j: j.upper)], dim=-1
        )
        self.body_of_link = tree.bodies
        self.link_index = {link.name: i for i, link in enumerate(tree.links)}
        self._screws, self._pivots = world_screws(tree, self.movable)
        parent = np.array([self.body_of_link[j.parent] for j in self.movable], dtype=np.int64)
        self._tables = jump_tables(parent)
        heavy = [link.name for link in tree.links if link.inertia is not None and link.inertia.mass > 0]
        self.handles = np.unique([self.body_of_link[name] for name in (*shape.part_names, *heavy)])
        self.basis = SkinBasis(self.shape, self._skin())

    def _skin(self) -> Skin:
        """One handle per body with geometry or mass; every vertex follows the body of its part.

        A body has the name of the link that its joint moves. The fixed body has the name of the first root.
        """
        names = (self.tree.order[0], *(j.child for j in self.movable))
        body = np.array([self.body_of_link[name] for name in self.shape.part_names], dtype=np.int64)
        handle = np.searchsorted(self.handles, body)[self.shape.vertex_part].astype(np.int32)
        return Skin(handle[:, None], np.ones((len(handle), 1)), tuple(names[b] for b in self.handles))

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """c(q): the 3×4 motion [R p] of every handle from its rest, row by row."""
        rotation, translation = self.body_motions(q)
        maps = torch.cat([rotation, translation[..., None]], dim=-1)
        return maps[..., torch.tensor(self.handles), :, :].flatten(-3)

    @cached_property
    def jets(self) -> JointJets:
        """c(q) with its derivatives in closed form."""
        return joint_jets(self)

    def mass(self, per_vertex: Float[Tensor, " n"] | None = None) -> Mass:
        """Mass of the links, from the file or from their geometry."""
        if per_vertex is not None:
            return super().mass(per_vertex)
        return mass_of_links(self.shape, self.tree, self.body_of_link, self.handles)

    @cached_property
    def joint_damping(self) -> Float[Tensor, " k"]:
        """Damping in the file, per coordinate.

        A joint that follows its leader at the rate s contributes s² of its own damping, taken at rest.
        """
        own = [j.damping for j in self.movable for _ in range(j.dim)]
        still = 0 * self.rest[None]
        slopes = self.jets.values(still, still)[1][0]
        return slopes.square() @ torch.tensor(own, dtype=torch.float64)

    @property
    def defaults(self) -> PhysicalDefaults:
        """Joints of a file swing freely. Predicted joints hold the input pose, as hinges with friction do."""
        return PhysicalDefaults(balanced=bool(self.predicted))

    @property
    def predicted(self) -> tuple[Joint, ...]:
        """The movable joints that are predicted and not read from a file; each has a confidence."""
        return tuple(joint for joint in self.movable if joint.confidence is not None)

    def describe(self) -> str:
        if self.predicted:
            return _found(self.predicted)
        names = ", ".join(self.names[:MAX_NAMES]) + (", …" if self.dim > MAX_NAMES else "")
        return f"moved by its joints ({names})"

    def quantity(self, name: str) -> Quantity:
        joint = next(j for j in self.movable if name in coordinate_names(j))
        own = COORDINATES[joint.kind][coordinate_names(joint).index(name)]
        return "angle" if own.startswith("r") else "length"

    def joint_values(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch d"]:
        """The values of all movable joints in the file's own terms, followers included, joint after joint."""
        return self.followers.values(q - self.rest) + self._all_rest

    @cached_property
    def _all_rest(self) -> Float[Tensor, " d"]:
        return _per_coordinate(list(self.movable), lambda j: j.rest)

    def body_motions(
        self, q: Float[Tensor, "*batch k"]
    ) -> tuple[Float[Tensor, "*batch b 3 3"], Float[Tensor, "*batch b 3"]]:
        """A_b(q) = [R p] of every body from its rest; body 0 is fixed."""
        if q.shape[-1] != len(self.names):
            raise InputError(
                self.shape.name, f"got {q.shape[-1]} joint values for {len(self.names)} coordinates",
                f"Give one for each of: {', '.join(self.names[:8])}",
            )  # fmt: skip
        screws = (self.followers.values(q - self.rest) @ self._screws.T).unflatten(-1, (len(self.movable), 6))
        rotation = exp_so3(screws[..., 3:])
        turned = (rotation @ self._pivots[..., None]).squeeze(-1)
        return path_products(rotation, self._pivots + screws[..., :3] - turned, self._tables)

    def link_poses(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch l 4 4"]:
        """World pose of every link of the tree, in the order of `tree.links` (see `link_index`)."""
        rotation, translation = self.body_motions(q)
        body = torch.tensor([self.body_of_link[link.name] for link in self.tree.links])
        moved = torch.cat([rotation, translation[..., None]], dim=-1)[..., body, :, :] @ self._rest_poses
        last = self._rest_poses.new_tensor([0.0, 0.0, 0.0, 1.0]).expand(*moved.shape[:-2], 1, 4)
        return torch.cat([moved, last], dim=-2)

    @cached_property
    def _rest_poses(self) -> Float[Tensor, "l 4 4"]:
        return torch.tensor(np.stack([self.tree.rest_poses[link.name] for link in self.tree.links]))


def _found(joints: tuple[Joint, ...]) -> str:
    """ "1 joint found: screen (revolute, 94 %)"."""
    listed = [f"{joint.child} ({joint.kind}, {joint.confidence:.0%})" for joint in joints[:MAX_NAMES]]
    count = "1 joint" if len(joints) == 1 else f"{len(joints)} joints"
    more = ", …" if len(joints) > MAX_NAMES else ""
    return f"{count} found: {', '.join(listed).replace('%', ' %')}{more}"


def joints_of(shape: Shape, tree: JointTree | None = None) -> LinkedKinematics:
    """Kinematics of the joints that a shape's file has, or of a given tree whose links are its parts."""
    return JointKinematics(shape, tree)


def coordinate_names(joint: Joint) -> tuple[str, ...]:
    """ "hinge" for one value, "shoulder.rx" and so on for several."""
    return (joint.name,) if joint.dim == 1 else tuple(f"{joint.name}.{c}" for c in COORDINATES[joint.kind])


def _per_coordinate(joints: list[Joint], value) -> Float[Tensor, " k"]:
    return torch.tensor([float(value(j)) for j in joints for _ in range(j.dim)], dtype=torch.float64)
