"""The workloads of benches/lib.rs as somebody who knows dyce would ask them.

Names are those of benches/lib.rs; what follows a hyphen is another way to ask the same. dyce keeps nothing between
questions but with the objects that were asked, and those are made anew each time.
"""

import warnings

from dyce import H, P, explode_n
from dyce.lifecycle import ExperimentalWarning
from dyce.p import survey_outcome_order_ascending, survey_outcome_order_descending

from workloads import (
    BOONS,
    CRITICAL,
    FLATS,
    GRAZE,
    HIT,
    INVOKES,
    LADDER,
    MOST_BOONS,
    RANKS,
    band,
    band_of_d6,
    bands_of,
    main,
    place,
    sampled_configurations,
    sign,
)


def one(histogram):
    """The answer to a question for a single distribution."""
    return [("0", histogram, histogram.total)]


# Stars & Signs.


def boosted(dice, sides, net):
    """A pool with net Boons; the null die is their sign."""
    if sides == 0:
        return H({sign(net): 1})
    kept = slice(-dice, None) if net >= 0 else slice(0, dice)
    return ((dice + abs(net)) @ P(sides)).at(kept)


def advantage(invokes):
    return boosted(1, 10, min(invokes - 1, MOST_BOONS)) if invokes else H({0: 1})


def table():
    """Every pool once, every sum of them once, and four numbers read off for each configuration.

    An Advantage is rolled on a success only. It can't lift a failure to a Hit if it counts at most for the distance
    from a Graze to a Hit, so that two plain sums answer for it; a d10 can't lift one to a Critical.
    """
    circumstances = {net: boosted(2, 10, net) for net in BOONS}
    abilities = {
        (rank, net): boosted(1, sides, net) for rank, sides in zip(RANKS, LADDER, strict=True) for net in BOONS
    }
    advantages = [advantage(invokes) for invokes in INVOKES]
    capped = [histogram.apply(lambda points: min(points, HIT - GRAZE)) for histogram in advantages]
    answers = []
    for circ_boons, circumstance in circumstances.items():
        for (rank, ability_boons), ability in abilities.items():
            raw = circumstance + ability
            graze = tail(raw)
            for invokes in INVOKES:
                final = raw + advantages[invokes]
                total = final.total
                scale = total // raw.total
                hit, critical = tail(raw + capped[invokes]), tail(final)
                for flat in FLATS:
                    reached = [graze[GRAZE - flat] * scale, hit[HIT - flat], critical[CRITICAL - flat]]
                    where = place(circ_boons, rank, ability_boons, invokes, flat)
                    answers.append((where, bands_of(total, reached), total))
    return answers


def tail(histogram):
    """How many rolls reach each total that a threshold may be."""
    reached, rolls = {}, 0
    for outcome in range(max(histogram), GRAZE - FLATS[-1] - 1, -1):
        rolls += histogram.get(outcome, 0)
        reached[outcome] = rolls
    return dict.fromkeys(range(max(histogram) + 1, CRITICAL + 1), 0) | reached


def table_each():
    """Some configurations, each asked by itself."""
    answers = []
    for circ_boons, rank, ability_boons, invokes, flat in sampled_configurations():
        ability = boosted(1, LADDER[RANKS.index(rank)], ability_boons)
        raw = boosted(2, 10, circ_boons) + ability + flat
        bonus = advantage(invokes)
        bands = raw.apply(lambda total, points: band(total + points) if total >= GRAZE else 0, bonus)
        answers.append((place(circ_boons, rank, ability_boons, invokes, flat), bands, bands.total))
    return answers


# The highest of some d6.


def best_of_d6():
    """The highest die, and of those that are a six the ones that are no Critical: they are the only six."""
    d6 = H(6)
    lowest = d6.order_stat_for_n_at_pos(2, 0).apply(lambda face: band_of_d6(face, 0))
    answers = [("0", lowest, lowest.total)]
    for dice in range(1, 101):
        highest = d6.order_stat_for_n_at_pos(dice, dice - 1)
        only_six = d6.exactly_k_times_in_n(6, dice, 1)
        bands = {
            0: highest[1] + highest[2] + highest[3],
            1: highest[4] + highest[5],
            2: only_six,
            3: highest[6] - only_six,
        }
        answers.append((place(dice), bands, highest.total))
    return answers


# Pools of all kinds.


def largest_set(pool):
    """Sizes of the largest sets: a survey of the pool, an outcome after another."""
    return pool.survey(
        accumulate=lambda largest, _outcome, count: max(largest, count),
        initial=0,
        order=survey_outcome_order_ascending,
    )


def half_alike():
    answers = []
    for dice in range(3, 31):
        largest = largest_set(dice @ P(6))
        alike = sum(weight for size, weight in largest.items() if 2 * size >= dice)
        answers.append((place(dice), {0: alike}, largest.total))
    return answers


def highest(pool, keep):
    """The sum of the highest dice, by a survey, which is no slower than `at` in any of these workloads."""

    def accumulate(state, outcome, count):
        left, total = state
        kept = min(left, count)
        return left - kept, total + kept * outcome

    return pool.survey(
        accumulate=accumulate,
        initial=(keep, 0),
        order=survey_outcome_order_descending,
        settle=lambda state: state[1],
    )


def counter():
    """Checks until 10 slots are full, as a chain of the slots that are filled."""
    d10 = H(10)
    gains = [H({0: 1}), H({1: 1}), d10.apply(slots), (2 @ d10).apply(slots)]
    checks = (2 @ d10 + H(6)).apply(band)
    scale = 100
    gain = H.from_counts(
        (slots, weight * band_weight * (scale // gains[place].total))
        for place, band_weight in checks.items()
        for slots, weight in gains[place].items()
    )
    filled = H({0: 1})
    answers = [("", {0: 0}, 1)]
    full_before = 0
    for rounds in range(1, 31):
        filled = (filled + gain).apply(lambda total: min(total, 10))
        full = filled.get(10, 0)
        answers.append(("", {rounds: full - full_before * gain.total}, filled.total))
        full_before = full
    return answers


def slots(points):
    return -(-points // 5)


def exploding(dice, keep):
    return one(highest(dice @ P(explode_n(H(10), n=4)), keep))


def net_pairs(dice):
    """Both handfuls as one pool of marked dice: a survey that knows how many dice the one side is ahead."""
    ours = H({(face, 1): 1 for face in range(1, 7)})
    theirs = H({(face, 0): 1 for face in range(1, 7)})

    def accumulate(state, outcome, count):
        net, ahead, equal, last = state
        face, is_ours = outcome
        if is_ours:
            # Those of theirs that wait are higher. Ours come first on each face: what stays over may be tied.
            won = min(max(-ahead, 0), count)
            return net - won, ahead + count, min(count - won, count), face
        equal = equal if face == last else 0
        won = min(max(ahead - equal, 0), count)
        return net + won, ahead - count, 0, 0

    pool = P(*[ours] * dice, *[theirs] * dice)
    return one(
        pool.survey(
            accumulate=accumulate,
            initial=(0, 0, 0, 0),
            order=survey_outcome_order_descending,
            settle=lambda state: state[0],
        )
    )


WORKLOADS = {
    "w1": table,
    "w1-each": table_each,
    "w2": best_of_d6,
    "w3a": lambda: one(highest(100 @ P(20), 50)),
    "w3b": lambda: one(highest(4 @ P(6), 3)),
    "w3c": lambda: one(highest(P(*[H(sides) for sides in (4, 6, 8, 10, 12) for _ in range(10)]), 10)),
    "w3d": lambda: one(highest(20 @ P(100), 5)),
    "w4a": lambda: one(largest_set(20 @ P(10))),
    "w4b": lambda: one(200 @ H(10).ge(7)),
    "w4c": half_alike,
    "w5a": lambda: one(10 @ (10 @ (10 @ H(6)))),
    "w5b": lambda: one(10 @ (10 @ H(100))),
    "w7": counter,
    "w8-5k3": lambda: exploding(5, 3),
    "w8-6k3": lambda: exploding(6, 3),
    "w8-10k5": lambda: exploding(10, 5),
    "w8-3v3": lambda: net_pairs(3),
    "w8-4v4": lambda: net_pairs(4),
    "w8-5v5": lambda: net_pairs(5),
    "w8-10v10": lambda: net_pairs(10),
}


if __name__ == "__main__":
    warnings.simplefilter("ignore", ExperimentalWarning)
    main(WORKLOADS)
