"""Opens a store, or builds a temporary one from a folder."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from neurok.cli.report import progress
from neurok.errors import InputError


@contextmanager
def store_of(data: Path, split: str):
    """The store and its split, or a temporary store of a folder with all its objects (split None)."""
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
        except InputError as error:  # name the folder of the user, not the temporary one
            raise InputError(data, error.cause, error.fix) if error.source == folder else error from None
