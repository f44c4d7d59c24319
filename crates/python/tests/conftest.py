"""What tests share."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable

import pytest

import oddsmith

# A shell ignores interrupts for what it starts in the background, and Python goes on to; tests interrupt their own work.
signal.signal(signal.SIGINT, signal.default_int_handler)


def _program() -> str:
    named = os.environ.get("ODDSMITH") or shutil.which("oddsmith")
    assert named, "the program oddsmith is needed: say where it is with $ODDSMITH"
    return named


@pytest.fixture(scope="session")
def program() -> Callable[..., Any]:
    """Asks the program, and reads its JSON."""

    def ask(*arguments: str, cwd: Path | None = None, status: tuple[int, ...] = (0,)) -> Any:
        command = [_program(), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
        assert done.returncode in status, done.stderr
        return json.loads(done.stdout) if "json" in arguments else done.stdout

    return ask


@pytest.fixture(scope="session")
def check() -> oddsmith.Check:
    """The check that most tests ask."""
    return oddsmith.game("stars-and-signs")["check"]


def same(ours: Any, theirs: Any, at: str = "answer") -> None:
    """Holds an answer to the program's JSON, whose exact numbers are texts."""
    if isinstance(ours, Fraction) and isinstance(theirs, dict):
        theirs = theirs["fraction"] if "fraction" in theirs else f"{theirs['weight']}/{theirs['total']}"
    if isinstance(ours, Fraction):
        assert ours == Fraction(theirs), at
    elif isinstance(ours, float) and isinstance(theirs, str):
        assert ours == float(theirs), at
    elif isinstance(ours, dict):
        if theirs.keys() - ours.keys() == {"weight", "total"}:
            theirs = {**theirs, "probability": f"{theirs['weight']}/{theirs['total']}"}
            del theirs["weight"], theirs["total"]
        assert list(ours) == list(theirs), at
        for key, value in ours.items():
            same(value, theirs[key], f"{at}.{key}")
    elif isinstance(ours, list):
        assert len(ours) == len(theirs), at
        for place, (one, other) in enumerate(zip(ours, theirs)):
            same(one, other, f"{at}[{place}]")
    else:
        assert ours == theirs, at
        assert type(ours) is type(theirs), at
