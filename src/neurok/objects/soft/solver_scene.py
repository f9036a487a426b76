"""`SolverScene`: one soft body, rigid bodies and obstacles as input of the solver, and its MJCF text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

Array = np.ndarray
Drive = Callable[[float], tuple[float, float]]  # time ↦ position and speed of a driven joint

Vector = tuple[float, ...]  # three numbers

FREE, WORLD = -1, 0  # holder of a node; i ≥ 1 is rigid body i − 1
GRAVITY = 9.81  # m/s²
DRIVEN_MASS = 1000.0  # kg: large, so that a driven body does not react to its load


@dataclass(frozen=True)
class Elasticity:
    """St. Venant–Kirchhoff material. Sheets are plates: E t in the plane, E t³/12(1 − ν²) in bending."""

    young: float  # Pa
    poisson: float = 0.3
    damping: float = 0.005  # s: stress E (ε + damping · ε̇)
    thickness: float = 0.001  # m, of sheets


@dataclass(frozen=True, eq=False)
class Soft:
    """A mesh of triangles (cloth) or tetrahedra (solids) with the mass and the holder of each node."""

    nodes: Float[Array, "k 3"]
    elements: Int[Array, "e d"]
    mass: Float[Array, " k"]  # kg
    elasticity: Elasticity
    holder: Int[Array, " k"]
    drag: float = 0.2  # 1/s: air resistance −drag · m · v
    radius: float = 0.003  # m: contact skin
    friction: float = 0.6  # 0: frictionless contacts, at a third of the cost
    touches: bool = True
    self_contact: bool = False


@dataclass(frozen=True, eq=False)
class Geom:
    """A primitive solid. `size` as in MJCF: half lengths, radius, or (radius, half length)."""

    kind: Literal["box", "sphere", "capsule", "cylinder", "plane"]
    size: tuple[float, ...]
    centre: Vector = (0.0, 0.0, 0.0)
    direction: Vector = (0.0, 0.0, 1.0)  # of the geom's z axis
    touches: bool = True
    density: float = 500.0


@dataclass(frozen=True, eq=False)
class Rigid:
    """A body on one joint, in scene coordinates: its pose at rest is the identity."""

    geoms: tuple[Geom, ...]
    joint: Literal["hinge", "slide", "free"]
    axis: Vector = (0.0, 0.0, 1.0)
    anchor: Vector = (0.0, 0.0, 0.0)
    drive: Drive | None = None
    damping: float = 0.0  # of the joint
    speed: float = 0.0  # initial speed of the joint


@dataclass(frozen=True, eq=False)
class SolverScene:
    soft: Soft
    rigid: tuple[Rigid, ...] = ()
    obstacles: tuple[Geom, ...] = ()
    gravity: Vector = (0.0, 0.0, -GRAVITY)
    velocity: Float[Array, "k 3"] | None = field(default=None)  # initial velocity of the nodes
    calm: float = np.inf  # s: end of the driving; the motion must then come to rest


def to_mjcf(scene: SolverScene, timestep: float) -> str:
    """The scene as MJCF: every free node is a point mass on three sliders.

    The "discrete" integrator treats elastic forces implicitly, so that stiff cloth allows steps of 5 ms.
    Its inner solve needs many iterations for slender, stiff bodies. Newton's method is three
    times as fast as conjugate gradients if a heavy body drives light nodes, and half as fast otherwise.
    """
    rigid = "".join(_rigid(body, index) for index, body in enumerate(scene.rigid, start=1))
    free = np.flatnonzero(scene.soft.holder == FREE)
    nodes = "".join(_node(scene.soft, int(i)) for i in free)
    return (
        f'<mujoco><option timestep="{timestep!r}" integrator="discrete" '
        f'solver="{"Newton" if scene.rigid else "CG"}" iterations="3000" tolerance="1e-5" '
        f'gravity="{_text(scene.gravity)}"/><size memory="256M"/><worldbody>'
        f"{''.join(map(_geom, scene.obstacles))}{rigid}{nodes}</worldbody>"
        f"<deformable>{_flex(scene.soft)}</deformable></mujoco>"
    )


def _text(values) -> str:
    return " ".join(format(float(v), ".10g") for v in np.ravel(values))


def _geom(geom: Geom) -> str:
    flag = int(geom.touches)
    return (
        f'<geom type="{geom.kind}" size="{_text(geom.size)}" pos="{_text(geom.centre)}" '
        f'zaxis="{_text(geom.direction)}" density="{geom.density}" contype="{flag}" conaffinity="{flag}" '
        f'condim="1" friction="0.6" solref="0.02 1"/>'
    )


def _rigid(body: Rigid, index: int) -> str:
    led = body.drive is not None
    joint = (
        f'<freejoint name="joint{index}"/>'
        if body.joint == "free"
        else f'<joint name="joint{index}" type="{body.joint}" axis="{_text(body.axis)}" '
        f'pos="{_text(body.anchor)}" damping="{body.damping}"/>'
    )
    heavy = _text([DRIVEN_MASS] * 3)
    inertial = (
        f'<inertial pos="{_text(body.anchor)}" mass="{DRIVEN_MASS}" diaginertia="{heavy}"/>' if led else ""
    )
    geoms = "".join(map(_geom, body.geoms))
    return f'<body name="rigid{index}" gravcomp="{int(led)}">{inertial}{joint}{geoms}</body>'


def _node(soft: Soft, index: int) -> str:
    sliders = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    return (
        f'<body name="node{index}" pos="{_text(soft.nodes[index])}"><inertial pos="0 0 0" '
        f'mass="{soft.mass[index]:.10g}" diaginertia="1e-6 1e-6 1e-6"/>{sliders}</body>'
    )


def _flex(soft: Soft) -> str:
    names = {FREE: "node{}", WORLD: "world"}
    bodies = " ".join(names.get(int(h), f"rigid{h}").format(i) for i, h in enumerate(soft.holder))
    local = np.where((soft.holder == FREE)[:, None], 0.0, soft.nodes)
    sheet = soft.elements.shape[1] == 3
    plate = f'thickness="{soft.elasticity.thickness!r}" elastic2d="both"' if sheet else ""
    flag = int(soft.touches)
    return (
        f'<flex name="soft" dim="{soft.elements.shape[1] - 1}" radius="{soft.radius!r}" body="{bodies}" '
        f'vertex="{_text(local)}" element="{" ".join(map(str, soft.elements.ravel()))}">'
        f'<elasticity young="{soft.elasticity.young!r}" poisson="{soft.elasticity.poisson!r}" '
        f'damping="{soft.elasticity.damping!r}" {plate}/>'
        f'<contact contype="{flag}" conaffinity="{flag}" condim="{3 if soft.friction else 1}" '
        f'friction="{soft.friction!r}" solref="0.02 1" '
        f'selfcollide="{"auto" if soft.self_contact else "none"}"/></flex>'
    )
