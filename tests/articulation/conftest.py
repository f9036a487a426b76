"""Fixtures that several tests of articulation share."""

from __future__ import annotations

import numpy as np
import pytest

from neurok.datasets.articulation_examples import example_of
from neurok.datasets.generators import generators


@pytest.fixture(scope="session")
def examples():
    """Training examples of three random mechanisms."""
    shapes = [generators()["contraption"](np.random.default_rng(seed)) for seed in (1, 2, 3)]
    made = [example_of(shape) for shape in shapes]
    return [{k: v.astype(np.float32) if v.dtype.kind == "f" else v for k, v in e.items()} for e in made]
