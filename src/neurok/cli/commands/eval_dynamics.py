"""neurok eval dynamics: the Lagrangian engine against closed forms, energy, MuJoCo and absurd demands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from neurok.cli.report import print_table, print_written, progress, write_json

INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class EvalDynamics:
    """Closed forms, a minute of energy, joints against MuJoCo, the learned space against true joints.

    Joints: every URDF and MJCF file below --data, with the same masses, gravity and a push of 5 N per
    kilogram for 0.3 s, over 2 s; limits, contact, damping, friction, springs, armature, actuators, tendons
    and welds are off in both, couplings are exact in both. Learned space: test objects of --store without
    their joints. ^C ends a long comparison with the figures so far.

    Examples:
      neurok eval dynamics --data assets/ --json dynamics.json
      neurok eval dynamics --data assets/ --workers 2 --journal rows.jsonl
      neurok eval dynamics --store store --model weights.safetensors --pictures pages/
      neurok eval dynamics --fuzz 10000
    """

    data: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Compare the joints of all mechanisms below this folder with MuJoCo."""
    store: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Compare the learned space with true joints on the test objects of this store."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the learned space; those that ship with the package unless given."""
    objects: int | None = None
    """A sample of so many mechanisms, and of so many objects of each collection of the store."""
    fuzz: int = 0
    """Random runs, up to absurd ones, and nothing else."""
    seed: int = 0
    """Seed of samples, pushes and random runs."""
    workers: int = 1
    """Processes, each with one core."""
    journal: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Append every mechanism or batch of random runs to this .jsonl file as it comes, and go on from it."""
    pictures: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Write a page that shows every object of the store as it truly moved and as its learned space did."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures and every single result as JSON."""

    def run(self) -> int:
        from neurok.jobs.journal import plain_value

        figures: dict[str, float] = {}
        results: dict[str, Any] = {}
        parts = [self._fuzz] if self.fuzz else [self._formulas, self._energies, self._joints, self._learned]
        for part in parts:
            found, rows = part()
            figures |= found
            results |= rows
            if INTERRUPTED in results:
                print(f"interrupted: these are the figures of {results[INTERRUPTED]}")
                break
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        written = {name: plain_value(value) for name, value in figures.items()}
        write_json({"figures": written, **results}, self.json)
        return 130 if INTERRUPTED in results else 0

    def _formulas(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import closed_forms

        found = closed_forms.measure()
        rows = [[name, f"{error:.2e}", f"{most:.0e}"] for name, (error, most) in found.items()]
        print_table("motions that have a formula", ["relative error of", "measured", "to stay below"], rows)
        heights = {str(e): closed_forms.bounce_error(e) for e in closed_forms.RESTITUTIONS}
        rows = [[e, f"{error:+.2%}"] for e, error in heights.items()]
        print_table("height of the first bounce", ["restitution", "off e² h by"], rows)
        return {name: error for name, (error, _) in found.items()}, {"bounce_heights": heights}

    def _energies(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import energies
        from neurok.latent import NeuROK

        minute = energies.measure_conservation(model=NeuROK.from_pretrained(self.model))
        header = ["coordinates", "largest error", "drift", "notes"]
        print_table("a minute at steps of 1/60 s, in energy scales", header, [_books(b) for b in minute])
        forced = energies.measure_balance()
        print_table("with forces and losses", ["run", *header[1:]], [_books(b) for b in forced])
        figures = {f"energy_error_{b.name}": b.error for b in minute}
        figures |= {f"energy_drift_{b.name}": b.drift for b in minute}
        figures["energy_balance_error"] = max(b.error for b in forced)
        return figures, {"energies": [b._asdict() for b in (*minute, *forced)]}

    def _joints(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import joints, joints_table
        from neurok.jobs.journal import plain

        if self.data is None:
            print("joints are not compared with MuJoCo: no --data")
            return {}, {}
        paths = joints.find_mechanisms(self.data, self.objects, self.seed)
        with progress("moving joints", len(paths)) as step:
            rows = joints.evaluate(paths, self.seed, self.workers, step, self.journal)
        summary = joints_table.summarise(rows, self.data)
        beyond = ["missed", "not reproduced by MuJoCo itself"]
        header = ["folder", "files", "compared", "within 1 %", *beyond, "median error", "largest"]
        print_table("joints against MuJoCo", header, summary.table)
        print_table("the default method", ["step", "files", "within 1 %"], summary.fixed)
        own = ["MuJoCo at half its step", "started 1e-6 faster"]
        print_table("largest errors", ["file", "coordinates", "error", *own, "reason"], summary.worst)
        if summary.not_compared:
            print_table("not compared", ["files", "reason"], summary.not_compared)
        return summary.figures, {"joints": [plain(r) for r in rows], **_cut(rows, len(paths), "mechanisms")}

    def _learned(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import latent
        from neurok.evaluation.dynamics.gallery import write_page
        from neurok.jobs.journal import plain

        if self.store is None:
            print("the learned space is not compared with true joints: no --store")
            return {}, {}
        names = latent.choose(self.store, self.objects, self.seed)
        evaluation = latent.LatentEvaluation(self.store, self.model, self.seed, self.pictures)
        with progress("pushing", len(names)) as step:
            rows = latent.evaluate(evaluation, names, self.workers, step)
        summary = latent.summarise(rows)
        header = ["collection", "objects", "10 %", "25 %", "median", "75 %", "90 %", "no motion"]
        print_table("learned space against true joints, error in amplitudes", header, summary.table)
        columns = ["object", "mean", "after 1 s", "in parts", "with true joints", "coordinates for joints"]
        print_table("worst", columns, summary.worst)
        for line in summary.left_out:
            print(f"left out: {line}")
        if self.pictures is not None:
            strips = [(r.name, r.error, r.picture) for r in rows if r.picture and r.error is not None]
            print_written([write_page(self.pictures, strips)])
        return summary.figures, {"learned": [plain(r) for r in rows], **_cut(rows, len(names), "objects")}

    def _fuzz(self) -> tuple[dict[str, float], dict[str, Any]]:
        from neurok.evaluation.dynamics import fuzz

        count = -(-self.fuzz // fuzz.BATCH)
        with progress("running", count) as step:
            batches = fuzz.fuzz(self.fuzz, self.seed, self.workers, step, self.journal)
        summary = fuzz.summarise(batches)
        header = ["object", "runs", "finished", "stopped with a reason", "refused", "failed"]
        print_table("random runs", header, summary.table)
        if summary.refusals:
            print_table("refusals", ["batches", "reason"], summary.refusals)
        for failure in summary.failures:
            print(failure)
        return summary.figures, {"failures": summary.failures, **_cut(batches, count, "batches")}


def _cut(found: list[Any], wanted: int, what: str) -> dict[str, str]:
    """What to say of an evaluation that ^C cut short; nothing of a whole one."""
    return {INTERRUPTED: f"{len(found)} of {wanted} {what}"} if len(found) < wanted else {}


def _books(books: Any) -> list[str]:
    return [books.name, f"{books.error:.2e}", f"{books.drift:.1e}", "; ".join(books.notes)]
