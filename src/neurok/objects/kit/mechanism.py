"""`Mechanism`: links and joints built in world coordinates, then turned into a `Shape`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float
from numpy.polynomial import Polynomial, polynomial

from neurok.geometry.rotations import rotation_about
from neurok.geometry.transforms import pose
from neurok.objects.kit.crease_normals import split_creases
from neurok.objects.kit.outlines import Vector
from neurok.objects.kit.placing import Z, mirrored, moved, turned
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import Piece, assemble, painted
from neurok.shapes.robots.tree import Coupling, Joint, JointKind, JointTree, Link
from neurok.shapes.shape import Shape

Array = np.ndarray
MIRROR_X = np.array([-1.0, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class WorldJoint:
    """A joint in world coordinates: an axis through a point. All joints are closed at zero."""

    name: str
    kind: JointKind
    parent: str
    child: str
    at: Float[Array, "3"]
    axis: Float[Array, "3"]
    lower: float
    upper: float
    coupling: Coupling | None = None


@dataclass
class Mechanism:
    """Links and joints of an object under construction. Add parents before children, then `finish`."""

    name: str
    pieces: list[tuple[str, Shape]] = field(default_factory=list)
    joints: list[WorldJoint] = field(default_factory=list)

    def part(self, link: str, *pieces: Shape | Iterable[Shape]) -> None:
        """Add geometry to a link; a link without a joint is the root."""
        self.pieces += [(link, piece) for piece in _each(pieces)]

    def add(self, link: str, material: Material, *solids: Shape | Iterable[Shape]) -> None:
        """Add solids of one material to a link."""
        self.part(link, [painted(solid, material) for solid in _each(solids)])

    def hinge(
        self, parent: str, child: str, at: Vector, axis: Vector, lower: float, upper: float,
        follows: tuple[str, float | Vector] | None = None,
    ) -> str:  # fmt: skip
        """Add a revolute joint with limits in radians. Returns its name.

        `follows` is the name of a leading joint and the coefficients c_1, … of the coupling.
        """
        return self._join(f"{child}_hinge", "revolute", parent, child, at, axis, lower, upper, follows)

    def slide(
        self, parent: str, child: str, axis: Vector, lower: float, upper: float,
        follows: tuple[str, float | Vector] | None = None, at: Vector = (0.0, 0.0, 0.0),
    ) -> str:  # fmt: skip
        """Add a prismatic joint with limits in metres. Returns its name."""
        return self._join(f"{child}_slide", "prismatic", parent, child, at, axis, lower, upper, follows)

    def spin(
        self, parent: str, child: str, at: Vector, axis: Vector,
        follows: tuple[str, float | Vector] | None = None,
    ) -> str:  # fmt: skip
        """Add a hinge without limits. Returns its name."""
        return self._join(f"{child}_spin", "continuous", parent, child, at, axis, -np.inf, np.inf, follows)

    def socket(self, parent: str, child: str, at: Vector, reach: float) -> str:
        """Add a ball joint of up to `reach` radians each way. Returns its name."""
        return self._join(f"{child}_ball", "ball", parent, child, at, (0, 0, 1), -reach, reach, None)

    def weld(self, parent: str, child: str) -> str:
        """Add a fixed joint. Returns the child."""
        self._join(f"{child}_fixed", "fixed", parent, child, (0, 0, 0), (0, 0, 1), 0.0, 0.0, None)
        return child

    def turn(self, axis: Vector, angle: float) -> None:
        """Turn all links and joints added so far about an axis through the origin."""
        axis = np.asarray(axis, np.float64) / np.linalg.norm(axis)
        matrix = rotation_about(axis, angle)
        self.pieces = [(link, turned(piece, axis, angle)) for link, piece in self.pieces]
        self.joints = [replace(j, at=matrix @ j.at, axis=matrix @ j.axis) for j in self.joints]

    def scale(self, size: float) -> None:
        """Scale all links and joints added so far."""
        self.pieces = [(link, piece.with_(vertices=size * piece.vertices)) for link, piece in self.pieces]
        unit = {j.name: size if j.kind == "prismatic" else 1.0 for j in self.joints}
        self.joints = [
            replace(
                j, at=size * j.at, lower=j.lower * unit[j.name], upper=j.upper * unit[j.name],
                coupling=_rescaled(j.coupling, unit[j.name], unit),
            )
            for j in self.joints
        ]  # fmt: skip

    def _join(self, name, kind, parent, child, at, axis, lower, upper, follows) -> str:
        axis = np.asarray(axis, np.float64)
        coupling = None
        if follows is not None:
            coupling = Coupling(follows[0], (0.0, *(float(c) for c in np.atleast_1d(follows[1]))))
        axis = axis / np.linalg.norm(axis)
        at = np.asarray(at, np.float64)
        self.joints.append(
            WorldJoint(name, kind, parent, child, at, axis, float(lower), float(upper), coupling)
        )
        return name

    def finish(self, rng: np.random.Generator, ajar: float = 0.25, mirror: bool = True) -> Shape:
        """The object, mirrored with probability ½ and drawn partly open with probability `ajar`."""
        flip = mirror and rng.random() < 0.5
        pieces = [(link, mirrored(piece, 0) if flip else piece) for link, piece in self.pieces]
        joints = [_mirrored(j) if flip else j for j in self.joints]
        drawn = _drawn_values(joints, rng) if rng.random() < ajar else {j.name: 0.0 for j in joints}
        frame = {j.child: j.at for j in joints}
        links = dict.fromkeys([*(link for link, _ in pieces), *frame])
        still = np.zeros(3)
        tree = JointTree(
            links=tuple(Link(name) for name in links),
            joints=tuple(_joint(j, j.at - frame.get(j.parent, still), drawn) for j in joints),
            name=self.name,
        )
        placed = [Piece(link, piece, pose(np.eye(3), -frame.get(link, still))) for link, piece in pieces]
        return split_creases(assemble(placed, tree, self.name, (), self.name))


def grounded(made: Mechanism) -> Mechanism:
    """The mechanism moved along z to stand on z = 0."""
    by = -min(piece.vertices[:, 2].min() for _, piece in made.pieces) * Z
    made.pieces = [(link, moved(piece, by)) for link, piece in made.pieces]
    made.joints = [replace(joint, at=joint.at + by) for joint in made.joints]
    return made


def open_up(made: Mechanism, child: str) -> None:
    """Draw a hinged link and all links welded to it at its upper limit instead of zero."""
    joint = next(j for j in made.joints if j.child == child)
    links = {child, *(j.child for j in made.joints if j.parent == child)}
    made.pieces = [
        (link, turned(piece, joint.axis, joint.upper, joint.at) if link in links else piece)
        for link, piece in made.pieces
    ]
    made.joints[made.joints.index(joint)] = replace(joint, lower=-joint.upper, upper=0.0)


def coupling_polynomial(value: Callable[[Array], Array], start: float, end: float) -> Float[Array, "4"]:
    """Coefficients c_1 … c_4 of the polynomial without constant nearest to value(θ) − value(0)."""
    theta = np.linspace(start, end, 61)
    powers = polynomial.polyvander(theta, 4)[:, 1:]
    return np.linalg.lstsq(powers, value(theta) - value(np.zeros(1)), rcond=None)[0]


def _each(shapes: Iterable[Shape | Iterable[Shape]]) -> Iterator[Shape]:
    """Flatten shapes and lists of shapes."""
    for shape in shapes:
        yield from [shape] if isinstance(shape, Shape) else shape


def _rescaled(coupling: Coupling | None, unit: float, units: Mapping[str, float]) -> Coupling | None:
    """y = Σ c_k x^k in other units of the follower and of its leader: c_k ↦ c_k · unit / units[leader]^k."""
    if coupling is None:
        return None
    leader = units[coupling.joint]
    return replace(
        coupling, coefficients=tuple(c * unit / leader**k for k, c in enumerate(coupling.coefficients))
    )


def _mirrored(joint: WorldJoint) -> WorldJoint:
    """The joint in the mirror x ↦ −x, with the same values: an axis of turning is a pseudo-vector."""
    axis = joint.axis * (MIRROR_X if joint.kind == "prismatic" else -MIRROR_X)
    return replace(joint, at=joint.at * MIRROR_X, axis=axis)


def _drawn_values(joints: list[WorldJoint], rng: np.random.Generator) -> dict[str, float]:
    """A value for every joint: random for most leading joints, the coupling polynomial for followers."""
    values: dict[str, float] = {}
    for joint in joints:
        if joint.coupling is not None:
            values[joint.name] = float(Polynomial(joint.coupling.coefficients)(values[joint.coupling.joint]))
        elif joint.kind in ("ball", "fixed"):
            values[joint.name] = 0.0
        else:
            lower, upper = (joint.lower, joint.upper) if joint.kind != "continuous" else (-np.pi, np.pi)
            values[joint.name] = float(rng.uniform(lower, upper)) if rng.random() < 0.7 else 0.0
    return values


def _joint(joint: WorldJoint, offset: Float[Array, "3"], drawn: Mapping[str, float]) -> Joint:
    """The joint of the tree for an object drawn at given joint values.

    motion(v + q) = motion(v) motion(q) about one axis: v goes into the origin, limits shift by −v, and a
    polynomial p of a leader drawn at u becomes p(u + x) − p(u).
    """
    value, origin = drawn[joint.name], pose(np.eye(3), offset)
    if joint.kind == "prismatic":
        origin[:3, 3] += value * joint.axis
    else:
        origin[:3, :3] = rotation_about(joint.axis, value)
    coupling = joint.coupling
    if coupling is not None and (leader := drawn[coupling.joint]):
        shifted = Polynomial(coupling.coefficients)(Polynomial([leader, 1.0])).coef
        coupling = Coupling(coupling.joint, (0.0, *(float(c) for c in shifted[1:])))
    return Joint(
        joint.name, joint.kind, joint.parent, joint.child, origin=origin, axis=joint.axis,
        lower=joint.lower - value, upper=joint.upper - value, coupling=coupling,
    )  # fmt: skip
