"""glTF accessors decode to the stored arrays: component types, strides, sparse and quantised attributes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gltf_builder import TETRAHEDRON, TETRAHEDRON_FACES, Builder
from neurok.errors import InputError
from neurok.shapes.gltf import Document, load_gltf, read_scene, scene_shape


def shape_of(builder: Builder):
    return scene_shape(read_scene(Document.parse(builder.bytes(), "made.glb")), "made")


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "u4", "f4"])
@pytest.mark.parametrize("stride", [None, 20])
def test_every_component_type_and_stride_returns_the_stored_values(dtype, stride):
    stored = np.array([[1, 2, 3], [0, 100, 7], [5, 6, 127]])
    b = Builder()
    index = b.accessor(stored, dtype, stride)
    found = Document.parse(b.bytes(), "made.glb").floats(index, "VEC3")
    np.testing.assert_array_equal(found, stored)


@pytest.mark.parametrize(
    ("dtype", "stored", "value"),
    [("u1", 255, 1.0), ("u1", 51, 0.2), ("i1", -128, -1.0), ("i1", 127, 1.0), ("u2", 65535, 1.0),
     ("i2", -32768, -1.0), ("i2", 32767, 1.0), ("i2", 16384, 16384 / 32767)],
)  # fmt: skip
def test_normalised_integers_follow_the_formulas_of_the_specification(dtype, stored, value):
    b = Builder()
    index = b.accessor([[stored, 0]], dtype, normalized=True)
    assert Document.parse(b.bytes(), "made.glb").floats(index, "VEC2")[0, 0] == pytest.approx(value, abs=1e-7)


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True), st.booleans())
def test_a_sparse_accessor_differs_from_its_base_at_its_indices_only(rows, has_base):
    rows = sorted(rows)
    base = np.arange(30, dtype=np.float32).reshape(10, 3)
    changes = -1 - np.arange(3 * len(rows), dtype=np.float32).reshape(-1, 3)
    b = Builder()
    index = b.sparse(10, rows, changes, base if has_base else None)
    expected = base.copy() if has_base else np.zeros((10, 3), np.float32)
    expected[rows] = changes
    np.testing.assert_array_equal(Document.parse(b.bytes(), "made.glb").floats(index, "VEC3"), expected)


def test_quantised_positions_return_to_their_place_through_the_node(tmp_path):
    points = np.random.default_rng(0).uniform(-3, 5, (4, 3))
    low, size = points.min(0), float(np.ptp(points, axis=0).max())
    stored = np.round((points - low) / size * 65535)
    b = Builder()
    primitive = b.primitive(b.accessor(stored, "u2", normalized=True))
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    b.node(mesh=b.mesh(primitive), translation=low.tolist(), scale=[size] * 3)
    shape = load_gltf(b.save(tmp_path / "quantised.glb"))
    np.testing.assert_allclose(shape.vertices, points, atol=size / 65535)


def test_integer_positions_that_are_not_normalised_are_lengths():
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(b.accessor(TETRAHEDRON * 7, "i2"))))
    np.testing.assert_array_equal(shape_of(b).vertices, TETRAHEDRON * 7)


def test_buffers_in_data_uris_and_in_files_beside_give_the_same_shape(tmp_path):
    import base64
    import json

    b = Builder()
    b.node(mesh=b.mesh())
    document, binary = b.document(), bytes(b.binary)
    document["buffers"][0]["uri"] = (
        "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    )
    (tmp_path / "inside.gltf").write_text(json.dumps(document))
    document["buffers"][0]["uri"] = "with%20space.bin"
    (tmp_path / "beside.gltf").write_text(json.dumps(document))
    (tmp_path / "with space.bin").write_bytes(binary)
    for name in ("inside.gltf", "beside.gltf"):
        shape = load_gltf(tmp_path / name)
        np.testing.assert_array_equal(shape.vertices, TETRAHEDRON)
        np.testing.assert_array_equal(shape.faces, TETRAHEDRON_FACES)


@pytest.mark.parametrize(
    "uri",
    ["../secret.bin", "/etc/hostname", "http://example.org/a.bin", "file:///etc/hostname",
     "sub/../../secret.bin", "..%2Fsecret.bin", "%2Fetc%2Fhostname", "..\\secret.bin", "link.bin",
     "missing.bin", "x" * 5000, "data:text/plain,hi", "data:;base64,$$$$", ".", ""],
)  # fmt: skip
def test_a_uri_reaches_nothing_outside_the_files_folder(tmp_path, uri):
    import json

    folder = tmp_path / "model"
    folder.mkdir()
    b = Builder()
    b.node(mesh=b.mesh())
    (tmp_path / "secret.bin").write_bytes(bytes(b.binary))  # a valid buffer outside the folder
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    document = b.document()
    document["buffers"][0]["uri"] = uri
    (folder / "sly.gltf").write_text(json.dumps(document))
    with pytest.raises(InputError):
        load_gltf(folder / "sly.gltf")
