"""The notebooks of the documentation run, and show what they show.

    KEEP_NOTEBOOKS=1 scripts/test-python -- -k notebook_files

keeps what they show now.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[3] / "docs" / "notebooks").glob("*.ipynb"))


def shown(cell: Any) -> Any:
    """What a cell shows as text or as a picture: HTML depends on the version of pandas."""
    data = [output.get("data", output) for output in cell["outputs"]]
    return [{kind: own[kind] for kind in ("text", "text/plain", "image/svg+xml") if kind in own} for own in data]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_shows_what_it_shows(file: Path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    kept = nbformat.read(file, as_version=4)
    notebook = nbformat.from_dict(json.loads(json.dumps(kept)))
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata = kept.metadata
    if os.environ.get("KEEP_NOTEBOOKS"):
        nbformat.write(notebook, file)
        return
    code = [[cell for cell in cells if cell.cell_type == "code"] for cells in (notebook.cells, kept.cells)]
    assert [shown(cell) for cell in code[0]] == [shown(cell) for cell in code[1]]


def test_there_is_a_notebook():
    assert NOTEBOOKS
