"""Saves and loads checkpoints: weights, averaged weights, optimiser state and step in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.optim import Optimizer

from neurok.errors import InputError
from neurok.training.distributed import World, whole
from neurok.writing import write_bytes

METADATA = "neurok"
FORMAT = "neurok-checkpoint"


def save_checkpoint(
    path: Path,
    model: nn.Module,
    average: dict[str, Tensor],
    optimisers: list[Optimizer],
    step: int,
    config: dict[str, Any],
    world: World,
) -> None:
    """Writes the checkpoint atomically from the first process; every process must call it."""
    tensors = {f"model/{name}": whole(p.detach()) for name, p in model.named_parameters()}
    tensors |= {f"average/{name}": whole(a) for name, a in average.items()}
    for key, value in _optimiser_tensors(optimisers).items():
        tensors[key] = whole(value)
    if world.leads:
        data = {"format": FORMAT, "version": 1, "step": step, "config": config}
        flat = {name: tensor.cpu().contiguous() for name, tensor in tensors.items()}
        write_bytes(path, save(flat, {METADATA: json.dumps(data, sort_keys=True)}))


def load_checkpoint(
    path: Path, model: nn.Module, average: dict[str, Tensor], optimisers: list[Optimizer]
) -> int:
    """Restores the exact training state; returns the number of finished steps."""
    with _opened(path) as file:
        step = _steps(file, path)
        names = set(file.keys())
        try:
            with torch.no_grad():
                for name, parameter in model.named_parameters():
                    _put(parameter, file.get_tensor(f"model/{name}"))
                    _put(average[name], file.get_tensor(f"average/{name}"))
            _restore_optimisers(
                optimisers, {n: file.get_tensor(n) for n in names if n.startswith("optimiser/")}
            )
        except (SafetensorError, KeyError, RuntimeError) as error:
            raise InputError(
                path,
                f"belongs to another model ({error})",
                "Resume with the same --model options, or use another folder",
            ) from error
    return step


def _put(tensor: Tensor, value: Tensor) -> None:
    """Copies a value into a tensor that may be sharded."""
    if hasattr(tensor, "full_tensor"):
        from torch.distributed.tensor import distribute_tensor

        value = distribute_tensor(value.to(tensor.device), tensor.device_mesh, tensor.placements)  # type: ignore[attr-defined]
    tensor.copy_(value)


def _optimiser_tensors(optimisers: list[Optimizer]) -> dict[str, Tensor]:
    found = {}
    for i, optimiser in enumerate(optimisers):
        parameters = [p for group in optimiser.param_groups for p in group["params"]]
        for j, parameter in enumerate(parameters):
            for key, value in optimiser.state[parameter].items():
                found[f"optimiser/{i}/{j}/{key}"] = value
    return found


def _restore_optimisers(optimisers: list[Optimizer], tensors: dict[str, Tensor]) -> None:
    parameters = [[p for g in o.param_groups for p in g["params"]] for o in optimisers]
    for name, value in tensors.items():
        _, i, j, key = name.split("/")
        parameter = parameters[int(i)][int(j)]
        if value.ndim == 0:  # the step counter
            optimisers[int(i)].state[parameter][key] = value
            continue
        state = torch.zeros_like(parameter)
        with torch.no_grad():
            _put(state, value)
        optimisers[int(i)].state[parameter][key] = state


def _opened(path: Path):
    try:
        return safe_open(path, framework="pt")
    except (SafetensorError, OSError) as error:
        raise InputError(path, f"is damaged ({error})", "Start again in another folder") from error


def _steps(file, path: Path) -> int:
    try:
        data = json.loads(file.metadata()[METADATA])
        if data["format"] != FORMAT or data["version"] != 1:
            raise KeyError("format")
        return int(data["step"])
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(path, f"is no checkpoint ({error})", "Name a folder of `neurok train`") from error
