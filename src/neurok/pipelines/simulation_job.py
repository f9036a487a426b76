"""One simulation job: a file in, output files and a report out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from neurok.dynamics import Condition, Frame, Run, SimulationConfig, collected, stream
from neurok.kinematics import Kinematics, animate
from neurok.pipelines.energy_report import curves, save_energy, summary
from neurok.pipelines.outputs import by_cost, write_motion
from neurok.pipelines.random_motion import random_scenarios
from neurok.pipelines.simulate import SHOWN, Options, Setup, prepare
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

Bar = Callable[[str, int], AbstractContextManager[Callable[..., None]]]  # description and number of steps


@dataclass(frozen=True)
class Job:
    """A file, its conditions and its outputs; small enough to send to another process."""

    file: Path
    outputs: tuple[Path, ...] = ()
    energy: tuple[Path, ...] = ()
    conditions: tuple[Condition, ...] = ()
    config: SimulationConfig = SHOWN
    options: Options = Options()  # noqa: RUF009  # frozen
    random: int = 0  # number of random motions; their files are numbered
    up: UpAxis | None = None
    unit: Unit | None = None
    repair: bool = False


@dataclass
class MotionReport:
    """Figures of one motion."""

    description: str  # of a random scenario; empty for given conditions
    seconds: float
    travel: float  # radii
    energy: list[list[str]]  # rows of the table
    unexplained: float  # share of the scale
    notes: list[str]
    outputs: list[Path] = field(default_factory=list)


@dataclass
class Report:
    """Result of a job; `error` is the reason for a failure."""

    file: Path
    choice: str = ""
    assumed: tuple[str, ...] = ()
    motions: list[MotionReport] = field(default_factory=list)
    interrupted: bool = False
    error: str = ""


@contextmanager
def no_bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    yield lambda *_: None


def perform(job: Job, bar: Bar = no_bar, print_line: Callable[[str], None] = lambda line: None) -> Report:
    """Simulate and write. ^C ends the simulation and writes its frames; a second ^C ends a video."""
    shape = load_shape(job.file, up=job.up, unit=job.unit, repair=job.repair)
    without = {*job.options.without, *(("nudge",) if job.random else ())}
    setup = prepare(shape, job.conditions, config=job.config, options=replace(job.options, without=without))
    report = Report(job.file, setup.choice, setup.assumed)
    print_line(setup.choice)
    for line in setup.assumed:
        print_line(f"  assumed: {line}")
    scenarios = [(list(setup.conditions), "")]
    if job.random:
        scenarios = random_scenarios(
            setup.kinematics, setup.conditions, setup.mass, job.random, job.options.seed
        )
    kinematics, run, report.interrupted = _simulate(setup, [conditions for conditions, _ in scenarios], bar)
    report.motions = [_report(run, i, description) for i, (_, description) in enumerate(scenarios)]
    try:
        for i, motion in enumerate(report.motions):
            _write(job, kinematics, run, i, motion, bar)
    except KeyboardInterrupt:
        report.interrupted = True
    return report


def _simulate(
    setup: Setup, scenarios: Sequence[Sequence[Condition]], bar: Bar
) -> tuple[Kinematics, Run, bool]:
    """The run, and whether ^C ended it early."""
    config = setup.config
    kinematics, frames = stream(setup.kinematics, scenarios, config, mass=setup.mass)
    found: list[Frame] = []
    interrupted = False
    with bar("simulating", round(config.seconds * config.fps) + 1) as step:
        try:
            for frame in frames:
                found.append(frame)
                step()
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
            config = replace(config, seconds=(len(found) - 1) / config.fps)
    return kinematics, collected(kinematics, found, config), interrupted


def _report(run: Run, i: int, description: str) -> MotionReport:
    count = run.frames[i]
    found = curves(run.energy, count, i)
    own = [n.partition(": ")[2] if n.startswith(f"scenario {i}: ") else n for n in run.notes
           if not n.startswith("scenario ") or n.startswith(f"scenario {i}: ")]  # fmt: skip
    motion = animate(run.kinematics, run.q[:count, i].detach(), lazy=True)
    return MotionReport(
        description,
        float(run.times[count - 1]),
        motion.travel,
        summary(found),
        float(run.energy.error[i]),
        own,
    )


def _write(job: Job, kinematics: Kinematics, run: Run, i: int, report: MotionReport, bar: Bar) -> None:
    """The files of one motion."""
    count = run.frames[i]
    motion = animate(kinematics, run.q[:count, i].detach(), job.config.fps, "simulation", lazy=True)
    times = run.times[:count].numpy()
    for path in (_numbered(p, i, job.random) for p in job.energy):
        report.outputs.append(save_energy(curves(run.energy, count, i), times, path, job.file.stem))
    for path in by_cost([_numbered(p, i, job.random) for p in job.outputs]):
        with bar(f"writing {path.name}", len(motion)) as step:
            report.outputs += write_motion(motion, path, step)


def _numbered(path: Path, i: int, of: int) -> Path:
    return path.with_name(f"{path.stem}_{i + 1}{path.suffix}") if of else path
