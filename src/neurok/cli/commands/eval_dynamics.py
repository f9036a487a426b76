"""`neurok eval dynamics`: compares the engine with closed forms, energy balances, MuJoCo and random runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from neurok.cli.report import print_table, print_written, progress, write_json

INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class EvalDynamics:
    """Compare the engine with closed forms, energy balances, MuJoCo, and annotated joints.

    Joints: every URDF and MJCF file below --data moves for 2 s in both simulators, with the same masses,
    gravity and a push of 5 N per kilogram for 0.3 s. Limits, contact, damping, friction, springs, armature,
    actuators, tendons and welds are off; couplings are exact. Learned space: test objects of --store without
    their joints. As a user: one push on a mesh by the defaults of `neurok simulate`, against the true joints.
    ^C ends a comparison and prints the figures of the finished part.

    Examples:
      neurok eval dynamics --data assets/ --json dynamics.json
      neurok eval dynamics --data assets/ --workers 2 --journal rows.jsonl
      neurok eval dynamics --store store --model weights.safetensors --pictures pages/
      neurok eval dynamics --fuzz 10000
      neurok eval dynamics --as-user --data assets/ --objects 20 --journal rows.jsonl
    """

    data: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder of mechanisms to compare with MuJoCo."""
    store: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Store whose test objects compare the learned space with annotated joints."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the learned space, in place of the shipped ones."""
    objects: int | None = None
    """Number of random mechanisms, and of random objects per collection of the store."""
    fuzz: int = 0
    """Number of random runs with extreme conditions, instead of the comparisons."""
    as_user: bool = False
    """Push held-out objects of --store or --data as a user does, instead of the comparisons."""
    forms: tuple[Literal["bare", "fused", "parts"], ...] = ("bare", "fused", "parts")
    """Forms in which --as-user has the objects."""
    split: Literal["test", "validation"] = "test"
    """Held-out split of --as-user."""
    seed: int = 0
    """Random seed of samples, pushes and random runs."""
    workers: int = 1
    """Number of processes, each with one core."""
    journal: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Append each finished mechanism or batch of random runs to this .jsonl file, and resume from it."""
    pictures: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Write a page with the true and the simulated motion of every object of the store."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures and every result as JSON."""

    def run(self) -> int:
        from neurok.jobs.journal import plain_value

        figures: dict[str, float] = {}
        results: dict[str, Any] = {}
        parts = [self._formulas, self._energies, self._joints, self._learned]
        parts = [self._fuzz] if self.fuzz else [self._as_user] if self.as_user else parts
        for part in parts:
            found, rows = part()
            figures |= found
            results |= rows
            if INTERRUPTED in results:
                print(f"interrupted: figures of {results[INTERRUPTED]}")
                break
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        written = {name: plain_value(value) for name, value in figures.items()}
        write_json({"figures": written, **results}, self.json)
        return 130 if INTERRUPTED in results else 0

    def _formulas(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import closed_forms

        found = closed_forms.measure()
        rows = [[name, f"{error:.2e}", f"{tolerance:.0e}"] for name, (error, tolerance) in found.items()]
        print_table("closed forms", ["relative error of", "measured", "tolerance"], rows)
        heights = {str(e): closed_forms.bounce_error(e) for e in closed_forms.RESTITUTIONS}
        rows = [[e, f"{error:+.2%}"] for e, error in heights.items()]
        print_table("height of the first bounce", ["restitution", "error relative to e² h"], rows)
        return {name: error for name, (error, _) in found.items()}, {"bounce_heights": heights}

    def _energies(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import energies
        from neurok.latent import NeuROK

        minute = energies.measure_conservation(model=NeuROK.from_pretrained(self.model))
        header = ["coordinates", "largest error", "drift", "notes"]
        print_table(
            "60 s without losses at steps of 1/60 s, relative to the energy scale",
            header,
            [_balance(b) for b in minute],
        )
        forced = energies.measure_balance()
        print_table("with forces and losses", ["run", *header[1:]], [_balance(b) for b in forced])
        figures = {f"energy_error_{b.name}": b.error for b in minute}
        figures |= {f"energy_drift_{b.name}": b.drift for b in minute}
        figures["energy_balance_error"] = max(b.error for b in forced)
        return figures, {"energies": [b._asdict() for b in (*minute, *forced)]}

    def _joints(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import joints, joints_table
        from neurok.jobs.journal import plain

        if self.data is None:
            print("joints are not compared with MuJoCo: --data is not given")
            return {}, {}
        paths = joints.find_mechanisms(self.data, self.objects, self.seed)
        with progress("simulating joints", len(paths)) as step:
            rows = joints.evaluate(paths, self.seed, self.workers, step, self.journal)
        summary = joints_table.summarise(rows, self.data)
        beyond = ["above 1 %", "not reproducible in MuJoCo"]
        header = ["folder", "files", "compared", "within 1 %", *beyond, "median error", "largest"]
        print_table("joints against MuJoCo", header, summary.table)
        print_table("default integrator", ["step", "files", "within 1 %"], summary.fixed)
        own = ["MuJoCo, half step", "MuJoCo, velocity + 1e-6"]
        print_table("largest errors", ["file", "coordinates", "error", *own, "reason"], summary.worst)
        if summary.not_compared:
            print_table("not compared", ["files", "reason"], summary.not_compared)
        return summary.figures, {
            "joints": [plain(r) for r in rows],
            **_interruption(rows, len(paths), "mechanisms"),
        }

    def _learned(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import latent
        from neurok.evaluation.dynamics.gallery import write_page
        from neurok.jobs.journal import plain

        if self.store is None:
            print("the learned space is not compared with annotated joints: --store is not given")
            return {}, {}
        names = latent.choose(self.store, self.objects, self.seed)
        evaluation = latent.LatentEvaluation(self.store, self.model, self.seed, self.pictures)
        with progress("simulating objects", len(names)) as step:
            rows = latent.evaluate(evaluation, names, self.workers, step)
        summary = latent.summarise(rows)
        header = ["collection", "objects", "10 %", "25 %", "median", "75 %", "90 %", "no motion"]
        print_table(
            "learned space against annotated joints, error relative to the amplitude", header, summary.table
        )
        columns = ["object", "mean", "after 1 s", "in parts", "with true joints", "coordinates / joints"]
        print_table("worst", columns, summary.worst)
        for line in summary.left_out:
            print(f"excluded: {line}")
        if self.pictures is not None:
            strips = [(r.name, r.error, r.picture) for r in rows if r.picture and r.error is not None]
            print_written([write_page(self.pictures, strips)])
        return summary.figures, {
            "learned": [plain(r) for r in rows],
            **_interruption(rows, len(names), "objects"),
        }

    def _as_user(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.errors import InputError
        from neurok.evaluation.dynamics.as_user import gallery, objects, run, table
        from neurok.jobs.journal import plain

        data = self.store or self.data
        if data is None:
            raise InputError("--as-user", "has no objects", "Give --store or --data")
        tasks = run.tasks_of(objects.targets(data, self.split, self.objects, self.seed), self.forms)
        with progress("pushing objects", len(tasks)) as step:
            rows = run.evaluate(tasks, self.seed, self.workers, step, self.journal, self.pictures)
        summary = table.summarise(rows)
        print_table("one push by default settings", list(table.ROW_HEADER), summary.rows)
        print_table("moves as the true joints do", list(table.HEADER), summary.table)
        if summary.left_out:
            print_table("left out", ["objects", "reason"], summary.left_out)
        if strips := [(f"{r.name}, {r.form}: {r.fails or 'right'}", r.picture) for r in rows if r.picture]:
            print_written(gallery.write_pages(strips[0][1].parent, strips))
        return summary.figures, {
            "as_user": [plain(r) for r in rows],
            **_interruption(rows, len(tasks), "objects"),
        }

    def _fuzz(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import fuzz

        count = -(-self.fuzz // fuzz.BATCH)
        with progress("running", count) as step:
            batches = fuzz.fuzz(self.fuzz, self.seed, self.workers, step, self.journal)
        summary = fuzz.summarise(batches)
        header = ["object", "runs", "finished", "stopped with a reason", "rejected", "failed"]
        print_table("random runs", header, summary.table)
        if summary.refusals:
            print_table("rejections", ["batches", "reason"], summary.refusals)
        for failure in summary.failures:
            print(failure)
        return summary.figures, {"failures": summary.failures, **_interruption(batches, count, "batches")}


def _interruption(found: list[Any], wanted: int, what: str) -> dict[str, str]:
    """Note on an interrupted evaluation; empty for a complete one."""
    return {INTERRUPTED: f"{len(found)} of {wanted} {what}"} if len(found) < wanted else {}


def _balance(balance: Any) -> list[str]:
    return [balance.name, f"{balance.error:.2e}", f"{balance.drift:.1e}", "; ".join(balance.notes)]
