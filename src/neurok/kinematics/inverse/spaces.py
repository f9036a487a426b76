"""Selection among several motion spaces of one object by the fit of a pose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from neurok.kinematics.inverse.solver import Fit

BETTER = 1.25  # ratio of errors above which a later space is preferred
Space = TypeVar("Space")


def fit_in(
    spaces: Sequence[Space], fit: Callable[[Space], Fit], rest: Fit | None = None
) -> tuple[Space, Fit]:
    """The first space and its fit, unless a later one fits clearly better.

    Stiff spaces come first, because a loose space fits any cloud a little better by tearing connected
    surfaces. The stiffest space is no motion at all; its fit is `rest`, if given.
    """
    fits = ((space, fit(space)) for space in spaces)
    best, found = next(fits) if rest is None else (spaces[0], rest)
    for space, other in fits:
        if found.error > BETTER * other.error:
            best, found = space, other
    return best, found
