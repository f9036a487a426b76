"""The citation file: readable, of this version, and with every paper that the documentation names."""

from __future__ import annotations

import re

import yaml

import neurok
from documentation import PAGES, ROOT


def test_the_citation_names_every_paper():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["version"] == neurok.__version__
    ids = {entry["identifiers"][0]["value"].removeprefix("arXiv:") for entry in cited["references"]}
    assert all({"type", "title", "authors", "url"} <= set(entry) for entry in cited["references"])
    named = {found for page in PAGES for found in re.findall(r"arxiv\.org/abs/([\d.]+\d)", page.read_text())}
    assert ids == named and len(ids) == 4
