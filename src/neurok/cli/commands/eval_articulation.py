"""`neurok eval articulation`: compares predicted joints with the annotated ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from neurok.cli.report import print_table, progress, write_json
from neurok.cli.stores import store_of


@dataclass(frozen=True)
class EvalArticulation:
    """Joints of the parts of held-out objects, compared with baselines in the same run.

    Each method gets a shape in parts and predicts the joint type of every part (fixed, revolute, prismatic,
    cylindrical), its axis, pivot, range and parent. Angles are measured on movable parts and folded to 90°.
    Centres are distances to the true axis line, for a shape of unit radius. A range of the wrong type
    scores 0.

    Examples:
      neurok eval articulation --data store --json articulation.json
      neurok eval articulation --data my_urdfs/
      neurok eval articulation --data store --found-parts 100
      neurok eval articulation --data store --posed 20
    """

    data: Path
    """A store of `neurok data build` (its test objects), or a folder of URDF, MJCF, PartNet-Mobility."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights written by `neurok train articulation`, in place of the shipped ones."""
    unpretrained: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of networks without pretraining; adds them to the methods."""
    objects: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Number of random objects per collection; default: all."""
    oversegmented: bool = False
    """Split objects into more parts than joints first; objects that cannot be split are excluded."""
    found_parts: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Evaluate the segmentation into parts of N objects, instead of joints."""
    posed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Evaluate the mechanisms of N objects per collection, bare, fused and in parts: axes, and five poses."""
    split: Literal["test", "validation"] = "test"
    """Held-out split of the store."""
    seed: int = 0
    """Random seed of the selection."""
    workers: int = 1
    """Number of processes, each with one core."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the figures and every result as JSON."""

    def run(self) -> int:
        if self.found_parts:
            return self._parts()
        if self.posed:
            return self._posed()
        from neurok.datasets.articulation_examples import MAX_PARTS
        from neurok.evaluation.articulation import run

        with store_of(self.data, self.split) as (store, split):
            names = run.choose(store, split, self.objects, self.seed)
            if (others := run.left_out(store, split)) > 0:
                print(f"left out: {others} objects with one part or more than {MAX_PARTS}")
            evaluation = run.Evaluation(store.folder, self.model, self.unpretrained, self.oversegmented)
            with progress("articulating", len(names)) as step:
                rows = run.evaluate(evaluation, names, self.workers, step)
        for group in (*run.groups(rows), None):
            count = len({name for name, _, _ in rows if group in (None, name.partition("/")[0])})
            print_table(
                f"{group or 'all'}: {count} objects", run.JOINTS_HEADER, run.joints_table(rows, group)
            )
            print_table("", run.OBJECTS_HEADER, run.objects_table(rows, group))
        print_table(f"confidence: {run.UNNAMED}", run.RELIABILITY_HEADER, run.reliability_table(rows))
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
            with progress("segmenting", len(names)) as step:
                rows = parts.evaluate(store.folder, names, self.workers, step)
        print_table(f"segmentation into parts: {len(rows)} objects", parts.HEADER, parts.table(rows))
        figures = parts.figures(rows)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        single = [
            {"name": name, "parts": {method: asdict(a) for method, a in found.items()}}
            for name, found in rows
        ]
        write_json({"figures": figures, "rows": single}, self.json)
        return 0

    def _posed(self) -> int:
        from neurok.evaluation.articulation import run, whole
        from neurok.jobs.skip_summary import counted

        with store_of(self.data, self.split) as (store, split):
            names = run.choose(store, split, self.posed, self.seed)
            with progress("articulating", len(names)) as step:
                rows = whole.evaluate(store.folder, names, self.workers, step)
        print_table(f"whole mechanisms: {len(names)} objects", whole.HEADER, whole.table(rows))
        refused = [[str(n), why] for n, why in counted(row.refused for row in rows)]
        if refused:
            print_table("refused", ["objects", "reason"], refused)
        figures = whole.figures(rows)
        for name, value in figures.items():
            print(f"{name} {value:.4g}")
        single = [
            row._asdict() | {"scores": {m: [asdict(s) for s in own] for m, own in row.scores.items()}}
            for row in rows
        ]
        write_json({"figures": figures, "rows": single}, self.json)
        return 0
