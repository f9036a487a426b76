"""The Lagrangian engine: motion of any `Kinematics` under conditions.

Takes a `Kinematics` and a list of conditions, gives a `Run`: coordinates over time and an energy report.
"""

from neurok.dynamics.condition import Condition
from neurok.dynamics.energy import EnergyReport
from neurok.dynamics.places import standing_base
from neurok.dynamics.schema import load_conditions, parse_conditions
from neurok.dynamics.simulate import Frame, Run, SimulationConfig, collected, simulate, stream
from neurok.dynamics.terms.damping import Damping
from neurok.dynamics.terms.drag import Drag
from neurok.dynamics.terms.drop import Drop
from neurok.dynamics.terms.elasticity import Stiffness
from neurok.dynamics.terms.floor import Floor
from neurok.dynamics.terms.gravity import Gravity, Tilt
from neurok.dynamics.terms.limits import Limits
from neurok.dynamics.terms.motor import Motor
from neurok.dynamics.terms.moving import Moving
from neurok.dynamics.terms.obstacle import Obstacle
from neurok.dynamics.terms.pin import Pin
from neurok.dynamics.terms.placed import Placed
from neurok.dynamics.terms.pose import Pose
from neurok.dynamics.terms.push import Push
from neurok.dynamics.terms.throw import Throw
from neurok.dynamics.terms.wind import Wind

__all__ = [
    "Condition",
    "Damping",
    "Drag",
    "Drop",
    "EnergyReport",
    "Floor",
    "Frame",
    "Gravity",
    "Limits",
    "Motor",
    "Moving",
    "Obstacle",
    "Pin",
    "Placed",
    "Pose",
    "Push",
    "Run",
    "SimulationConfig",
    "Stiffness",
    "Throw",
    "Tilt",
    "Wind",
    "collected",
    "load_conditions",
    "parse_conditions",
    "simulate",
    "standing_base",
    "stream",
]
