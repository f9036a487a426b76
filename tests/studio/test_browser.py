"""The studio as its users meet it: in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from chromium import grip, open_browser, open_studio, visit, wait

from neurok.benchmarks.studio import find_chromium
from neurok.sequences.load import load_sequences

pytestmark = pytest.mark.skipif(
    find_chromium() is None, reason="no Chromium is installed: make .venv/.chromium"
)


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
    assert "cabinet" in page.inner_text("#said")
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
    page.click("#reset")
    slider = page.locator("#coordinate-1")
    slider.evaluate("e => { e.value = 0.2; e.dispatchEvent(new Event('input')); }")
    wait(page, "Math.abs(studio.stats.q[1] - 0.2) < 1e-3")
    assert page.evaluate("studio.stats.q[0]") == pytest.approx(0, abs=0.05)  # the door stays where it is
    slider.evaluate("e => e.dispatchEvent(new Event('change'))")


def test_tilt_makes_drawers_slide_and_pause_stops_them(page):
    page.click("#reset")
    tilt = page.locator("#control-tilt")
    tilt.evaluate("e => { e.value = 40; e.dispatchEvent(new Event('input')); }")
    wait(page, "studio.stats.q.some((x) => Math.abs(x) > 0.05)")
    page.click("#pause")
    page.wait_for_timeout(300)
    frames = page.evaluate("studio.stats.frames")
    page.wait_for_timeout(300)
    assert page.evaluate("studio.stats.frames") == frames
    page.click("#pause")
    tilt.evaluate("e => { e.value = 0; e.dispatchEvent(new Event('input')); }")


def test_what_was_recorded_is_saved_and_moves(page, studio):
    page.click("#reset")
    page.click("#record")
    page.locator("#control-tilt").evaluate("e => { e.value = 50; e.dispatchEvent(new Event('input')); }")
    wait(page, "studio.stats.q.some((x) => Math.abs(x) > 0.1)")
    page.click("#record")
    wait(page, "!document.getElementById('export-glb').disabled")
    with page.expect_download(timeout=240_000) as download:
        page.click("#export-glb")
    assert download.value.suggested_filename == "cabinet.glb"
    file = studio[2] / "cabinet.glb"
    download.value.save_as(file)
    (clip,) = load_sequences(file)
    assert len(clip) > 3 and clip.travel > 0.02


def test_views_of_the_inside_can_be_switched_on(page):
    for name in ("parts", "joints", "handles", "wire"):
        page.check(f"#show-{name}")
    page.wait_for_timeout(300)
    assert page.evaluate("window.failed ?? null") is None
    for name in ("parts", "joints", "handles", "wire"):
        page.uncheck(f"#show-{name}")


def test_a_bad_upload_is_told_and_a_good_one_is_opened(page, studio):
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
    assert page.inner_text("#said").startswith("my_box")


def test_reloading_starts_anew(page):
    page.reload()
    wait(page, "window.studio && studio.stats.ready > 0 && studio.stats.frames > 0")
    assert "cabinet" in page.inner_text("#said")


def test_two_pages_have_objects_of_their_own(page, studio):
    address, browser, _ = studio
    other = visit(browser, address)
    other.locator("#coordinate-0").evaluate("e => { e.value = 1; e.dispatchEvent(new Event('input')); }")
    wait(other, "Math.abs(studio.stats.q[0] - 1) < 1e-3")
    assert np.abs(page.evaluate("studio.stats.q[0]")) < 0.1
    other.close()


def test_elsewhere_the_page_needs_its_token(studio, tmp_path):
    _, browser, _ = studio
    with open_studio(tmp_path, "--host", "127.0.0.2") as address:
        page = browser.new_page()
        assert page.goto(address.split("?")[0]).status == 403
        assert page.goto(address).status == 200
        wait(page, "window.studio && studio.stats.ready > 0")
        page.close()
