"""Shows training progress as a bar on a terminal, and writes the curves to files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOG = "log.jsonl"


@contextmanager
def curves(folder: Path, steps: int, pairs_per_step: int, *, quiet: bool) -> Iterator[Callable]:
    """Gives a function that sends each `Progress` to the bar, FOLDER/log.jsonl and TensorBoard."""
    if quiet:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
               TextColumn("{task.fields[rate]}"))  # fmt: skip
    board = _board(folder / "logs")
    start: list[tuple[int, float]] = []  # step and time of the first report, which excludes the set-up
    with (folder / LOG).open("a") as log, Progress(*columns, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("training", total=steps, rate="")

        def report(progress) -> None:
            if not start:
                start.append((progress.step, progress.seconds))
            steps_done, seconds = progress.step - start[0][0], progress.seconds - start[0][1]
            pairs_per_second = steps_done * pairs_per_step / max(seconds, 1e-9)
            name = "loss" if "loss" in progress.values else "validation_loss"
            if name in progress.values:
                loss = f"{name.replace('_', ' ')} {progress.values[name]:.3f}"
                bar.update(task, completed=progress.step, rate=f"{pairs_per_second:.0f} pairs/s  {loss}")
            row = {"step": progress.step, "seconds": round(progress.seconds, 1)} | progress.values
            log.write(json.dumps({k: round(v, 5) for k, v in row.items()}) + "\n")
            log.flush()
            if board is not None:
                for name, value in progress.values.items():
                    board.add_scalar(name, value, progress.step)

        try:
            yield report
        finally:
            if board is not None:
                board.close()


def _board(folder: Path):
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        print('TensorBoard curves are off. Install them with: pip install "neurok[train]"', file=sys.stderr)
        return None
    return SummaryWriter(folder)
