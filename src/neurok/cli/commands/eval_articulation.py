"""neurok eval articulation: joints of parts against those of the files."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from neurok.cli.report import print_table, progress, write_json
from neurok.cli.stores import store_of


@dataclass(frozen=True)
class EvalArticulation:
    """Joints of the parts of objects that were not trained on, against baselines in the same run.

    A method sees a shape in parts and says of every part what it is (fixed, revolute, prismatic,
    cylindrical), its axis, pivot, range and parent. Angles are of parts that truly move, folded to 90°;
    centres are distances to the true axis line in a shape of unit radius; a range of the wrong type counts 0.

    Examples:
      neurok eval articulation --data store --json articulation.json
      neurok eval articulation --data my_urdfs/
      neurok eval articulation --data store --found-parts 100
    """

    data: Path
    """A store of `neurok data build` (its test objects), or a folder of URDF, MJCF, PartNet-Mobility."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights that `neurok train articulation` wrote; without it, those that ship with the package."""
    unpretrained: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of networks without pretraining, which those that ship had: adds them to the methods."""
    objects: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Objects per collection, drawn by the seed; without it, all."""
    apart: bool = False
    """Take objects apart first, into more parts than move; those that can't be are left out."""
    found_parts: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Parts instead of joints, and nothing else: those of N objects are forgotten, and looked for."""
    split: Literal["test", "validation"] = "test"
    """Which held-out objects of a store."""
    seed: int = 0
    """Of objects that are drawn."""
    workers: int = 1
    """Processes, each with one core."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures and every single result as JSON."""

    def run(self) -> int:
        if self.found_parts:
            return self._parts()
        from neurok.evaluation.articulation import run

        with store_of(self.data, self.split) as (store, split):
            names = run.choose(store, split, self.objects, self.seed)
            evaluation = run.Evaluation(store.folder, self.model, self.unpretrained, self.apart)
            with progress("articulating", len(names)) as step:
                rows = run.evaluate(evaluation, names, self.workers, step)
        for group in (*run.groups(rows), None):
            count = len({name for name, _, _ in rows if group in (None, name.partition("/")[0])})
            print_table(f"{group or 'all'}: {count} objects", ["method", *run.HEADER], run.table(rows, group))
        figures = run.figures(rows)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        single = [
            {"name": name, "method": method, "parts": [asdict(e) for e in errors]}
            for name, method, errors in rows
        ]
        write_json({"figures": figures, "rows": single}, self.json)
        return 0

    def _parts(self) -> int:
        from neurok.evaluation.articulation import parts

        with store_of(self.data, self.split) as (store, split):
            names = parts.choose(store, split, self.found_parts, self.seed)
            with progress("looking for parts", len(names)) as step:
                rows = parts.evaluate(store.folder, names, self.workers, step)
        print_table(f"true parts, found again: {len(rows)} objects", parts.HEADER, parts.table(rows))
        figures = parts.figures(rows)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        single = [
            {"name": name, "parts": {method: asdict(a) for method, a in found.items()}}
            for name, found in rows
        ]
        write_json({"figures": figures, "rows": single}, self.json)
        return 0
