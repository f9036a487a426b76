"""Colours of pictures, for both backends: texture orientation, transparency, two-sidedness, shadows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import trimesh
from PIL import Image

from neurok.rendering import look_at, open_renderer, render
from neurok.shapes import Frame, Material, Shape, Texture, concatenate
from neurok.shapes.gltf import load_gltf

RED, GREEN, BLUE, YELLOW = (230, 20, 20), (20, 200, 20), (20, 20, 230), (220, 220, 20)
MATT = Material(roughness=1.0, color=(1.0, 1.0, 1.0, 1.0))


def textured(quad: Shape, pixels, **material) -> Shape:
    image = Image.fromarray(np.asarray(pixels, np.uint8)).resize((64, 64), Image.Resampling.NEAREST)
    return quad.with_(materials=(replace(MATT, textures={"color": Texture.from_image(image)}, **material),))


def hue(rgb) -> tuple[bool, ...]:
    """The strong channels of a colour, which distinguish the four test colours."""
    rgb = np.asarray(rgb, float)
    return tuple(rgb > 0.6 * rgb.max())


def test_texels_appear_in_their_corners(renderer, quad, front):
    """The picture's upper left corner shows the image's upper left corner."""
    rgb = render(textured(quad, [[RED, GREEN], [BLUE, YELLOW]]), front, renderer=renderer).rgb
    for (row, column), colour in {(45, 45): RED, (45, 83): GREEN, (83, 45): BLUE, (83, 83): YELLOW}.items():
        assert hue(rgb[row, column]) == hue(colour)


def test_textures_repeat_beyond_one(renderer, quad, front):
    shape = textured(quad.with_(uv=quad.uv * 2 - 1), [[RED, GREEN], [BLUE, YELLOW]])
    rgb = render(shape, front, renderer=renderer).rgb
    for row in (36, 68):
        for column in (36, 68):
            assert hue(rgb[row, column]) == hue(RED)
            assert hue(rgb[row + 16, column + 16]) == hue(YELLOW)


def test_texture_material_and_vertex_colours_mean_the_same_light(renderer, quad, front):
    """sRGB 188 is half the light, given by a texture, vertex colours or the material."""
    code = np.array([188, 188, 188, 255])
    half = ((188 / 255 + 0.055) / 1.055) ** 2.4
    shapes = [
        textured(quad, np.full((2, 2, 3), 188)),
        quad.with_(materials=(MATT,), colors=np.tile(code, (4, 1)).astype(np.uint8)),
        quad.with_(materials=(replace(MATT, color=(half, half, half, 1.0)),)),
    ]
    pixels = [render(s, front, renderer=renderer).rgb[64, 64].astype(int) for s in shapes]
    assert np.ptp(pixels, axis=0).max() <= 1
    white = render(quad.with_(materials=(MATT,)), front, renderer=renderer).rgb[64, 64]
    assert (pixels[0] < white - 20).all()


def test_minified_textures_average_light(renderer, quad):
    """A fine checkerboard from afar has its mean linear light, one half, not its mean code value."""
    checker = np.indices((256, 256)).sum(0) % 2 * 255
    image = Image.fromarray(np.repeat(checker[..., None], 3, axis=2).astype(np.uint8))
    fine = quad.with_(materials=(replace(MATT, textures={"color": Texture.from_image(image)}),))
    plain = quad.with_(materials=(replace(MATT, color=(0.5, 0.5, 0.5, 1.0)),))
    camera = look_at(quad, azimuth=0, elevation=0, width=32, height=32)
    seen, expected = (render(s, camera, renderer=renderer).rgb[10:22, 10:22].mean() for s in (fine, plain))
    assert abs(seen - expected) < 3


def test_winding_and_mirroring_do_not_change_the_light(renderer, ball):
    mirrored = ball.with_(vertices=ball.vertices * [-1, 1, 1], normals=ball.normals * [-1, 1, 1])
    turned = ball.with_(faces=ball.faces[:, ::-1], normals=-ball.normals)
    original = render(ball, width=96, height=96, renderer=renderer).rgb.astype(int)
    for other in (mirrored, turned):
        difference = np.abs(render(other, width=96, height=96, renderer=renderer).rgb - original)
        assert difference.mean() < 0.3


@pytest.mark.slow
def test_both_sides_of_a_sheet_are_lit(renderer, quad):
    from_front, from_behind = (
        render(quad, look_at(quad, azimuth=a, elevation=0), renderer=renderer).rgb[256, 256].astype(int)
        for a in (0, 180)
    )
    assert np.abs(from_front - from_behind).max() <= 2


def stacked(quad: Shape, material: Material) -> Shape:
    """A sheet of the material in front of a blue one."""
    behind = quad.with_(vertices=quad.vertices - [0, 0, 1], part_names=("behind",),
                        materials=(replace(MATT, color=(0.0, 0.0, 1.0, 1.0)),))  # fmt: skip
    return concatenate([quad.with_(part_names=("before",), materials=(material,)), behind], "stack")


def test_cut_outs_show_the_surface_behind(renderer, quad, front):
    holes = np.zeros((2, 2, 4), np.uint8)
    holes[...] = (*RED, 255)
    holes[0, :, 3] = 0  # the upper half
    material = textured(quad, holes, alpha_mode="MASK").materials[0]
    picture = render(stacked(quad, material), front, renderer=renderer)
    assert (picture.part[44, 44], picture.part[84, 84]) == (1, 0)
    np.testing.assert_allclose((picture.depth[44, 44], picture.depth[84, 84]), (5, 4), atol=1e-4)
    assert hue(picture.rgb[44, 44]) == hue(BLUE)
    assert hue(picture.rgb[84, 84]) == hue(RED)


def test_glass_mixes_with_the_surface_behind_and_has_its_own_depth(renderer, quad, front):
    red = replace(MATT, color=(1.0, 0.0, 0.0, 0.5), alpha_mode="BLEND")
    mixed = render(stacked(quad, red), front, shadow=False, renderer=renderer)
    opaque = render(stacked(quad, replace(red, alpha_mode="OPAQUE")), front, shadow=False, renderer=renderer)
    behind = render(stacked(quad, replace(red, color=(1, 0, 0, 0.0))), front, shadow=False, renderer=renderer)
    expected = (opaque.rgb[64, 64].astype(int) + behind.rgb[64, 64]) / 2
    np.testing.assert_allclose(mixed.rgb[64, 64], expected, atol=2)
    assert np.isclose(mixed.depth[64, 64], 4, atol=1e-4)


def test_glass_behind_glass_is_drawn_far_to_near(gl, ray, quad, front):
    """Both face orders give the same picture: OpenGL sorts, rays need no order."""
    glass = [replace(MATT, color=c, alpha_mode="BLEND") for c in ((1.0, 0, 0, 0.5), (0, 1.0, 0, 0.5))]
    panes = [quad.with_(vertices=quad.vertices - [0, 0, d], materials=(glass[d],)) for d in (0, 1)]
    pixels = [
        render(concatenate(order, "panes"), front, renderer=r).rgb[64, 64].astype(int)
        for r in (gl, ray) for order in (panes, panes[::-1])
    ]  # fmt: skip
    assert np.ptp(pixels, axis=0).max() <= 2


def test_emissive_surfaces_shine(renderer, quad, front):
    dark = replace(MATT, color=(0.0, 0.0, 0.0, 1.0))
    glow = render(
        quad.with_(materials=(replace(dark, emissive=(0.0, 0.6, 0.0)),)), front, renderer=renderer
    ).rgb[64, 64]
    assert hue(glow) == hue(GREEN)


def test_an_object_throws_a_shadow_on_the_floor_it_stands_on(renderer, ball):
    with_shadow, without = (
        render(ball, width=128, height=128, shadow=s, renderer=renderer) for s in (True, False)
    )
    camera = with_shadow.camera
    under, far = (camera.project(np.array(p))[0] for p in ([0.75, -1.0, -0.2], [-3.0, -1.0, 0.0]))
    drop = without.rgb.astype(int).mean(-1) - with_shadow.rgb.mean(-1)
    assert drop[int(under[1]), int(under[0])] > 20
    assert drop[2, 2] == 0
    assert far[0] < 0 or abs(drop[int(far[1]), int(far[0])]) < 2


def test_z_up_and_y_up_twins_give_the_same_picture(renderer, data_dir):
    shape = load_gltf(data_dir / "static" / "c3d_spot.glb")
    turn = Frame("y").to(Frame("z"))[:3, :3]
    twin = shape.with_(vertices=shape.vertices @ turn.T, frame=Frame("z"))
    one, other = (render(s, width=128, height=128, renderer=renderer) for s in (shape, twin))
    assert np.abs(one.rgb.astype(int) - other.rgb).mean() < 0.2
    assert (one.mask == other.mask).mean() > 0.999


def test_normals_smooth_a_surface_that_is_flat_without_them(renderer):
    mesh = trimesh.creation.icosphere(subdivisions=1)
    shape = Shape(mesh.vertices, mesh.faces)
    steps = []
    for normals in (None, mesh.vertices.astype(np.float32)):
        rgb = render(shape.with_(normals=normals), width=128, height=128, shadow=False, renderer=renderer).rgb
        steps.append(np.abs(np.diff(rgb[40:88, 40:88].astype(int).mean(-1), axis=1)).max())
    assert steps[0] > 4 * steps[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["gso_Elephant", "gso_Travel_Mate_P_series_Notebook", "khr_DamagedHelmet", "qt_Houseplant_7"]
)
def test_backends_agree_on_real_scans(gl, ray, data_dir, name):
    shape = load_gltf(data_dir / "static" / f"{name}.glb")
    one, other = (render(shape, width=160, height=160, renderer=r) for r in (gl, ray))
    assert np.abs(one.rgb.astype(int) - other.rgb).mean() < 1.0
    both = one.mask & other.mask
    assert (one.mask != other.mask).mean() < 2e-3
    step = np.linalg.norm(one.points[both] - other.points[both], axis=-1) / shape.normalisation.radius
    assert np.quantile(step, 0.99) < 1e-3


def test_the_same_picture_twice_even_in_another_renderer(renderer, ball, quad):
    first = render(ball, width=80, height=80, renderer=renderer)
    render(quad, width=50, height=40, renderer=renderer)
    with open_renderer(renderer.backend) as fresh:
        for other in (render(ball, width=80, height=80, renderer=r) for r in (renderer, fresh)):
            assert (first.rgb == other.rgb).all()
            assert (first.depth == other.depth).all()
