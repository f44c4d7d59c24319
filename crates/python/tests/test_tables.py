"""Tables, and their way into data frames."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from test_answers import CHECKS

import oddsmith


@pytest.mark.parametrize(("game", "name"), CHECKS)
def test_the_default_sweep_is_the_programs(program, tmp_path: Path, game, name):
    polars = pytest.importorskip("polars")
    check = oddsmith.game(game)[name]
    if not any(axis["sweep"] for axis in check.overview()["checks"][0]["axes"]):
        pytest.skip("it declares no sweep")
    file = tmp_path / "table.parquet"
    program("table", f"{game}:{name}", "--sweep", "all", "-o", str(file))
    assert check.table().to_polars().equals(polars.read_parquet(file))


def test_rows_are_exact(check):
    table = check.table("mean(total)", circ_boons=range(-5, 6), ability_rank=[1, 4, 8], state="fragile")
    assert (len(table), table.axes) == (33, ["circ_boons", "ability_rank"])
    for row in (table[0], table[-1], table[10]):
        odds = check.odds("mean(total)", state="fragile", circ_boons=row["circ_boons"], ability_rank=row["ability_rank"])
        assert {name: row[name] for name in odds} == dict(odds)
    assert table[1:3] == [table[1], table[2]]
    assert sum(1 for _ in table) == 33
    with pytest.raises(IndexError):
        table[33]


def test_values_to_sweep(check):
    whole = check.table(ability_rank="all", circ_boons=0)
    assert {row["ability_rank"] for row in whole} >= {1, 4, 8}
    ranges = [range(1, 4), [1, 2, 3], (1, 2, 3), iter([1, 2, 3])]
    assert len({tuple(row["Hit"] for row in check.table(ability_rank=values)) for values in ranges}) == 1
    stepped = check.table(circ_boons=range(4, -5, -4))
    assert [row["circ_boons"] for row in stepped] == [4, 0, -4]
    labels = check.table(state=["fragile", "ok"]) if "ok" in str(check.overview()) else check.table(state="all")
    assert labels[0]["state"] == "fragile" or "state" in labels.columns


def test_polars(check):
    polars = pytest.importorskip("polars")
    table = check.table(state="all", circ_boons=range(-2, 3))
    frame = table.to_polars()
    assert frame.schema["state"] == polars.String
    assert frame.schema["circ_boons"] == polars.Int64
    assert frame.rows() == [tuple(float(c) if isinstance(c, Fraction) else c for c in row.values()) for row in table]


def test_pandas_with_and_without_pyarrow(check, monkeypatch):
    pandas = pytest.importorskip("pandas")
    table = check.table(state="all", circ_boons=range(-2, 3))
    without = None
    with monkeypatch.context() as hidden:
        hidden.setitem(sys.modules, "pyarrow", None)
        without = table.to_pandas()
    assert list(without.columns) == table.columns
    assert without["Hit"].tolist() == [float(row["Hit"]) for row in table]
    pytest.importorskip("pyarrow")
    pandas.testing.assert_frame_equal(table.to_pandas(), without, check_dtype=False, check_column_type=False)


def test_pyarrow_reads_it_without_a_copy(check):
    pyarrow = pytest.importorskip("pyarrow")
    table = check.table(circ_boons=range(-2, 3))
    arrow = pyarrow.table(table)
    assert arrow.column_names == table.columns
    assert arrow["Hit"].to_pylist() == [float(row["Hit"]) for row in table]
    # A stream that nobody reads is freed.
    for _ in range(100):
        table.__arrow_c_stream__()


def test_configurations_that_break_a_rule_have_no_answers():
    game = oddsmith.loads(
        '''
name = "Gaps"
[checks.check]
axes.n = { default = 1, domain = "0..=3", sweep = "all" }
rules = "show x = floor(6 / n) == 2"
'''
    )
    table = game["check"].table()
    assert [row["x"] for row in table] == [None, 0, 0, 1]
    assert table.gaps == 1 and "division" in table.first_gap
    polars = pytest.importorskip("polars")
    assert table.to_polars()["x"].to_list() == [None, 0.0, 0.0, 1.0]
    assert polars.DataFrame(table)["x"].null_count() == 1


def test_a_table_that_is_too_large_to_keep_is_refused(check):
    with pytest.raises(oddsmith.OverBudget) as refused:
        check.table(circ_boons=range(-5, 6), ability_rank="all", skill_rank="all", budget=2_000_000)
    assert refused.value.hint


def test_nothing_is_imported_that_is_not_asked_for():
    code = "import oddsmith, sys; oddsmith.dist('2d6').pmf; print([m for m in ('numpy', 'polars', 'pandas', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_icepool_takes_distributions():
    icepool = pytest.importorskip("icepool")
    die = icepool.Die(oddsmith.dist("4d6kh3"))
    own = icepool.d6.highest(4, 3)
    assert {o: die.probability(o) for o in die.outcomes()} == {o: own.probability(o) for o in own.outcomes()}
    assert dict(die) == dict(oddsmith.dist("4d6kh3"))
