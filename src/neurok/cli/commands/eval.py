"""neurok eval SYSTEM: measures accuracy against references.

  neurok eval io --data FOLDER            loading of every object; joint poses against MuJoCo
  neurok eval kinematics --data STORE     poses of held-out objects, learned space and baselines
  neurok eval articulation --data STORE   joints of the parts of held-out objects
  neurok eval dynamics --data FOLDER      closed forms, energy, MuJoCo, annotated joints

neurok eval SYSTEM --help shows its options.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from neurok.cli.commands.eval_articulation import EvalArticulation
from neurok.cli.commands.eval_dynamics import EvalDynamics
from neurok.cli.report import print_table, print_written, progress, write_json
from neurok.cli.stores import store_of
from neurok.errors import InputError


@dataclass(frozen=True)
class EvalIo:
    """Load every shape, mechanism and sequence below a folder, and compare joint poses with MuJoCo.

    Examples:
      neurok eval io --data assets/
      neurok eval io --data assets/ --json io.json
    """

    data: Path
    """Folder of meshes, URDF, MJCF, PartNet-Mobility objects, animated GLB and .npz."""
    poses: int = 5
    """Random poses per mechanism for the comparison with MuJoCo."""
    seed: int = 0
    """Random seed of the poses."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write figures and the table as JSON."""

    def run(self) -> int:
        from neurok.datasets.sources import find_objects
        from neurok.evaluation.io import evaluate, summarise

        paths = find_objects(self.data)
        with progress("loading", len(paths)) as step:
            rows = evaluate(paths, self.poses, self.seed, step)
        summary = summarise(rows, self.data)
        print_table(
            f"{len(rows)} objects below {self.data}",
            ["folder", "loaded", "rejected", "compared with MuJoCo", "largest pose error"],
            summary.table,
        )
        if summary.refusals:
            print_table("rejected", ["objects", "reason"], summary.refusals)
        if summary.not_compared:
            print_table("mechanisms that MuJoCo does not load", ["objects", "reason"], summary.not_compared)
        write_json({"figures": summary.figures, "refused": summary.refused}, self.json)
        return 0


@dataclass(frozen=True)
class EvalKinematics:
    """Inverse kinematics of held-out objects, compared with baselines in the same run.

    Each method gets a mesh at rest and an unordered point cloud of another pose, and predicts the position of
    every vertex. The rest mesh is centred with unit radius. Errors use 10,000 surface points with shared
    barycentric samples. Intervals are 95 % of bootstrapped means over objects.

    Examples:
      neurok eval kinematics --data store --json kinematics.json
      neurok eval kinematics --data my_objects/ --objects 20
      neurok eval kinematics --data store --coordinates 50
    """

    data: Path
    """A store of `neurok data build` (its test objects), or a folder of moving objects."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train kinematics`, in place of the shipped ones."""
    keypoints: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train keypoints`; adds the keypoint-cage deformer."""
    objects: int = 40
    """Number of random objects per collection."""
    poses: int = 2
    """Number of target poses per object."""
    freedom: int = 40
    """Number of generated objects with joints for the count of coordinates."""
    coordinates: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Measure how much of the known motion of N objects of each kind the first 4, 8, 12 and 24 coordinates
    hold, instead of inverse kinematics."""
    max_coordinates: int = 128
    """Largest number of reduced coordinates in the fit."""
    split: Literal["test", "validation"] = "test"
    """Held-out split of the store."""
    seed: int = 0
    """Random seed of objects and poses."""
    unreduced: bool = False
    """Also fit in the unreduced latent space (slow)."""
    ablations: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=FILE")] = ()
    """Weights of other models to compare, such as one trained without augmentation."""
    workers: int = 1
    """Number of processes, each with one core."""
    pictures: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Write a page with the prediction of each method for every object."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures, the tables and every result as JSON."""

    def run(self) -> int:
        return self._coordinates() if self.coordinates else self._inverse()

    def _coordinates(self) -> int:
        from neurok.evaluation.kinematics import coordinates

        with store_of(self.data, self.split) as (store, split):
            names = coordinates.choose(store, split, self.coordinates, self.seed)
            with progress("fitting", len(names)) as step:
                fits = coordinates.measure(store.folder, self.model, names, self.seed, self.workers, step)
        title = "error of the vertices, relative to their motion"
        print_table(title, coordinates.HEADER, coordinates.table(fits))
        figures = coordinates.figures(fits)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        write_json({"figures": figures, "rows": [fit._asdict() for fit in fits]}, self.json)
        return 0

    def _inverse(self) -> int:
        from neurok.evaluation.kinematics import freedom, run
        from neurok.evaluation.kinematics.gallery import write_page

        with store_of(self.data, self.split) as (store, split):
            names = run.choose(store, split, self.objects, self.seed)
            evaluation = run.Evaluation(
                store.folder,
                self.model,
                self.keypoints,
                self.max_coordinates,
                self.poses,
                self.seed,
                self.unreduced,
                tuple(named_file(text) for text in self.ablations),
                self.pictures,
            )
            with progress("fitting", len(names)) as step:
                comparison, strips = run.evaluate(evaluation, names, self.workers, step)
            decoded = run.reconstructions(evaluation, names)
            jointed = freedom.choose(store, split, self.freedom, self.seed)
            with progress("counting coordinates", len(jointed)) as step:
                freedoms = freedom.measure(store.folder, self.model, jointed, self.workers, step)
        header = ["model", "error relative to the motion", "ms per 1,000 points"]
        lines = [[name, *found.cells()] for name, found in decoded.items()]
        print_table("reconstruction of known motion", header, lines)
        for group in run.groups(comparison):
            title = f"{group}: {comparison.count(group)} objects"
            print_table(title, ["method", *run.HEADER], comparison.table(group))
        if freedoms:
            title = "learned coordinates of generated objects with known joints"
            print_table(title, freedom.HEADER, freedom.table(freedoms))
        figures = run.figures(comparison, freedoms)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        decoders = {name: asdict(found) for name, found in decoded.items()}
        write_json({"figures": figures, "decoders": decoders, "rows": comparison.to_json()}, self.json)
        if self.pictures:
            print_written([write_page(self.pictures, strips)])
        return 0


def named_file(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and Path(path).is_file()):
        raise InputError(
            text, "does not name a file", "Write NAME=FILE, where FILE holds weights of `neurok train`"
        )
    return name, Path(path)


topics = {
    "io": EvalIo,
    "kinematics": EvalKinematics,
    "dynamics": EvalDynamics,
    "articulation": EvalArticulation,
}
