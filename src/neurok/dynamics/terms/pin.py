"""A pin: a place that stiff springs hold where it is at rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int

from neurok.dynamics.body import Body
from neurok.dynamics.condition import ALWAYS, Condition, Scenario, number
from neurok.dynamics.places import Place, rows, spread, vertices_at
from neurok.dynamics.term import Term
from neurok.dynamics.terms.tether import Tether
from neurok.errors import InputError
from neurok.shapes import Shape

MAX_PIN_POINTS = 12  # springs per pin, at vertices far from each other; enough to stop every rotation


@dataclass(frozen=True, eq=False)
class Pin(Condition):
    """A place held where it is at rest; "auto" is the base that the object stands on."""

    at: Place = "auto"
    free: Sequence[str] = ()  # parts at this place that are not held
    radius: float = number(0.0, 0.0)
    frequency: float = number(15.0, 0.0)  # Hz at which the whole object would swing on the pin

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        pinned = self.vertices(body.shape)
        if len(pinned) > MAX_PIN_POINTS:
            pinned = pinned[spread(body.shape, pinned, MAX_PIN_POINTS)]
        first = body.points_at(rows(pinned, len(body.shape.vertices)))
        places = torch.tensor(body.shape.vertices[pinned]).T * body.metres
        omega, share = 2 * math.pi * self.frequency, body.total_mass / len(pinned)
        springs = share * omega**2, 2 * share * omega
        return [Tether(first, places, places, (0.0, 0.0), ALWAYS, *springs, is_pin=True)]

    def vertices(self, shape: Shape) -> Int[np.ndarray, " v"]:
        """The vertices that are held."""
        found = vertices_at(shape, self.at, self.radius)
        free = [k for k, name in enumerate(shape.part_names) if name in self.free]
        held = found[~np.isin(shape.vertex_part[found], free)]
        if not len(held):
            raise InputError(shape.name, "every vertex of a pin is left free", "Pin another place")
        return held
