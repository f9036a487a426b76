"""`LinkedKinematics`: the kinematics of rigid links that a joint tree connects, as in URDF and MJCF files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor

from neurok.kinematics.couplings import Followers
from neurok.kinematics.jets.joints import JointJets
from neurok.kinematics.protocol import Kinematics
from neurok.shapes import Joint, JointTree


@runtime_checkable
class LinkedKinematics(Kinematics, Protocol):
    """Coordinates are joint values; every vertex belongs to one rigid link."""

    tree: JointTree
    movable: tuple[Joint, ...]  # joints with at least one value, in the tree's order
    followers: Followers  # joints whose values depend on others
    body_of_link: Mapping[str, int]  # links that a fixed joint holds together are one body; 0 never moves
    link_index: Mapping[str, int]  # place of each link among `tree.links`

    @property
    def jets(self) -> JointJets:
        """c(q) with its derivatives in closed form."""
        ...

    def joint_values(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch d"]:
        """The values of all movable joints as in the file, followers included, joint after joint."""
        ...

    def link_poses(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch l 4 4"]:
        """World pose of every link of the tree, in the order of `tree.links`."""
        ...
