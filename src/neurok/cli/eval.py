"""neurok eval SYSTEM: check against outside truth and print the figures.

  neurok eval io --data FOLDER      load every object below a folder; joint poses against MuJoCo

neurok eval SYSTEM --help explains one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.cli.report import print_table, progress, write_json


@dataclass(frozen=True)
class EvalIo:
    """Load every shape, mechanism and sequence below a folder, and compare joint poses with MuJoCo's.

    Examples:
      neurok eval io --data assets/
      neurok eval io --data assets/ --json io.json
    """

    data: Path
    """Any folder of meshes, URDF, MJCF, PartNet-Mobility objects, animated GLB and .npz."""
    poses: int = 5
    """Random poses compared with MuJoCo per mechanism."""
    seed: int = 0
    """Seed of those poses."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Write figures and the table as JSON."""

    def run(self) -> int:
        from neurok.datasets.sources import find_objects
        from neurok.evaluation.io import evaluate, summarise

        paths = find_objects(self.data)
        with progress("loading", len(paths)) as step:
            rows = evaluate(paths, self.poses, self.seed, step)
        summary = summarise(rows, self.data)
        print_table(
            f"{len(rows)} objects below {self.data}",
            ["folder", "loaded", "refused", "compared with MuJoCo", "largest pose error"],
            summary.table,
        )
        if summary.refusals:
            print_table("refused", ["objects", "reason"], summary.refusals)
        if summary.not_compared:
            print_table("mechanisms that MuJoCo does not take", ["objects", "reason"], summary.not_compared)
        write_json({"figures": summary.figures, "refused": summary.refused}, self.json)
        return 0


topics = {"io": EvalIo}
