"""A store, or any folder as one."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from neurok.cli.report import progress
from neurok.errors import InputError


@contextmanager
def store_of(data: Path, split: str):
    """The store itself and its split, or one that is built of a folder for the occasion: all of it counts."""
    from neurok.datasets.build import build
    from neurok.datasets.sources import folder_jobs
    from neurok.datasets.store.index import INDEX
    from neurok.datasets.store.store import Store

    if (data / INDEX).is_file():
        yield Store.open(data), split
        return
    with TemporaryDirectory() as folder:
        jobs = folder_jobs(data, 0, 40, ())
        with progress("recording", len(jobs)) as step:
            build(jobs, Path(folder), step=step)
        try:
            yield Store.open(Path(folder)), None
        except InputError as error:  # the user knows the folder by its own name
            raise InputError(data, error.cause, error.fix) if error.source == folder else error from None
