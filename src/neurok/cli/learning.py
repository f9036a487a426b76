"""Runs a training command: processes, seeds, stop requests, curves, the weights file."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from neurok.cli.curves import curves
from neurok.errors import InputError


def learn(
    options: Any, make_model: Callable,
    make_task: Callable, save: Callable, configs: tuple[str, ...],
) -> int:  # fmt: skip
    """Trains a model in one or several processes and saves its averaged weights.

    `options` is a command of `neurok train`; `configs` names those of its fields that are saved with
    the weights.
    """
    import torch

    from neurok.training.distributed import process_group, whole
    from neurok.training.loop import train

    config, out = options.train, options.out
    if options.threads:
        torch.set_num_threads(options.threads)
    with process_group(config.device) as world:
        if config.batch % world.size:
            raise InputError(
                "training", f"a batch of {config.batch} for {world.size} processes",
                "Give a multiple of the number of processes",
            )  # fmt: skip
        torch.manual_seed(config.seed)
        model, task = make_model(), make_task()
        out.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        end = start + 60 * options.minutes if options.minutes is not None else math.inf
        settings = {key: asdict(getattr(options, key)) for key in configs}
        if world.leads:
            size = sum(p.numel() for p in model.parameters())
            print(f"{size:,} parameters, {len(task.names):,} objects, {world.size} × {world.device}")
        per_step = config.batch * options.pairs.targets
        with (
            stop_requests() as requests,
            curves(out, config.steps, per_step, quiet=not world.leads) as report,
        ):
            average, step = train(
                model, task, config, out, world, about=settings, report=report,
                stop=lambda: bool(requests) or time.monotonic() > end,
            )  # fmt: skip
        state = {name: whole(tensor) for name, tensor in average.items()}
        if world.leads:
            about = {"steps": step, "training": settings, "store": options.data.name}
            path = save(out / "model.safetensors", state, options.model, about)
            minutes = (time.monotonic() - start) / 60
            print(f"wrote {path} after {step:,} of {config.steps:,} steps, {minutes:.1f} min in this call")
    return 0


@contextmanager
def stop_requests() -> Iterator[list[int]]:
    """List that ^C and SIGTERM append to; the training loop then finishes its step and saves the state.

    A second ^C ends the process at once.
    """
    requests: list[int] = []

    def mark(number: int, _frame) -> None:
        if requests and number == signal.SIGINT:
            raise KeyboardInterrupt
        requests.append(number)

    before = {number: signal.signal(number, mark) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield requests
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
