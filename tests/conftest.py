"""Shared fixtures: the open data beside the repository, unpacked once into a cache."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import pytest

ARCHIVES = Path(__file__).parents[2] / "shared" / "data"
CACHE = Path(os.environ.get("NEUROK_DATA", Path.home() / ".cache" / "neurok-data"))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with articulated_real, articulated_synthetic, animated_free, animated_sharealike, static."""
    CACHE.mkdir(parents=True, exist_ok=True)
    for archive in sorted(ARCHIVES.glob("*.tar.xz")):
        unpack(archive, CACHE / archive.name.removesuffix(".tar.xz"))
    return CACHE


def unpack(archive: Path, target: Path) -> None:
    """Unpacks beside the target and renames, so that parallel workers and a kill leave no partial folder."""
    if target.exists():
        return
    staging = target.with_name(f".{target.name}.{os.getpid()}")
    with tarfile.open(archive) as tar:
        tar.extractall(staging, filter="data")
    try:
        (staging / target.name).rename(target)
    except OSError:
        assert target.exists(), f"could not unpack {archive}"


@pytest.fixture
def unchecked() -> Iterator[None]:
    """Disables array checks for long runs, whose shapes shorter tests check."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
