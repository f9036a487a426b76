"""Reads the project's Markdown: fenced blocks, commands, links."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return [body for found, body in FENCE.findall(page.read_text()) if found == language]


def command_lines(page: Path) -> list[list[str]]:
    """The commands of all `sh` blocks as lists of words, with continued lines joined and without comments."""
    lines = "".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def inline_commands(page: Path) -> list[list[str]]:
    """Commands `neurok …` with options in running text."""
    text = FENCE.sub("", page.read_text())
    found = (" ".join(code.split()) for code in re.findall(r"`(neurok [^`]+)`", text))
    return [shlex.split(code) for code in found if " --" in code or " -o" in code]


def links(page: Path) -> list[str]:
    """Targets of links and images in the repository."""
    targets = re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text()))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """The anchors of headings."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
