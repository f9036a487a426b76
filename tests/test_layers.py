"""The analytic core stands below every network, and no code outside it names a kind of kinematics."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import neurok

PACKAGE = Path(neurok.__file__).parent
NETWORK_ROOMS = ("nn", "latent", "articulation", "datasets", "training")
KINDS = {"JointKinematics", "ElasticKinematics", "LatentKinematics", "FreeRootKinematics"}
MAY_NAME_KINDS = ("kinematics/", "latent/", "articulation/", "pipelines/choose.py", "__init__.py")


@pytest.mark.slow
def test_the_analytic_core_loads_no_network():
    listed = (
        "import sys, neurok.kinematics, neurok.dynamics\n"
        "print(*(m for m in sys.modules if m.startswith('neurok.')))"
    )
    run = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in run.stdout.split()}
    assert {"kinematics", "dynamics"} <= loaded
    assert not loaded & set(NETWORK_ROOMS)


def named_kinds(path: Path) -> set[str]:
    """Concrete kinematics that a module mentions as a name, an attribute or an import."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.name for alias in node.names}
    return found & KINDS


@pytest.mark.slow
def test_only_the_makers_of_kinematics_name_their_kinds():
    named = {
        str(place): kinds
        for path in sorted(PACKAGE.rglob("*.py"))
        if not (place := path.relative_to(PACKAGE)).as_posix().startswith(MAY_NAME_KINDS)
        and (kinds := named_kinds(path))
    }
    assert not named, "use the Kinematics protocol, or a maker such as kinematics.joints_of"
