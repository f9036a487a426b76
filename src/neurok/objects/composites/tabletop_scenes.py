"""Tabletop scenes: objects of families on tables and benches, in front of walls, beside other objects.

Files of robot environments are such scenes. A model trained only on isolated objects mistakes the table for
the object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from neurok.objects.kit.bodies import legs
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.placing import moved
from neurok.objects.kit.solids import block, lathe
from neurok.shapes.robots.tree import Joint
from neurok.shapes.shape import Shape, concatenate

Array = np.ndarray
MAX_FACES = 7000
MAX_HALF_WIDTH = 3.0  # metres, of the slab
STANDING_TOLERANCE = 0.01  # of the radius: allowed height difference to the ground


def tabletop_scene(
    families: Sequence[Callable[[np.random.Generator], Shape]], rng: np.random.Generator
) -> Shape:
    """An object of a random family in fixed surroundings; draws again until the object can stand."""
    while True:
        subject = families[int(rng.integers(len(families)))](rng)
        bounds = swept_bounds(subject)
        if len(subject.faces) <= MAX_FACES and _can_stand(subject, bounds):
            return _joined(_surroundings(rng, subject, bounds), subject)


def swept_bounds(shape: Shape) -> Float[Array, "2 3"]:
    """Bounds of the shape over the range of each coordinate, one coordinate at a time."""
    from neurok.kinematics import joints_of

    kinematics = joints_of(shape)
    limits, poses = kinematics.finite_limits(np.pi), [kinematics.rest]
    for k in range(len(kinematics.names)):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            poses.append(kinematics.rest.clone())
            poses[-1][k] = limits[k, 0] + share * (limits[k, 1] - limits[k, 0])
    corners = [(x.amin(0).numpy(), x.amax(0).numpy()) for x in map(kinematics.positions, poses)]
    return np.stack([np.min([c[0] for c in corners], axis=0), np.max([c[1] for c in corners], axis=0)])


def _can_stand(subject: Shape, bounds: Float[Array, "2 3"]) -> bool:
    """The root link is the lowest, and no moving part goes below it."""
    assert subject.joints is not None
    base = subject.vertices[np.unique(subject.faces[subject.faces_of(subject.joints.order[0])])]
    slack = STANDING_TOLERANCE * subject.normalisation.radius
    low = subject.bounds[0, 2]
    return bool(abs(base[:, 2].min() - low) < slack and bounds[0, 2] > low - slack)


def _surroundings(rng: np.random.Generator, subject: Shape, bounds: Float[Array, "2 3"]) -> Shape:
    """A slab below the object, with random legs, rim, wall behind, and other objects on it."""
    taken = set(subject.part_names)
    made = Mechanism("setting")
    floor = _free(taken, str(rng.choice(["table", "bench", "counter", "platform", "ground"])))
    half, middle = np.ptp(bounds, axis=0)[:2] / 2, bounds.mean(0)[:2]
    wide = np.minimum(
        half * np.exp(rng.uniform(np.log(1.1), np.log(4.0))) * rng.uniform(1, 1.5, 2), MAX_HALF_WIDTH
    )
    wide = np.maximum(wide, 1.15 * half)
    centre = middle + (wide - half) * rng.uniform(-0.9, 0.9, 2)
    top, skin = float(subject.bounds[0, 2]), finish(rng, "wood", "pale", "dark", "paint", "metal")
    t = float(rng.uniform(0.03, 0.15) * wide.min())
    made.add(floor, skin, block((*(2 * wide), t), (*centre, top - t / 2)))
    if rng.random() < 0.5:
        stand = legs(rng, 2 * wide[0], 2 * wide[1], top - t, float(rng.uniform(0.3, 1.2)) * wide.min())
        link = floor if rng.random() < 0.6 else made.weld(floor, _free(taken, "legs"))
        made.add(link, skin, [_moved_in_plane(leg, centre) for leg in stand])
    if rng.random() < 0.4:
        made.add(_own_or(rng, made, floor, _free(taken, "rim")), skin, _rim(rng, centre, wide, top))
    if rng.random() < 0.3:
        wall = _own_or(rng, made, floor, _free(taken, "wall"))
        behind = max(float(bounds[1, 1]), centre[1] + 0.9 * wide[1])
        made.add(floor, skin, _slab(centre[0], (centre[1], behind + t), wide[0], (top - t, top)))
        tall = float(rng.uniform(0.4, 1.4)) * wide[0]
        made.add(wall, skin, _slab(centre[0], (behind, behind + t), wide[0], (top - t / 2, top + tall)))
    for k in range(int(rng.integers(0, 4))):
        _beside(made, rng, floor, _free(taken, f"thing_{k + 1}"), bounds, centre, wide, top)
    return made.finish(rng, ajar=0.0, mirror=False)


def _own_or(rng: np.random.Generator, made: Mechanism, floor: str, name: str) -> str:
    return made.weld(floor, name) if rng.random() < 0.7 else floor


def _slab(x: float, y: tuple[float, float], wide: float, z: tuple[float, float]) -> Shape:
    """A block between two values of y and two of z."""
    return block((2 * wide, y[1] - y[0], z[1] - z[0]), (x, sum(y) / 2, sum(z) / 2))


def _rim(rng: np.random.Generator, centre, wide, top: float) -> list[Shape]:
    """Boards along two to four edges of a slab."""
    tall, t = float(rng.uniform(0.03, 0.2)) * wide.min(), 0.03 * wide.min()
    x, y = wide - t / 2
    boards = [block((2 * wide[0], t, tall), (centre[0], centre[1] + s * y, top + tall / 2)) for s in (-1, 1)]
    boards += [block((t, 2 * wide[1], tall), (centre[0] + s * x, centre[1], top + tall / 2)) for s in (-1, 1)]
    return boards[: int(rng.integers(2, 5))]


def _beside(
    made: Mechanism, rng: np.random.Generator, floor: str, name: str, bounds, centre, wide, top
) -> None:
    """A block or a jar on the slab outside the swept bounds of the object, if there is room."""
    size = rng.uniform(0.05, 0.25, 3) * wide.min()
    at = centre + (wide - size[:2]) * rng.uniform(-0.95, 0.95, 2)
    if (np.abs(at - bounds.mean(0)[:2]) < np.ptp(bounds, axis=0)[:2] / 2 + size[:2]).all():
        return
    skin, z = finish(rng, "plastic", "paint", "metal", "wood"), top + size[2]
    solid = block(tuple(2 * size), (*at, z))
    if rng.random() < 0.4:
        r = float(size[:2].min())
        solid = _moved_in_plane(lathe([(r, top), (r * rng.uniform(0.6, 1), top + 2 * size[2])], 14), at)
    made.add(made.weld(floor, name), skin, solid)


def _moved_in_plane(solid: Shape, by) -> Shape:
    return moved(solid, (*by, 0.0))


def _free(taken: set[str], name: str) -> str:
    """The name, or a variant if the object has a part of that name."""
    return f"{name}_below" if name in taken else name


def _joined(surroundings: Shape, subject: Shape) -> Shape:
    """One shape of both: a fixed joint holds the object's root on the root of the surroundings."""
    around, own = surroundings.joints, subject.joints
    assert around is not None and own is not None
    weld = Joint("stands_on", "fixed", around.order[0], own.order[0], lower=0.0, upper=0.0)
    tree = replace(
        own, links=(*around.links, *own.links), joints=(*around.joints, weld, *own.joints), name="setting"
    )
    whole = concatenate([surroundings, subject], "setting")
    return whole.with_(joints=tree, frame=subject.frame)
