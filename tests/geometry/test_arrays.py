"""The library is chosen by the array, and the package imports no torch."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from neurok import geometry
from neurok.geometry.arrays import cast, cross, like, namespace, permuted, to_numpy


def test_geometry_is_used_without_importing_torch():
    modules = [path.stem for path in Path(geometry.__file__).parent.glob("[a-z]*.py")]
    imports = "; ".join(f"import neurok.geometry.{name}" for name in modules)
    use = "import numpy; neurok.geometry.rotations.exp_so3(numpy.ones((2, 3)))"
    code = f"{imports}; {use}; import sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_arrays_stay_in_their_library_and_precision():
    for array, library in ((np.ones((2, 3), np.float32), np), (torch.ones(2, 3), torch)):
        assert namespace(array) is library
        assert like(array, [1, 2]).dtype == array.dtype and type(like(array, [1, 2])) is type(array)
        assert permuted(array, 1, 0).shape == (3, 2)
        assert cast(array, library.float64).dtype == library.float64


def test_cross_products_are_those_of_numpy():
    a, b = np.random.default_rng(0).normal(size=(2, 5, 3))
    np.testing.assert_array_equal(cross(a, b), np.cross(a, b))
    np.testing.assert_array_equal(cross(torch.tensor(a), torch.tensor(b)).numpy(), np.cross(a, b))
    np.testing.assert_array_equal(cross(a, b[:1]), np.cross(a, b[:1]))


def test_records_of_tensors_become_records_of_arrays():
    @dataclass(frozen=True)
    class Record:
        tensors: tuple[torch.Tensor, ...]
        name: str

    found = to_numpy(Record((torch.ones(2),), "a"))
    assert isinstance(found.tensors[0], np.ndarray) and found.name == "a"
