"""neurok train MODEL: trains a model on a store of `neurok data build`.

  neurok train kinematics --data STORE --out RUN      the learned kinematic space
  neurok train articulation --data STORE --out RUN    joints of the parts of a shape
  neurok train parts --data STORE --out RUN           grouping of mesh components into parts
  neurok train keypoints --data STORE --out RUN       a baseline: keypoints that drive a cage

neurok train MODEL --help shows its options.
With several processes: torchrun --nproc-per-node 4 -m neurok train …
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
    """Train the learned kinematic space: prior encoder, deformation encoder, decoder.

    Training stops at the last step or after --minutes. Another call with the same folder resumes it.
    RUN/model.safetensors is the result, RUN/checkpoint.safetensors the state, RUN/logs the curves.

    Examples:
      neurok train kinematics --data store --out run
      neurok train kinematics --data store --out run --train.steps 60000 --minutes 90
      neurok train kinematics --data mine --out tuned --start run/model.safetensors --train.lr 5e-4
      torchrun --nproc-per-node 4 -m neurok train kinematics --data store --out run
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    start: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Initial weights for fine-tuning; default: random."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
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
            model.load_state_dict(state, strict=False)  # the confidence is calibrated below, not trained
            calibrate(model.eval(), Store.open(self.data), self.train.seed)
            return save_model(path, model.state_dict(), config, about)

        return learn(self, self.begin, task, save, ("model", "train", "pairs", "loss"))

    def begin(self):
        """Initial network."""
        from neurok.latent import NeuROK

        if self.start is None:
            return NeuROK(self.model)
        found = NeuROK.from_pretrained(self.start)
        if found.config != self.model:
            raise InputError(
                self.start,
                f"has another configuration: {found.config}",
                "Give the same --model options, or none",
            )
        found.confidence = NeuROK(self.model).confidence  # calibrated again after training
        return found.train().requires_grad_(True)


@dataclass(frozen=True)
class Articulation:
    """Train the joint prediction of parts, by default on annotated and generated objects in equal shares.

    Pretraining on generated objects alone (--pairs.annotated 0), followed by training from these weights
    (--start) at half the learning rate, gives better networks. The first call computes an example per object
    in about 0.5 s each, and caches it in the store. Files and resuming are as in `neurok train kinematics`.

    Examples:
      neurok train articulation --data store --out first --pairs.annotated 0
      neurok train articulation --data store --out run --start first/model.safetensors --train.lr 1e-3
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    start: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the pretraining; output heads trained with other --pairs.labels are initialised again."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
    model: ArticulationConfig = field(default_factory=ArticulationConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(
            steps=1500, warmup=100, cooldown=0.5, weight_decay=0.05, ema=0.998
        )
    )
    pairs: ArticulationData = field(default_factory=ArticulationData)

    def run(self) -> int:
        from neurok.articulation.ensemble import save_articulator
        from neurok.datasets.store.store import Store
        from neurok.training.articulation import ArticulationTask

        task = ArticulationTask(Store.open(self.data), self.train, self.pairs)
        return learn(
            self, lambda: self.begin(task), lambda: task, save_articulator, ("model", "train", "pairs")
        )

    def begin(self, task):
        """Initial networks."""
        from neurok.articulation.ensemble import ArticulationEnsemble, load_articulator, trunk
        from neurok.nn.weights import about_network

        if self.start is None:
            return task.scale(ArticulationEnsemble(self.model))
        found = load_articulator(self.start)
        if found.config != self.model:
            raise InputError(
                self.start,
                f"has another configuration: {found.config}",
                "Give the same --model options: --model.members 8 for the shipped weights",
            )
        ensemble = task.scale(ArticulationEnsemble(self.model))
        known = (
            found.state_dict() if _labels(about_network(self.start)) == {self.pairs.labels} else trunk(found)
        )
        ensemble.load_state_dict(known, strict=False)
        return ensemble


def _labels(about: dict[str, Any]) -> set[str]:
    """Label kinds that the networks of a weights file were trained with."""
    if "joined" in about:
        return set().union(*map(_labels, about["joined"]))
    return {about["training"]["pairs"]["labels"]}


@dataclass(frozen=True)
class Parts:
    """Train the grouping of mesh components into parts, with features of the shipped kinematics model.

    The first call computes an example per object and caches it in the store. Files and resuming are as in
    `neurok train kinematics`.

    Example:
      neurok train parts --data store --out run
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
    model: AffinityConfig = field(default_factory=AffinityConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(steps=2000, batch=8, warmup=100, cooldown=0.5, weight_decay=0.05)
    )
    pairs: PartsData = field(default_factory=PartsData)

    def run(self) -> int:
        from neurok.articulation.parts.affinity import Affinity, affinity_ensemble, save_affinities
        from neurok.datasets.store.store import Store
        from neurok.nn.ensemble import Ensemble
        from neurok.training.parts import PartsTask

        task = PartsTask(Store.open(self.data), self.train, self.pairs)

        def networks() -> Ensemble[Affinity]:
            return task.scale(affinity_ensemble(self.model))

        return learn(self, networks, lambda: task, save_affinities, ("model", "train", "pairs"))


@dataclass(frozen=True)
class Keypoints:
    """Train the keypoint-cage deformer, a baseline of `neurok eval kinematics`.

    Keypoints are found without supervision. Their motion drives a cage, and the cage deforms the mesh. Files
    and resuming are as in `neurok train kinematics`.

    Examples:
      neurok train keypoints --data store --out keypoints
      neurok eval kinematics --data store --keypoints keypoints/model.safetensors
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
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
    """Trains a model in one or several processes and saves its averaged weights."""
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


topics = {"kinematics": Kinematics, "articulation": Articulation, "parts": Parts, "keypoints": Keypoints}
