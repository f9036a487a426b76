"""Builds the documentation site: `python scripts/build_docs.py -o build`, then open build/site/index.html.

The site holds the pages of docs/ and three generated pages: the command line from its parsers, the Python
names from their docstrings, the examples from their files. Formulas become MathML, so that the site needs no
network.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path

from latex2mathml.converter import convert

import neurok
from neurok.cli.help import Option, options_of
from neurok.cli.main import commands, usage

ROOT = Path(__file__).parents[1]
FORMULA = re.compile(r"^```(\w*)\n(.*?)^```$|\$`([^`]+)`\$", re.MULTILINE | re.DOTALL)
API = {
    "Files": ("Shape", "load_shape", "Sequence", "load_sequences", "save", "render", "InputError"),
    "Pipelines": ("simulate", "SimulationConfig", "articulate", "Articulation", "sample", "fit"),
    "Coordinates": ("Kinematics", "NeuROK"),
    "Conditions": (
        "Gravity", "Push", "Drag", "Wind", "Throw", "Drop", "Tilt", "Pin", "Motor", "Pose", "Placed",
        "Moving", "Floor", "Obstacle", "Damping", "Stiffness", "Limits",
    ),
}  # fmt: skip
MORE = {
    "The engine": "neurok.dynamics.simulate",
    "Fitting": "neurok.kinematics.inverse.solver",
}


def build(out: Path) -> Path:
    """Writes the site below a folder and returns its first page; a broken link or name is an error."""
    pages = out / "docs"
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("zensical.toml"))
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text()
        (pages / name).write_text(text.replace("(docs/", "("))
    written = {"cli": command_line(), "api": python(), "examples": examples()}
    (pages / "reference").mkdir()
    for name, text in written.items():
        (pages / "reference" / f"{name}.md").write_text(text)
    for page in pages.rglob("*.md"):
        page.write_text(with_mathml(page.read_text()))
    config = (ROOT / "docs" / "zensical.toml").read_text()
    (out / "zensical.toml").write_text(config.replace('paths = ["src"]', f'paths = ["{ROOT / "src"}"]'))
    zensical = Path(sys.executable).with_name("zensical")
    done = subprocess.run(
        [zensical, "build", "--strict", "--clean"], cwd=out, capture_output=True, text=True, check=False,
        env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return out / "site" / "index.html"


def with_mathml(text: str) -> str:
    """Replaces formulas of GitHub's Markdown (```math blocks and $`…`$) by MathML."""

    def shown(found: re.Match[str]) -> str:
        language, body, inline = found.groups()
        if inline is not None:
            return _mathml(inline, "inline")
        return _mathml(body, "block") if language == "math" else found[0]

    return FORMULA.sub(shown, text)


def _mathml(latex: str, display: str) -> str:
    found = convert(" ".join(latex.split()), display=display)
    return f'<div style="overflow-x: auto">{found}</div>' if display == "block" else found


def command_line() -> str:
    """Page with a section per command: description, examples and options."""
    parts = ["# Command line", "", "```text", usage().rstrip(), "```", ""]
    for name, command in commands().items():
        parts += [
            f"## neurok {name}",
            "",
            *_description(command.__doc__ or ""),
            *_table(options_of(command, name)),
        ]
    return "\n".join(parts)


def _description(text: str) -> list[str]:
    lines = []
    for paragraph in cleandoc(text).split("\n\n"):
        if paragraph.startswith("Example"):
            body = cleandoc("\n" + paragraph.partition("\n")[2])
            lines += ["```text", body, "```", ""]
        else:
            lines += [paragraph.replace("*", "\\*"), ""]
    return lines


def _table(options: list[Option]) -> list[str]:
    rows = [f"| `{o.heading}` | {_cell(o.explanation)} |".replace("|,", "\\|,") for o in options]
    return ["| option | |", "|---|---|", *rows, ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def python() -> str:
    """Page of the public names with their docstrings, grouped by purpose."""
    named = {name for names in API.values() for name in names}
    missing = set(neurok.__all__) - named - {"__version__"}
    assert not missing, f"public names without a place in the reference: {sorted(missing)}"
    parts = ["# Python", "", "Everything below is `neurok.NAME`, imported when it is first used.", ""]
    for title, names in API.items():
        parts += [f"## {title}", ""]
        for name in names:
            thing = getattr(neurok, name)
            parts += [f"::: {thing.__module__}.{name}", ""]
    for title, module in MORE.items():
        parts += [f"## {title}", "", f"::: {module}", "    options:", "      show_root_heading: false", ""]
    return "\n".join(parts)


def examples() -> str:
    """Page of all examples."""
    parts = ["# Examples", "", "Each example runs without changes on shipped files.", ""]
    for path in sorted((ROOT / "examples").glob("*.py")):
        number, _, title = path.stem.partition("_")
        heading = f"## {int(number)}. {title.replace('_', ' ').capitalize()}"
        parts += [heading, "", f"`python examples/{path.name}`", ""]
        parts += ["```python", path.read_text().rstrip(), "```", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build")
    print(build(parser.parse_args().output.resolve()))
