"""Examples are run, and the help and the types are what they should be."""

from __future__ import annotations

import doctest
import inspect
import os
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest
import wire_types

import oddsmith

CRATE = Path(__file__).parents[1]
DOCS = [CRATE / "README.md", CRATE.parents[1] / "docs" / "python.md"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def test_docstrings():
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [doctest.DocTestParser().get_doctest(oddsmith.__doc__, {}, "oddsmith", None, 0)]
    for name in oddsmith.__all__:
        tests += finder.find(getattr(oddsmith, name), name, module=False, globs={})
    tried = [runner.run(test).attempted for test in tests]
    assert runner.failures == 0
    assert sum(tried) > 60


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_pages(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(text.replace("```", "\n"), {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert result.attempted > 0
    assert result.failed == 0


def test_everything_public_is_documented_with_an_example_of_each_question():
    for name in oddsmith.__all__:
        item = getattr(oddsmith, name)
        assert inspect.getdoc(item), name
        if inspect.isclass(item):
            for member, value in vars(item).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    assert inspect.getdoc(value), f"{name}.{member}"
    questions = [value for name, value in vars(oddsmith.Check).items() if not name.startswith("_") and inspect.isfunction(value)]
    without = [question.__name__ for question in questions if ">>>" not in question.__doc__]
    assert without == ["lint"]  # which says where to look


def test_help_reads_well():
    text = pydoc.plain(pydoc.render_doc(oddsmith))
    for words in ["Exact odds of tabletop games", "class Check", "class Game", "dist(expression", "class UnknownName"]:
        assert words in text


def test_the_types_of_dictionaries_are_those_of_the_schema(program):
    import json

    schema = json.loads(program("rules", "schema", "--answers"))
    file = Path(inspect.getfile(oddsmith)).parent / "_wire.pyi"
    assert file.read_text(encoding="utf-8") == wire_types.stub(schema)


def test_types():
    pytest.importorskip("mypy")
    example = Path(__file__).parent / "typed.py"
    command = [sys.executable, "-m", "mypy", "--strict", "--no-warn-return-any", "--no-error-summary", "-p", "oddsmith"]
    for arguments in (command, [*command[:-2], str(example)]):
        environment = {**os.environ, "MYPY_CACHE_DIR": os.devnull}
        done = subprocess.run(arguments, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
