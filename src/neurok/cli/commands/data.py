"""neurok data ACTION: builds and inspects the training data set.

  neurok data build --out STORE --data FOLDER     record a folder and generated objects
  neurok data show STORE                          statistics, licences, a contact sheet

neurok data ACTION --help shows its options.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.cli.cluster import RayAddress
from neurok.cli.report import print_table, progress, write_json
from neurok.errors import InputError


@dataclass(frozen=True)
class Build:
    """Record mechanisms, sequences and generated objects into a store for training.

    Mechanisms (URDF, MJCF, PartNet-Mobility) are swept through their joints. Sequences (animated GLB, .npz,
    numbered meshes) are recorded unchanged. Generators make jointed objects and simulate soft ones. The same
    seed gives the same store for any number of workers. An interrupted build is resumed.

    Examples:
      neurok data build --out store --data assets/ --workers 2
      neurok data build --out store --articulated 7300 --simulated 0 --random-mechanisms 0
      neurok data build --out store --data assets/ --ray
    """

    out: Path
    """Folder of the store; an existing one is resumed."""
    data: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="FOLDER")] = ()
    """Folders to record."""
    leave_out: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PATTERN")] = ()
    """Objects to exclude, by name: collection/object, with * as wildcard."""
    articulated: Annotated[int, tyro.conf.arg(metavar="N")] = 3798
    """Number of generated objects with joints."""
    random_mechanisms: Annotated[int, tyro.conf.arg(metavar="N")] = 900
    """Number of random mechanisms: objects of no category with joints of every kind."""
    random_assemblies: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Number of random assemblies: objects with more parts than joints, for articulation pretraining."""
    tabletop_scenes: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Number of tabletop scenes: objects on tables or before walls, for articulation pretraining."""
    simulated: Annotated[int, tyro.conf.arg(metavar="N")] = 480
    """Number of simulated soft bodies and cloths."""
    creatures: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Number of animated creatures, hands, faces and garments."""
    frames: int = 40
    """Frames per mechanism, at least 20: both limits of eight joints, and all joints together."""
    workers: int = os.cpu_count() or 1
    """Number of processes on this machine."""
    ray: RayAddress = None
    """Run on a Ray cluster with a shared disk: its address; no value: a running cluster or this machine."""
    seed: int = 0
    """Random seed; the same seed gives the same store."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.datasets.build import build
        from neurok.datasets.splits import counts

        jobs = self._jobs()
        start = time.monotonic()
        with progress("recording", len(jobs)) as step:
            report = build(jobs, self.out, workers=self.workers, ray=self.ray, step=step)
        minutes = (time.monotonic() - start) / 60
        split = counts(entry.split for entry in report.entries)
        print(f"{len(report.entries):,} objects, {report.frames:,} frames in {self.out}, {minutes:.1f} min")
        print(", ".join(f"{name} {number:,}" for name, number in split.items()))
        print_skipped([entry.name for entry in report.entries], report.skipped)
        figures = {"objects": len(report.entries), "frames": report.frames, "build_minutes": minutes}
        write_json({"figures": figures, "split": split, "skipped": report.skipped}, self.json)
        return 0

    @property
    def _composites(self) -> dict[str, int]:
        """Number of objects by the name of the composite generator."""
        return {
            "contraption": self.random_mechanisms,
            "assembly": self.random_assemblies,
            "setting": self.tabletop_scenes,
        }

    def _jobs(self):
        from neurok.datasets.sources import folder_jobs, generator_jobs

        if (
            self.workers < 1
            or self.frames < 20
            or min(self.articulated, self.simulated, self.creatures, *self._composites.values()) < 0
        ):
            raise InputError(self.out, "a count is too small", "Give at least 1 worker and 20 frames")
        jobs = generator_jobs(
            self.articulated, self.simulated, self.seed, self.frames, self._composites, self.creatures
        )
        for folder in self.data:
            jobs += folder_jobs(folder, self.seed, self.frames, self.leave_out)
        if not jobs:
            raise InputError(self.out, "no object to record", "Give --data, or a number of generated objects")
        return jobs


@dataclass(frozen=True)
class Show:
    """Print statistics and licences of a store, and draw a contact sheet of random objects.

    Examples:
      neurok data show store
      neurok data show store --sheet sheet.png --count 24
    """

    store: tyro.conf.Positional[Path]
    """Folder of the store."""
    sheet: Annotated[Path | None, tyro.conf.arg(metavar="PNG")] = None
    """Contact sheet of objects at rest and in motion."""
    count: int = 16
    """Number of objects on the sheet."""
    seed: int = 0
    """Random seed of the selection."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the statistics as JSON."""

    def run(self) -> int:
        from neurok.datasets.statistics import SPLITS, sheet, summarise
        from neurok.datasets.store.store import Store

        store = Store.open(self.store)
        statistics = summarise(store)
        print_table(str(self.store), statistics.header, statistics.rows)
        print(statistics.legend)
        print_table("licences", ["licence", "objects"], statistics.licences)
        print_table("splits, in objects", SPLITS, statistics.splits)
        print_skipped(store.names(), store.skipped)
        if self.sheet is not None:
            from neurok.rendering import save_image

            save_image(sheet(store, self.count, self.seed), self.sheet)
            print(f"wrote {self.sheet}")
        write_json({"figures": statistics.figures}, self.json)
        return 0


def print_skipped(made: Iterable[str], skipped: Mapping[str, str]) -> None:
    """Prints the skipped objects and the reasons, grouped by source."""
    from neurok.jobs.skip_summary import by_source

    if skipped:
        header = ["source", "recorded", "skipped", "reason (or the first of several)"]
        rows = [(source, f"{n:,}", f"{k:,}", why) for source, n, k, why in by_source(made, skipped)]
        print_table(f"{len(skipped)} skipped", header, rows)


topics = {"build": Build, "show": Show}
