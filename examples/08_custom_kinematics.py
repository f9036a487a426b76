"""Write a kinematics of your own: a mesh that twists about its up axis, simulated like every other."""

import torch

import neurok
from neurok.assets import shipped
from neurok.dynamics import Damping, Gravity, SimulationConfig, simulate
from neurok.kinematics import Kinematics
from neurok.kinematics.skinned import SkinBasis
from neurok.sequences import Skin


class Twist(Kinematics):
    """One coordinate: the angle of the top against the bottom. Two handles, blended by height."""

    def __init__(self, shape: neurok.Shape) -> None:
        height = shape.vertices @ shape.frame.up_vector
        top = (height - height.min()) / (height.max() - height.min())
        handles = torch.tensor([[0, 1]]).repeat(len(top), 1).numpy()
        weights = torch.tensor(top)[:, None] * torch.tensor([-1.0, 1.0]) + torch.tensor([1.0, 0.0])
        self.shape, self.names = shape, ("twist",)
        self.rest = torch.zeros(1, dtype=torch.float64)
        self.limits = torch.tensor([[-1.0, 1.0]], dtype=torch.float64)
        self.basis = SkinBasis(shape, Skin(handles.astype("int32"), weights.numpy(), ("bottom", "top")))
        self.axis = torch.tensor(shape.frame.up_vector)
        self.centre = torch.tensor(shape.normalisation.centre)

    def code(self, q: torch.Tensor) -> torch.Tensor:
        """c(q): the bottom stays, the top turns by q about the axis through the centre."""
        x, y, z = self.axis.tolist()
        skew = torch.tensor([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=q.dtype)
        turn = torch.linalg.matrix_exp(q[..., :, None] * skew)
        shift = self.centre - turn @ self.centre
        top = torch.cat([turn, shift[..., None]], dim=-1)
        bottom = torch.eye(3, 4, dtype=q.dtype).expand_as(top)
        return torch.stack([bottom, top], dim=-3).flatten(-3)


twist = Twist(neurok.load_shape(shipped("teddy")))
start = neurok.Pose({"twist": 0.6})
spring = neurok.Stiffness(frequency=2.0)
run = simulate(twist, [start, spring, Gravity(), Damping(1.0)], SimulationConfig(seconds=0.5, fps=30))
neurok.save(run.sequence(), "twisting.glb")

print(f"{twist.describe()}; unexplained energy {run.energy.error.max():.2%}")
assert run.q[:, 0, 0].min() < -0.2, "the top swings through to the other side"
