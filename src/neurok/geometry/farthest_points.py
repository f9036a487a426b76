"""Farthest-point sampling: greedily the point whose nearest chosen point is farthest."""

from __future__ import annotations

from collections.abc import Callable

from jaxtyping import Float, Int

from neurok.geometry.arrays import Array, namespace

BETWEEN_PIECES = 0.3  # radii added to the distance of points on different connected pieces


def farthest_first(
    distance_to: Callable[[Array], Array],
    count: int,
    *,
    start: Int[Array, "*batch"] | None = None,
    nearest: Float[Array, "*batch n"] | None = None,
) -> Int[Array, "*batch k"]:
    """`count` indices, each of the point farthest from all earlier ones.

    `distance_to(index)` gives the distance of every point to the given one. The first index is `start`, or
    that of the largest value of `nearest`, the distances to points that are already taken.
    """
    chosen = [] if start is None else [start]
    while len(chosen) < count:
        if chosen:
            distance = distance_to(chosen[-1])
            nearest = distance if nearest is None else namespace(distance).minimum(nearest, distance)
        assert nearest is not None
        chosen.append(nearest.argmax(-1))
    return namespace(chosen[0]).stack(chosen, -1)


def farthest_points(
    points: Float[Array, "b n 3"], count: int, component: Int[Array, "b n"] | None = None
) -> Int[Array, "b k"]:
    """Farthest points by |x − y| + 0.3 · [x, y on different pieces], from the one farthest from the origin.

    Small loose pieces, such as knobs and blades, are therefore sampled early. If `count` exceeds the number
    of points, points repeat.
    """
    xp = namespace(points)
    batch = xp.arange(len(points), device=points.device)

    def distance_to(chosen: Int[Array, " b"]) -> Float[Array, "b n"]:
        apart = points - points[batch, chosen, None]
        gap = xp.sqrt((apart * apart).sum(-1))
        if component is None:
            return gap
        return gap + BETWEEN_PIECES * (component != component[batch, chosen, None])

    return farthest_first(distance_to, count, start=(points * points).sum(-1).argmax(-1))
