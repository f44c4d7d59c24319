"""Questions that the workers of a Dask cluster share have the same answers as without one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

import pytest

import oddsmith

try:
    import distributed
except ImportError:
    warnings.warn("SKIPPED: no question was shared among workers, because `distributed` is not installed", stacklevel=1)
    pytest.skip("`distributed` is not installed", allow_module_level=True)

# Some configurations break the requirement, some have a rule that can't be carried out, and totals differ from row to row.
UNEVEN = """
name = "Uneven"
[params]
edge = { default = 3, domain = "1..=6" }
[checks.check]
bands = ["Miss", "Hit"]
axes.stat = { default = 1, domain = "0..=9" }
axes.mood = { default = "calm", domain = ["calm", "wild"] }
require = ["stat != 7"]
rules = '''
let die = if mood == wild then 1d8 else 1d6
show share = floor(12 / stat)
show band = if die + stat >= edge + 4 then Hit else Miss
'''
"""

TABLES = {
    "declared": ("stars-and-signs", "check", (), {}),
    "labels": ("stars-and-signs", "check", (), {"circ_boons": range(-5, 6), "state": "all", "ability_rank": [1, 4, 8]}),
    "queries": ("stars-and-signs", "check", ("mean(total)", "P(total >= 18)"), {"only": "sd(total)", "effort": range(4)}),
    "track": ("stars-and-signs", "counter", (), {"slots": range(2, 11)}),
    "other game": ("buried-secrets", "race", ("P(rolls <= 4)",), {"push_die": "all"}),
    "gaps": ("uneven", "check", ("mean(share)",), {"mood": "all", "stat": "all"}),
    # Larger than what Dask sends with each task.
    "a large ruleset": ("large", "check", ("mean(share)",), {"mood": "all"}),
    "one row": ("stars-and-signs", "check", (), {"circ_boons": [2]}),
}

WISHES = ({"boon_cap": range(2, 7), "thresholds[1]": range(12, 17)}, ["Critical @ circ_boons=5 ~ 0.5", "Hit ~ 1/3 weight 2"])
TUNINGS = {
    "wishes": WISHES,
    "one": ({"boon_cap": range(2, 7)}, ["Critical @ circ_boons=5 ~ 0.5"]),
    "goals": ({"boon_cap": range(2, 7), "thresholds[1]": range(12, 17)}, ["Hit @ circ_boons=1 in [0.2, 0.4]", "Critical ~ 0.1"]),
    "infeasible": ({"boon_cap": range(2, 7), "thresholds[1]": range(12, 17)}, ["Hit at least 0.99"]),
}


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def game(name):
    own = {"uneven": UNEVEN, "large": UNEVEN + "\n# A remark on each of very many lines." * 10_000}
    return oddsmith.loads(own[name], name) if name in own else oddsmith.game(name)


@pytest.mark.parametrize("parts", [None, 1, 100])
@pytest.mark.parametrize("name", TABLES)
def test_tables_are_the_same(client, name, parts):
    ruleset, check, queries, inputs = TABLES[name]
    alone = game(ruleset)[check].table(*queries, **inputs)
    shared = game(ruleset)[check].table(*queries, **inputs, client=client, parts=parts)
    assert (shared.title, shared.columns, shared.axes) == (alone.title, alone.columns, alone.axes)
    assert (shared.gaps, shared.first_gap) == (alone.gaps, alone.first_gap)
    assert list(shared) == list(alone)
    assert (name == "gaps") == (alone.gaps > 0)
    polars = pytest.importorskip("polars")
    assert shared.to_polars().equals(alone.to_polars())
    assert shared.to_polars().schema == alone.to_polars().schema
    assert shared.to_pandas().equals(alone.to_pandas())
    assert polars.DataFrame(shared).write_csv() == polars.DataFrame(alone).write_csv()


@pytest.mark.parametrize("parts", [None, 7])
@pytest.mark.parametrize("name", TUNINGS)
def test_searches_are_the_same(client, check, name, parts):
    alone = check.tune(*TUNINGS[name])
    assert check.tune(*TUNINGS[name], client=client, parts=parts) == alone
    assert (name == "infeasible") == (not alone["best"])


def test_a_search_is_the_same_from_where_it_starts_and_of_a_file(client, check, tmp_path):
    assert check.tune(*WISHES, start=8, top=3, client=client) == check.tune(*WISHES, start=8, top=3)
    file = tmp_path / "goals.toml"
    file.write_text('[tune]\nvary = ["boon_cap=2..=6"]\n[[tune.goals]]\nintent = "A half."\nquery = "Critical"\nset = "circ_boons=5"\nnear = 0.5\n')
    assert check.tune(file=str(file), client=client, parts=2) == check.tune(file=str(file))


def test_a_ruleset_is_read_once_by_each_worker(client, check):
    from oddsmith import _cluster

    client.run(_cluster._loaded.cache_clear)
    for _ in range(2):
        check.table(circ_boons=range(-5, 6), client=client, parts=11)
    assert all(info.misses <= 1 for info in client.run(_cluster._loaded.cache_info).values())


def raised(question):
    with pytest.raises(Exception) as caught:
        question()
    return type(caught.value), str(caught.value), getattr(caught.value, "problems", None)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda check, **more: check.table(circ_boon=range(3), **more),
        lambda check, **more: check.table(only="P(band >= Hitt)", circ_boons=range(3), **more),
        lambda check, **more: check.table(circ_boons=[77, 78], **more),
        lambda check, **more: check.tune({"boon_cup": range(3)}, ["Hit ~ 0.5"], **more),
        lambda check, **more: check.tune(*WISHES, start=1000, **more),
        lambda check, **more: check.tune(*WISHES, pick=1000, **more),
    ],
)
def test_errors_are_the_same(client, check, wrong):
    alone = raised(lambda: wrong(check))
    assert issubclass(alone[0], oddsmith.Error)
    assert raised(lambda: wrong(check, client=client)) == alone


def test_errors_of_workers_come_as_they_are(client):
    for wrong in [oddsmith.loads, oddsmith.game, oddsmith.dist]:
        own = raised(lambda: wrong("nope = 2"))
        assert raised(client.submit(wrong, "nope = 2").result) == own


def test_each_part_has_a_budget_of_its_own(client, check):
    with pytest.raises(oddsmith.OverBudget, match="the budget is 10"):
        check.table("mean(total)", circ_boons=range(3), budget=10, client=client)


def test_what_is_no_client_is_told(client, check):
    with pytest.raises(TypeError, match="`client` is a `distributed.Client`, not `str`"):
        check.table(client="tcp://127.0.0.1:8786")
    with pytest.raises(TypeError, match="`parts` are those of a `client`"):
        check.table(parts=4)
    with pytest.raises(ValueError, match="at least 1"):
        check.tune(*WISHES, client=client, parts=0)


def test_it_is_imported_only_where_it_is_asked_for():
    code = """
import sys
sys.modules["distributed"] = None
import oddsmith
try:
    oddsmith.game("stars-and-signs")["check"].table(client=object())
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "`client` needs Dask: pip install 'oddsmith[dask]'\n"


# Some seconds of two workers: enough for one to be killed amid its parts.
SLOW = (
    {"boon_cap": "all", "thresholds[0]": range(1, 14), "thresholds[1]": range(14, 18), "thresholds[2]": range(18, 40)},
    ["Hit @ effort=5, effort_policy=optimal ~ 0.5"],
)


@pytest.mark.skipif(os.name == "nt", reason="workers are killed otherwise there")
@pytest.mark.parametrize("run", range(3))
def test_a_worker_that_is_killed_changes_nothing(client, check, slow, run):
    killed = []

    def kill():
        """Kills a worker that is at a part, when some parts are done."""
        time.sleep(0.05 * run)
        deadline = time.monotonic() + 60
        while not killed and time.monotonic() < deadline:
            busy = [worker for worker, tasks in client.processing().items() if tasks]
            if busy:
                pids = client.run(os.getpid, workers=busy[:1])
                for pid in pids.values():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    client.wait_for_workers(2)
    killer = threading.Thread(target=kill)
    killer.start()
    shared = check.tune(*SLOW, client=client, parts=40)
    killer.join()
    assert killed
    assert shared == slow


@pytest.fixture(scope="module")
def slow(check):
    return check.tune(*SLOW)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interrupt_cancels_what_is_left(client, check):
    client.wait_for_workers(2)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            check.tune(*SLOW, client=client, parts=4000)
        finally:
            timer.cancel()
    demand_idle(client)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_python_forgets_is_none_the_less_one(client, check, monkeypatch):
    completed = distributed.as_completed
    before = signal.getsignal(signal.SIGINT)

    def interrupted(*futures, **options):
        """What is completed, with one interrupt in a finalizer, where Python ignores what is raised."""
        for count, part in enumerate(completed(*futures, **options)):
            if count == 2:
                mortal = type("Mortal", (), {})()
                weakref.finalize(mortal, signal.raise_signal, signal.SIGINT)
                del mortal
            assert count < 4, "the interrupt is forgotten"
            yield part

    monkeypatch.setattr(distributed, "as_completed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check.tune(*SLOW, client=client, parts=400)
    assert signal.getsignal(signal.SIGINT) is before
    demand_idle(client)


def demand_idle(client):
    """No worker is at a part, and none waits for one."""
    deadline = time.monotonic() + 30
    while any(client.processing().values()):
        assert time.monotonic() < deadline, "workers go on"
        time.sleep(0.05)
    assert not [key for key in client.futures if str(key).startswith("oddsmith")]
