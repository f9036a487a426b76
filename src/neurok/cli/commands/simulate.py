"""`neurok simulate`: simulates the motion of a static object under physical conditions."""

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
    """Metavar of an option that takes several values and may be repeated."""
    return tyro.conf.arg(metavar=metavar)


@dataclass(frozen=True)
class Simulate:
    """Simulate the physical motion of static objects.

    A PLACE is a part name, a vertex number, or a point X,Y,Z; PLACE~R selects all vertices within R.
    A value may end in @START+DURATION (s). Forces are in N, speeds in m/s, places in the file's own units
    and axes. Unspecified conditions get defaults, which are printed: gravity, a fixed base, a floor, light
    damping, and a small push if no action is given.

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
    """.glb .usdc .npz .ply .mp4 .webp .png (contact sheet); for many objects a folder or a {name} pattern."""
    energy: Annotated[tuple[tuple[Path, ...], ...], tyro.conf.arg(metavar="FILE"), Repeated] = ()
    """Energy balance: a plot as .png, numbers as .csv or .json."""
    conditions: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Conditions as .yaml or .json; flags add to them."""
    kinematics: Literal["auto", "joints", "latent", "elastic"] = "auto"
    """auto: joints of the file, else joints that are found, else the latent space or elastic modes."""
    seconds: float = 3.0
    """Simulated time in s."""
    push: Annotated[Texts, texts("PLACE=X,Y,Z"), Repeated] = ()
    """Force in N; lasts 0.2 s by default."""
    drag: Annotated[Texts, texts("PLACE=X,Y,Z"), Repeated] = ()
    """Spring that pulls a place to a point; takes 1 s by default."""
    throw: Annotated[str | None, tyro.conf.arg(metavar="X,Y,Z[/X,Y,Z]")] = None
    """Initial velocity in m/s, and spin in rad/s, of the free object."""
    drop: Annotated[str | None, tyro.conf.arg(metavar="METRES")] = None
    """Initial height of the lowest point above the floor; the object is free."""
    wind: Annotated[Texts, texts("X,Y,Z"), Repeated] = ()
    """Wind velocity in m/s."""
    tilt: Annotated[str | None, tyro.conf.arg(metavar="DEGREES[/X,Y,Z]")] = None
    """Tilt of the ground, about the x axis or the given one."""
    motor: Annotated[Texts, texts("NAME=VALUE"), Repeated] = ()
    """Drives a coordinate to a value (rad, units, or 80deg) within 1 s."""
    pose: Annotated[Texts, texts("NAME=VALUE"), Repeated] = ()
    """Initial value of a coordinate."""
    pin: Annotated[Texts, texts("PLACE"), Repeated] = ()
    """Fixes a place; auto: the supporting base; none: nothing is fixed."""
    random: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """N random motions: pushes, gusts, kicks, poses; output files are numbered."""
    gravity: Annotated[str | None, tyro.conf.arg(metavar="M/S²")] = None
    """A downward acceleration or X,Y,Z; the shape then sags from its input pose."""
    no_gravity: bool = False
    """Turns gravity off."""
    floor: Annotated[str | None, tyro.conf.arg(metavar="NAME=NUMBER")] = None
    """height, friction and restitution, as in height=0,friction=0.2."""
    no_floor: bool = False
    """Removes the floor."""
    obstacle: Annotated[Texts, texts("FILE"), Repeated] = ()
    """A fixed mesh, ball:X,Y,Z,R or box:X,Y,Z,SX,SY,SZ."""
    damping: Annotated[str | None, tyro.conf.arg(metavar="NUMBER")] = None
    """Damping rate in 1/s, or by_mass=…,by_stiffness=…"""
    stiffness: Annotated[str | None, tyro.conf.arg(metavar="NUMBER")] = None
    """Factor on the material's stiffness, or frequency=… (Hz), or skin=…,glue=…,prior=… (learned space)."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the learned space, in place of the shipped ones."""
    modes: int = 12
    """Number of elastic modes."""
    density: Annotated[float | None, tyro.conf.arg(metavar="KG/M³")] = None
    """Replaces the masses of the file, or the default of 500 (elastic bodies: 1000)."""
    fps: float = 30.0
    """Frames per second of the output."""
    step: float = 1 / 60
    """Largest time step in s; halved where it does not converge."""
    integrator: Literal["variational", "rk4", "semi-implicit"] = "variational"
    """Time integrator."""
    seed: int = 0
    """Random seed; the same seed gives the same files."""
    workers: int = os.cpu_count() or 1
    """Number of processes for several objects."""
    ray: RayAddress = None
    """Run on a Ray cluster: its address, or local; without a value, a running cluster or this machine."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
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
            raise KeyboardInterrupt("interrupted; the frames so far are written")
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
        """Conditions of the file and of the flags, and the names of defaults that are switched off."""
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
    """Converts every path of a nested structure to text."""
    if isinstance(tree, dict):
        return {key: _plain(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_plain(value) for value in tree]
    return str(tree) if isinstance(tree, Path) else tree


def _print(report: Report, alone: bool) -> None:
    """Prints the energy balance, the largest motion, the notes and the files of a report."""
    if report.error:
        print(f"{report.error}  (skipped)")
        return
    if not alone:
        print(report.choice)
    for i, motion in enumerate(report.motions):
        title = f"{i + 1}: {motion.description}" if motion.description else "energy"
        if alone and len(report.motions) == 1:
            print_table(title, ["", "most", "at the end", "share"], motion.energy)
        elif motion.description:
            print(f"  {title}")
        share = f"unexplained energy {motion.unexplained:.2%} of the exchanged energy"
        print(f"  {motion.seconds:.3g} s, farthest motion {motion.travel:.2f} radii, {share}")
        for note in motion.notes:
            print(f"  note: {note}")
        numbered = [path for path in motion.outputs if path.suffix.lower() in (".ply", ".obj")]
        for path in (path for path in motion.outputs if path not in numbered):
            print(f"wrote {path}")
        print_written(numbered)
