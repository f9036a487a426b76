"""Settings: things where they stand, on tables, benches and plinths, before walls and beside other things.

Files of robot environments hold a table with a wall about it and the thing on it; to who has only seen things
alone, the table is the thing.
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
MOST_FACES = 7000
LARGEST = 3.0  # metres: half a table
SUNK = 0.01  # of the radius: how far a thing may reach below its own lowest point, or be above it


def tabletop_scene(
    things: Sequence[Callable[[np.random.Generator], Shape]], rng: np.random.Generator
) -> Shape:
    """One of the things, the first drawn that can stand, in surroundings that never move."""
    while True:
        thing = things[int(rng.integers(len(things)))](rng)
        bounds = swept_bounds(thing)
        if len(thing.faces) <= MOST_FACES and _can_stand(thing, bounds):
            return _joined(_surroundings(rng, thing, bounds), thing)


def swept_bounds(shape: Shape) -> Float[Array, "2 3"]:
    """Lowest and highest corner of all that its coordinates reach, one by one."""
    from neurok.kinematics import joints_of

    kinematics = joints_of(shape)
    limits, poses = kinematics.finite_limits(np.pi), [kinematics.rest]
    for k in range(len(kinematics.names)):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            poses.append(kinematics.rest.clone())
            poses[-1][k] = limits[k, 0] + share * (limits[k, 1] - limits[k, 0])
    corners = [(x.amin(0).numpy(), x.amax(0).numpy()) for x in map(kinematics.positions, poses)]
    return np.stack([np.min([c[0] for c in corners], axis=0), np.max([c[1] for c in corners], axis=0)])


def _can_stand(thing: Shape, bounds: Float[Array, "2 3"]) -> bool:
    """What stands in it is lowest, and nothing that moves goes below."""
    assert thing.joints is not None
    base = thing.vertices[np.unique(thing.faces[thing.faces_of(thing.joints.order[0])])]
    slack = SUNK * thing.normalisation.radius
    low = thing.bounds[0, 2]
    return bool(abs(base[:, 2].min() - low) < slack and bounds[0, 2] > low - slack)


def _surroundings(rng: np.random.Generator, thing: Shape, bounds: Float[Array, "2 3"]) -> Shape:
    """A slab below the thing, on legs or not, perhaps with a rim, a wall behind and other things on it."""
    taken = set(thing.part_names)
    made = Mechanism("setting")
    floor = _free(taken, str(rng.choice(["table", "bench", "counter", "platform", "ground"])))
    half, middle = np.ptp(bounds, axis=0)[:2] / 2, bounds.mean(0)[:2]
    wide = np.minimum(half * np.exp(rng.uniform(np.log(1.1), np.log(4.0))) * rng.uniform(1, 1.5, 2), LARGEST)
    wide = np.maximum(wide, 1.15 * half)
    centre = middle + (wide - half) * rng.uniform(-0.9, 0.9, 2)
    top, skin = float(thing.bounds[0, 2]), finish(rng, "wood", "pale", "dark", "paint", "metal")
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
    """A block between two levels of y and of z."""
    return block((2 * wide, y[1] - y[0], z[1] - z[0]), (x, sum(y) / 2, sum(z) / 2))


def _rim(rng: np.random.Generator, centre, wide, top: float) -> list[Shape]:
    """Boards along some or all edges of a slab."""
    tall, t = float(rng.uniform(0.03, 0.2)) * wide.min(), 0.03 * wide.min()
    x, y = wide - t / 2
    boards = [block((2 * wide[0], t, tall), (centre[0], centre[1] + s * y, top + tall / 2)) for s in (-1, 1)]
    boards += [block((t, 2 * wide[1], tall), (centre[0] + s * x, centre[1], top + tall / 2)) for s in (-1, 1)]
    return boards[: int(rng.integers(2, 5))]


def _beside(
    made: Mechanism, rng: np.random.Generator, floor: str, name: str, bounds, centre, wide, top
) -> None:
    """A block or a jar on the slab where the thing never comes; none where there is no room."""
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
    """The name, or where the thing has a part of that name another one."""
    return f"{name}_below" if name in taken else name


def _joined(surroundings: Shape, thing: Shape) -> Shape:
    """Both as one: the thing's root is held by what the surroundings stand on."""
    around, own = surroundings.joints, thing.joints
    assert around is not None and own is not None
    weld = Joint("stands_on", "fixed", around.order[0], own.order[0], lower=0.0, upper=0.0)
    tree = replace(
        own, links=(*around.links, *own.links), joints=(*around.joints, weld, *own.joints), name="setting"
    )
    whole = concatenate([surroundings, thing], "setting")
    return whole.with_(joints=tree, frame=thing.frame)
