"""Questions whose parts are tasks of a Dask cluster."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from threading import Lock, current_thread, main_thread
from typing import Any, Optional

from . import _oddsmith

#: Parts for each thread of a worker: so many that a slow one is not waited for, and so few that their start costs little.
PARTS_A_THREAD = 4

_loading = Lock()


@lru_cache(maxsize=4)
def _loaded(name: str, text: str) -> _oddsmith.Game:
    return _oddsmith.Game.parse(name, text)


def _ruleset(name: str, text: str) -> tuple[str, str]:
    """A task: its result goes to each worker once, however many parts that does, and is there again if a worker is lost."""
    return name, text


def _part(number: int, of: int, ruleset: tuple[str, str], question: str, json: str, threads: int, budget: Optional[int]) -> bytes:
    """A task: it runs in a worker, which reads a ruleset once."""
    with _loading:
        game = _loaded(*ruleset)
    return _oddsmith.part(game, question, json, number, of, threads, budget)


def _dask() -> Any:
    """The module, few of whose functions have types."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise ImportError("`client` needs Dask: pip install 'oddsmith[dask]'") from error


def _demand_client(client: Any, kind: Any) -> None:
    if not isinstance(client, kind):
        raise TypeError(f"`client` is a `distributed.Client`, not `{type(client).__name__}`")
    if client.asynchronous:
        raise TypeError("`client` waits for answers: make it without `asynchronous=True`, or ask in another thread")


def _number_of_parts(client: Any, parts: Optional[int], units: int) -> int:
    if parts is None:
        parts = PARTS_A_THREAD * max(1, sum(client.nthreads().values()))
    if parts < 1:
        raise ValueError("parts must be at least 1")
    return max(1, min(parts, units))


@contextmanager
def _noted_interrupts() -> Iterator[Callable[[], None]]:
    """A function that raises `KeyboardInterrupt` if Ctrl-C was pressed and did not end what runs.

    Python forgets an exception that is raised within a finalizer, and thousands of futures have thousands of these.
    """
    pressed = []

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        signal.default_int_handler(number, frame)

    def demand_none() -> None:
        if pressed:
            raise KeyboardInterrupt

    # Another handler does what its owner wants, and only the main thread may set one.
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield demand_none
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield demand_none
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def computed(
    client: Any,
    parts: Optional[int],
    game: _oddsmith.Game,
    question: str,
    json: str,
    threads: Optional[int],
    budget: Optional[int],
) -> list[bytes]:
    """All parts of a question, computed by the workers of a cluster."""
    dask = _dask()
    _demand_client(client, dask.Client)
    # What is asked for wrongly is told at once, and not by a worker.
    of = _number_of_parts(client, parts, _oddsmith.units(game, question, json))
    # A value of `map` may be no larger than Dask sends with each task, and rulesets may.
    ruleset = client.submit(_ruleset, game.name, game.text)
    futures = client.map(
        _part,
        range(1, of + 1),
        of=of,
        ruleset=ruleset,
        question=question,
        json=json,
        threads=threads or 1,
        budget=budget,
        key=f"oddsmith-{question}",
        pure=False,
    )
    done = []
    try:
        with _noted_interrupts() as demand_no_interrupt:
            for future, part in dask.as_completed(futures, with_results=True):
                done.append(part)
                # Workers need not keep what has come.
                future.release()
                demand_no_interrupt()
    except BaseException:
        client.cancel(futures)
        raise
    return done
