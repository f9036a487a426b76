"""Scene graphs, parts, winding, frames and appearance of glTF files."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.spatial.transform import Rotation

from gltf_builder import TETRAHEDRON, TETRAHEDRON_FACES, Builder
from neurok.shapes import Frame, Shape
from neurok.shapes.gltf import Document, read_scene, scene_shape
from neurok.shapes.normals import face_normals


def shape_of(builder: Builder) -> Shape:
    return scene_shape(read_scene(Document.parse(builder.bytes(), "made.glb")), "made")


def png(size: int = 2) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (size, size), (10, 200, 30)).save(buffer, "PNG")
    return buffer.getvalue()


@st.composite
def scene_graphs(draw):
    """Parents (each before its children), and translation, rotation vector and signed scale of each node."""
    count = draw(st.integers(1, 7))
    parent = [draw(st.integers(-1, i - 1)) for i in range(count)]
    number = st.floats(-2, 2, width=32)
    factor = st.sampled_from([-2.0, -1.0, -0.5, 0.5, 1.0, 3.0])
    triple = lambda of: st.tuples(of, of, of)  # noqa: E731
    return parent, [(draw(triple(number)), draw(triple(number)), draw(triple(factor))) for _ in range(count)]


def placed_by_hand(parent, poses, node, point):
    """Transforms one point node by node up to the root, without the reader's matrices."""
    while node >= 0:
        translation, vector, scale = poses[node]
        point = Rotation.from_rotvec(vector).apply(np.array(point) * scale) + translation
        node = parent[node]
    return point


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(scene_graphs())
def test_every_vertex_lands_where_its_chain_of_nodes_puts_it_and_faces_stay_outward(graph):
    parent, poses = graph
    b = Builder()
    mesh = b.mesh(b.primitive(NORMAL=TETRAHEDRON_NORMALS))
    for i, (translation, vector, scale) in enumerate(poses):
        children = [k for k, p in enumerate(parent) if p == i]
        rotation = Rotation.from_rotvec(vector).as_quat().tolist()
        b.node(
            mesh=mesh,
            translation=translation,
            rotation=rotation,
            scale=scale,
            **({"children": children} if children else {}),
        )
    shape = shape_of(b)
    expected = [placed_by_hand(parent, poses, i, p) for i in range(len(parent)) for p in TETRAHEDRON]
    scale = 1 + np.abs(expected).max()
    np.testing.assert_allclose(shape.vertices, expected, atol=1e-6 * scale)
    # A closed surface that faces outward encloses a positive volume, mirrored or not.
    for part in range(len(parent)):
        corners = shape.vertices[shape.faces[shape.part == part]]
        assert np.einsum("fi,fi->", np.cross(corners[:, 0], corners[:, 1]), corners[:, 2]) > 0
        assert_normals_point_out(shape, part)


TETRAHEDRON_NORMALS = np.array([[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], np.float32) / np.sqrt(3)


def assert_normals_point_out(shape: Shape, part: int) -> None:
    """Asserts that each normal has length one and points away from the centre of its part."""
    assert shape.normals is not None
    faces = shape.faces[shape.part == part]
    vertices = np.unique(faces)
    centre = shape.vertices[vertices].mean(0)
    outward = np.einsum("ni,ni->n", shape.normals[vertices], shape.vertices[vertices] - centre)
    assert (outward > 0).all()
    np.testing.assert_allclose(np.linalg.norm(shape.normals[vertices], axis=1), 1, atol=1e-5)


def test_normals_of_a_stretched_plane_stay_square_to_it():
    b = Builder()
    slope = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1]], np.float32)
    normal = np.array([[-1, 1, 0]] * 3, np.float32) / np.sqrt(2)
    b.node(mesh=b.mesh(b.primitive(slope, np.array([0, 2, 1], "u2"), NORMAL=normal)), scale=[4, 1, -2])
    shape = shape_of(b)
    geometric = face_normals(shape.vertices, shape.faces)[0]
    np.testing.assert_allclose(
        shape.normals, np.tile(geometric / np.linalg.norm(geometric), (3, 1)), atol=1e-6
    )


def test_parts_are_mesh_nodes_and_primitives_are_their_materials():
    b = Builder()
    b.add("materials", {"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}})
    b.add("materials", {"name": "blue", "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]}})
    shared = b.accessor(TETRAHEDRON)
    first, second = (
        b.primitive(shared, TETRAHEDRON_FACES[:2], material=0),
        b.primitive(shared, TETRAHEDRON_FACES[2:], material=1),
    )
    mesh = b.mesh(first, second, name="wheel")
    b.node(name="door", mesh=mesh)
    b.node(mesh=mesh, translation=[3, 0, 0])
    b.node(mesh=mesh, translation=[6, 0, 0])
    shape = shape_of(b)
    assert shape.part_names == ("door", "wheel", "wheel_2")
    assert len(shape.vertices) == 12  # two primitives on the same attributes share their vertices
    assert [m.name for m in shape.materials] == ["red", "blue"]
    np.testing.assert_array_equal(shape.material, [0, 0, 1, 1] * 3)
    np.testing.assert_array_equal(shape.part, np.repeat([0, 1, 2], 4))
    assert shape.vertices[shape.faces[shape.part == 2]].min() >= 0
    assert shape.vertices[shape.faces[shape.part == 2], 0].min() == 6


def test_only_the_default_scene_is_shown_and_without_scenes_every_root():
    b = Builder()
    mesh = b.mesh()
    hidden, shown = b.node(name="hidden", mesh=mesh), b.node(name="shown", mesh=mesh)
    assert shape_of(b).part_names == ("hidden", "shown")
    b.json |= {"scenes": [{"nodes": [hidden]}, {"nodes": [shown]}], "scene": 1}
    assert shape_of(b).part_names == ("shown",)
    b.json |= {"scenes": []}
    del b.json["scene"]
    document = b.document()
    document.pop("scene"), document.pop("scenes")
    from gltf_builder import glb

    scene = read_scene(Document.parse(glb(document, bytes(b.binary)), "made.glb"))
    assert scene_shape(scene, "made").part_names == ("hidden", "shown")


def test_strips_and_fans_unroll_into_triangles_that_all_face_one_way():
    zigzag = np.array([[i // 2, i % 2, 0] for i in range(7)], np.float32)
    around = np.array([[0, 0, 0]] + [[np.cos(a), np.sin(a), 0] for a in np.linspace(0, np.pi, 6)], np.float32)
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(zigzag, None, mode=5)))
    b.node(mesh=b.mesh(b.primitive(around, None, mode=6)))
    b.node(mesh=b.mesh(b.primitive(around, None, mode=0), b.primitive(around, None, mode=1)))
    shape = shape_of(b)
    facing = face_normals(shape.vertices, shape.faces)[:, 2]
    assert (facing[:5] < 0).all()  # (0,0) → (0,1) → (1,0) is clockwise
    assert (facing[5:] > 0).all()
    assert len(shape.faces) == 10
    assert shape.area == pytest.approx(2.5 + 2.5 * np.sin(np.pi / 5), rel=1e-6)
    assert any("points" in note for note in shape.notes)
    assert any("lines" in note for note in shape.notes)


def test_each_gpu_instance_is_a_part():
    b = Builder()
    places = np.array([[0, 0, 0], [5, 0, 0], [0, 7, 0]], np.float32)
    turn = np.tile([0, 0, np.sqrt(0.5), np.sqrt(0.5)], (3, 1)).astype("f4")
    attributes = {"TRANSLATION": b.accessor(places), "ROTATION": b.accessor(turn)}
    b.node(
        name="tree",
        mesh=b.mesh(),
        scale=[2, 2, 2],
        extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}},
    )
    shape = shape_of(b)
    assert shape.part_names == ("tree", "tree_2", "tree_3")
    turned = TETRAHEDRON @ [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    np.testing.assert_allclose(shape.vertices.reshape(3, 4, 3), 2 * (turned + places[:, None]), atol=1e-6)


@pytest.mark.parametrize("frame", [Frame("z", 0.001), Frame("z", 1.0), Frame("y", 0.0254)])
@pytest.mark.parametrize("has_root", [True, False])
def test_a_frame_that_our_exporter_noted_is_undone(frame, has_root):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(4, 3)).astype(np.float32)
    matrix = frame.to(Frame())
    b = Builder()
    b.json["asset"]["extras"] = {"neurok": {"up": frame.up, "metres_per_unit": frame.metres_per_unit}}
    if has_root:
        b.node(name="neurok_frame", matrix=matrix.T.ravel().tolist(), children=[1])
        b.node(mesh=b.mesh(b.primitive(points)))
    else:
        b.node(mesh=b.mesh(b.primitive(points)), matrix=matrix.T.ravel().tolist())
    shape = shape_of(b)
    assert shape.frame == frame
    if has_root:
        np.testing.assert_array_equal(shape.vertices, points)  # exactly
    np.testing.assert_allclose(shape.vertices, points, rtol=1e-12)


def test_without_a_note_the_frame_is_that_of_gltf():
    b = Builder()
    b.node(name="neurok_frame", mesh=b.mesh(), scale=[2, 2, 2])
    b.json["asset"]["extras"] = "anything may stand here"
    shape = shape_of(b)
    assert shape.frame == Frame("y", 1.0)
    np.testing.assert_array_equal(shape.vertices, 2 * TETRAHEDRON)


def textured(info: dict, **material) -> Builder:
    b = Builder()
    b.add("images", {"bufferView": b.view(png()), "mimeType": "image/png"})
    b.add("textures", {"source": 0})
    b.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, **info}}, **material})
    uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    b.node(mesh=b.mesh(b.primitive(TEXCOORD_0=uv, TEXCOORD_1=uv / 2, material=0)))
    return b


def test_texture_coordinates_turn_over_to_a_lower_left_origin_and_pictures_stay_as_encoded():
    shape = shape_of(textured({}))
    np.testing.assert_array_equal(shape.uv, [[0, 1], [1, 1], [1, 0], [0, 0]])
    assert shape.materials[0].textures["color"].data == png()
    assert shape.materials[0].textures["color"].mime == "image/png"
    np.testing.assert_array_equal(
        shape_of(textured({"texCoord": 1})).uv, [[0, 1], [0.5, 1], [0.5, 0.5], [0, 0.5]]
    )


def test_a_texture_transform_is_baked_into_the_coordinates():
    """The example of the extension's specification: the lower left quadrant, rotated by 90°."""
    move = {"offset": [0, 1], "rotation": np.pi / 2, "scale": [0.5, 0.5]}
    uv = shape_of(textured({"extensions": {"KHR_texture_transform": move}})).uv
    np.testing.assert_allclose(uv, [[0, 0], [0, 0.5], [0.5, 0.5], [0.5, 0]], atol=1e-6)
    assert uv.min() >= -1e-6
    assert uv.max() <= 0.5 + 1e-6


def test_a_texture_placed_unlike_the_colour_is_dropped_with_a_note():
    kept = shape_of(textured({}, normalTexture={"index": 0}))
    assert set(kept.materials[0].textures) == {"color", "normal"}
    dropped = shape_of(textured({}, normalTexture={"index": 0, "texCoord": 1}))
    assert set(dropped.materials[0].textures) == {"color"}
    assert any("normal" in note for note in dropped.notes)


def test_broken_and_missing_pictures_are_left_out_with_a_note():
    for image in (
        {"uri": "gone.png"},
        {"uri": "https://example.org/a.png"},
        {"bufferView": 1},
        {"uri": "data:;base64,AAAA"},
    ):
        b = textured({})
        b.json["images"][0] = image
        shape = shape_of(b)
        assert not shape.materials[0].textures
        assert any("left out" in note for note in shape.notes)


def test_vertex_colours_are_linear_in_the_file_and_srgb_in_the_shape():
    b = Builder()
    linear = np.array([[0, 0.5, 1, 0.5]] * 2 + [[0.001, 0.2159, 0.0331, 1]] * 2, np.float32)
    b.node(mesh=b.mesh(b.primitive(COLOR_0=linear)))
    shape = shape_of(b)
    np.testing.assert_array_equal(shape.colors[0], [0, 188, 255, 128])  # sRGB(½) = 188, alpha untouched
    np.testing.assert_array_equal(shape.colors[2], [3, 128, 51, 255])
    assert shape.materials[0].color == (1.0, 1.0, 1.0, 1.0)


def test_specular_glossiness_becomes_its_diffuse_colour():
    b = textured({})
    gloss = {"diffuseFactor": [0.1, 0.2, 0.3, 1], "glossinessFactor": 0.25, "diffuseTexture": {"index": 0}}
    b.json["materials"][0]["extensions"] = {"KHR_materials_pbrSpecularGlossiness": gloss}
    b.json["extensionsRequired"] = ["KHR_materials_pbrSpecularGlossiness"]
    material = shape_of(b).materials[0]
    assert material.color == (0.1, 0.2, 0.3, 1.0)
    assert material.roughness == 0.75
    assert material.textures["color"].data == png()


def test_morph_targets_rest_at_their_default_weights():
    b = Builder()
    target = b.sparse(4, [1], [[0, 0, 8]])
    mesh = b.mesh(b.primitive(targets=[target, TETRAHEDRON]), weights=[0.5, 0])
    b.node(mesh=mesh)
    b.node(mesh=mesh, weights=[0, 2])
    first, second = shape_of(b).vertices.reshape(2, 4, 3)
    np.testing.assert_array_equal(first - TETRAHEDRON, [[0, 0, 0], [0, 0, 4], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(second, 3 * TETRAHEDRON)


@pytest.mark.slow
def test_a_chain_of_five_thousand_nodes_is_walked_without_recursion():
    b = Builder()
    count = 5000
    for i in range(count - 1):
        b.node(translation=[1, 0, 0], children=[i + 1])
    b.node(mesh=b.mesh())
    np.testing.assert_array_equal(shape_of(b).vertices, TETRAHEDRON + np.array([count - 1, 0, 0]))
