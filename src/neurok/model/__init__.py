"""NeuROK's networks: from a surface to latent coordinates, and from latents to deformations."""

from neurok.model.config import ModelConfig
from neurok.model.cvae import NeuROK
from neurok.model.weights import load_model, save_model

__all__ = ["ModelConfig", "NeuROK", "load_model", "save_model"]
