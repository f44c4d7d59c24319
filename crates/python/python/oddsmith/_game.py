"""Games, their checks and tracks, and the questions that are put to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike, fspath
from os.path import abspath
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _cluster, _oddsmith
from ._answers import Chart, Dist, Odds, Table

if TYPE_CHECKING:
    import distributed

    from ._wire import (
        ComparisonOdds,
        LintFindings,
        Overview,
        PlanOdds,
        PolicyOdds,
        ProjectOdds,
        Simulated,
        StepValues,
        TrackPlanOdds,
        TuningOdds,
    )

#: The value of an axis or parameter: a whole number, a label, or those of a list.
Value = Union[int, str, Sequence[Union[int, str]]]
#: Values to sweep: several, ``"all"`` of them, or a single one, which is set.
Values = Union[int, str, Iterable[Union[int, str]]]
Settings = Mapping[str, Value]
#: One or several texts.
Texts = Union[str, Iterable[str]]


def _json(**request: object) -> str:
    """A request; what is None is left to the library."""
    return json.dumps({key: value for key, value in request.items() if value is not None}, default=list)


def _texts(texts: Optional[Texts]) -> list[str]:
    if texts is None:
        return []
    return [texts] if isinstance(texts, str) else list(texts)


def _merged(*inputs: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for own in inputs:
        merged.update(own or {})
    return merged


def _settings(*inputs: Optional[Settings]) -> list[str]:
    return _oddsmith.settings(_merged(*inputs))


def _is_shared(client: Optional[distributed.Client], parts: Optional[int]) -> bool:
    if client is None and parts is not None:
        raise TypeError("`parts` are those of a `client`")
    return client is not None


class Check:
    """A check or a track of a game: what questions are put to.

    Axes and parameters are set by keyword, and the rest stays at its default. What is no Python name, or is the name of
    an argument, goes into ``settings``: ``settings={"ladder[2]": 10, "threads": 3}``. A list is a list:
    ``ladder=[0, 4, 6, 8, 10, 12]``.

    ``threads`` is the number of threads that work on a question, one for each core unless it is said; answers do not
    depend on it. ``budget`` is the number of steps that a question may take, 10**10 unless it is said; a step is about a
    nanosecond, and ten are a byte of memory. Other Python threads run meanwhile, and an interrupt ends the work.

    >>> import oddsmith
    >>> check = oddsmith.game("stars-and-signs")["check"]
    >>> check
    <Check stars-and-signs:check>
    >>> check.bands
    ['Miss', 'Graze', 'Hit', 'Critical']
    """

    __slots__ = ("_game", "name")

    #: The name.
    name: str

    def __init__(self, game: Game, name: str) -> None:
        self._game = game
        self.name = name

    @property
    def game(self) -> Game:
        """The game that it is of."""
        return self._game

    @property
    def is_track(self) -> bool:
        """Whether it is a track: rolls until something is full."""
        return self.name in self._game.tracks

    @property
    def bands(self) -> list[str]:
        """Its bands, worst first."""
        check = self.overview()["checks"][0]
        return [*check["first_roll"]["bands"], *check["shown"]["bands"]]

    def overview(self) -> Overview:
        """What can be set and asked, and what the author says of it.

        >>> import oddsmith
        >>> overview = oddsmith.game("stars-and-signs")["check"].overview()
        >>> [axis["name"] for axis in overview["checks"][0]["axes"]][:2]
        ['ability_rank', 'skill_rank']
        """
        return self._game._native.overview(self.name)

    def odds(
        self,
        /,
        *queries: str,
        settings: Optional[Settings] = None,
        maximise: Optional[str] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> Odds:
        """The odds of one configuration: bands, worst first, flags, labels beside the bands, and what is asked.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> odds = check.odds("P(total >= 18)", "mean(total | Hit)", ability_rank=6, state="fragile")
        >>> odds["P(total >= 18)"]
        Fraction(137, 400)
        >>> odds.configuration
        {'ability_rank': 6, 'state': 'fragile'}
        """
        if settings:
            inputs = {**settings, **inputs}
        return Odds(self._game._native.odds(self.name, list(queries), inputs, maximise, threads, budget))

    def dist(
        self,
        value: str,
        /,
        *others: str,
        settings: Optional[Settings] = None,
        maximise: Optional[str] = None,
        horizon: Optional[int] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> Union[Dist, dict[Any, Fraction]]:
        """The whole distribution of a value that the check shows, or that its rules bind with ``let``.

        Of a number it is a :class:`Dist`; of a label, and of several values together, the probability of each.
        So it is of a number that rounds of a track add to without an end: up to ``horizon``, or to where one in a thousand is
        beyond, and then of all that is beyond.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> check.dist("total", ability_rank=6).mean
        Fraction(31, 2)
        >>> check.dist("band", ability_rank=6)["Miss"]
        Fraction(21, 200)
        >>> list(oddsmith.game("stars-and-signs")["counter"].dist("rolls", horizon=3))
        [2, 3, '> 3']
        """
        if settings:
            inputs = {**settings, **inputs}
        values = [value, *others]
        found = self._game._native.distribution(self.name, values, inputs, maximise, horizon, threads, budget)
        return found if isinstance(found, dict) else Dist(found)

    def table(
        self,
        /,
        *queries: str,
        only: Optional[Texts] = None,
        settings: Optional[Mapping[str, Values]] = None,
        maximise: Optional[str] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        client: Optional[distributed.Client] = None,
        parts: Optional[int] = None,
        **inputs: Values,
    ) -> Table:
        """The odds of many configurations. Several values of an axis, or ``"all"``, are swept; the last axis is fastest.

        Where nothing is swept it is the sweep that the ruleset declares. ``only`` names columns in place of the bands;
        queries are columns beside them.

        With a ``client`` of Dask the workers of its cluster compute ``parts`` of the rows, four for each of their threads
        unless it is said, each with ``threads``, one unless it is said, and with a ``budget`` of its own. The table is the same.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> table = check.table(only="P(band >= Hit)", ability_rank=[1, 4, 8], circ_boons=range(-1, 2), skill_rank=2)
        >>> table[0]
        {'ability_rank': 1, 'circ_boons': -1, 'P(band >= Hit)': Fraction(53, 500)}
        >>> from distributed import Client
        >>> with Client(processes=False, dashboard_address=None) as client:
        ...     shared = check.table(circ_boons=range(-1, 2), client=client, parts=2)
        >>> list(shared) == list(check.table(circ_boons=range(-1, 2)))
        True
        """
        fixed, sweeps = self._split(settings, inputs)
        request = _json(
            check=self.name,
            settings=fixed,
            sweeps=sweeps or ["all"],
            only=_texts(only),
            queries=queries,
            maximise=maximise,
        )
        native = self._game._native
        if not _is_shared(client, parts):
            return Table(native.table(request, threads, budget))
        done = _cluster.computed(client, parts, native, "table", request, threads, budget)
        return Table(_oddsmith.merged_table(native, request, done, threads, budget))

    def track(
        self,
        /,
        *queries: str,
        horizon: Optional[int] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> Odds:
        """How long a track takes and what it ends in, or in place of its lengths what is asked.

        >>> import oddsmith
        >>> race = oddsmith.game("buried-secrets")["race"]
        >>> odds = race.track(push_die=1)
        >>> odds["goal"], odds["mean(rolls)"]
        (Fraction(3456667, 3981312), Fraction(4834675, 1492992))
        """
        request = _json(track=self.name, settings=_settings(settings, inputs), queries=queries, horizon=horizon)
        answers, notes = self._game._native.track(request, threads, budget)
        return Odds(answers, notes)

    def contest(
        self,
        /,
        *queries: str,
        a: Optional[Settings] = None,
        b: Optional[Settings] = None,
        against: Optional[str] = None,
        compare: Optional[str] = None,
        ties: Optional[str] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> Odds:
        """The check against itself, or against another one, each side with settings of its own.

        ``compare`` says what is compared, and ``ties`` what a tie means (``reroll``, ``both`` or ``defender``), where the
        ruleset does not or something else is wanted.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> odds = check.contest(a={"ability_rank": 8}, b={"ability_rank": 4})
        >>> odds["A"] > odds["B"], odds["A"] + odds["tie"] + odds["B"]
        (True, Fraction(1, 1))
        """
        request = _json(
            check=self.name,
            against=against,
            settings=_settings(settings, inputs),
            a=_settings(a),
            b=_settings(b),
            compare=compare,
            ties=ties,
            queries=queries,
        )
        return Odds(self._game._native.contest(request, threads, budget))

    def compare(
        self,
        other: Optional[Check] = None,
        /,
        *queries: str,
        change: Optional[Settings] = None,
        of: Optional[str] = None,
        settings: Optional[Mapping[str, Values]] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Values,
    ) -> ComparisonOdds:
        """The check before and after a change of settings, or beside another check or another version of its game.

        Several values of an axis are swept, as in :meth:`table`.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> answer = check.compare(change={"asset_mode": "die"}, asset_quality=4, asset_mode="bonus")
        >>> row = answer["rows"][0]
        >>> row["order"], row["variation"]
        ('a', Fraction(119, 750))
        >>> row["outcomes"][3]["outcome"], row["outcomes"][3]["difference"]
        ('Critical', Fraction(-33, 250))
        """
        fixed, sweeps = self._split(settings, inputs)
        request: dict[str, object] = {"settings": fixed, "sweeps": sweeps, "queries": queries, "of": of}
        request |= {"with": _settings(change), "against": None if other is None else other.name}
        return self._ask("compare", request, threads, budget, None if other is None else other.game)

    def value(
        self,
        /,
        *queries: str,
        levers: Optional[Texts] = None,
        at: Optional[str] = None,
        settings: Optional[Mapping[str, Values]] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Values,
    ) -> StepValues:
        """What one step of each axis and parameter is worth.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> answer = check.value(levers=["circ_boons"], ability_rank=6, skill_rank=3)
        >>> step = answer["levers"][0]["steps"][0]
        >>> step["from"], step["to"], step["changes"]["band>=Hit"]["typical"]
        (0, 1, Fraction(5, 32))
        """
        fixed, sweeps = self._split(settings, inputs)
        request = {"settings": fixed, "sweeps": sweeps, "queries": queries, "levers": _texts(levers), "at": at}
        return self._ask("value", request, threads, budget)

    def policy(
        self,
        /,
        *queries: str,
        by: Optional[str] = None,
        maximise: Optional[str] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> PolicyOdds:
        """What is best to choose, and how other ways to choose compare with it.

        >>> import oddsmith
        >>> answer = oddsmith.game("stars-and-signs")["check"].policy(effort=5)
        >>> [(way["value"], way["outcomes"][0]["probability"]) for way in answer["rows"] if way["is_optimal"]]
        [('optimal', Fraction(637, 200))]
        """
        request = {"settings": _settings(settings, inputs), "queries": queries, "by": by, "maximise": maximise}
        return self._ask("policy", request, threads, budget)

    def plan(
        self,
        /,
        *,
        pool: Union[int, Mapping[str, int]] = 5,
        checks: Optional[int] = None,
        each: Iterable[Settings] = (),
        resource: Optional[str] = None,
        axis: Optional[str] = None,
        spent: Optional[str] = None,
        policy: Optional[str] = None,
        utility: Optional[str] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> PlanOdds:
        """When to spend what over a scene of several checks.

        ``pool`` is the points of one resource, or those of several by their names. ``each`` has settings of one check each,
        which are played in turn.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> plan = check.plan(checks=5, pool=6)["ways"][-1]
        >>> plan["way"], round(float(plan["result"]["value"]), 3)
        ('plan', 19.788)
        >>> check.plan(checks=1, pool={"effort": 0, "hope": 0})["states"][0]["one_more"]
        {'effort': Fraction(37, 100), 'hope': Fraction(239, 250)}
        """
        request = {
            "pool": pool if isinstance(pool, int) else dict(pool),
            "checks": checks,
            "each": [",".join(_settings(own)) for own in each],
            "resource": resource,
            "axis": axis,
            "spent": spent,
            "policy": policy,
            "utility": utility,
            "settings": _settings(settings, inputs),
        }
        return self._ask("plan", request, threads, budget)

    def plan_track(
        self,
        /,
        *,
        pool: Union[int, Mapping[str, int]] = 5,
        resource: Optional[str] = None,
        axis: Optional[str] = None,
        spent: Optional[str] = None,
        policy: Optional[str] = None,
        utility: Optional[str] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> TrackPlanOdds:
        """When to spend what over the rounds of a track.

        ``pool`` is the points for all rounds, as for :meth:`plan`. ``utility`` is what the end of the track is worth, such as
        ``-rolls`` for the fewest rounds; without it that is what the track maximises, or its last band.

        >>> import oddsmith
        >>> plan = oddsmith.game("stars-and-signs")["timed"].plan_track(pool=4)
        >>> [(way["way"], round(float(way["result"]["outcomes"][0]["probability"]), 4)) for way in plan["ways"][:2]]
        [('never', 0.8405), ('next_band', 0.9593)]
        >>> [round(float(worth), 4) for worth in plan["resources"][0]["one_more"]]
        [0.0627, 0.0355, 0.0213, 0.0139, 0.0091]
        """
        request = {
            "pool": pool if isinstance(pool, int) else dict(pool),
            "resource": resource,
            "axis": axis,
            "spent": spent,
            "policy": policy,
            "utility": utility,
            "settings": _settings(settings, inputs),
        }
        return self._ask("plan_track", request, threads, budget)

    def tune(
        self,
        /,
        vary: Union[Mapping[str, Values], Texts] = (),
        goals: Texts = (),
        *,
        keeps: Texts = (),
        top: int = 10,
        start: int = 0,
        pick: Optional[int] = None,
        file: Optional[str] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        client: Optional[distributed.Client] = None,
        parts: Optional[int] = None,
        **inputs: Value,
    ) -> TuningOdds:
        """Which values of parameters give the odds that are wanted; every combination is tried.

        ``vary`` has the values of each parameter, or texts such as ``"boon_cap=3..=6"``. Without anything said the
        ``[tune]`` of the ruleset, or that of ``file``, counts. ``patch`` of the answer is the change of the ruleset.
        With a ``client`` of Dask the workers of its cluster look at ``parts`` of the candidates, as in :meth:`table`; each
        of them reads ``file``.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> answer = check.tune({"boon_cap": range(2, 7)}, ["Critical @ circ_boons=5 ~ 0.5"])
        >>> answer["best"][0]["values"], answer["candidates"]
        ({'boon_cap': 3}, 5)
        >>> answer["patch"].splitlines()[0]
        '--- a/stars-and-signs.toml'
        """
        if isinstance(vary, Mapping):
            fixed, swept = self._split(vary)
            vary = [*fixed, *swept]
        request: dict[str, object] = {"vary": _texts(vary), "goals": _texts(goals), "keeps": _texts(keeps), "top": top, "from": start}
        request |= {"pick": pick, "file": file, "settings": _settings(settings, inputs)}
        if not _is_shared(client, parts):
            return self._ask("tune", request, threads, budget)
        request["file"] = None if file is None else abspath(file)
        json, native = _json(check=self.name, **request), self._game._native
        done = _cluster.computed(client, parts, native, "tune", json, threads, budget)
        return _oddsmith.merged_tune(native, json, done, threads, budget)

    def lint(
        self,
        /,
        *,
        only: Texts = (),
        all: bool = False,
        cliff: Optional[str] = None,
        change: Optional[str] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
    ) -> LintFindings:
        """What is odd about the odds of this check or track; see :meth:`Game.lint`."""
        request = {"only": _texts(only), "all": all, "cliff": cliff, "change": change}
        return self._ask("lint", request, threads, budget)

    def simulate(
        self,
        /,
        *queries: str,
        trials: Optional[int] = None,
        until_error: Optional[float] = None,
        seed: int = 1,
        level: float = 1e-6,
        rounds: Optional[int] = None,
        maximise: Optional[str] = None,
        exact: bool = True,
        settings: Optional[Mapping[str, Values]] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Values,
    ) -> Simulated:
        """Rolls instead of computing, and holds the exact odds against what comes up.

        A seed gives the same counts on any machine and any number of threads. Where the two differ by more than chance
        allows, ``disagreements`` is not 0. Several values of an axis are swept, as in :meth:`table`.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> rolled = check.simulate(trials=100_000, seed=42, circ_boons=2)
        >>> rolled["trials"], rolled["disagreements"]
        (100000, 0)
        """
        fixed, sweeps = self._split(settings, inputs)
        request = {
            "settings": fixed,
            "sweeps": sweeps,
            "queries": queries,
            "maximise": maximise,
            "trials": trials,
            "until_error": until_error,
            "seed": seed,
            "level": level,
            "rounds": rounds,
            "is_rolled_only": not exact,
        }
        return self._ask("simulate", request, threads, budget)

    def chart(
        self,
        /,
        *queries: str,
        x: Optional[str] = None,
        by: Optional[str] = None,
        facet: Optional[str] = None,
        kind: Optional[str] = None,
        title: Optional[str] = None,
        maximise: Optional[str] = None,
        settings: Optional[Settings] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
        **inputs: Value,
    ) -> Chart:
        """A picture: bands, lines, a heat map or a distribution.

        ``x``, ``by`` and ``facet`` are an axis, ``"circ_boons"``, or one with its values, ``"circ_boons=-5..=5"``; ``x`` may
        be a number that the check shows. ``kind`` is what fits, or ``bands``, ``lines``, ``heatmap`` or ``dist``.

        >>> import oddsmith
        >>> check = oddsmith.game("stars-and-signs")["check"]
        >>> check.chart("P(band >= Hit)", x="circ_boons=-5..=5", by="ability_rank=1,4,8")
        <Chart: Hit or better by Boons on the 2d10 and Ability die>
        """
        request = _json(
            check=self.name,
            title=title,
            kind=kind,
            x=x,
            by=by,
            facet=facet,
            queries=queries,
            settings=_settings(settings, inputs),
            maximise=maximise,
        )
        return Chart(self._game._native.chart(request, threads, budget))

    def _split(self, *inputs: Optional[Mapping[str, Values]]) -> tuple[list[str], list[str]]:
        """What is the same in all rows, and what is swept."""
        return self._game._native.split(self.name, _merged(*inputs))

    def _ask(
        self,
        question: str,
        request: Mapping[str, object],
        threads: Optional[int],
        budget: Optional[int],
        other: Optional[Game] = None,
    ) -> Any:
        json = _json(check=self.name, **request)
        beside = None if other is None else other._native
        return self._game._native.ask(question, json, beside, threads, budget)

    def __repr__(self) -> str:
        return f"<Check {self._game.name}:{self.name}>"


class Game(Mapping[str, Check]):
    """A ruleset that was read and checked: its checks and tracks by name, in the order of the file.

    >>> import oddsmith
    >>> game = oddsmith.game("stars-and-signs")
    >>> game.title, game.checks, game.tracks
    ('Stars & Signs', ['check', 'test', 'cooperation', 'advance'], ['counter', 'scaled_challenge', 'timed', 'recovery', 'supply', 'spiral', 'conflict', 'party', 'arc', 'magic'])
    >>> "check" in game, [check.name for check in game.values()][-1]
    (True, 'magic')
    """

    __slots__ = ("_native", "checks", "tracks")

    #: The names of what is rolled once.
    checks: list[str]
    #: The names of what is rolled until something is full.
    tracks: list[str]

    def __init__(self, native: _oddsmith.Game) -> None:
        self._native = native
        self.checks, self.tracks = native.checks

    @property
    def name(self) -> str:
        """The ruleset as it was named."""
        return self._native.name

    @property
    def title(self) -> str:
        """The title that it gives itself, or else its name."""
        return self._native.title

    @property
    def warnings(self) -> list[str]:
        """What is legal in the ruleset, but hardly meant."""
        return self._native.warnings

    def __getitem__(self, name: str) -> Check:
        self._native.demand(name)
        return Check(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter([*self.checks, *self.tracks])

    def __len__(self) -> int:
        return len(self.checks) + len(self.tracks)

    def overview(self) -> Overview:
        """What it offers: parameters, checks with their axes, charts, expectations, resources."""
        return self._native.overview(None)

    def lint(
        self,
        *,
        only: Texts = (),
        all: bool = False,
        cliff: Optional[str] = None,
        change: Optional[str] = None,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
    ) -> LintFindings:
        """What is odd about the odds of its checks and tracks.

        ``only`` has beginnings of ids, such as ``cliff/check``; ``all`` tells what the ruleset accepts, too.

        >>> import oddsmith
        >>> game = oddsmith.loads('''
        ... name = "Demo"
        ... [checks.check]
        ... bands = ["Miss", "Hit"]
        ... axes.stat = { default = 0, domain = "0..=9" }
        ... rules = "show band = if 1d6 <= 2 + stat then Hit else Miss"
        ... ''')
        >>> finding = game.lint()["findings"][0]
        >>> finding["id"], finding["line"]
        ('dead-step/check/stat', 5)
        """
        request = _json(only=_texts(only), all=all, cliff=cliff, change=change)
        return self._native.ask("lint", request, None, threads, budget)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self)}>"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def load(path: Union[str, PathLike[str]]) -> Game:
    """Reads a ruleset: a file, the file of a git revision as ``"REV:PATH"``, or a shipped game by its name.

    >>> import oddsmith
    >>> oddsmith.load("stars-and-signs")
    <Game stars-and-signs: check, test, cooperation, advance, counter, scaled_challenge, timed, recovery, supply, spiral, conflict, party, arc, magic>
    """
    return Game(_oddsmith.Game.open(fspath(path)))


def loads(text: str, name: str = "<string>") -> Game:
    """Reads a ruleset from its text; errors call it ``name``.

    >>> import oddsmith
    >>> game = oddsmith.loads('''
    ... name = "Coins"
    ... [checks.toss]
    ... rules = "show heads = 1d2 == 2"
    ... ''')
    >>> game["toss"].odds()["heads"]
    Fraction(1, 2)
    """
    return Game(_oddsmith.Game.parse(name, text))


def game(name: str) -> Game:
    """A game that comes along, by its name.

    >>> import oddsmith
    >>> oddsmith.game("action-primer").title
    'Action Primer'
    """
    return Game(_oddsmith.Game.shipped(name))


def games() -> list[str]:
    """The names of the games that come along.

    >>> import oddsmith
    >>> "stars-and-signs" in oddsmith.games()
    True
    """
    return _oddsmith.games()


def dist(expression: str, *, threads: Optional[int] = None, budget: Optional[int] = None) -> Dist:
    """The exact distribution of a dice expression.

    >>> import oddsmith
    >>> oddsmith.dist("4d6kh3").mean
    Fraction(15869, 1296)
    >>> oddsmith.dist("2d4").pmf
    {2: Fraction(1, 16), 3: Fraction(1, 8), 4: Fraction(3, 16), 5: Fraction(1, 4), 6: Fraction(3, 16), 7: Fraction(1, 8), 8: Fraction(1, 16)}
    """
    return Dist(_oddsmith.dist(expression, threads, budget))


def check(
    *rulesets: Union[str, PathLike[str]],
    baseline: Union[str, PathLike[str], None] = None,
    config: Union[str, PathLike[str], None] = None,
    tolerance: Optional[str] = None,
    most: int = 10,
    accept: bool = False,
    threads: Optional[int] = None,
    budget: Optional[int] = None,
) -> ProjectOdds:
    """Whether the odds of rulesets are the ones that were accepted; ``accept`` accepts them as they are now.

    Without arguments it is about the project whose ``oddsmith.toml`` is nearest.

    >>> import oddsmith, pathlib, tempfile
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> ruleset, accepted = place / "coins.toml", place / "accepted"
    >>> rules = "name = 'Coins'\\n[checks.toss]\\nrules = 'show heads = 1d%d == 1'\\n"
    >>> _ = ruleset.write_text(rules % 2)
    >>> oddsmith.check(ruleset, baseline=accepted, accept=True)["status"]
    'accepted'
    >>> _ = ruleset.write_text(rules % 4)
    >>> answer = oddsmith.check(ruleset, baseline=accepted)
    >>> answer["status"], answer["rulesets"][0]["tables"][0]["moved"][0]["difference"]
    ('moved', Fraction(-1, 4))
    """
    request = _json(
        rulesets=[fspath(path) for path in rulesets],
        baseline=None if baseline is None else fspath(baseline),
        config=None if config is None else fspath(config),
        tolerance=tolerance,
        most=most,
        accept=accept,
    )
    return _oddsmith.check(request, threads, budget)


for _class in (Check, Game, load, loads, game, games, dist, check):
    _class.__module__ = "oddsmith"
