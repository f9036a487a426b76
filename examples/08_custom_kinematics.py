"""Write a kinematics of your own: a mesh that twists about its up axis, simulated like every other."""

import torch

import neurok
from neurok.assets import shipped
from neurok.dynamics import Damping, Gravity, Pose, SimulationConfig, Stiffness, simulate
from neurok.kinematics import Kinematics
from neurok.kinematics.skinned import SkinBasis
from neurok.sequences import Skin


class Twist(Kinematics):
    """One coordinate: the angle of the top against the bottom. Two handles, blended by height."""

    def __init__(self, shape: neurok.Shape) -> None:
        height = torch.tensor(shape.vertices @ shape.frame.up_vector)
        top = (height - height.min()) / (height.max() - height.min())
        handles = torch.tensor([0, 1], dtype=torch.int32).repeat(len(top), 1).numpy()
        self.shape, self.names, self.rest = shape, ("twist",), torch.zeros(1).double()
        self.limits = torch.tensor([[-1.0, 1.0]]).double()
        weights = torch.stack([1 - top, top], 1).numpy()
        self.basis = SkinBasis(shape, Skin(handles, weights, ("bottom", "top")))

    def code(self, q: torch.Tensor) -> torch.Tensor:
        """c(q): the bottom stays, the top turns by q about the axis through the centre."""
        x, y, z = self.shape.frame.up_vector.tolist()
        skew = torch.tensor([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=q.dtype)
        centre = torch.tensor(self.shape.normalisation.centre)
        turn = torch.linalg.matrix_exp(q[..., :, None] * skew)
        top = torch.cat([turn, (centre - turn @ centre)[..., None]], dim=-1)
        return torch.stack([torch.eye(3, 4, dtype=q.dtype).expand_as(top), top], dim=-3).flatten(-3)


twist = Twist(neurok.load_shape(shipped("teddy")))
conditions = [Pose({"twist": 0.6}), Stiffness(frequency=2.0), Gravity(), Damping(1.0)]
run = simulate(twist, conditions, SimulationConfig(seconds=0.5, fps=30))
neurok.save(run.sequence(), "twisting.glb")
print(f"{twist.describe()}; unexplained energy {run.energy.error.max():.2%}")
assert run.q[:, 0, 0].min() < -0.2, "the top swings through to the other side"
