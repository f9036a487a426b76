"""The studio in a real browser."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import trimesh
from chromium import colour_at, grip, open_browser, open_studio, reset, set_slider, visit, wait
from PIL import Image

from neurok.benchmarks.studio import find_chromium
from neurok.sequences.load import load_sequences

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed: make .venv/.chromium"),
    pytest.mark.xdist_group("browser"),  # they share a page
]


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    with open_studio(folder) as address, open_browser() as browser:
        yield address, browser, folder


@pytest.fixture(scope="module")
def page(studio):
    address, browser, _ = studio
    page = visit(browser, address)
    yield page
    page.close()


def test_the_first_example_is_shown(page):
    assert "cabinet" in page.inner_text("#summary")
    assert page.locator("#gallery button").count() == 5
    assert page.locator("#coordinates input").count() == 4
    grip(page)


def test_dragging_moves_the_object_and_letting_go_ends_it(page):
    x, y, vertex = grip(page)
    before = page.evaluate(f"studio.point({vertex})")
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(1, 6):
        page.mouse.move(x + 8 * i, y + 14 * i)
    wait(page, f"studio.point({vertex}).some((v, i) => Math.abs(v - {before}[i]) > 0.02)")
    page.mouse.up()
    assert page.evaluate("studio.stats.latencies.length") > 0
    assert page.evaluate("studio.stats.bytes") < 1000


def test_a_slider_sets_a_coordinate(page):
    reset(page)
    set_slider(page, "coordinate-1", 0.2)
    wait(page, "Math.abs(studio.stats.q[1] - 0.2) < 1e-3")
    assert page.evaluate("studio.stats.q[0]") == pytest.approx(0, abs=0.05)  # the door stays where it is
    page.locator("#coordinate-1").evaluate("e => e.dispatchEvent(new Event('change'))")


def test_tilt_makes_drawers_slide_and_pause_stops_them(page):
    reset(page)
    set_slider(page, "control-tilt", 40)
    wait(page, "studio.stats.q.some((x) => Math.abs(x) > 0.05)")
    page.click("#pause")
    page.wait_for_timeout(300)
    frames = page.evaluate("studio.stats.frames")
    page.wait_for_timeout(300)
    assert page.evaluate("studio.stats.frames") == frames
    page.click("#pause")
    set_slider(page, "control-tilt", 0)


def test_a_recording_is_saved_and_moves(page, studio):
    reset(page)
    page.click("#record")
    set_slider(page, "control-tilt", 50)
    wait(page, "studio.stats.q.some((x) => Math.abs(x) > 0.1)")
    page.click("#record")
    wait(page, "!document.getElementById('export-glb').disabled")
    file = _saved(page, studio[2], ".glb")
    (clip,) = load_sequences(file)
    assert len(clip) > 3 and clip.travel > 0.02
    assert _saved(page, studio[2], ".usdc").read_bytes().startswith(b"PXR-USDC")
    assert _saved(page, studio[2], ".mp4").read_bytes()[4:8] == b"ftyp"
    set_slider(page, "control-tilt", 0)


def test_record_pressed_twice_at_once_counts_once(page):
    page.evaluate("for (const _ of [1, 2]) document.getElementById('record').click()")
    wait(page, "document.getElementById('record').textContent === 'Stop'")
    page.click("#record")
    wait(page, "document.getElementById('record').textContent === 'Record'")


def _saved(page, folder: Path, suffix: str) -> Path:
    """The file that a button of the page saves."""
    with page.expect_download(timeout=240_000) as download:
        page.click(f"#export-{suffix[1:]}")
    assert download.value.suggested_filename == f"cabinet{suffix}"
    download.value.save_as(folder / f"cabinet{suffix}")
    return folder / f"cabinet{suffix}"


def test_views_of_the_inside_change_the_picture(page):
    reset(page)
    page.click("#pause")
    page.wait_for_timeout(600)
    before, names = _picture(page), ("parts", "joints", "handles", "wire")
    for name in names:
        page.evaluate(f"document.getElementById('show-{name}').click()")
        wait(page, f"document.getElementById('show-{name}').checked")
        page.wait_for_timeout(600)
        after = _picture(page)
        assert (np.abs(after.astype(int) - before).max(-1) > 24).sum() > 40, name
        before = after
    for name in names:
        page.evaluate(f"document.getElementById('show-{name}').click()")
    page.click("#pause")


def test_the_energy_of_a_drag_is_plotted(page):
    reset(page)
    x, y, _ = grip(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(1, 9):
        page.mouse.move(x + 8 * i, y + 14 * i)
        page.wait_for_timeout(60)
    page.mouse.up()
    inks = """() => { const c = document.getElementById('plot');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; const found = new Set();
        for (let i = 0; i < d.length; i += 4)
            if (d[i + 3] > 250) found.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
        return [0xd64541, 0x2471a3, 0x289b5f, 0x7d3c98].filter((ink) => found.has(ink)).length; }"""
    wait(page, f"({inks})() >= 3")
    assert "J" in page.inner_text("#legend")


@pytest.mark.parametrize("name", ["teddy", "laptop", "plant", "flag"])
def test_every_example_opens_and_answers_its_surroundings(page, name):
    """Side wind, no gravity, low stiffness, more damping and no floor move the object."""
    ready = page.evaluate("studio.stats.ready")
    page.click(f"#open-{name}")
    wait(page, f"studio.stats.ready > {ready} && studio.stats.q.length > 0")
    assert page.locator("#gallery button.on").inner_text() == name
    rest = page.evaluate("studio.stats.q")
    if page.locator("#control-stiffness").count():
        set_slider(page, "control-stiffness", -2)  # a quarter
    set_slider(page, "control-gravity", 0)
    set_slider(page, "control-wind", 30)
    set_slider(page, "control-heading", 90)
    set_slider(page, "control-damping", 2)
    page.uncheck("#control-floor")
    wait(page, f"studio.stats.q.some((x, i) => Math.abs(x - {rest}[i]) > 1e-3)")
    assert page.inner_text("#message") == ""


def test_a_texture_goes_with_the_surface_that_moves(page, studio):
    """Four coloured quarters on a slab: pixels show the colour of the vertex under them, also when bent."""
    file, quarter = _textured_slab(studio[2])
    ready = page.evaluate("studio.stats.ready")
    page.set_input_files("#file", file)
    wait(page, f"studio.stats.ready > {ready} && studio.stats.vertices === {len(quarter)}")
    assert page.evaluate("studio.stats.vertices") == len(quarter)
    page.wait_for_timeout(1000)
    at_rest = _seen_quarters(page, quarter)
    set_slider(page, "coordinate-0", float(page.get_attribute("#coordinate-0", "max")))
    wait(page, "Math.abs(studio.stats.q[0]) > 0.5")
    page.wait_for_timeout(1000)
    bent = _seen_quarters(page, quarter)
    assert at_rest != bent  # other pixels


def _textured_slab(folder: Path) -> tuple[Path, np.ndarray]:
    """A slab whose front and back show four colours, and which of them each vertex has (−1 near a border)."""
    slab = trimesh.creation.box((0.6, 1.0, 0.1)).subdivide_to_size(0.06)
    uv = slab.vertices[:, :2] / (0.6, 1.0) + 0.5
    pixels = np.zeros((64, 64, 3), np.uint8)
    pixels[32:, :32], pixels[32:, 32:] = (230, 30, 30), (30, 200, 30)  # lower left, lower right
    pixels[:32, :32], pixels[:32, 32:] = (40, 60, 230), (230, 220, 30)
    slab.visual = trimesh.visual.TextureVisuals(
        uv=uv, material=trimesh.visual.material.PBRMaterial(baseColorTexture=Image.fromarray(pixels))
    )
    file = folder / "slab.glb"
    slab.export(file)
    quarter = (uv[:, 0] > 0.5) + 2 * (uv[:, 1] > 0.5)
    border = np.abs(uv[..., None] - (0.0, 0.5, 1.0)).min(-1) < 0.08  # colours mix there; the texture repeats
    return file, np.where(border.any(1), -1, quarter)


def _seen_quarters(page, quarter: np.ndarray) -> list[tuple[int, int]]:
    """Pixels on the object; each has the hue of its quarter."""
    picture, seen, found = _picture(page), [], set()
    card = page.locator("#energy").bounding_box()
    places = [[x, y] for y in range(70, 400, 14) for x in range(40, 420, 14)]
    hits = page.evaluate("(places) => places.map(([x, y]) => studio.place(x, y)?.vertex ?? -1)", places)
    for (x, y), vertex in zip(places, hits, strict=True):
        covered = x >= card["x"] and y >= card["y"]
        if vertex >= 0 and not covered and quarter[vertex] >= 0:
            assert colour_at(picture, x, y) == ("red", "green", "blue", "yellow")[quarter[vertex]], (x, y)
            seen.append((x, y))
            found.add(int(quarter[vertex]))
    assert len(seen) > 40 and len(found) >= 3  # a quarter may lie behind the plot
    return seen


def _picture(page) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"))


def test_a_mesh_can_be_dropped(page):
    ready = page.evaluate("studio.stats.ready")
    data = trimesh.creation.box((0.1, 0.3, 0.1)).subdivide_to_size(0.05).export(file_type="ply")
    page.evaluate(
        """(bytes) => { const box = new DataTransfer();
        box.items.add(new File([new Uint8Array(bytes)], 'dropped.ply'));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: box, cancelable: true })); }""",
        list(data),
    )
    wait(page, f"studio.stats.ready > {ready}")
    assert page.inner_text("#summary").startswith("dropped")


def test_a_file_that_is_too_large_or_no_mesh_is_not_sent(page, studio):
    wrong, large = studio[2] / "notes.txt", studio[2] / "large.ply"
    wrong.write_text("no mesh")
    with large.open("wb") as file:
        file.truncate(51 << 20)
    ready, summary = page.evaluate("studio.stats.ready"), page.inner_text("#summary")
    for path, words in ((wrong, "not a supported mesh format"), (large, "51 MB")):
        page.set_input_files("#file", path)
        wait(page, f"document.getElementById('message').textContent.includes('{words}')")
        assert page.evaluate("studio.stats.ready") == ready and page.inner_text("#summary") == summary


def test_a_bad_upload_is_reported_and_a_good_one_is_opened(page, studio):
    folder = studio[2]
    bad, good = folder / "bad.glb", folder / "my box.ply"
    bad.write_bytes(b"glTF" + bytes(range(256)) * 4)
    page.set_input_files("#file", bad)
    wait(page, "document.getElementById('message').textContent.includes('bad') || "
               "document.getElementById('message').textContent.includes('upload')")  # fmt: skip
    trimesh.creation.box((0.1, 0.3, 0.1)).subdivide_to_size(0.05).export(good)
    ready = page.evaluate("studio.stats.ready")
    page.set_input_files("#file", good)
    wait(page, f"studio.stats.ready > {ready}")
    assert page.inner_text("#summary").startswith("my_box")


def test_reloading_starts_anew(page):
    page.reload()
    wait(page, "window.studio && studio.stats.ready > 0 && studio.stats.frames > 0")
    assert "cabinet" in page.inner_text("#summary")


def test_two_pages_have_separate_objects(page, studio):
    address, browser, _ = studio
    reset(page)
    other = visit(browser, address)
    set_slider(other, "coordinate-0", 1)
    wait(other, "Math.abs(studio.stats.q[0] - 1) < 1e-3")
    assert np.abs(page.evaluate("studio.stats.q[0]")) < 0.1
    other.close()


def test_elsewhere_the_page_needs_its_token(studio, tmp_path):
    _, browser, _ = studio
    with open_studio(tmp_path, "--host", "127.0.0.2") as address:
        page = browser.new_page()
        assert page.goto(address.split("?")[0]).status == 403
        assert page.goto(address).status == 200
        wait(page, "document.querySelectorAll('#gallery button').length > 0")  # the socket was accepted, too
        page.close()
