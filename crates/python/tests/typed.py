"""What a type checker is to know of answers; it is checked, not run."""

from fractions import Fraction
from typing import Any, Optional, Union

import distributed
import polars
from typing_extensions import assert_type

import oddsmith

game = oddsmith.game("stars-and-signs")
assert_type(game, oddsmith.Game)
check = game["check"]
assert_type(check, oddsmith.Check)
assert_type(check.odds(ability_rank=6, state="fragile", ladder=[0, 4, 6]), oddsmith.Odds)
table = check.table(circ_boons=range(-5, 6), ability_rank=[1, 4, 8])
assert_type(table.to_polars(), polars.DataFrame)
assert_type(table[0], dict[str, Any])
assert_type(oddsmith.dist("4d6kh3").pmf, dict[int, Fraction])
assert_type(oddsmith.dist("4d6kh3")[3], int)
assert_type(check.plan()["ways"][0]["is_plan"], bool)
assert_type(check.policy()["choices"][0]["rows"][0]["worth"], Union[Fraction, float])
assert_type(check.tune()["patch"], Optional[str])
assert_type(check.lint()["findings"][0]["line"], int)


def shared(client: distributed.Client) -> None:
    assert_type(check.table(client=client, parts=8), oddsmith.Table)
    assert_type(check.tune(client=client)["patch"], Optional[str])
