"""The floor: a plane that carries the object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.surfaces import Plane
from neurok.dynamics.term import Term
from neurok.dynamics.terms.contact import contact
from neurok.dynamics.terms.gravity import Gravity


@dataclass(frozen=True, eq=False)
class Floor(Condition):
    """A plane across the up axis, at the lowest point of the rest shape unless a height is given."""

    height: float | None = None  # in the file's units
    friction: float = number(0.5, 0.0)
    restitution: float = number(0.3, 0.0, 1.0)

    def level(self, body: Body) -> float:
        """Height of the plane in the file's units."""
        if self.height is not None:
            return self.height
        return float((body.shape.bounds @ body.shape.frame.up_vector).min())

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        gravity = scenario.find(Gravity)
        pull = 0 * body.up if gravity is None else gravity.vector(body)
        plane = Plane(body.up[:, None], self.level(body) * body.metres)
        weight = body.total_mass * -(pull.detach() @ body.up).clamp(max=0.0)
        return [replace(contact(body, plane, self.friction, self.restitution), weight=weight)]
