"""neurok bench SYSTEM: measures speed and memory.

  neurok bench io            load, weld, decimate, bind and export from 1k to 1M faces
  neurok bench render        time per frame, by GPU driver and by ray casting
  neurok bench data STORE    frame pairs read per second, memory, build time
  neurok bench kinematics    time to encode a mesh and to decode poses
  neurok bench articulation  candidate motions per second, time per object
  neurok bench dynamics      steps per second of the Lagrangian engine and of MPM
  neurok bench studio        frame rate, bytes and latency of the browser studio

neurok bench SYSTEM --help shows its options.
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
    """Time to load, weld, decimate, bind and export meshes of 1k to 1M faces, each size in its own process.

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
    """Time per frame of 512 × 512 pixels with each backend, from 2.5k to 200k faces.

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
    """Frame pairs read per second and core, memory growth while reading, and build speed-up of two processes.

    Examples:
      neurok bench data store
      neurok bench data store --pairs 20000 --only-reading --json data.json
    """

    store: tyro.conf.Positional[Path]
    """A store written by `neurok data build`."""
    pairs: int = 100_000
    """Number of pairs; memory is compared with that after the first hundred."""
    only_reading: bool = False
    """Skip the build benchmark, which takes minutes and needs two idle cores."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures as JSON."""

    def run(self) -> int:
        from neurok.benchmarks import data
        from neurok.datasets.store.store import Store

        if self.pairs <= data.FIRST:
            raise InputError("--pairs", f"is {self.pairs}", f"Give more than {data.FIRST}")
        Store.open(self.store)  # an invalid store fails here, not in the measured process
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
    """Time to encode and reduce a mesh, and to decode a pose, from 2,000 to 80,000 vertices.

    Example:
      neurok bench kinematics --json kinematics.json
    """

    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train kinematics`, in place of the shipped ones."""
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
    """Candidate motions per second of the geometric simulator on one core, and time per object.

    Examples:
      neurok bench articulation
      neurok bench articulation --objects 100 --json articulation.json
    """

    objects: int = 24
    """Number of generated objects, with 2 to 12 parts each."""
    seed: int = 0
    """Random seed of the generated objects."""
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
    """Steps per CPU second of the Lagrangian engine on one core, from 1,000 to 200,000 vertices.

    Also measures the same body as explicit MPM particles, and the CPU time from a file to the first step.

    Examples:
      neurok bench dynamics --json dynamics.json
      neurok bench dynamics --no-particles
    """

    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train kinematics`, in place of the shipped ones."""
    particles: bool = True
    """Measure MPM, which needs Warp (`pip install "neurok[mpm]"`)."""
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
    """Frame rate, bytes per frame and latency of the studio while an object is dragged.

    The server is measured with 20,000 vertices. Chromium without a GPU draws 2,500 vertices: frames per
    second, time from mouse to picture, time to the first drag. These figures need Playwright
    (`pip install playwright`) and a Chromium.

    Examples:
      neurok bench studio --json studio.json
      neurok bench studio --soak 60 --tabs 20
    """

    soak: Annotated[float | None, tyro.conf.arg(metavar="MINUTES")] = None
    """Instead, measure memory growth while many pages drag at random for this time."""
    tabs: int = 20
    """Number of pages of the soak test."""
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
        result = soak.soak(minutes, self.tabs, report=lambda row: print(row, flush=True))
        figures = result.figures()
        print_table(f"{self.tabs} pages", soak.HEADER, soak.rows_of(figures))
        errors = sorted(set(result.errors))
        for text in errors:
            print(text)
        write_json({"figures": figures, "errors": errors, "looks": result.samples}, self.json)
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
