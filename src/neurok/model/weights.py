"""Weights as one safetensors file with the configuration inside."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from neurok.errors import InputError
from neurok.model.config import ModelConfig
from neurok.model.cvae import NeuROK
from neurok.writing import write_bytes

METADATA = "neurok"  # one key: two would have no fixed order
FORMAT = "neurok-kinematics"


def save_model(
    path: str | Path, state: dict[str, Tensor], config: ModelConfig, about: dict[str, Any] | None = None
) -> Path:
    """Write weights with the configuration and what is known about them."""
    data = {"format": FORMAT, "version": 1, "config": asdict(config), "about": about or {}}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in state.items()}
    return write_bytes(Path(path), save(tensors, {METADATA: json.dumps(data, sort_keys=True)}))


def load_model(path: str | Path, device: str | torch.device = "cpu") -> NeuROK:
    """The network of a file that `save_model` wrote, ready to use."""
    try:
        with safe_open(path, framework="pt", device=str(device)) as file:
            data = json.loads((file.metadata() or {})[METADATA])
            if data["format"] != FORMAT or data["version"] != 1:
                raise KeyError("format")
            model = NeuROK(ModelConfig(**data["config"])).to(device)
            model.load_state_dict({name: file.get_tensor(name).float() for name in file.keys()})  # noqa: SIM118
    except FileNotFoundError:
        raise InputError(path, "there is no such file", "Name a file that `neurok train` wrote") from None
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            path, f"holds no kinematics model ({error})", "Name a file of `neurok train`"
        ) from error
    except (SafetensorError, RuntimeError, OSError) as error:
        raise InputError(path, f"is damaged ({error})", "Copy it again, or train again") from error
    return model.eval().requires_grad_(False)
