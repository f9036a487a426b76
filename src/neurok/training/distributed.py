"""One process or many: what torchrun started, and how the model is shared among it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.tensor import DTensor

from neurok.nn.attention import Block
from neurok.training.config import TrainConfig


@dataclass(frozen=True)
class World:
    """Which of how many processes this is, and where it computes."""

    rank: int
    size: int
    device: torch.device

    @property
    def leads(self) -> bool:
        return self.rank == 0


@contextmanager
def joined(device: str) -> Iterator[World]:
    """The processes of torchrun, or this one alone."""
    cuda = torch.cuda.is_available() if device == "auto" else device.startswith("cuda")
    local = int(os.environ.get("LOCAL_RANK", "0"))
    where = torch.device("cuda", local) if cuda else torch.device("cpu" if device == "auto" else device)
    if "RANK" not in os.environ:
        yield World(0, 1, where)
        return
    if cuda:
        torch.cuda.set_device(where)
    dist.init_process_group("nccl" if cuda else "gloo")
    try:
        yield World(dist.get_rank(), dist.get_world_size(), where)
    finally:
        dist.destroy_process_group()


def shared(model: nn.Module, world: World, config: TrainConfig) -> nn.Module:
    """The model, its gradients averaged over the processes (DDP) or its weights sharded (FSDP2)."""
    if world.size == 1:
        return model
    if config.strategy == "fsdp":
        from torch.distributed.fsdp import fully_shard

        for block in blocks_of(model):
            fully_shard(block)
        fully_shard(model)
        return model
    return nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)


def blocks_of(model: nn.Module) -> list[Block]:
    """The transformer blocks: what is sharded, and compiled, one by one."""
    return [module for module in model.modules() if isinstance(module, Block)]


def mean_over(world: World, values: dict[str, float]) -> dict[str, float]:
    """Averages over the processes."""
    if world.size == 1:
        return values
    numbers = torch.tensor(list(values.values()), dtype=torch.float64, device=world.device)
    dist.all_reduce(numbers)
    return dict(zip(values, (numbers / world.size).tolist(), strict=True))


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """A sharded tensor put together; every process must call it."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def everyone_agrees(world: World, wish: bool) -> bool:
    """Whether any process wishes to stop: then all do, after the same step."""
    if world.size == 1:
        return wish
    flag = torch.tensor(float(wish), device=world.device)
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)
    return bool(flag.item() > 0)
