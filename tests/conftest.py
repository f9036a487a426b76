"""Shared fixtures and the order of the tests.

The open data beside the repository is unpacked once into a cache. Data that several processes read is made by
one of them.
"""

from __future__ import annotations

import fcntl
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import jaxtyping
import pytest

import typechecking

ARCHIVES = Path(__file__).parents[2] / "shared" / "data"
COLLECTIONS = ("animated_free", "animated_sharealike", "articulated_real", "articulated_synthetic", "static")
CACHE = Path(os.environ.get("NEUROK_DATA", Path.home() / ".cache" / "neurok-data"))


def pytest_runtest_setup() -> None:
    typechecking.begin_test()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups the tests of a module in one process; modules with slow tests start first."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    slow = {_group(item) for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: _group(item) not in slow)


def _group(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    assert marker is not None
    return marker.args[0]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time."""
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def made_once(tmp_path_factory) -> Callable[[str, Callable[[Path], None]], Path]:
    """`made_once(name, make)`: a folder that `make` fills, in the first process that asks for it."""
    mine = tmp_path_factory.getbasetemp()
    shared = mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine

    def made(name: str, make: Callable[[Path], None]) -> Path:
        folder = shared / name
        with _locked(shared):
            if not folder.exists():
                staging = tmp_path_factory.mktemp(name)
                make(staging)
                staging.rename(folder)
        return folder

    return made


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with one folder for each of COLLECTIONS; where there is no archive, there is no folder."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with _locked(CACHE):
        for name in COLLECTIONS:
            unpack(ARCHIVES / f"{name}.tar.xz", CACHE / name)
    return CACHE


def unpack(archive: Path, target: Path) -> None:
    """Unpack beside the target and rename, so that a kill leaves no half folder."""
    if target.exists() or not archive.exists():
        return
    staging = target.with_name(f".{target.name}.{os.getpid()}")
    with tarfile.open(archive) as tar:
        tar.extractall(staging, filter="data")
    (staging / target.name).rename(target)
    staging.rmdir()


@pytest.fixture
def untyped() -> Iterator[None]:
    """For tests that pass values of a wrong type on purpose: the code under test refuses them itself."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
