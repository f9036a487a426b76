"""File format of weights: one safetensors file with the network's configuration and provenance inside."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from neurok.errors import InputError
from neurok.writing import write_bytes

METADATA = "neurok"  # a single key, because safetensors does not fix the order of several
Network = TypeVar("Network", bound=nn.Module)


def save_network(
    path: str | Path, kind: str, state: dict[str, Tensor], config: Any, about: dict[str, Any] | None = None
) -> Path:
    """Writes the weights of a network with its frozen configuration and provenance."""
    data = {"format": kind, "version": 1, "config": asdict(config), "about": about or {}}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in state.items()}
    return write_bytes(Path(path), save(tensors, {METADATA: json.dumps(data, sort_keys=True)}))


def load_network(
    path: str | Path,
    kind: str,
    make: Callable[[dict[str, Any]], Network],
    device: str | torch.device = "cpu",
) -> Network:
    """Builds a network with `make` from the file's configuration and loads its weights for inference."""
    with _opened(path, str(device)) as file:
        data = _metadata(file)
        if data["format"] != kind or data["version"] != 1:
            raise KeyError(f"not a file of {kind}")
        model = make(data["config"]).to(device)
        state = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
        try:
            model.load_state_dict(state)
        except RuntimeError as error:
            raise InputError(path, "has weights of another version of this network", "Train again") from error
    return model.eval().requires_grad_(False)


def about_network(path: str | Path) -> dict[str, Any]:
    """Format, number of parameters and provenance of a file."""
    with _opened(path, "cpu") as file:
        data = _metadata(file)
        shapes = [file.get_slice(name).get_shape() for name in file.keys()]  # noqa: SIM118
        return {"format": data["format"], "numbers": sum(map(prod, shapes)), **data["about"]}


@contextmanager
def _opened(path: str | Path, device: str) -> Iterator[Any]:
    """Opens a weights file; read errors become `InputError`."""
    try:
        with safe_open(path, framework="pt", device=device) as file:
            yield file
    except FileNotFoundError:
        raise InputError(path, "there is no such file", "Name a file that `neurok train` wrote") from None
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(path, f"holds no such model ({error})", "Name a file of `neurok train`") from error
    except (SafetensorError, RuntimeError, OSError) as error:
        raise InputError(path, f"is damaged ({error})", "Copy it again, or train again") from error


def _metadata(file: Any) -> dict[str, Any]:
    return json.loads((file.metadata() or {})[METADATA])
