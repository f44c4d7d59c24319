"""What questions are answered with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, overload

from . import _oddsmith
from ._errors import Problem, UnknownName

if TYPE_CHECKING:
    import pandas
    import polars

    from ._wire import Simulated

Number = Union[Fraction, float, None]
Cell = Union[int, str, Fraction, float, None]


class Outcome(NamedTuple):
    """A name with its exact answer, and what it is: ``band``, ``flag``, ``probability``, ``mean``, ``variance``, ``sd``, or
    ``value``, one that is picked out of a distribution, such as a median."""

    name: str
    kind: str
    value: Number


class Odds(Mapping[str, Number]):
    """The exact answers of one configuration, by name and in order.

    Probabilities and means are fractions; a mean without end is ``inf``, and what has no answer is None.

    >>> import oddsmith
    >>> odds = oddsmith.game("stars-and-signs")["check"].odds(ability_rank=6, skill_rank=3, circ_boons=1)
    >>> odds["Hit"], float(odds["Hit"])
    (Fraction(523, 1600), 0.326875)
    >>> sum(odds.values())
    Fraction(1, 1)
    >>> print(odds)
    Stars & Signs · check
    ability_rank=6 skill_rank=3 circ_boons=1
    Miss      1.01%
    Graze     10.36%
    Hit       32.69%
    Critical  55.94%
    """

    __slots__ = ("_native", "_values", "notes")

    #: Sentences that are worth knowing beside the answers, such as what is left out.
    notes: tuple[str, ...]

    def __init__(self, native: _oddsmith.Answers, notes: Sequence[str] = ()) -> None:
        self._native = native
        self._values: Optional[dict[str, Number]] = None
        self.notes = tuple(notes)

    def _by_name(self) -> dict[str, Number]:
        if self._values is None:
            # A name that stands twice is the first one's.
            self._values = {name: value for name, _, value in reversed(self._native.outcomes())}
            self._values = dict(reversed(self._values.items()))
        return self._values

    def __getitem__(self, name: str) -> Any:
        try:
            return self._by_name()[name]
        except KeyError:
            message = f"there is no outcome {name!r}"
            hint = f"the outcomes are {', '.join(self)}"
            text = f"error: {message}\nhelp: {hint}"
            raise UnknownName((Problem(message, None, None, None, hint, text),)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())

    def __len__(self) -> int:
        return len(self._by_name())

    @property
    def title(self) -> str:
        """The game and the check: ``Stars & Signs · check``."""
        return self._native.title

    @property
    def configuration(self) -> dict[str, Union[int, str]]:
        """The inputs that are not at their defaults."""
        return self._native.configuration

    @property
    def outcomes(self) -> list[Outcome]:
        """All of them in order, each with its kind."""
        return [Outcome(*outcome) for outcome in self._native.outcomes()]

    def numbers(self, *, threads: Optional[int] = None, budget: Optional[int] = None) -> dict[str, Optional[Dist]]:
        """The numbers that the check shows, each with its whole distribution.

        One whose distribution is over the budget is None. Answers about anything but a check have no numbers.

        >>> import oddsmith
        >>> odds = oddsmith.game("stars-and-signs")["check"].odds(ability_rank=6)
        >>> odds.numbers()["total"].mean
        Fraction(31, 2)
        """
        numbers = self._native.numbers(threads, budget)
        return {name: None if native is None else Dist(native) for name, native in numbers.items()}

    def __repr__(self) -> str:
        return f"Odds({', '.join(f'{name}: {value}' for name, value in self.items())})"

    def _lines(self) -> list[tuple[str, str, str]]:
        outcomes = zip(self._native.outcomes(), self._native.texts())
        return [(name, text, str(value)) for (name, _, value), text in outcomes]

    def _words(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.configuration.items())

    def __str__(self) -> str:
        lines = self._lines()
        width = max((len(name) for name, _, _ in lines), default=0)
        head = [self.title, *filter(None, [self._words()])]
        return "\n".join(head + [f"{name:<{width}}  {text}" for name, text, _ in lines])

    def _repr_html_(self) -> str:
        head = f"{escape(self.title)}<br>{escape(self._words())}"
        return _html(head, ["", "odds", "exactly"], self._lines())


class Dist(Mapping[int, int]):
    """The exact distribution of a whole number: every value that can come up, ascending, with its weight.

    Weights are whole numbers over ``total``, so that other libraries take it as it is: ``icepool.Die(dist)``,
    ``dyce.H(dist)``.

    >>> import oddsmith
    >>> dist = oddsmith.dist("2d6")
    >>> dist[7], dist.total, dist.pmf[7]
    (6, 36, Fraction(1, 6))
    >>> dist.mean, dist.variance, dist.sd
    (Fraction(7, 1), Fraction(35, 6), 2.41522945769824)
    >>> dist.at_least(10), dist.at_most(3), dist.quantile(0.5)
    (Fraction(1, 6), Fraction(1, 12), 7)
    """

    __slots__ = ("_native", "_weights", "_pmf")

    def __init__(self, native: _oddsmith.Dist) -> None:
        self._native = native
        self._weights: Optional[dict[int, int]] = None
        self._pmf: Optional[dict[int, Fraction]] = None

    def __getitem__(self, value: int) -> int:
        if self._weights is None:
            self._weights = self._native.weights()
        return self._weights[value]

    def __iter__(self) -> Iterator[int]:
        if self._weights is None:
            self._weights = self._native.weights()
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._native)

    @property
    def name(self) -> str:
        """The expression, or the name of the number."""
        return self._native.name

    @property
    def pmf(self) -> dict[int, Fraction]:
        """Every value that can come up, ascending, with its probability."""
        if self._pmf is None:
            self._pmf = self._native.pmf()
        return self._pmf

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return self._native.total

    @property
    def mean(self) -> Fraction:
        """The mean."""
        return self._native.mean

    @property
    def variance(self) -> Fraction:
        """The variance: the mean square of the distance from the mean."""
        return self._native.variance

    @property
    def sd(self) -> float:
        """The standard deviation, the root of the variance."""
        return sqrt(self.variance)

    @property
    def warnings(self) -> list[str]:
        """What is legal in the expression, but hardly meant."""
        return self._native.warnings

    def at_least(self, value: int) -> Fraction:
        """The probability of a value or more."""
        return self._native.at_least(value)

    def at_most(self, value: int) -> Fraction:
        """The probability of a value or less."""
        return self._native.at_most(value)

    def quantile(self, p: Union[Fraction, float, int]) -> int:
        """The least value of which, or of less, the probability is at least ``p``."""
        p = Fraction(p)
        return self._native.quantile(str(p.numerator), str(p.denominator))

    def odds(self, *queries: str, threads: Optional[int] = None, budget: Optional[int] = None) -> Odds:
        """The answers to queries about an expression, whose number is called ``value``.

        >>> import oddsmith
        >>> oddsmith.dist("4d6kh3").odds("P(value >= 15)", "mean(value | value >= 15)")
        Odds(P(value >= 15): 25/108, mean(value | value >= 15): 953/60)
        """
        return Odds(_oddsmith.ask(self._native, list(queries), threads, budget))

    def simulate(
        self,
        *queries: str,
        trials: Optional[int] = None,
        until_error: Optional[float] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        budget: Optional[int] = None,
    ) -> Simulated:
        """Rolls the dice of an expression, and holds the exact odds against what comes up.

        >>> import oddsmith
        >>> rolled = oddsmith.dist("3d6").simulate(trials=100_000)
        >>> rolled["trials"], rolled["disagreements"]
        (100000, 0)
        """
        from ._game import _json

        json = _json(queries=queries, trials=trials, until_error=until_error, seed=seed)
        return self._native.simulate(json, threads, budget)

    def __repr__(self) -> str:
        return f"oddsmith.dist({self.name!r})"

    def _repr_html_(self) -> str:
        rows = [(str(value), *texts) for value, texts in self._native.texts()]
        return _html(escape(self.name), ["value", "odds", "at least", "at most"], rows)


class Table(Sequence[dict[str, Any]]):
    """The exact odds of many configurations: a row for each, in the order of the sweep.

    A row is a dictionary with exact numbers, made when it is asked for. The whole table goes to data frames through
    Arrow's PyCapsule interface, without a copy: ``polars.DataFrame(table)``, ``pyarrow.table(table)``,
    ``duckdb.from_arrow(pyarrow.table(table))``; there answers are the nearest floats.

    >>> import oddsmith
    >>> table = oddsmith.game("stars-and-signs")["check"].table(circ_boons=range(-5, 6), ability_rank=[1, 4, 8])
    >>> len(table), table.columns
    (33, ['circ_boons', 'ability_rank', 'Miss', 'Graze', 'Hit', 'Critical'])
    >>> table[0]["Hit"]
    Fraction(121, 156250)
    >>> table.to_polars()["Hit"][0]
    0.0007744
    """

    __slots__ = ("_native",)

    def __init__(self, native: _oddsmith.Table) -> None:
        self._native = native

    @property
    def title(self) -> str:
        """The game and the check: ``Stars & Signs · check``."""
        return self._native.title

    @property
    def columns(self) -> list[str]:
        """The names of the columns: the swept axes, then the answers."""
        return self._native.columns

    @property
    def axes(self) -> list[str]:
        """The names of the swept axes."""
        return self.columns[: self._native.axes]

    @property
    def gaps(self) -> int:
        """The number of rows without answers, since a rule can't be carried out there."""
        return self._native.gaps[0]

    @property
    def first_gap(self) -> Optional[str]:
        """What the first row without answers breaks; None if all have some."""
        return self._native.gaps[1]

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, at: Union[int, slice]) -> Union[dict[str, Any], list[dict[str, Any]]]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(f"there is no row {at} among {len(self)}")
        return dict(zip(self.columns, self._native.row(place)))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as Arrow data frames read it."""
        return self._native.stream()

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars data frame. Needs polars, 1.3 or later."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame; without pyarrow its columns are copied. Needs pandas."""
        import pandas

        try:
            import pyarrow  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            cells = [[_plain(cell) for cell in self._native.row(at)] for at in range(len(self))]
            return pandas.DataFrame(cells, columns=self.columns)
        return pyarrow.table(self).to_pandas()

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        shown = 20
        rows = [[_plain(cell) for cell in self._native.row(at)] for at in range(min(shown, len(self)))]
        more = f", the first {shown} of which are" if len(self) > shown else ""
        head = f"{escape(self.title)}<br>{len(self)} rows{more}"
        return _html(head, self.columns, rows)


def _plain(cell: Cell) -> Any:
    return float(cell) if isinstance(cell, Fraction) else cell


class Chart:
    """A picture. Notebooks show it; ``svg`` and ``png`` draw it, and ``save`` writes a file.

    >>> import oddsmith
    >>> chart = oddsmith.game("stars-and-signs")["check"].chart(x="circ_boons=-2..=2")
    >>> chart.title
    'The bands by Boons on the 2d10'
    >>> chart.svg()[:4], chart.png(theme="dark")[1:4]
    ('<svg', b'PNG')
    """

    __slots__ = ("_native",)

    def __init__(self, native: _oddsmith.Chart) -> None:
        self._native = native

    @property
    def title(self) -> str:
        """The title."""
        return self._native.title

    @property
    def subtitle(self) -> str:
        """The game, the check, and what is set."""
        return self._native.subtitle

    def svg(self, *, theme: str = "light") -> str:
        """The picture as SVG; the theme is ``light``, ``dark`` or ``print``."""
        return self._native.svg(theme)

    def png(self, *, theme: str = "light") -> bytes:
        """The picture as PNG, with a font of its own."""
        return self._native.png(theme)

    def save(self, path: Any, *, theme: str = "light") -> None:
        """Writes the picture to a file that ends in ``.svg`` or ``.png``."""
        name = str(path).lower()
        if not name.endswith((".svg", ".png")):
            raise ValueError(f"{str(path)!r} does not say a kind of picture: end it in .svg or .png")
        drawn = self.png(theme=theme) if name.endswith(".png") else self.svg(theme=theme).encode()
        with open(path, "wb") as file:
            file.write(drawn)

    def __repr__(self) -> str:
        return f"<Chart: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()


def _html(caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of a notebook; the caption is HTML, all else is text."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


for _class in (Outcome, Odds, Dist, Table, Chart):
    _class.__module__ = "oddsmith"
