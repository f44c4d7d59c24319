"""Why a question was not answered."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class Problem(NamedTuple):
    """A thing that is wrong. Lines and columns count from 1."""

    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    hint: Optional[str]
    text: str


class Error(ValueError):
    """A question was not answered: the ruleset has errors, or what is asked does not fit it.

    All that is wrong is told at once. The attributes are those of the first problem; ``problems`` has all of them.
    The text shows each with its place, a caret under the word, and what would help.

    >>> import oddsmith
    >>> try:
    ...     oddsmith.game("stars-and-signs")["check"].odds(circ_boon=2)
    ... except oddsmith.Error as error:
    ...     print(error)
    ...     print(error.hint)
    error: `check` has no axis or parameter `circ_boon`
     --> set:1:1
      |
    1 | circ_boon=2
      | ^^^^^^^^^ did you mean `circ_boons`?
    did you mean `circ_boons`?
    """

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    @classmethod
    def _of(cls, problems: list[tuple[Any, ...]]) -> Error:
        return cls(tuple(Problem(*problem) for problem in problems))

    def __str__(self) -> str:
        return "\n\n".join(problem.text for problem in self.problems)

    @property
    def message(self) -> str:
        """What is wrong, in a line."""
        return self.problems[0].message

    @property
    def file(self) -> Optional[str]:
        """The text that it is in: a file, or what was given. None if it has no place."""
        return self.problems[0].file

    @property
    def line(self) -> Optional[int]:
        """The line, from 1."""
        return self.problems[0].line

    @property
    def column(self) -> Optional[int]:
        """The column, from 1."""
        return self.problems[0].column

    @property
    def hint(self) -> Optional[str]:
        """What would help."""
        return self.problems[0].hint


class UnknownName(Error, KeyError):
    """There is no check, track, game or outcome of this name.

    >>> import oddsmith
    >>> oddsmith.game("stars-and-signs")["chek"]
    Traceback (most recent call last):
    ...
    oddsmith.UnknownName: error: `stars-and-signs` has no check or track `chek`
    help: did you mean `stars-and-signs:check`?
    """


class OverBudget(Error):
    """There is an answer, but it would take more steps or memory than the budget allows.

    >>> import oddsmith
    >>> try:
    ...     oddsmith.dist("1000d1000", budget=1000)
    ... except oddsmith.OverBudget:
    ...     print("too much")
    too much
    """


for _class in (Problem, Error, UnknownName, OverBudget):
    _class.__module__ = "oddsmith"
