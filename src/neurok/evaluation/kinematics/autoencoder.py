"""Nonlinear oracle: an autoencoder trained on the other frames of the evaluated recording."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.evaluation.kinematics.cases import Case
from neurok.evaluation.kinematics.methods import LinearBasis, Method, Predictor, fitted, principal_shifts
from neurok.kinematics import Kinematics
from neurok.kinematics.inverse import FitConfig
from neurok.shapes import Shape


@dataclass(frozen=True)
class AutoencoderConfig:
    """Sizes and training of the autoencoder of one object; training takes seconds on a CPU."""

    latent: int = 8
    width: int = 64
    components: int = 32
    """Largest number of encoded principal components; bounds the cost for large meshes."""
    steps: int = 1000
    lr: float = 5e-3
    noise: float = 0.02
    """Standard deviation of the noise on latents (bounded by 1) in training; smooths the decoder."""
    seed: int = 0


class Autoencoder(nn.Module):
    """Encodes the components c of a frame to latents and decodes them; the rest pose c = 0 is exact."""

    def __init__(self, numbers: int, config: AutoencoderConfig) -> None:
        super().__init__()
        self.encoder = _perceptron(numbers, config.width, config.latent)
        self.decoder = _perceptron(config.latent, config.width, numbers)

    def encode(self, c: Float[Tensor, "*batch r"]) -> Float[Tensor, "*batch k"]:
        """Latents, 0 at rest; bounded, so that they cannot outgrow the noise."""
        return self.encoder(c).tanh() - self.encoder(torch.zeros_like(c)).tanh()

    def decode(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        return self.decoder(q) - self.decoder(torch.zeros_like(q))


def _perceptron(inputs: int, width: int, outputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, outputs)
    )


def train_autoencoder(numbers: Float[Tensor, "f r"], config: AutoencoderConfig) -> Autoencoder:
    """Least-squares fit to all frames by Adam with a cosine learning rate."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        model = Autoencoder(numbers.shape[1], config).to(numbers.dtype)
        optimiser = torch.optim.Adam(model.parameters(), config.lr)
        rate = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, config.steps)
        for _ in range(config.steps):
            q = model.encode(numbers)
            loss = (model.decode(q + config.noise * torch.randn_like(q)) - numbers).square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rate.step()
    return model.eval().requires_grad_(False)


@dataclass(frozen=True, eq=False)
class AutoencoderKinematics(Kinematics):
    """x(q) = X + Σ_i c_i(q) s_i with the decoder c and the principal components s of the recording."""

    shape: Shape
    names: tuple[str, ...]
    rest: Float[Tensor, " k"]
    limits: Float[Tensor, "k 2"]
    basis: LinearBasis
    model: Autoencoder

    @classmethod
    def from_case(
        cls,
        case: Case,
        config: AutoencoderConfig = AutoencoderConfig(),  # noqa: B008  # frozen
    ) -> AutoencoderKinematics:
        numbers, shifts = principal_shifts(case, config.components)
        size = shifts.flatten(1).norm(dim=1)
        size = (size / size[0].clamp(min=1e-12)).clamp(min=1e-12)  # weights each component by its motion
        numbers, shifts = numbers * size, shifts / size[:, None, None]
        model = train_autoencoder(numbers, config)
        q = model.encode(numbers)
        limits = torch.stack([q.amin(0).clamp(max=-0.1), q.amax(0).clamp(min=0.1)], dim=1)
        return cls(
            case.shape, tuple(f"latent_{i + 1}" for i in range(config.latent)),
            torch.zeros(config.latent, dtype=torch.float64), limits,
            LinearBasis(torch.tensor(case.shape.vertices), shifts), model,
        )  # fmt: skip

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        return self.model.decode(q)


def autoencoder(
    fit: FitConfig,
    config: AutoencoderConfig = AutoencoderConfig(),  # noqa: B008  # frozen
) -> Method:
    """Oracle: an autoencoder trained on the other frames of the recording."""

    def method(case: Case) -> tuple[Predictor, dict[str, float]]:
        return fitted(AutoencoderKinematics.from_case(case, config), fit), {}

    return method
