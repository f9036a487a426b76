"""Damaged and malicious glTF files are refused with an InputError before they use time or memory."""

from __future__ import annotations

import copy
import io
import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from gltf_builder import TETRAHEDRON, Builder, arm, glb, rich
from neurok.errors import InputError
from neurok.sequences.gltf import frame_times, load_gltf_sequences, positions_at, read_clips
from neurok.sequences.gltf_rig import read_skin
from neurok.shapes.gltf import Document, load_gltf, read_scene, scene_shape


def png() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (2, 2)).save(buffer, "PNG")
    return buffer.getvalue()


def read_all(data: bytes):
    """Reads everything of a file: rest shape, rig, and each clip at three frames per second."""
    scene = read_scene(Document.parse(data, "fuzzed.glb"))
    shape = scene_shape(scene, "fuzzed")
    read_skin(scene, 1.0)
    for clip in read_clips(scene)[0]:
        positions_at(scene, clip, frame_times(scene, clip, 3.0)[:4])
    return shape


RICH = rich(png())
RICH_JSON, RICH_BINARY, RICH_BYTES = RICH.document(), bytes(RICH.binary), RICH.bytes()


def test_the_file_is_valid_before_it_is_broken():
    assert len(read_all(RICH_BYTES).faces) == 54


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(RICH_BYTES) - 1))
def test_a_truncated_file_is_refused(length):
    with pytest.raises(InputError):
        read_all(RICH_BYTES[:length])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(RICH_BYTES) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_flipped_bytes_give_a_shape_or_a_refusal(changes):
    data = bytearray(RICH_BYTES)
    for at, value in changes:
        data[at] = value
    try:
        assert len(read_all(bytes(data)).vertices)
    except InputError as error:
        assert "fuzzed.glb" in str(error)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@example([(71, 127)])  # a signalling NaN among the positions
@given(st.lists(st.tuples(st.integers(0, len(RICH_BINARY) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_flipped_bytes_of_the_arrays_give_a_shape_or_a_refusal(changes):
    binary = bytearray(RICH_BINARY)
    for at, value in changes:
        binary[at] = value
    try:
        assert len(read_all(glb(RICH_JSON, bytes(binary))).vertices)
    except InputError as error:
        assert "fuzzed.glb" in str(error)


def places(value, path=()):
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from places(child, (*path, key))


NASTY = [None, True, -1, 0, 1, 3, 1.5, 2**31, 2**63, 10**400, 1e30, 1e308, "x", "", [], {}, [[]], [1],
         [-5, 2], {"a": 1}, "\ud800", [1e300] * 3, [0, 0, 0, 0], 5126, 5125, "MAT3", "../x"]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.sampled_from(list(places(RICH_JSON))), st.sampled_from([*NASTY, "delete"]))
def test_any_value_anywhere_in_the_json_gives_a_shape_or_a_refusal(place, value):
    document = copy.deepcopy(RICH_JSON)
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    if value == "delete":
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    try:
        assert len(read_all(glb(document, RICH_BINARY)).vertices)
    except InputError as error:
        assert error.fix
        str(error).encode()  # lone surrogates must not reach the terminal


@pytest.mark.parametrize(
    "data",
    [b"", b"glTF", b"PK\x03\x04" + bytes(50), b"glTF" + bytes(40), b"[]", b"null", b"{}", b'{"asset": {}}',
     b"\xff" * 40, b'{"asset": {"version": "1.0"}}', b"[" * 100_000,
     b'{"asset": {"version": "2.0"}, "scene": NaN}',
     b'{"asset": {"version": "2.0"}, "scene": ' + b"9" * 5000 + b"}", b'{"asset": {"version": "2.0"}}'],
)  # fmt: skip
def test_a_file_that_is_not_gltf_is_refused(tmp_path, data):
    path = tmp_path / "thing.glb"
    path.write_bytes(data)
    for load in (load_gltf, load_gltf_sequences):
        with pytest.raises(InputError, match=r"thing\.glb"):
            load(path)


def test_missing_files_and_folders_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.glb"):
        with pytest.raises(InputError):
            load_gltf(path)


def refused(builder: Builder, words: str) -> None:
    """Asserts that the file is refused with this text and without allocating more than a few megabytes."""
    data = builder.bytes()
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=words):
            read_all(data)
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


def simple() -> Builder:
    b = Builder()
    b.node(mesh=b.mesh(), name="thing")
    return b


def test_declared_gigabytes_are_refused_before_they_are_allocated():
    b = simple()
    b.json["accessors"][0]["count"] = 3 * 10**6
    refused(b, "needs 36000000 bytes")
    b.json["accessors"][0]["count"] = 3 * 10**9
    refused(b, "expands to 3,000,000,000 vertices")
    del b.json["accessors"][0]["bufferView"]
    refused(b, "expands to")
    b.json["accessors"][0]["count"] = 10**7
    refused(b, "declares 10000000 zeros")
    b = simple()
    b.json["bufferViews"][0]["byteLength"] = 8 * 2**30
    refused(b, "but its buffer declares")
    b.json["buffers"] = [{"byteLength": 9 * 2**30}]
    refused(b, "but [0-9]+ are there")
    b = simple()
    b.json["bufferViews"][0]["byteStride"] = 4  # overlapping elements of 12 bytes
    refused(b, "every 4 bytes")


def test_a_small_file_does_not_unfold_into_a_huge_scene():
    b = simple()
    many = b.accessor(np.zeros((100_000, 3), np.float32))
    b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = many
    for _ in range(500):
        b.node(mesh=0)
    refused(b, "expands to 50,100,000 vertices")
    b = simple()
    b.json["accessors"][0]["count"] = 100_000
    zeros = b.add("accessors", {"componentType": 5126, "count": 100_000, "type": "VEC3"})
    b.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": zeros}] * 900
    refused(b, "morph targets of 90,000,000")


def test_an_animation_of_a_thousand_years_is_refused(tmp_path):
    b = simple()
    b.animate((0, "translation", [0, 3e10], np.zeros((2, 3))))
    with pytest.raises(InputError, match="lower fps"):
        load_gltf_sequences(b.save(tmp_path / "long.glb"))


@pytest.mark.parametrize(
    ("name", "fix"),
    [("KHR_draco_mesh_compression", "without Draco compression"), 
     ("EXT_meshopt_compression", "without meshopt"), ("ACME_holograms", "without ACME_holograms")],
)  # fmt: skip
def test_required_extensions_that_we_lack_are_named_with_the_way_out(name, fix):
    b = simple()
    b.json["extensionsRequired"] = [name]
    with pytest.raises(InputError, match=f"{name}.*{fix}"):
        read_all(b.bytes())


def test_indices_past_the_vertices_are_refused():
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(faces=np.array([0, 1, 9], "u2"))))
    refused(b, r"names vertex 9 \(at 2\), but there are 4")
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(faces=b.accessor(np.array([0.0, 1.0, 2.0])))))
    refused(b, "unsigned")


def test_graphs_that_are_no_trees_are_refused():
    b = simple()
    b.json["nodes"] += [{"children": [2]}, {"children": [1]}]
    b.json |= {"scenes": [{"nodes": [0]}], "scene": 0}
    refused(b, "its own ancestor")
    b = simple()
    b.json["nodes"] += [{"children": [0]}, {"children": [0]}]
    refused(b, "'thing'. is a child of two nodes")
    b = simple()
    b.json["nodes"][0]["children"] = [0]
    refused(b, "its own ancestor")


def test_attributes_of_the_wrong_kind_or_number_are_refused():
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(NORMAL=TETRAHEDRON[:3])))
    refused(b, "3 elements for 4 vertices")
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(TETRAHEDRON[:, :2])))
    refused(b, "VEC2, but VEC3 is needed")
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(mode=0)))
    refused(b, "no triangles")


def test_joints_and_weights_that_make_no_sense_are_refused():
    b, _ = arm()
    b.json["skins"][0]["joints"] = [1]
    refused(b, "inverse bind|follows joint")
    b, _ = arm()
    index = b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    view = b.json["bufferViews"][b.json["accessors"][index]["bufferView"]]
    b.binary[view["byteOffset"] : view["byteOffset"] + 4] = np.float32(np.nan).tobytes()
    refused(b, "weights that are NaN")


def test_nan_positions_pass_to_the_check_that_all_formats_share():
    b = Builder()
    points = TETRAHEDRON.copy()
    points[2, 1] = np.nan
    b.node(mesh=b.mesh(b.primitive(points)))
    b.json["accessors"][0].pop("min"), b.json["accessors"][0].pop("max")
    shape = read_all(b.bytes())
    np.testing.assert_array_equal(np.isnan(shape.vertices).any(1), [False, False, True, False])


def test_nan_keys_are_refused(tmp_path):
    b = simple()
    b.animate((0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]]))
    b.binary[-4:] = np.float32(np.inf).tobytes()
    document = json.loads(json.dumps(b.document()))
    (tmp_path / "nan.glb").write_bytes(glb(document, bytes(b.binary)))
    with pytest.raises(InputError, match="not finite"):
        load_gltf_sequences(tmp_path / "nan.glb")
