"""Exact odds of tabletop games: load a ruleset, ask, and get fractions.

    >>> import oddsmith
    >>> game = oddsmith.game("stars-and-signs")  # or load("mygame.toml"), or loads("name = ...")
    >>> odds = game["check"].odds(ability_rank=6, skill_rank=3, circ_boons=1)
    >>> odds["Hit"], float(odds["Hit"])
    (Fraction(523, 1600), 0.326875)

A game has checks and tracks by name. Questions are their methods, and every answer is exact:

    odds      the odds of one configuration                              Odds
    table     of many, for data frames: to_polars(), to_pandas()         Table
    track     rolls until something is full                              Odds
    contest   two sides against each other                               Odds
    chart     a picture; notebooks show it                               Chart
    compare   before and after a change, or two checks side by side      dict
    value     what one step of each axis is worth                        dict
    policy    what is best to choose                                     dict
    plan      when to spend what over a scene                            dict
    tune      the parameters that give the odds that are wanted          dict
    lint      what is odd about a game's odds                            dict
    simulate  the dice rolled, beside the exact odds                     dict

`oddsmith.dist("4d6kh3")` is the distribution of a dice expression, and `oddsmith.check()` tells whether the odds of a
project are the ones that were accepted. Dictionaries are what the program writes as JSON, with fractions in place of
texts.
"""

import os

from . import _oddsmith
from ._answers import Chart, Dist, Odds, Outcome, Table
from ._errors import Error, OverBudget, Problem, UnknownName
from ._game import Check, Game, check, dist, game, games, load, loads

__all__ = [
    "Chart",
    "Check",
    "Dist",
    "Error",
    "Game",
    "Odds",
    "Outcome",
    "OverBudget",
    "Problem",
    "Table",
    "UnknownName",
    "check",
    "dist",
    "game",
    "games",
    "load",
    "loads",
]

# The threads that questions share are not there in a forked process: it uses others.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_oddsmith.forked)
