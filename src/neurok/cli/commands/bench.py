"""neurok bench SYSTEM: measure speed and memory and print the figures.

  neurok bench io            load, weld, decimate, bind and export from 1k to 1M faces
  neurok bench render        frames by GPU driver and by ray casting
  neurok bench data STORE    pairs of frames read from a store, memory, and building
  neurok bench kinematics    encode a mesh into its learned space, and decode poses
  neurok bench articulation  candidate motions of the geometric simulator, and whole objects
  neurok bench dynamics      steps of the Lagrangian engine, beside an explicit particle method
  neurok bench studio        frames, bytes and latency of the browser studio

neurok bench SYSTEM --help explains one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.cli.report import print_table, progress, write_json
from neurok.errors import InputError


@dataclass(frozen=True)
class BenchIo:
    """Load, weld, decimate, bind and export meshes of 1k to 1M faces; each size in a process of its own.

    Examples:
      neurok bench io
      neurok bench io --json io.json
    """

    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks.io import HEADER, measure_all

        rows, figures = measure_all()
        print_table("seconds, and peak memory of the process", HEADER, rows)
        write_json({"figures": figures}, self.json)
        return 0


@dataclass(frozen=True)
class BenchRender:
    """Time of one frame of 512 × 512 pixels with either backend, from 2.5k to 200k faces.

    Example:
      neurok bench render --json render.json
    """

    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks import render

        figures = render.run()
        print(render.describe(figures))
        write_json({"figures": figures}, self.json)
        return 0


@dataclass(frozen=True)
class BenchData:
    """Pairs of frames read per second and core from a store, how memory grows with their number, and how much
    faster two processes build than one.

    Examples:
      neurok bench data store
      neurok bench data store --pairs 20000 --only-reading --json data.json
    """

    store: tyro.conf.Positional[Path]
    """A folder that `neurok data build` made."""
    pairs: int = 100_000
    """Pairs to read; memory is compared with that after the first hundred."""
    only_reading: bool = False
    """Don't measure building, which takes some minutes and wants two quiet cores."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks import data
        from neurok.datasets.store.store import Store

        if self.pairs <= data.FIRST:
            raise InputError("--pairs", f"is {self.pairs}", f"Give more than {data.FIRST}")
        Store.open(self.store)  # what is no store is told here, not by the process that measures
        with progress("reading", self.pairs // data.FIRST) as step:
            rows, figures = data.measure_reading(self.store, self.pairs, step=step)
        print_table(str(self.store), data.READING, rows)
        if not self.only_reading:
            with progress("building", 2) as step:
                rows, built = data.measure_building(step=step)
            print_table("building", data.BUILDING, rows)
            figures |= built
        for name, value in figures.items():
            print(f"{name} {value:.3g}")
        write_json({"figures": figures}, self.json)
        return 0


@dataclass(frozen=True)
class BenchKinematics:
    """Time to encode and reduce a mesh, and to decode a pose of it, from 2,000 to 80,000 vertices.

    Example:
      neurok bench kinematics --json kinematics.json
    """

    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights that `neurok train kinematics` wrote."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks import kinematics
        from neurok.latent import NeuROK

        with progress("encoding", 3) as step:
            rows, figures = kinematics.measure(NeuROK.from_pretrained(self.model), step)
        print_table("learned kinematics", kinematics.HEADER, rows)
        for name, value in figures.items():
            print(f"{name} {value:.3g}")
        write_json({"figures": figures}, self.json)
        return 0


@dataclass(frozen=True)
class BenchArticulation:
    """Candidate motions that the geometric simulator tries on one core, and the time of whole objects.

    Examples:
      neurok bench articulation
      neurok bench articulation --objects 100 --json articulation.json
    """

    objects: int = 24
    """Generated objects of 2 to 12 parts."""
    seed: int = 0
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks.articulation import HEADER, measure

        with progress("articulating", self.objects) as step:
            rows, figures = measure(self.objects, self.seed, step)
        print_table("articulation of generated objects", HEADER, rows)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        write_json({"figures": figures}, self.json)
        return 0


@dataclass(frozen=True)
class BenchDynamics:
    """Steps of the Lagrangian engine per CPU second on one core, from 1,000 to 200,000 vertices;
    the same body as explicit MPM particles; the CPU time from a file to the first step.

    Examples:
      neurok bench dynamics --json dynamics.json
      neurok bench dynamics --no-particles
    """

    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights that `neurok train kinematics` wrote."""
    particles: bool = True
    """Measure MPM too, which needs Warp (`pip install "neurok[mpm]"`)."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks import dynamics

        with progress("simulating", 5 + self.particles) as step:
            rows, figures, notes = dynamics.measure(self.model, self.particles, step)
        print_table("Lagrangian engine, one core", dynamics.HEADER, rows)
        for note in notes:
            print(note)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        write_json({"figures": figures, "notes": notes}, self.json)
        return 0


@dataclass(frozen=True)
class BenchStudio:
    """Frames that the studio delivers while an object of 20,000 vertices is dragged, bytes of a frame, frames
    that Chromium draws without a GPU (2,500 vertices), mouse to picture, and the time to a first drag.

    Needs Playwright (`pip install playwright`) and a Chromium for all but the first three.

    Examples:
      neurok bench studio --json studio.json
      neurok bench studio --soak 60 --tabs 20
    """

    soak: Annotated[float | None, tyro.conf.arg(metavar="MINUTES")] = None
    """Measure how memory grows while many pages drag at random for so long, instead."""
    tabs: int = 20
    """Pages of the soak."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        if self.soak is not None:
            return self._soak(self.soak)
        from neurok.benchmarks import studio

        with progress("measuring", 3) as step:
            rows, figures, notes = studio.measure(step)
        print_table("studio", studio.HEADER, rows)
        for note in notes:
            print(note)
        write_json({"figures": figures, "notes": notes}, self.json)
        return 0

    def _soak(self, minutes: float) -> int:
        from neurok.benchmarks import soak

        if not 0 < minutes <= 24 * 60:
            raise InputError("--soak", f"is {minutes:g}", "Give minutes, up to a day")
        if not 1 <= self.tabs <= 32:
            raise InputError("--tabs", f"is {self.tabs}", "Give from 1 to 32")
        soaked = soak.soak(minutes, self.tabs, tell=lambda row: print(row, flush=True))
        figures = soaked.figures()
        print_table(f"{self.tabs} pages", soak.HEADER, soak.rows_of(figures))
        errors = sorted(set(soaked.errors))
        for text in errors:
            print(text)
        write_json({"figures": figures, "errors": errors, "looks": soaked.looks}, self.json)
        return 0


topics = {
    "io": BenchIo,
    "render": BenchRender,
    "data": BenchData,
    "kinematics": BenchKinematics,
    "articulation": BenchArticulation,
    "dynamics": BenchDynamics,
    "studio": BenchStudio,
}
