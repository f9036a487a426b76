"""NeuROK's networks: from a surface to latent coordinates, and from latents to deformations."""

from neurok.latent.config import ModelConfig
from neurok.latent.cvae import NeuROK
from neurok.latent.weights import load_model, save_model

__all__ = ["ModelConfig", "NeuROK", "load_model", "save_model"]
