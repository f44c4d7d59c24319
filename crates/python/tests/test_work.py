"""How questions are worked on: threads, interrupts, forks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import oddsmith

# Hours of work.
LONG = {
    "simulate": lambda check: check.simulate(trials=10**12, budget=10**18),
    "tune": lambda check: check.tune(
        {
            "boon_cap": "all",
            "thresholds[0]": range(1, 14),
            "thresholds[1]": range(14, 18),
            "thresholds[2]": range(18, 40),
            "band_value[1]": range(100),
            "band_value[2]": range(100),
        },
        ["Hit @ effort=5, effort_policy=optimal ~ 0.5"],
        budget=10**18,
    ),
}


# A single step of the engine that takes long is not waited for; it ends with its process.
ONE_STEP = """
import os, signal, threading, oddsmith
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    oddsmith.dist("200d2000kh100", budget=10**18)
except KeyboardInterrupt:
    print("interrupted", oddsmith.dist("2d6").mean)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interrupt_does_not_wait_for_a_long_step():
    done = subprocess.run([sys.executable, "-c", ONE_STEP], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted 7\n", done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("question", LONG)
def test_an_interrupt_ends_the_work(check, question):
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            LONG[question](check)
        finally:
            timer.cancel()
    assert time.monotonic() - begun < 30
    assert float(check.odds()["Hit"]) > 0


def test_a_handler_of_signals_runs_meanwhile(check):
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        check.simulate(trials=20_000_000, exact=False)
        done = time.monotonic()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen and seen[0] <= done


def test_other_threads_run_meanwhile(check):
    counted, is_over = [0], threading.Event()

    def count() -> None:
        while not is_over.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    try:
        # Waits until the other one is at work, so that what is counted from here on is counted during the question.
        while not counted[0]:
            time.sleep(0.001)
        before = counted[0]
        check.simulate(trials=20_000_000, exact=False)
        during = counted[0] - before
    finally:
        is_over.set()
        counter.join()
    # The interpreter's lock is handed over every 5 ms: a question that kept it would let a few thousand pass at its ends.
    assert during > 20 * sys.getswitchinterval() / 1e-6


def test_answers_do_not_depend_on_threads(check):
    asked = [check.table(circ_boons=range(-5, 6), ability_rank="all", threads=n) for n in (1, 2, 3, None)]
    assert all(list(table) == list(asked[0]) for table in asked)
    rolled = [check.simulate(trials=100_000, threads=n)["outcomes"] for n in (1, 3)]
    assert rolled[0] == rolled[1]


def test_questions_from_many_threads(check):
    expected = [check.odds(circ_boons=n) for n in range(-5, 6)]
    with ThreadPoolExecutor(8) as pool:
        asked = pool.map(lambda n: check.odds(circ_boons=n), [n for _ in range(20) for n in range(-5, 6)])
        assert list(asked) == expected * 20


def _ask_in_a_child(queue) -> None:
    check = oddsmith.game("stars-and-signs")["check"]
    queue.put(check.table(circ_boons=range(-5, 6), ability_rank="all", skill_rank="all")[0]["Hit"])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_forked_process_answers_too(check):
    here = check.table(circ_boons=range(-5, 6), ability_rank="all", skill_rank="all")[0]["Hit"]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_ask_in_a_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == here
    child.join(60)
    assert child.exitcode == 0
