"""Sets up the processes of torchrun and distributes a model over them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn

from neurok.nn.attention import Block
from neurok.training.config import TrainConfig


@dataclass(frozen=True)
class World:
    """Rank, number of processes and device of this process."""

    rank: int
    size: int
    device: torch.device

    @property
    def leads(self) -> bool:
        return self.rank == 0


@contextmanager
def process_group(device: str) -> Iterator[World]:
    """Process group of torchrun, or this process alone."""
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


def distributed(model: nn.Module, world: World, config: TrainConfig) -> nn.Module:
    """Distributed model: gradients averaged over the processes (DDP), or weights sharded (FSDP2)."""
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
    """Transformer blocks of a model, which are sharded and compiled one by one."""
    return [module for module in model.modules() if isinstance(module, Block)]


def mean_over(world: World, values: dict[str, float]) -> dict[str, float]:
    """Means of the values over the processes."""
    if world.size == 1:
        return values
    numbers = torch.tensor(list(values.values()), dtype=torch.float64, device=world.device)
    dist.all_reduce(numbers)
    return dict(zip(values, (numbers / world.size).tolist(), strict=True))


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """Full tensor of a sharded one; every process must call it."""
    if not dist.is_initialized():
        return tensor
    from torch.distributed.tensor import DTensor  # takes a second to import

    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def any_process(world: World, flag: bool) -> bool:
    """Whether the flag is set in any process; the result is the same in all of them."""
    if world.size == 1:
        return flag
    raised = torch.tensor(float(flag), device=world.device)
    dist.all_reduce(raised, op=dist.ReduceOp.MAX)
    return bool(raised.item() > 0)
