"""`neurok simulate`: a static object in, its physical motion out."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from neurok.cli.cluster import RayAddress
from neurok.cli.report import print_table, print_written, progress, write_json
from neurok.errors import InputError
from neurok.shapes.load import Unit
from neurok.shapes.shape import UpAxis

if TYPE_CHECKING:
    from neurok.pipelines.simulation_job import Job, Report

Repeated = tyro.conf.UseAppendAction
Texts = tuple[tuple[str, ...], ...]
NONE = "none"


def texts(metavar: str) -> Any:
    """Options that are given once with several values, or several times."""
    return tyro.conf.arg(metavar=metavar)


@dataclass(frozen=True)
class Simulate:
    """Bring static objects to life: meshes and what happens to them in, physical motion out.

    A PLACE is the name of a part, the number of a vertex, or a point X,Y,Z; PLACE~R takes all within R.
    @START+DURATION (s) may follow a value. Forces are newtons, speeds m/s; places are in the file's own
    units and axes. What you don't say is assumed, and told: gravity, a base that stands, a floor, light
    damping, and if nothing is to happen, a nudge.

    Examples:
      neurok simulate laptop.glb -o closing.glb --push screen=0,-1,0
      neurok simulate plant.glb -o swaying.mp4 swaying.glb --wind 6,0,0@0+2 --energy plant.png
      neurok simulate teddy.glb -o fall.mp4 --drop 0.5 --kinematics elastic --seconds 4
      neurok simulate cabinet.urdf -o opening.usdc --motor door_hinge=80deg --no-gravity
      neurok simulate laptop.glb plant.glb -o moving/ --workers 2
    """

    files: Annotated[tyro.conf.Positional[tuple[Path, ...]], tyro.conf.arg(metavar="FILE")]
    """Meshes or robot descriptions."""
    output: Annotated[
        tuple[tuple[Path, ...], ...], tyro.conf.arg(aliases=["-o"], metavar="FILE"), Repeated
    ] = ()
    """.glb .usdc .npz .ply .mp4 .webp .png (a sheet); of many objects a folder, or names with {name}."""
    energy: Annotated[tuple[tuple[Path, ...], ...], tyro.conf.arg(metavar="FILE"), Repeated] = ()
    """Where the energy went: a plot as .png, numbers as .csv or .json."""
    conditions: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """What happens, as .yaml or .json; flags add to it."""
    kinematics: Literal["auto", "joints", "neural", "elastic"] = "auto"
    """auto: joints of the file, else learned coordinates if the model is sure, else elastic modes."""
    seconds: float = 3.0
    """Length of the motion."""
    push: Annotated[Texts, texts("PLACE=X,Y,Z"), Repeated] = ()
    """Force in N, for 0.2 s unless timed."""
    drag: Annotated[Texts, texts("PLACE=X,Y,Z"), Repeated] = ()
    """Pulled to a point by a spring, within 1 s unless timed."""
    throw: Annotated[str | None, tyro.conf.arg(metavar="X,Y,Z[/X,Y,Z]")] = None
    """Starts free at a velocity in m/s, and a spin in rad/s."""
    drop: Annotated[str | None, tyro.conf.arg(metavar="METRES")] = None
    """Starts free, its lowest point so high above the floor."""
    wind: Annotated[Texts, texts("X,Y,Z"), Repeated] = ()
    """Velocity of the air in m/s."""
    tilt: Annotated[str | None, tyro.conf.arg(metavar="DEGREES[/X,Y,Z]")] = None
    """What it stands on tilts, about the x axis or the one given."""
    motor: Annotated[Texts, texts("NAME=VALUE"), Repeated] = ()
    """A coordinate driven to a value (rad, units, or 80deg) within 1 s."""
    pose: Annotated[Texts, texts("NAME=VALUE"), Repeated] = ()
    """A coordinate at the start."""
    pin: Annotated[Texts, texts("PLACE"), Repeated] = ()
    """Held where it is; auto: the base that it stands on; none: loose."""
    random: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """N different motions, drawn at random: pushes, gusts, kicks, poses; files get numbers."""
    gravity: Annotated[str | None, tyro.conf.arg(metavar="M/S²")] = None
    """A number, down, or X,Y,Z; the shape then sags under it."""
    no_gravity: bool = False
    """Weightless."""
    floor: Annotated[str | None, tyro.conf.arg(metavar="NAME=NUMBER")] = None
    """height, friction, restitution, as in height=0,friction=0.2."""
    no_floor: bool = False
    """Nothing below."""
    obstacle: Annotated[Texts, texts("FILE"), Repeated] = ()
    """A fixed mesh, ball:X,Y,Z,R or box:X,Y,Z,SX,SY,SZ."""
    damping: Annotated[str | None, tyro.conf.arg(metavar="NUMBER")] = None
    """1/s at which motion dies down, or by_mass=…,by_stiffness=…"""
    stiffness: Annotated[str | None, tyro.conf.arg(metavar="NUMBER")] = None
    """Times the material's, or frequency=… (Hz), or skin=…,glue=…,prior=… of learned coordinates."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the learned space, if not those that ship with the package."""
    modes: int = 12
    """Number of elastic modes."""
    density: Annotated[float | None, tyro.conf.arg(metavar="KG/M³")] = None
    """In place of the file's masses, or of 500 (elastic bodies: 1000)."""
    fps: float = 30.0
    """Frames per second that are written."""
    step: float = 1 / 60
    """Longest step in s; it is halved where that is too long."""
    integrator: Literal["variational", "rk4", "semi-implicit"] = "variational"
    """How time goes on."""
    seed: int = 0
    """Same seed, same files."""
    workers: int = os.cpu_count() or 1
    """Processes for many objects."""
    ray: RayAddress = None
    """Many objects on a Ray cluster: its address, or local; alone, one that runs, else this machine."""
    up: UpAxis | None = None
    """Which axis is up, where the file does not say."""
    unit: Unit | None = None
    """Unit of the file's coordinates, where the file does not say."""
    repair: bool = False
    """Drop faces that use NaN or missing vertices instead of refusing the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write the report as JSON; '-' prints it."""

    def run(self) -> int:
        from neurok.pipelines.simulation_job import perform

        jobs = self._jobs()
        quiet = self.json == "-"
        if len(jobs) > 1 or self.ray is not None:
            reports = self._run_many(jobs)
        else:
            reports = [perform(jobs[0], progress, (lambda line: None) if quiet else print)]
        if not quiet:
            for report in reports:
                _print(report, alone=len(jobs) == 1 and self.ray is None)
        write_json({"objects": [_plain(asdict(report)) for report in reports]}, self.json)
        if any(report.interrupted for report in reports):
            raise KeyboardInterrupt("interrupted; what was simulated so far is written")
        return 2 if any(report.error for report in reports) else 0

    def _jobs(self) -> list[Job]:
        from neurok.dynamics import SimulationConfig
        from neurok.pipelines.batch import outputs_for
        from neurok.pipelines.energy_report import check_energy_path
        from neurok.pipelines.outputs import check_outputs
        from neurok.pipelines.simulate import Options
        from neurok.pipelines.simulation_job import Job

        self._check()
        given = [path for group in self.output for path in group] or [Path("{name}_simulated.glb")]
        outputs = outputs_for(self.files, given, ".glb")
        energy = outputs_for(self.files, [path for group in self.energy for path in group], ".png")
        for of_one, plots in zip(outputs, energy, strict=True):
            check_outputs(of_one)
            for path in plots:
                check_energy_path(path)
        conditions, without = self._conditions()
        config = SimulationConfig(self.seconds, self.fps, self.step, self.integrator)
        options = Options(
            self.kinematics, self.model, self.modes, self.density, self.seed, frozenset(without)
        )
        return [
            Job(
                file, of_one, plots, conditions, config, options, self.random, self.up, self.unit, self.repair
            )
            for file, of_one, plots in zip(self.files, outputs, energy, strict=True)
        ]

    def _check(self) -> None:
        if not self.files:
            raise InputError("simulate", "no file is given", "Name a mesh, as in laptop.glb")
        if not 0 <= self.random <= 1000:
            raise InputError("--random", f"is {self.random}", "Give a count up to 1000")
        if not 0 <= self.seed < 2**32:
            raise InputError("--seed", f"is {self.seed}", "Give a number from 0 to 4294967295")
        if self.workers < 1:
            raise InputError("--workers", f"is {self.workers}", "Give at least one")
        for on, off in (("gravity", "no_gravity"), ("floor", "no_floor")):
            if getattr(self, on) is not None and getattr(self, off):
                raise InputError(f"--{on}", f"and --no-{on} exclude each other", "Keep one of them")

    def _conditions(self) -> tuple[tuple, set[str]]:
        """Those of the file, then those of the flags; and what is not to be assumed."""
        from neurok.dynamics import load_conditions
        from neurok.pipelines.condition_flags import READERS, condition

        without = {name for name in ("gravity", "floor") if getattr(self, f"no_{name}")}
        found = list(load_conditions(self.conditions)) if self.conditions else []
        for flag in READERS:
            value = getattr(self, flag)
            given = [value] if isinstance(value, str) else [text for group in value or () for text in group]
            if flag == "pin" and NONE in given:
                without.add("pin")
                given = [text for text in given if text != NONE]
            found += [condition(flag, text) for text in given]
        return tuple(found), without

    def _run_many(self, jobs: list[Job]) -> list[Report]:
        from neurok.pipelines.batch import perform_all

        with progress("simulating", len(jobs)) as step:
            found = []
            for report in perform_all(jobs, self.workers, self.ray):
                found.append(report)
                step()
                if report.interrupted:
                    break
        order = {job.file: i for i, job in enumerate(jobs)}
        return sorted(found, key=lambda report: order[report.file])


command = Simulate


def _plain(tree: Any) -> Any:
    """Paths as text, all the way down."""
    if isinstance(tree, dict):
        return {key: _plain(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_plain(value) for value in tree]
    return str(tree) if isinstance(tree, Path) else tree


def _print(report: Report, alone: bool) -> None:
    """What moved, how far, where the energy went, which files there are."""
    if report.error:
        print(f"{report.error}  (skipped)")
        return
    if not alone:
        print(report.choice)
    for i, motion in enumerate(report.motions):
        title = f"{i + 1}: {motion.words}" if motion.words else "energy"
        if alone and len(report.motions) == 1:
            print_table(title, ["", "most", "at the end", "share"], motion.energy)
        elif motion.words:
            print(f"  {title}")
        share = f"unexplained energy {motion.unexplained:.2%} of what moved"
        print(f"  {motion.seconds:.3g} s, farthest motion {motion.travel:.2f} radii, {share}")
        for note in motion.notes:
            print(f"  note: {note}")
        numbered = [path for path in motion.outputs if path.suffix.lower() in (".ply", ".obj")]
        for path in (path for path in motion.outputs if path not in numbered):
            print(f"wrote {path}")
        print_written(numbered)
