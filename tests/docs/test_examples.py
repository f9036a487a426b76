"""The examples and the notebook run as a user runs them; each ends in a check."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

from documentation import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example(path: Path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = path.read_text()
    assert "\nassert " in text and len(text.splitlines()) <= 40
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.slow
def test_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch):
    import nbformat  # both take a second
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(ROOT / "examples" / "tour.ipynb", as_version=4)
    stored = [cell.get("outputs") for cell in notebook.cells if cell.cell_type == "code"]
    assert all(stored[:-1]), "it is shown with its outputs"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert (tmp_path / "opening.glb").is_file()
