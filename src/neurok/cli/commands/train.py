"""neurok train MODEL: learn from a data set that `neurok data build` made.

  neurok train kinematics --data STORE --out RUN      the learned kinematic state space
  neurok train articulation --data STORE --out RUN    joints of the parts of a shape
  neurok train parts --data STORE --out RUN           which loose pieces of a mesh are one part
  neurok train keypoints --data STORE --out RUN       a baseline: keypoints that drive a cage

neurok train MODEL --help explains one.
Over many processes: torchrun --nproc-per-node 4 -m neurok train …
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro

from neurok.articulation.network import ArticulationConfig
from neurok.articulation.parts.affinity import AffinityConfig
from neurok.cli.curves import curves
from neurok.errors import InputError
from neurok.evaluation.kinematics.keypoints import KeypointConfig
from neurok.latent.config import ModelConfig
from neurok.latent.objective import LossConfig
from neurok.training.articulation import ArticulationData
from neurok.training.config import TrainConfig
from neurok.training.keypoints import KeypointsData
from neurok.training.kinematics import KinematicsData
from neurok.training.parts import PartsData


@dataclass(frozen=True)
class Kinematics:
    """Learn the kinematic state space: prior encoder, deformation encoder, decoder.

    Stops at the last step or after some minutes, and goes on from there when called again with the same
    folder. RUN/model.safetensors is the result, RUN/checkpoint.safetensors the state, RUN/logs the curves
    (TensorBoard).

    Examples:
      neurok train kinematics --data store --out run
      neurok train kinematics --data store --out run --train.steps 60000 --minutes 90
      neurok train kinematics --data mine --out tuned --start run/model.safetensors --train.lr 5e-4
      torchrun --nproc-per-node 4 -m neurok train kinematics --data store --out run
    """

    data: Path
    """The store."""
    out: Path
    """Folder of the run; one that exists is continued."""
    start: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights to begin with instead of random ones, such as those of another run: fine-tuning."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after so long, to go on another time."""
    threads: int = 0
    """Threads of torch; 0 leaves the choice to torch."""
    model: ModelConfig = field(default_factory=ModelConfig)
    train: TrainConfig = field(default_factory=TrainConfig)
    pairs: KinematicsData = field(default_factory=KinematicsData)
    loss: LossConfig = field(default_factory=LossConfig)

    def run(self) -> int:
        from neurok.datasets.store.store import Store
        from neurok.latent import NeuROK, save_model
        from neurok.training.calibration import calibrate
        from neurok.training.kinematics import KinematicsTask

        def task() -> KinematicsTask:
            return KinematicsTask(Store.open(self.data), self.train, self.pairs, self.loss)

        def save(path: Path, state: dict, config: ModelConfig, about: dict) -> Path:
            model = NeuROK(config)
            model.load_state_dict(state, strict=False)  # confidence is not trained
            calibrate(model.eval(), Store.open(self.data), self.train.seed)
            return save_model(path, model.state_dict(), config, about)

        return learn(self, self.begin, task, save, ("model", "train", "pairs", "loss"))

    def begin(self):
        """The network before the first step."""
        from neurok.latent import NeuROK

        if self.start is None:
            return NeuROK(self.model)
        found = NeuROK.from_pretrained(self.start)
        if found.config != self.model:
            raise InputError(
                self.start, f"has other sizes: {found.config}", "Give the same --model options, or none"
            )
        found.confidence = NeuROK(self.model).confidence  # to be calibrated anew
        return found.train().requires_grad_(True)


@dataclass(frozen=True)
class Articulation:
    """Learn how parts move, from annotated and generated objects, half of each unless it is said otherwise.

    Networks are better if they learn from generated objects alone first (--pairs.annotated 0) and go on from
    there more slowly (--start, and half of the usual --train.lr). The first call makes an example of every
    object, half a second each, and keeps it in the store. Stops and goes on as `neurok train kinematics`
    does, with the same files.

    Examples:
      neurok train articulation --data store --out first --pairs.annotated 0
      neurok train articulation --data store --out run --start first/model.safetensors --train.lr 1e-3
    """

    data: Path
    """The store."""
    out: Path
    """Folder of the run; one that exists is continued."""
    start: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the pretraining to begin with; after survivors, heads, which were asked something else,
    begin anew."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after so long, to go on another time."""
    threads: int = 0
    """Threads of torch; 0 leaves the choice to torch."""
    model: ArticulationConfig = field(default_factory=ArticulationConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(
            steps=1500, warmup=100, cooldown=0.5, weight_decay=0.05, ema=0.998
        )
    )
    pairs: ArticulationData = field(default_factory=ArticulationData)

    def run(self) -> int:
        from neurok.articulation.weights import save_articulator
        from neurok.datasets.store.store import Store
        from neurok.training.articulation import ArticulationTask

        task = ArticulationTask(Store.open(self.data), self.train, self.pairs)
        return learn(
            self, lambda: self.begin(task), lambda: task, save_articulator, ("model", "train", "pairs")
        )

    def begin(self, task):
        """The networks before the first step."""
        from neurok.articulation.ensemble import Jury, trunk
        from neurok.articulation.weights import load_articulator
        from neurok.nn.weights import about_network

        if self.start is None:
            return task.scale(Jury(self.model))
        found = load_articulator(self.start)
        if found.config != self.model:
            raise InputError(
                self.start,
                f"has other sizes: {found.config}",
                "Give the same --model options: --model.members 8 for those that ship",
            )
        jury = task.scale(Jury(self.model))
        known = (
            found.state_dict() if _labels(about_network(self.start)) == {self.pairs.labels} else trunk(found)
        )
        jury.load_state_dict(known, strict=False)
        return jury


def _labels(about: dict[str, Any]) -> set[str]:
    """What networks were asked while they were trained: all of them, where several were joined."""
    if "joined" in about:
        return set().union(*map(_labels, about["joined"]))
    return {about["training"]["pairs"]["labels"]}


@dataclass(frozen=True)
class Parts:
    """Learn which loose pieces of a mesh are one part, with the help of the learned kinematics that ship.

    The first call makes an example of every object and keeps it in the store. Stops and goes on as
    `neurok train kinematics` does, with the same files.

    Example:
      neurok train parts --data store --out run
    """

    data: Path
    """The store."""
    out: Path
    """Folder of the run; one that exists is continued."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after so long, to go on another time."""
    threads: int = 0
    """Threads of torch; 0 leaves the choice to torch."""
    model: AffinityConfig = field(default_factory=AffinityConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(steps=2000, batch=8, warmup=100, cooldown=0.5, weight_decay=0.05)
    )
    pairs: PartsData = field(default_factory=PartsData)

    def run(self) -> int:
        from neurok.articulation.parts.affinity import Affinities, save_affinities
        from neurok.datasets.store.store import Store
        from neurok.training.parts import PartsTask

        task = PartsTask(Store.open(self.data), self.train, self.pairs)

        def networks() -> Affinities:
            return task.scale(Affinities(self.model))

        return learn(self, networks, lambda: task, save_affinities, ("model", "train", "pairs"))


@dataclass(frozen=True)
class Keypoints:
    """Learn the keypoint-cage deformer, a baseline of `neurok eval kinematics`.

    Keypoints are found without supervision; their motion drives a cage, and the cage the mesh. Stops and goes
    on as `neurok train kinematics` does, with the same files.

    Examples:
      neurok train keypoints --data store --out keypoints
      neurok eval kinematics --data store --keypoints keypoints/model.safetensors
    """

    data: Path
    """The store."""
    out: Path
    """Folder of the run; one that exists is continued."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after so long, to go on another time."""
    threads: int = 0
    """Threads of torch; 0 leaves the choice to torch."""
    model: KeypointConfig = field(default_factory=KeypointConfig)
    train: TrainConfig = field(default_factory=lambda: TrainConfig(steps=3000, batch=8, warmup=100))
    pairs: KeypointsData = field(default_factory=KeypointsData)

    def run(self) -> int:
        from neurok.datasets.store.store import Store
        from neurok.evaluation.kinematics.keypoints import KeypointDeformer, save_deformer
        from neurok.training.keypoints import KeypointsTask

        def task() -> KeypointsTask:
            return KeypointsTask(Store.open(self.data), self.train, self.pairs)

        return learn(
            self, lambda: KeypointDeformer(self.model), task, save_deformer, ("model", "train", "pairs")
        )


def learn(
    options: Kinematics | Articulation | Parts | Keypoints, make_model: Callable, make_task: Callable,
    save: Callable, configs: tuple[str, ...],
) -> int:  # fmt: skip
    """Train what the options describe, on one process or many, and save the averaged weights."""
    import torch

    from neurok.training.distributed import joined, whole
    from neurok.training.loop import train

    config, out = options.train, options.out
    if options.threads:
        torch.set_num_threads(options.threads)
    with joined(config.device) as world:
        if config.batch % world.size:
            raise InputError(
                "training", f"a batch of {config.batch} for {world.size} processes",
                "Give a batch that they can share evenly",
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
        with asked_to_stop() as asked, curves(out, config.steps, per_step, quiet=not world.leads) as report:
            average, step = train(
                model, task, config, out, world, about=settings, report=report,
                stop=lambda: bool(asked) or time.monotonic() > end,
            )  # fmt: skip
        state = {name: whole(tensor) for name, tensor in average.items()}
        if world.leads:
            about = {"steps": step, "training": settings, "store": options.data.name}
            path = save(out / "model.safetensors", state, options.model, about)
            minutes = (time.monotonic() - start) / 60
            print(f"wrote {path} after {step:,} of {config.steps:,} steps, {minutes:.1f} min in this call")
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


topics = {"kinematics": Kinematics, "articulation": Articulation, "parts": Parts, "keypoints": Keypoints}
