"""Every answer is the one that the program writes as JSON."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from conftest import same

import oddsmith

CHECKS = [(name, check) for name in oddsmith.games() for check in oddsmith.game(name).checks]
TRACKS = [(name, track) for name in oddsmith.games() for track in oddsmith.game(name).tracks]


def held(odds: oddsmith.Odds, json: dict) -> None:
    assert odds.configuration == json["configuration"]
    assert [(o.name, o.kind) for o in odds.outcomes] == [(o["outcome"], o["kind"]) for o in json["outcomes"]]
    for ours, theirs in zip(odds.outcomes, json["outcomes"]):
        if theirs["total"] == "0":
            assert ours.value == float(theirs["probability"])
        else:
            assert ours.value == Fraction(int(theirs["weight"]), int(theirs["total"]))


@pytest.mark.parametrize(("game", "name"), CHECKS)
def test_odds_of_all_games(program, game, name):
    held(oddsmith.game(game)[name].odds(), program("odds", f"{game}:{name}", "--format", "json"))


@pytest.mark.parametrize(("game", "name"), TRACKS)
def test_tracks_of_all_games(program, game, name):
    held(oddsmith.game(game)[name].track(), program("track", f"{game}:{name}", "--format", "json"))


def test_odds_with_settings_queries_and_a_goal(program, check):
    odds = check.odds("P(total>=18)", "mean(total|Hit)", maximise="band >= Hit", effort=3, state="fragile")
    arguments = "odds stars-and-signs --set effort=3 --set state=fragile --format json --maximise".split()
    asked = ["band >= Hit", "--query", "P(total>=18)", "--query", "mean(total|Hit)"]
    held(odds, program(*arguments, *asked))


def test_settings_by_keyword_and_by_name_are_the_same(check):
    assert check.odds(circ_boons=2) == check.odds(settings={"circ_boons": 2})
    assert check.odds(settings={"circ_boons": 1}, circ_boons=2) == check.odds(circ_boons=2)
    assert check.odds(settings={"thresholds[1]": 14}) != check.odds()


def test_lists_are_set_as_a_whole(check):
    parameters = {p["name"]: p for p in check.game.overview()["parameters"]}
    default = [int(value) for value in parameters["thresholds"]["default"].strip("[]").split(",")]
    assert check.odds(thresholds=default) == check.odds()
    swept = check.table(thresholds=default, ability_rank=[1, 2])
    assert swept.columns[0] == "ability_rank"


def test_contest(program, check):
    odds = check.contest("P(A)", a={"ability_rank": 8}, b={"ability_rank": 4}, skill_rank=1)
    words = "contest stars-and-signs --a ability_rank=8 --b ability_rank=4 --set skill_rank=1 --format json"
    held(odds, program(*words.split(), "--query", "P(A)"))


def test_compare(program, check):
    ours = check.compare(change={"asset_mode": "die"}, asset_quality=4, asset_mode="bonus", circ_boons=range(-2, 3))
    words = "compare stars-and-signs --set asset_quality=4 --set asset_mode=bonus --with asset_mode=die --format json"
    same(ours, program(*words.split(), "--sweep", "circ_boons=-2..=2"))


def test_compare_with_another_version(program, check, tmp_path: Path):
    text = program("rules", "show", "stars-and-signs", "--source")
    changed = tmp_path / "mine.toml"
    changed.write_text(text.replace("boon_cap     = { default = 5", "boon_cap = { default = 3"))
    ours = check.compare(oddsmith.load(changed)["check"], circ_boons=range(3, 6))
    assert ours["summary"]["orders"]["a"] == 2
    words = f"compare stars-and-signs {changed} --sweep circ_boons=3..=5 --format json"
    same(ours, program(*words.split()))


def test_value(program, check):
    ours = check.value(levers=["circ_boons"], ability_rank=6, skill_rank=3)
    words = "balance value stars-and-signs --lever circ_boons --set ability_rank=6 --set skill_rank=3 --format json"
    same(ours, program(*words.split()))


def test_policy(program, check):
    same(check.policy(effort=5), program(*"policy stars-and-signs --set effort=5 --format json".split()))


def test_plan(program, check):
    ours = check.plan(pool=4, each=[{"ability_rank": 8}, {"ability_rank": 2, "circ_boons": 1}])
    words = "balance plan stars-and-signs --pool 4 --check ability_rank=8 --check ability_rank=2,circ_boons=1"
    same(ours, program(*words.split(), "--format", "json"))


def test_a_plan_of_two_resources(program, check):
    ours = check.plan(pool={"hope": 2, "effort": 3}, checks=2)
    same(ours, program(*"balance plan stars-and-signs --pool effort=3,hope=2 --checks 2 --format json".split()))


def test_tune(program, check):
    goals = ["Critical @ circ_boons=5 in [0.4, 0.6]", "Hit ~ 0.35"]
    ours = check.tune({"boon_cap": range(2, 7), "thresholds[1]": [14, 15]}, goals)
    words = "tune stars-and-signs --vary boon_cap=2..=6 --vary thresholds[1]=14,15 --format json".split()
    same(ours, program(*words, "--goal", goals[0], "--goal", goals[1]))


def test_a_proof_that_nothing_meets_the_goals(program, check):
    goal = "Critical @ circ_boons=5 at least 99 %"
    words = "tune stars-and-signs --vary boon_cap=2..=4 --format json --goal".split()
    same(check.tune("boon_cap=2..=4", goal), program(*words, goal, status=(1,)))


def test_lint(program):
    game = oddsmith.game("action-checks")
    same(game.lint(), program(*"balance lint action-checks --format json".split(), status=(0, 1)))
    check = game[game.checks[0]]
    words = f"balance lint action-checks:{check.name} --only cliff --cliff 10 --format json"
    same(check.lint(only="cliff", cliff="10"), program(*words.split(), status=(0, 1)))


def test_simulate(program, check):
    words = "simulate stars-and-signs --trials 100000 --seed 42 --sweep circ_boons=0,2 --format json"
    same(check.simulate(trials=100_000, seed=42, circ_boons=[0, 2]), program(*words.split()))
    words = "simulate --dice 3d6 --trials 10000 --query P(value>=15) --format json"
    same(oddsmith.dist("3d6").simulate("P(value>=15)", trials=10_000), program(*words.split()))


def test_check_of_a_project(program, tmp_path: Path):
    rules = "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d%d == 1'\n"
    (tmp_path / "coins.toml").write_text(rules % 2)
    oddsmith.check(tmp_path / "coins.toml", baseline=tmp_path / "accepted", accept=True)
    (tmp_path / "coins.toml").write_text(rules % 4)
    ours = oddsmith.check(tmp_path / "coins.toml", baseline=tmp_path / "accepted")
    assert ours["status"] == "moved"
    words = "check coins.toml --baseline accepted --format json"
    theirs = program(*words.split(), cwd=tmp_path, status=(1,))
    same(ours["rulesets"][0]["tables"], theirs["rulesets"][0]["tables"])


def test_dist(program):
    for expression in ["4d6kh3", "{2d8,2d6}kh2", "3d6!(2)", "1d6-4", "100d6"]:
        ours, theirs = oddsmith.dist(expression), program("dist", expression, "--format", "json")
        assert dict(ours) == {value["outcome"]: int(value["weight"]) for value in theirs["outcomes"]}
        assert list(ours) == sorted(ours)
        assert ours.total == int(theirs["total"]) == sum(ours.values())
        assert (ours.mean, ours.variance) == (Fraction(theirs["mean"]), Fraction(theirs["variance"]))
        assert sum(ours.pmf.values()) == 1
        for value in theirs["outcomes"][:3]:
            assert float(ours.at_least(value["outcome"])) == value["at_least"]
            assert float(ours.at_most(value["outcome"])) == value["at_most"]


def test_numbers_beyond_what_python_reads_as_text():
    total = oddsmith.dist("15000d2").total
    assert total == 2**15000


def test_numbers_of_a_check(check):
    total = check.odds("P(total>=18)", ability_rank=6)
    assert total.numbers()["total"].at_least(18) == total["P(total>=18)"]
    with pytest.raises(ValueError, match="only a dice expression"):
        total.numbers()["total"].odds("P(value>3)")


def test_quantiles_are_exact():
    dist = oddsmith.dist("1d3")
    assert dist.quantile(Fraction(1, 3)) == 1
    assert dist.quantile(Fraction(1, 3) + Fraction(1, 10**30)) == 2
    with pytest.raises(ValueError, match="from 0 to 1"):
        dist.quantile(1.5)
