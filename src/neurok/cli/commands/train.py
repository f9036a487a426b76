"""neurok train MODEL: trains a model on a store of `neurok data build`.

  neurok train kinematics --data STORE --out RUN      the learned kinematic space
  neurok train articulation --data STORE --out RUN    joints of the parts of a shape
  neurok train parts --data STORE --out RUN           grouping of mesh components into parts
  neurok train patches --data STORE --out RUN         division of any surface into parts
  neurok train pushes --data STORE --out RUN          what moves with a push
  neurok train regions --data STORE --out RUN         the region that a push moves, from what moves
  neurok train keypoints --data STORE --out RUN       a baseline: keypoints that drive a cage

neurok train MODEL --help shows its options.
With several processes: torchrun --nproc-per-node 4 -m neurok train …
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro

from neurok.articulation.network import ArticulationConfig
from neurok.articulation.parts.affinity import AffinityConfig
from neurok.articulation.parts.patch_network import PatchConfig
from neurok.articulation.parts.region_network import RegionConfig
from neurok.cli.learning import learn
from neurok.errors import InputError
from neurok.evaluation.kinematics.keypoints import KeypointConfig
from neurok.latent.config import ModelConfig
from neurok.latent.objective import LossConfig
from neurok.training.articulation import ArticulationData
from neurok.training.config import TrainConfig
from neurok.training.keypoints import KeypointsData
from neurok.training.kinematics import KinematicsData
from neurok.training.parts import PartsData
from neurok.training.patches import PatchesData
from neurok.training.regions import RegionsData


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
class Patches:
    """Train the division of surfaces into rigid parts, on objects with joints and on fused scans of them.

    The first call fuses every object (about 1 s), computes its examples and caches them in the store. Files
    and resuming are as in `neurok train kinematics`.

    Example:
      neurok train patches --data store --out run
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
    model: PatchConfig = field(default_factory=PatchConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(
            steps=6000, batch=8, warmup=100, cooldown=0.6, weight_decay=0.05, ema=0.99
        )
    )
    pairs: PatchesData = field(default_factory=PatchesData)

    def run(self) -> int:
        from neurok.articulation.parts.patch_network import PatchNetwork, patch_ensemble, save_patch_ensemble
        from neurok.datasets.store.store import Store
        from neurok.nn.ensemble import Ensemble
        from neurok.training.patches import PatchesTask

        task = PatchesTask(Store.open(self.data), self.train, self.pairs)

        def networks() -> Ensemble[PatchNetwork]:
            return task.scale(patch_ensemble(self.model))

        return learn(self, networks, lambda: task, save_patch_ensemble, ("model", "train", "pairs"))


@dataclass(frozen=True)
class Pushes:
    """Train the extent of the part that a push moves, on the surfaces of `neurok train patches`.

    Files and resuming are as in `neurok train kinematics`.

    Example:
      neurok train pushes --data store --out run --start patches/model.safetensors
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    start: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of `neurok train patches` for the networks' trunks; default: random."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
    model: PatchConfig = field(default_factory=PatchConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(
            steps=4000, batch=8, warmup=100, cooldown=0.6, weight_decay=0.05, ema=0.99
        )
    )
    pairs: PatchesData = field(default_factory=PatchesData)

    def run(self) -> int:
        from neurok.articulation.parts.push_network import save_push_ensemble
        from neurok.datasets.store.store import Store
        from neurok.training.pushes import PushesTask

        task = PushesTask(Store.open(self.data), self.train, self.pairs)
        return learn(
            self, lambda: self.begin(task), lambda: task, save_push_ensemble, ("model", "train", "pairs")
        )

    def begin(self, task):
        """Initial networks."""
        from neurok.articulation.parts.patch_network import load_patch_ensemble
        from neurok.articulation.parts.push_network import push_ensemble

        networks = push_ensemble(self.model)
        trunks = [network.trunk for network in networks]
        if self.start is None:
            task.scale(trunks)
            return networks
        found = load_patch_ensemble(self.start)
        if found.config != self.model:
            raise InputError(
                self.start,
                f"has another configuration: {found.config}",
                "Give the same --model options, or none",
            )
        for trunk, known in zip(trunks, found, strict=True):
            trunk.load_state_dict(known.state_dict())
        return networks


@dataclass(frozen=True)
class Regions:
    """Train the choice among regions around a push, on pushes as of `neurok train pushes`.

    The first minutes of every call compute the regions with the shipped networks, or with those in --patches
    and --pushes. Files and resuming are as in `neurok train kinematics`.

    Example:
      neurok train regions --data store --out run --pushes pushes.safetensors
    """

    data: Path
    """Store of `neurok data build`."""
    out: Path
    """Folder of the run; an existing one is resumed."""
    pushes: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of `neurok train pushes`; default: those that ship."""
    patches: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of `neurok train patches`; default: those that ship."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="MIN")] = None
    """Stop after this time; a later call resumes the run."""
    threads: int = 0
    """Number of torch threads; 0: chosen by torch."""
    model: RegionConfig = field(default_factory=RegionConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(steps=2000, batch=64, warmup=100, cooldown=0.6, weight_decay=0.05)
    )
    pairs: RegionsData = field(default_factory=RegionsData)

    def run(self) -> int:
        from functools import cache
        from hashlib import sha256

        from neurok.articulation.parts.push_scores import push_networks
        from neurok.articulation.parts.region_network import RegionNetwork, save_region_network
        from neurok.assets import WEIGHTS
        from neurok.datasets.store.store import Store
        from neurok.training.regions import RegionsTask

        networks = push_networks(self.patches, self.pushes)
        files = {"patches": self.patches or WEIGHTS["patches"], "pushes": self.pushes or WEIGHTS["pushes"]}
        hashes = {name: sha256(file.read_bytes()).hexdigest() for name, file in files.items()}

        @cache
        def task() -> RegionsTask:
            return RegionsTask(Store.open(self.data), self.train, self.pairs, networks)

        def save(path: Path, state: dict, config: RegionConfig, about: dict) -> Path:
            return save_region_network(path, state, config, about | {"networks": hashes})

        return learn(
            self, lambda: task().scale(RegionNetwork(self.model)), task, save, ("model", "train", "pairs")
        )


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


topics = {
    "kinematics": Kinematics,
    "articulation": Articulation,
    "parts": Parts,
    "patches": Patches,
    "pushes": Pushes,
    "regions": Regions,
    "keypoints": Keypoints,
}
