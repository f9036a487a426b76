"""Learned kinematics after NeuROK (arXiv:2605.30347).

Takes the surface of one shape; gives latent coordinates, the deformations that they decode to, and
`LatentKinematics`, a reduced space that dynamics can simulate.
"""

from neurok.latent.config import ModelConfig
from neurok.latent.cvae import NeuROK
from neurok.latent.weights import load_model, save_model

__all__ = ["ModelConfig", "NeuROK", "load_model", "save_model"]
