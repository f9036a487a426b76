"""Picture, sheet and video files, read by independent decoders."""

from __future__ import annotations

from dataclasses import replace

import av
import numpy as np
import pytest
from PIL import Image

from neurok.errors import InputError
from neurok.rendering import contact_sheet, render, render_frames, save_picture, save_video
from neurok.rendering.joints import joint_axes
from neurok.sequences import Rig, Sequence, Skin
from neurok.shapes import Joint, JointTree, Link


def test_saved_pictures_equal_rendered_ones(gl, ball, tmp_path):
    save_picture(ball, tmp_path / "ball.png", width=64, height=48, renderer=gl)
    with Image.open(tmp_path / "ball.png") as image:
        assert (np.asarray(image) == render(ball, width=64, height=48, renderer=gl).rgb).all()
    assert [p.name for p in tmp_path.iterdir()] == ["ball.png"]


@pytest.mark.parametrize("suffix", [".jpg", ".webp", ".JPEG"])
def test_pictures_are_written_by_suffix(gl, ball, tmp_path, suffix):
    path = save_picture(ball, tmp_path / f"ball{suffix}", width=32, height=32, renderer=gl)
    with Image.open(path) as image:
        assert image.size == (32, 32)


def decoded(path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_mp4_has_every_frame_at_the_right_time_and_looks_like_the_pictures(gl, rising, tmp_path):
    reported = []
    path = save_video(rising, tmp_path / "rising.mp4", width=64, height=48, renderer=gl,
                      progress=lambda done, total: reported.append((done, total)))  # fmt: skip
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height, stream.average_rate) == (64, 48, 12)
        times = [float(f.pts * f.time_base) for f in container.decode(video=0)]
    np.testing.assert_allclose(times, rising.times, atol=1e-6)
    assert reported == [(k, 6) for k in range(1, 7)]
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "players can start before the whole file is there"
    for frame, picture in zip(
        decoded(path), render_frames(rising, width=64, height=48, renderer=gl), strict=True
    ):
        assert np.abs(frame.astype(int) - picture.rgb).mean() < 4
    assert [p.name for p in tmp_path.iterdir()] == ["rising.mp4"]


@pytest.mark.parametrize("suffix", [".webp", ".gif"])
def test_loops_have_every_frame_and_the_right_length(gl, rising, tmp_path, suffix):
    path = save_video(rising, tmp_path / f"rising{suffix}", width=65, height=49, renderer=gl)
    with Image.open(path) as image:
        assert (image.n_frames, image.size, image.info["loop"]) == (6, (65, 49), 0)
        total = 0
        pictures = render_frames(rising, width=65, height=49, renderer=gl)
        for index, picture in enumerate(pictures):
            image.seek(index)
            image.load()
            total += image.info["duration"]
            assert np.abs(np.asarray(image.convert("RGB")).astype(int) - picture.rgb).mean() < 6
    assert abs(total - 1000 * 6 / 12) <= 20


def test_odd_sides_of_an_mp4_grow_by_one(gl, rising, tmp_path):
    frames = decoded(save_video(rising, tmp_path / "odd.mp4", width=65, height=49, renderer=gl))
    assert {f.shape for f in frames} == {(50, 66, 3)}


def test_the_same_video_twice(gl, rising, tmp_path):
    one, other = (
        save_video(rising, tmp_path / n, width=64, height=64, renderer=gl) for n in ("a.mp4", "b.mp4")
    )
    assert one.read_bytes() == other.read_bytes()


def test_a_video_that_fails_leaves_the_old_file_and_no_other(gl, rising, tmp_path):
    path = tmp_path / "rising.mp4"
    path.write_bytes(b"old")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_video(rising, path, width=64, height=64, renderer=gl, progress=stop)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["rising.mp4"]


@pytest.mark.parametrize(
    ("write", "name", "options"),
    [
        (save_picture, "a.bmp", {}), (save_picture, "a", {}),
        (save_picture, "a.png", {"width": 0}), (save_video, "a.avi", {}), (save_video, "a.mp4", {"crf": 60}),
        (save_video, "a.gif", {"height": -1}),
    ],
)  # fmt: skip
def test_unsupported_formats_and_rates_are_refused(gl, rising, tmp_path, write, name, options):
    with pytest.raises(InputError):
        write(rising, tmp_path / name, renderer=gl, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("fps", [1e30, 1e-30])
@pytest.mark.parametrize("suffix", ["mp4", "gif", "webp"])
def test_rates_that_no_video_has_are_refused(gl, rising, tmp_path, fps, suffix):
    with pytest.raises(InputError, match="frames per second"):
        save_video(rising.with_(fps=fps), tmp_path / f"a.{suffix}", renderer=gl)
    assert not list(tmp_path.iterdir())


def test_a_contact_sheet_shows_evenly_spaced_frames(gl, rising):
    sheet = contact_sheet(rising, columns=2, count=3, width=64, height=64, labels=["", "", ""], renderer=gl)
    assert sheet.size == (2 * 70 + 6, 2 * 70 + 6)
    pictures = list(render_frames(rising, width=64, height=64, renderer=gl))
    pixels = np.asarray(sheet)
    for (x, y), index in {(6, 6): 0, (76, 6): 2, (6, 76): 5}.items():
        assert (pixels[y : y + 64, x : x + 64] == pictures[index].rgb).all()


def test_a_contact_sheet_of_several_items_is_labelled(gl, ball, rising):
    plain, named = (
        np.asarray(contact_sheet([ball, rising], width=96, height=96, labels=labels, renderer=gl))
        for labels in (["", ""], None)
    )
    changed = np.argwhere((plain != named).any(-1))
    assert changed[:, 0].min() > 70, "labels stand at the bottom"
    assert (changed[:, 1] < 100).any()
    assert (changed[:, 1] > 100).any()


@pytest.mark.parametrize("wrong", [{"columns": 0}, {"count": 0}, {"labels": ["only one"]}, {"width": 0}])
def test_impossible_sheets_are_refused(gl, rising, wrong):
    with pytest.raises(InputError):
        contact_sheet(rising, **({"width": 32, "height": 32} | wrong), renderer=gl)
    with pytest.raises(InputError):
        contact_sheet([], renderer=gl)


@pytest.fixture
def hinged(quad):
    """The square hinged at its left edge."""
    joint = Joint(
        "hinge", "revolute", "frame", "door", axis=np.array([0.0, 1, 0]), pivot=np.array([0.0, 0.5, 0])
    )
    return quad.with_(joints=JointTree((Link("frame"), Link("door")), (joint,)), part_names=("door",))


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "ball"])
def test_joint_axes_are_drawn_where_they_are(gl, hinged, front, kind):
    tree = hinged.joints
    shape = hinged.with_(joints=replace(tree, joints=(replace(tree.joints[0], kind=kind),)))
    plain, drawn = (render(shape, front, show_joints=s, renderer=gl).rgb.astype(int) for s in (False, True))
    changed = np.abs(plain - drawn).sum(-1) > 60
    (x, y), _ = front.project(np.array([0.0, 0.65, 0]))
    assert changed[int(y), int(x) - 1 : int(x) + 2].any()
    assert not changed[:, int(x) + 14 :].any()
    assert (plain == render(shape.with_(joints=None), front, show_joints=True, renderer=gl).rgb).all()


def test_joint_axes_go_with_the_link_that_carries_them(hinged):
    skin = Skin(np.zeros((4, 1), int), np.ones((4, 1)), ("frame",))
    lifted = np.tile(np.eye(4)[:3], (2, 1, 1, 1))
    lifted[1, 0, 1, 3] = 3.0
    sequence = Sequence(hinged, np.tile(hinged.vertices, (2, 1, 1)), rig=Rig(skin, lifted))
    pivots = [joint_axes(sequence, index)[0].pivot for index in range(2)]
    np.testing.assert_allclose(pivots, [[0, 0.5, 0], [0, 3.5, 0]])
