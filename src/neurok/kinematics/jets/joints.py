"""Closed-form derivatives of the code of `JointKinematics`, by spatial twists."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int

from neurok.geometry.arrays import Array, cross, namespace
from neurok.geometry.rotation_jets import rotation_and_integral
from neurok.geometry.screws import screw_generators
from neurok.geometry.transforms import inverse_pose
from neurok.kinematics.jets.jet import Jet, Jets

ROTATION_OFFSET = {"ball": 0, "floating": 3}  # where the rotation vector begins among a joint's values


@dataclass(frozen=True, eq=False)
class JointJets(Jets):
    """A_b = M_1 … M_b moves body b, with M_j = T(c_j + t_j) exp[r_j]ₓ T(−c_j).

    The value y_d of joint j acts by the twist τ_d: ∂M_j/∂y_d = τ̂_d M_j. The twist rotates by ω = V(r_j) s_d
    and moves the pivot along the slide of d. In world coordinates it is X_d = A_p τ̂_d A_p⁻¹, where body p
    carries joint j. For every body b that the value moves,

        ∂A_b/∂y_d = X_d A_b,  dX_d/dt = [W_p, X_d] + A_p τ̂˙_d A_p⁻¹,  dA_b/dt = W_b A_b,  W_b = Σ_d ẏ_d X_d.
    """

    rest: Float[Array, " k"]
    rounds: tuple  # per round of followers: columns of the leaders, polynomial coefficients
    order: Int[Array, " d"]
    screws: Float[Array, "d j6"]  # y ↦ (t, r) of every joint
    slides: Float[Array, "d 3"]
    axes: Float[Array, "d 3"]
    twists: Float[Array, "1 d 4 4"]  # τ̂ at rest
    pivots: Float[Array, "j 3"]
    joint: Int[Array, " d"]  # joint of each value
    above: Int[Array, " d"]  # body that carries the joint of each value
    tables: tuple  # ancestors 1, 2, 4, … steps up
    below: Float[Array, "nodes d"]  # 1 where a value moves a body
    handles: Int[Array, " h"]  # bodies whose motions make up the code
    simple: (
        Float[Array, "4 j 16"] | None
    )  # M_j = Σ (1, sin y, 1 − cos y, y) · simple, if all joints are hinges or slides
    rotation_vectors: tuple[int, ...] = ()  # first coordinate of the rotation of each ball or free body

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        v = 0 * q if v is None else v
        b, d, h, nodes = len(q), len(self.joint), len(self.handles), len(self.below)
        y, y_rate, slopes, slope_rates = q - self.rest, v, None, None
        if self.rounds:
            y, slopes, slope_rates = self.values(y, v)
            y_rate = (v[:, None] @ slopes)[:, 0]  # pyright: ignore
        moves, twist, twist_rate = self._joints(y, y_rate) if self.simple is None else self._simple(y)
        poses = self._poses(moves)
        carrier = poses[:, self.above]
        back = inverse_pose(carrier)
        spin = carrier @ twist @ back
        total = self.below @ (y_rate[:, :, None] * spin.reshape(b, d, 16))  # pyright: ignore
        total = total.reshape(b, nodes, 4, 4)
        lead = total[:, self.above]
        spin_rate = lead @ spin - spin @ lead
        if twist_rate is not None:
            spin_rate = spin_rate + carrier @ twist_rate @ back
        body, hangs = poses[:, None, self.handles], self.below[self.handles].T[:, :, None, None]
        slope = spin[:, :, None] @ body
        bend = spin_rate[:, :, None] @ body + spin[:, :, None] @ (total[:, None, self.handles] @ body)
        slope, bend = ((hangs * x)[..., :3, :].swapaxes(2, 3).reshape(b, d, 3, 4 * h) for x in (slope, bend))
        code = body[:, 0, :, :3].swapaxes(1, 2).reshape(b, 3, 4 * h)
        if slopes is None:
            return Jet(code, slope, bend)
        flat, shape = (b, d, 12 * h), (b, q.shape[1], 3, 4 * h)
        slope, bend = slope.reshape(flat), bend.reshape(flat)
        bend = slopes @ bend + slope_rates @ slope
        return Jet(code, (slopes @ slope).reshape(shape), bend.reshape(shape))

    def values(self, q: Float[Array, "b k"], v: Float[Array, "b k"]) -> tuple[Array, Array, Array]:
        """All joint values y(q), their derivatives ∂y/∂q, and the rates of these along v."""
        xp, (b, k) = namespace(q), q.shape
        slopes = xp.broadcast_to(xp.eye(k, dtype=q.dtype), (b, k, k))
        rates = 0 * slopes
        for leaders, coefficients in self.rounds:
            x, slope, bend = q[:, leaders], slopes[..., leaders], rates[..., leaders]
            value = first = second = 0 * x
            for c in coefficients:  # Horner, highest power first
                second = second * x + 2 * first
                first = first * x + value
                value = value * x + c
            along = v[:, None] @ slope
            q = xp.concatenate([q, value], -1)
            rates = xp.concatenate([rates, first[:, None] * bend + second[:, None] * along * slope], -1)
            slopes = xp.concatenate([slopes, first[:, None] * slope], -1)
        return q[:, self.order], slopes[..., self.order], rates[..., self.order]

    def _simple(self, y: Float[Array, "b d"]) -> tuple[Array, Array, None]:
        """Motions M_j and twists of joints with one value each, whose twists are constant."""
        xp, (b, d) = namespace(y), y.shape
        weights = xp.stack([0 * y + 1, xp.sin(y), 1 - xp.cos(y), y])[..., None]
        moves = (weights * self.simple[:, None]).sum(0)  # pyright: ignore
        return moves.reshape(b, d, 4, 4), self.twists, None

    def _joints(self, y: Float[Array, "b d"], rate: Float[Array, "b d"]) -> tuple[Array, Array, Array]:
        """M_j as 4×4 matrices, and the twists τ̂_d with their rates."""
        xp, (b, d), hats = namespace(y), y.shape, screw_generators(namespace(y))
        screw, screw_rate = ((x @ self.screws).reshape(b, len(self.pivots), 6) for x in (y, rate))
        R, V, V_rate = rotation_and_integral(screw[..., 3:], screw_rate[..., 3:])
        pivot = self.pivots + screw[..., :3]
        place = pivot - (R @ self.pivots[:, :, None])[..., 0]
        top = xp.concatenate([R, place[..., None]], -1)
        last = xp.broadcast_to(xp.eye(4, dtype=y.dtype)[3:], (*top.shape[:2], 1, 4))
        moves = xp.concatenate([top, last], -2)
        axis = (V[:, self.joint] @ self.axes[:, :, None])[..., 0]
        axis_rate = (V_rate[:, self.joint] @ self.axes[:, :, None])[..., 0]
        at, at_rate = pivot[:, self.joint], screw_rate[:, self.joint, :3]
        slide = self.slides + cross(at, axis)
        slide_rate = cross(at_rate, axis) + cross(at, axis_rate)
        twist = xp.stack([xp.concatenate([axis, slide], -1), xp.concatenate([axis_rate, slide_rate], -1)])
        matrices = (twist @ hats).reshape(2, b, d, 4, 4)
        return moves, matrices[0], matrices[1]

    def _poses(self, moves: Float[Array, "b j 4 4"]) -> Float[Array, "b nodes 4 4"]:
        """A_b by pointer jumping, see `chains.path_products`; node 0 is the fixed world."""
        xp = namespace(moves)
        still = xp.eye(4, dtype=moves.dtype)[None, None]
        still = still if len(moves) == 1 else xp.broadcast_to(still, (len(moves), 1, 4, 4))
        poses = xp.concatenate([still, moves], 1)
        for above in self.tables:
            poses = poses[:, above] @ poses
        return poses


def _simple_motions(
    axes: Float[torch.Tensor, "j 3"], slides: Float[torch.Tensor, "j 3"], pivots: Float[torch.Tensor, "j 3"]
) -> Float[torch.Tensor, "4 j 16"]:
    """Factors of M_j, 1, K, K² and the slide, as 4×4 matrices about the pivots c: x ↦ c + K (x − c)."""
    zero = torch.zeros(len(axes), 4, 4, dtype=torch.float64)
    still, turn, square, slide = (zero.clone() for _ in range(4))
    still[:] = torch.eye(4, dtype=torch.float64)
    hat = (torch.cat([axes, 0 * axes], -1) @ screw_generators(torch)).reshape(-1, 4, 4)[:, :3, :3]  # pyright: ignore
    for matrix, k in ((turn, hat), (square, hat @ hat)):
        matrix[:, :3, :3], matrix[:, :3, 3] = k, -(k @ pivots[..., None])[..., 0]
    slide[:, :3, 3] = slides
    return torch.stack([still, turn, square, slide]).flatten(2)


def joint_jets(kinematics) -> JointJets:
    """The jets of a `JointKinematics`, with its constants as arrays."""
    joints = kinematics.movable
    screws = kinematics._screws.reshape(len(joints), 6, sum(j.dim for j in joints))
    joint = torch.tensor([i for i, j in enumerate(joints) for _ in range(j.dim)], dtype=torch.long)
    values = torch.arange(len(joint))
    own = screws[joint, :, values]
    parent = torch.tensor([kinematics.body_of_link[j.parent] for j in joints], dtype=torch.long)
    below = torch.zeros(len(joints) + 1, len(joint), dtype=torch.float64)
    for i in range(len(joints)):  # the order of the joints may have children before parents
        node = i + 1
        while node:
            below[i + 1, joint == node - 1] = 1.0
            node = int(parent[node - 1])
    rounds = tuple((leaders, c.flip(0)) for leaders, c in kinematics.followers.rounds)
    axes, slides, at = own[:, 3:].contiguous(), own[:, :3].contiguous(), kinematics._pivots[joint]
    fixed = torch.cat([axes, slides + cross(at, axes)], -1) @ screw_generators(torch)  # pyright: ignore
    is_simple = all(j.dim == 1 for j in joints)
    return JointJets(
        rest=kinematics.rest,
        rounds=rounds,
        order=kinematics.followers.order,
        screws=kinematics._screws.T.contiguous(),
        slides=slides,
        axes=axes,
        twists=fixed.reshape(1, -1, 4, 4) if len(joint) else fixed.reshape(1, 0, 4, 4),
        pivots=kinematics._pivots,
        joint=joint,
        above=parent[joint],
        tables=kinematics._tables,
        below=below,
        handles=torch.tensor(kinematics.handles, dtype=torch.long),
        simple=_simple_motions(axes, slides, kinematics._pivots) if is_simple else None,
        rotation_vectors=tuple(
            kinematics.followers.column[j.name] + ROTATION_OFFSET[j.kind]
            for j in joints
            if j.kind in ROTATION_OFFSET
        ),
    )
