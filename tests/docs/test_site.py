"""The documentation site: built strictly, without network, every link and anchor followed."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import neurok
from documentation import PAGES, ROOT, anchors, links
from neurok.cli.help import options_of
from neurok.cli.main import commands


class Page(HTMLParser):
    """Ids of a page, and its references: links, and resources that a browser fetches."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.ids, self.links, self.fetched = path, {""}, list[str](), list[str]()
        self.formulas = 0
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        self.formulas += tag == "math"
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ("img", "script", "source") and "src" in given:
            self.fetched.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon"):
            self.fetched.append(given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> dict[Path, Page]:
    folder = tmp_path_factory.mktemp("build")
    script = ROOT / "scripts" / "build_docs.py"
    done = subprocess.run([sys.executable, script, "-o", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path: Page(path) for path in sorted((folder / "site").rglob("*.html"))}


def broken(pages: dict[Path, Page]) -> list[str]:
    """Links within the site without a target."""
    found = []
    for page in pages.values():
        if page.path.name == "404.html":  # served from any depth: its links are absolute
            continue
        for link in [*page.links, *page.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            known = pages.get(target)
            if not target.exists() or (known and unquote(parts.fragment) not in known.ids):
                found.append(f"{page.path.name}: {link}")
    return found


@pytest.mark.slow
def test_every_link_and_picture_of_the_site_is_there(site):
    assert not broken(site)
    assert sum(len(page.links) for page in site.values()) > 500


@pytest.mark.slow
def test_a_broken_link_would_be_found(site, tmp_path):
    for name, link in (("a.html", "b.html#there"), ("b.html", "c.html")):
        (tmp_path / name).write_text(f'<a href="{link}">x</a><p id="here">')
    pages = {path: Page(path) for path in sorted(tmp_path.glob("*.html"))}
    assert broken(pages) == ["a.html: b.html#there", "b.html: c.html"]


@pytest.mark.slow
def test_the_site_is_read_without_network(site):
    for page in site.values():
        assert not [url for url in page.fetched if urlsplit(url).netloc], page.path


@pytest.mark.slow
def test_formulas_are_shown_as_such(site):
    (concepts,) = (page for path, page in site.items() if path.name == "concepts.html")
    written = (ROOT / "docs" / "concepts.md").read_text()
    assert concepts.formulas == written.count("```math") + written.count("$`") > 30
    assert "```math" not in concepts.path.read_text() and "$`" not in concepts.path.read_text()


@pytest.mark.slow
def test_the_reference_has_every_command_and_option(site):
    (page,) = (page for path, page in site.items() if path.name == "cli.html")
    text = page.path.read_text()
    for name, command in commands().items():
        assert f"neurok-{name.replace(' ', '-')}" in page.ids
        assert all(option.flags[-1] in text for option in options_of(command, name) if option.flags)


def test_links_of_the_markdown_lead_somewhere():
    """Links as GitHub follows them, because the README is read in the repository."""
    for page in PAGES:
        for link in links(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


@pytest.mark.slow
def test_files_and_packages_named_in_the_text_exist():
    """Files and folders below the package or the repository, and `neurok.PACKAGE`."""
    missing = []
    for page in PAGES:
        text = page.read_text()
        files = re.findall(r"`(?:src/neurok/)?([\w./]+(?:\.(?:py|txt|toml|cff)|(?<=\w)/\w+/))`", text)
        packages = [name.replace(".", "/") for name in re.findall(r"`neurok\.([a-z_.]+)`", text)]
        roots = (ROOT, ROOT / "src" / "neurok")
        missing += [
            f"{page.name}: {name}" for name in files if not any((root / name).exists() for root in roots)
        ]
        missing += [f"{page.name}: {name}" for name in packages if not _is_importable(name)]
    assert not missing


def _is_importable(name: str) -> bool:
    path = ROOT / "src" / "neurok" / name
    return path.is_dir() or path.with_suffix(".py").is_file() or name in neurok.__all__
