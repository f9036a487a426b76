"""neurok train MODEL: learn from a data set that `neurok data build` made.

  neurok train kinematics --data STORE --out RUN      the learned kinematic state space

neurok train MODEL --help explains one. Over many processes: torchrun --nproc-per-node 4 -m neurok train …
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from neurok.cli.curves import curves
from neurok.errors import InputError
from neurok.model.config import ModelConfig
from neurok.model.objective import LossConfig
from neurok.training.config import TrainConfig
from neurok.training.kinematics import KinematicsData


@dataclass(frozen=True)
class Kinematics:
    """Learn the kinematic state space: prior encoder, deformation encoder, decoder.

    Stops at the last step or after some minutes, and goes on from there when called again with the same
    folder. RUN/model.safetensors is the result, RUN/checkpoint.safetensors the state, RUN/logs the curves
    (TensorBoard).

    Examples:
      neurok train kinematics --data store --out run
      neurok train kinematics --data store --out run --train.steps 60000 --minutes 90
      torchrun --nproc-per-node 4 -m neurok train kinematics --data store --out run
    """

    data: Path
    """The store."""
    out: Path
    """Folder of the run; one that exists is continued."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after so long, to go on another time."""
    threads: int = 0
    """Threads of torch; 0 leaves the choice to torch."""
    model: ModelConfig = field(default_factory=ModelConfig)
    train: TrainConfig = field(default_factory=TrainConfig)
    pairs: KinematicsData = field(default_factory=KinematicsData)
    loss: LossConfig = field(default_factory=LossConfig)

    def run(self) -> int:
        import torch

        from neurok.datasets.store import Store
        from neurok.model import NeuROK, save_model
        from neurok.training.distributed import joined, whole
        from neurok.training.kinematics import KinematicsTask
        from neurok.training.loop import train

        if self.threads:
            torch.set_num_threads(self.threads)
        with joined(self.train.device) as world:
            if self.train.batch % world.size:
                raise InputError(
                    "training", f"a batch of {self.train.batch} for {world.size} processes",
                    "Give a batch that they can share evenly",
                )  # fmt: skip
            self.out.mkdir(parents=True, exist_ok=True)
            torch.manual_seed(self.train.seed)
            model = NeuROK(self.model)
            task = KinematicsTask(Store.open(self.data), self.train, self.pairs, self.loss)
            end = time.monotonic() + 60 * self.minutes if self.minutes is not None else math.inf
            settings = {key: asdict(getattr(self, key)) for key in ("model", "train", "pairs", "loss")}
            if world.leads:
                size = sum(p.numel() for p in model.parameters())
                print(
                    f"{size:,} parameters, {len(task.pairs.names):,} objects, {world.size} × {world.device}"
                )
            per_step = self.train.batch * self.pairs.targets
            with asked_to_stop() as asked, curves(
                self.out, self.train.steps, per_step, quiet=not world.leads
            ) as report:  # fmt: skip
                average, step = train(
                    model, task, self.train, self.out, world, about=settings, report=report,
                    stop=lambda: bool(asked) or time.monotonic() > end,
                )  # fmt: skip
            state = {name: whole(tensor) for name, tensor in average.items()}
            if world.leads:
                about = {"steps": step, "training": settings, "store": self.data.name}
                path = save_model(self.out / "model.safetensors", state, self.model, about)
                print(f"wrote {path} after {step:,} of {self.train.steps:,} steps")
        return 0


@contextmanager
def asked_to_stop() -> Iterator[list[int]]:
    """A list that ^C and SIGTERM put a mark on: the step under way is finished, and everything is saved.

    A second ^C ends at once.
    """
    asked: list[int] = []

    def mark(number: int, _frame) -> None:
        if asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        asked.append(number)

    before = {number: signal.signal(number, mark) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


topics = {"kinematics": Kinematics}
