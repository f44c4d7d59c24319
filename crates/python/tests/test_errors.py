"""Errors are exceptions that say where, why, and what would help."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import oddsmith

TWO_ERRORS = """name = "Demo"
[checks.check]
axes.stat = { domain = "-1..=3", defalt = 0 }
rules = "show total = 2d6 + stat + "
"""


def test_all_errors_of_a_file_with_their_places(tmp_path: Path):
    file = tmp_path / "mygame.toml"
    file.write_text(TWO_ERRORS)
    with pytest.raises(oddsmith.Error) as refused:
        oddsmith.load(file)
    error = refused.value
    assert isinstance(error, ValueError)
    assert (error.file, error.line, error.column) == (str(file), 3, 34)
    assert error.message == "unknown key `defalt` in an axis"
    assert len(error.problems) >= 2 and {problem.line for problem in error.problems} >= {3, 4}
    text = str(error)
    assert "^^^^^^ did you mean `default`?" in text
    assert f"{file}:3:34" in text and f"{file}:4:" in text
    assert error.hint


def test_errors_of_a_string_are_named(tmp_path: Path):
    with pytest.raises(oddsmith.Error) as refused:
        oddsmith.loads(TWO_ERRORS, name="demo")
    assert refused.value.file == "demo"


def test_a_file_that_is_not_there():
    with pytest.raises(oddsmith.Error, match="nowhere.toml") as refused:
        oddsmith.load("nowhere.toml")
    assert refused.value.line is None


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"circ_boon": 1}, "circ_boons"),
        ({"circ_boons": 99}, ""),
        ({"circ_boons": 10**30}, ""),
        ({"state": "fragil"}, "fragile"),
    ],
)
def test_settings_that_do_not_fit(check, wrong, hint):
    for ask in (check.odds, check.table, check.contest, check.policy):
        with pytest.raises(oddsmith.Error) as refused:
            ask(**wrong)
        assert "^" in str(refused.value)
        assert hint in str(refused.value)


def test_values_that_are_none(check):
    for wrong in (1.5, None, object(), {"a": 1}):
        with pytest.raises(TypeError):
            check.odds(circ_boons=wrong)


def test_queries_that_do_not_fit(check):
    with pytest.raises(oddsmith.Error) as refused:
        check.odds("P(totl >= 18)")
    assert "total" in refused.value.hint
    assert refused.value.column == 3


def test_unknown_names(check):
    game = check.game
    with pytest.raises(KeyError) as refused:
        game["chek"]
    assert isinstance(refused.value, oddsmith.UnknownName)
    assert "did you mean `stars-and-signs:check`?" in str(refused.value)
    assert "chek" not in game and game.get("chek") is None
    with pytest.raises(oddsmith.UnknownName, match="did you mean `stars-and-signs`"):
        oddsmith.game("stars-and-sign")
    with pytest.raises(oddsmith.UnknownName, match="the outcomes are Miss, Graze"):
        check.odds()["Hitt"]


def test_a_track_is_no_check(check):
    with pytest.raises(oddsmith.Error, match="is a track"):
        check.game["counter"].odds()
    with pytest.raises(oddsmith.Error, match="is a check"):
        check.track()


def test_over_budget(check):
    with pytest.raises(oddsmith.OverBudget) as refused:
        oddsmith.dist("1000d1000", budget=1000)
    assert isinstance(refused.value, oddsmith.Error)
    assert "budget" in str(refused.value) and refused.value.hint


def test_threads_are_at_least_one(check):
    with pytest.raises(ValueError, match="at least 1"):
        check.odds(threads=0)


def test_errors_can_be_pickled(check):
    with pytest.raises(oddsmith.Error) as refused:
        check.odds(circ_boon=1)
    copy = pickle.loads(pickle.dumps(refused.value))
    assert str(copy) == str(refused.value) and copy.problems == refused.value.problems


def test_a_picture_needs_a_known_theme_and_ending(check, tmp_path: Path):
    chart = check.chart(x="circ_boons=-1..=1")
    with pytest.raises(ValueError, match="light, dark and print"):
        chart.svg(theme="pink")
    with pytest.raises(ValueError, match=".svg or .png"):
        chart.save(tmp_path / "picture.gif")
