"""What the workloads of the Python libraries share: how they are timed and how their answers are printed.

A workload is a function without arguments. It returns its answers as a list of `(place, weights, total)`: where the
answer belongs, a mapping of outcomes to weights, and their total. Without a total they are probabilities or means.
"""

import gc
import statistics
import sys
import time

# The configurations of Stars & Signs, as in benches/lib.rs: net Boons on 2d10 and on the Ability die, its rank,
# invocations for Advantage, and the flat modifier.
BOONS = range(-5, 6)
RANKS = [1, 2, 4, 6, 8, 10]
INVOKES = range(7)
FLATS = range(11)
MOST_BOONS = 5
LADDER = [0, 4, 6, 8, 10, 12]
BANDS = GRAZE, HIT, CRITICAL = [10, 15, 20]

# A time is the median of so many runs. Fewer will do once they have taken enough seconds, and a single one that takes
# too many.
MOST_RUNS = 200_001
FEWEST_RUNS = 5
ENOUGH_SECONDS = 2
TOO_MANY_SECONDS = 15


def band(total):
    """The place of a total among the bands."""
    return sum(total >= threshold for threshold in BANDS)


def band_of_d6(highest, sixes):
    """The place of a roll among the bands of the highest of some d6."""
    if sixes >= 2:
        return 3
    return 2 if highest == 6 else int(highest >= 4)


def bands_of(total, reached):
    """Weights of the bands, from how many rolls of all reach each threshold."""
    at_least = [total, *reached, 0]
    return {place: at_least[place] - at_least[place + 1] for place in range(4)}


def sign(number):
    return (number > 0) - (number < 0)


def configurations():
    """All of Stars & Signs', in order."""
    return [
        (circ_boons, rank, ability_boons, invokes, flat)
        for circ_boons in BOONS
        for rank in RANKS
        for ability_boons in BOONS
        for invokes in INVOKES
        for flat in FLATS
    ]


def sampled_configurations():
    """Every 199th, for what takes too long on all of them: a prime, so that no value of any sweep is passed over."""
    return configurations()[::199]


def place(*numbers):
    return " ".join(map(str, numbers))


def enough(times):
    spent = sum(times)
    if spent > TOO_MANY_SECONDS or len(times) >= MOST_RUNS:
        return True
    return spent > ENOUGH_SECONDS and len(times) >= FEWEST_RUNS


def main(workloads, forget=lambda: None):
    """Prints the names of the workloads, or times the one that is named and prints its time and its answers.

    `forget` empties the library's caches before each run, so that no run finds what another has computed.
    """
    if len(sys.argv) == 1:
        print(*workloads, sep="\n")
        return
    workload = workloads[sys.argv[1]]
    times = []
    while not enough(times):
        answers = None
        forget()
        gc.collect()
        start = time.perf_counter()
        answers = workload()
        times.append(time.perf_counter() - start)
    print(f"{statistics.median(times):.9f}")
    for where, weights, total in answers:
        for outcome, weight in weights.items():
            several = [outcome] if isinstance(outcome, (int, bool)) else outcome
            print(*([where] if where else []), *map(int, several), weight, *([] if total is None else [total]))
