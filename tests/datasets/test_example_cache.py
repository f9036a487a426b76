"""Examples are computed once and found again."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from store_samples import hinge

from neurok.datasets.example_cache import ExampleCache
from neurok.datasets.store.store import Store, write_index, write_recording


def test_of_two_calls_one_computes_the_examples_and_both_return_them(tmp_path):
    names = ["tests/left", "tests/right"]
    write_index(tmp_path, [write_recording(tmp_path, hinge([0.0, 1.0], name)) for name in names])
    store, computed = Store.open(tmp_path), []

    def slowly(shape):
        time.sleep(0.05)
        computed.append(shape)
        return {"vertices": shape.vertices}

    cache = ExampleCache("slow", 1, slowly)
    with ThreadPoolExecutor(2) as threads:
        prepared = list(threads.map(lambda _: cache.prepare(store, names, 1), range(2)))
    assert prepared == [names, names]
    assert len(computed) == 2
    shape = store.recording(names[0]).clips[0].shape
    np.testing.assert_allclose(cache.load(store, names[0])["vertices"], shape.vertices, rtol=1e-6)
