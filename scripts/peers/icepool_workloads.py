"""The workloads of benches/lib.rs as somebody who knows icepool would ask them.

Names are those of benches/lib.rs; what follows a hyphen is another way to ask the same.
"""

import collections
import functools
import gc

import icepool
from icepool import Die, MultisetEvaluator, Pool, d

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


def answer(where, die):
    return where, die, die.denominator()


def one(die):
    """The answer to a question for a single distribution."""
    return [answer("0", die)]


# Stars & Signs.


def boosted(dice, sides, net):
    """A pool with net Boons; the null die is their sign."""
    if sides == 0:
        return Die([sign(net)])
    keep = d(sides).highest if net >= 0 else d(sides).lowest
    return keep(dice + abs(net), dice)


def advantage(invokes):
    return boosted(1, 10, min(invokes - 1, MOST_BOONS)) if invokes else Die([0])


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
    capped = [die.clip(max_outcome=HIT - GRAZE) for die in advantages]
    answers = []
    for circ_boons, circumstance in circumstances.items():
        for (rank, ability_boons), ability in abilities.items():
            raw = circumstance + ability
            graze = tail(raw)
            for invokes in INVOKES:
                final = raw + advantages[invokes]
                total = final.denominator()
                scale = total // raw.denominator()
                hit, critical = tail(raw + capped[invokes]), tail(final)
                for flat in FLATS:
                    reached = [graze[GRAZE - flat] * scale, hit[HIT - flat], critical[CRITICAL - flat]]
                    where = place(circ_boons, rank, ability_boons, invokes, flat)
                    answers.append((where, bands_of(total, reached), total))
    return answers


def tail(die):
    """How many rolls reach each total that a threshold may be."""
    reached = dict(zip(die, die.quantities(">="), strict=True))
    below = dict.fromkeys(range(GRAZE - FLATS[-1], die.min_outcome()), die.denominator())
    return collections.defaultdict(int, below | reached)


def table_each():
    """Some configurations, each asked by itself."""
    answers = []
    for circ_boons, rank, ability_boons, invokes, flat in sampled_configurations():
        ability = boosted(1, LADDER[RANKS.index(rank)], ability_boons)
        raw = boosted(2, 10, circ_boons) + ability + flat
        bonus = advantage(invokes)
        bands = icepool.map(lambda total, points: band(total + points) if total >= GRAZE else 0, raw, bonus)
        answers.append(answer(place(circ_boons, rank, ability_boons, invokes, flat), bands))
    return answers


# The highest of some d6.


def best_of_d6():
    """The highest die. In n * 5^(n-1) rolls it is the only six, which is no Critical."""
    answers = [answer("0", d(6).lowest(2).map(lambda face: band_of_d6(face, 0)))]
    for dice in range(1, 101):
        highest = d(6).highest(dice)
        only_six = dice * 5 ** (dice - 1)
        bands = {
            0: highest.quantity("<=", 3),
            1: highest.quantity(4) + highest.quantity(5),
            2: only_six,
            3: highest.quantity(6) - only_six,
        }
        answers.append((place(dice), bands, highest.denominator()))
    return answers


class BestOfD6(MultisetEvaluator):
    """The highest die and whether there are two sixes, in one pass."""

    def next_state(self, state, order, outcome, count):
        highest, sixes = state or (0, 0)
        if count:
            highest = max(highest, outcome)
            if outcome == 6:
                sixes = min(count, 2)
        return highest, sixes

    def final_outcome(self, final_state, order, outcomes, size):
        return band_of_d6(*final_state)


def best_of_d6_evaluator():
    evaluator = BestOfD6()
    answers = [answer("0", d(6).lowest(2).map(lambda face: band_of_d6(face, 0)))]
    return answers + [answer(place(dice), evaluator(d(6).pool(dice))) for dice in range(1, 101)]


# Pools of all kinds.


def half_alike():
    answers = []
    for dice in range(3, 31):
        alike = d(6).pool(dice).largest_count().map(lambda size: 2 * size >= dice)
        answers.append((place(dice), {0: alike.quantity(True)}, alike.denominator()))
    return answers


def counter():
    """Checks until 10 slots are full, as a chain of the slots that are filled."""
    d10 = d(10)
    gains = [0, 1, d10.map(lambda points: -(-points // 5)), (2 @ d10).map(lambda points: -(-points // 5))]
    gain = (2 @ d10 + d(6)).map(lambda total: gains[band(total)])
    filled = Die([0])
    answers = [("", {0: 0}, 1)]
    full_before = 0
    for rounds in range(1, 31):
        filled = (filled + gain).clip(max_outcome=10)
        full, total = filled.quantity(10), filled.denominator()
        answers.append(("", {rounds: full - full_before * gain.denominator()}, total))
        full_before = full
    return answers


def exploding(dice, keep):
    return one(d(10).explode(depth=4).highest(dice, keep))


class NetPairs(MultisetEvaluator):
    """Pairs won less pairs lost, and by how many dice the one side is ahead of the other."""

    def next_state(self, state, order, outcome, ours, theirs):
        net, ahead = state or (0, 0)
        if ahead > 0:
            net += min(ahead, theirs)
        elif ahead < 0:
            net -= min(-ahead, ours)
        return net, ahead + ours - theirs

    def final_outcome(self, final_state, order, outcomes, size, *args):
        return final_state[0]


def net_pairs(dice):
    pool = d(6).pool(dice)
    return one(NetPairs().evaluate(pool, pool))


# Dice of symbols, pools that cancel one another, cards.


def symbols(*faces):
    """A die with a count of successes and one of advantages on each face."""
    return Die([icepool.Vector(face) for face in faces])


BOOST = symbols((0, 0), (0, 0), (1, 0), (1, 1), (0, 2), (0, 1))
ABILITY = symbols((0, 0), (1, 0), (1, 0), (2, 0), (0, 1), (0, 1), (1, 1), (0, 2))
PROFICIENCY = symbols(
    (0, 0), (1, 0), (1, 0), (2, 0), (2, 0), (0, 1), (1, 1), (1, 1), (1, 1), (0, 2), (0, 2), (1, 0)
)
SETBACK = symbols((0, 0), (0, 0), (-1, 0), (-1, 0), (0, -1), (0, -1))
DIFFICULTY = symbols((0, 0), (-1, 0), (-2, 0), (0, -1), (0, -1), (0, -1), (0, -2), (-1, -1))


def genesys():
    return one(1 @ BOOST + 3 @ ABILITY + 4 @ PROFICIENCY + 2 @ SETBACK + 4 @ DIFFICULTY)


def volley():
    """What one shot does, sixty times."""
    wounded = d(6).map(lambda save: 0 if save >= 5 else d(3))
    hit = d(6).map(lambda wound: wounded if wound >= 4 else 0)
    shot = d(6).map(lambda face: hit if face >= 3 else 0)
    return one(6 @ (10 @ shot))


class LongestRunOfASuit(MultisetEvaluator):
    """The most cards of one suit in a row; cards are rank and suit."""

    def next_state(self, state, order, outcome, count):
        runs, best = state or ((0, 0, 0, 0), 0)
        _, suit = outcome
        run = runs[suit] + 1 if count else 0
        return runs[:suit] + (run,) + runs[suit + 1 :], max(best, run)

    def final_outcome(self, final_state, order, outcomes, size):
        return final_state[1]


def longest_run_of_a_suit():
    deck = icepool.Deck([(rank, suit) for rank in range(2, 15) for suit in range(4)])
    return one(LongestRunOfASuit().evaluate(deck.deal(7)))


class Technoir(MultisetEvaluator):
    """The highest die that no hurt die shows."""

    def next_state(self, state, order, outcome, action, push, hurt):
        return outcome if action + push and not hurt else state or 0

    def final_outcome(self, final_state, order, outcomes, size, *args):
        return final_state

    def order(self):
        return icepool.Order.Ascending


def technoir():
    return one(Technoir().evaluate(d(6).pool(4), d(6).pool(4), d(6).pool(5)))


class CthulhuTech(MultisetEvaluator):
    """The best of the highest die, a set added up, and a straight of three or more added up."""

    def next_state(self, state, order, outcome, count):
        best, run, total = state or (0, 0, 0)
        if not count:
            return best, 0, 0
        run, total = run + 1, total + outcome
        return max(best, outcome * count, total if run >= 3 else 0), run, total

    def final_outcome(self, final_state, order, outcomes, size):
        return final_state[0]


# Two sides to the end.


def strike(ours, theirs):
    """Sorted dice against sorted dice, a tie is the defender's."""
    lost = WON[min(ours, 3), min(theirs, 2)]
    return lost.map(lambda won: (ours - (min(ours, 3, theirs, 2) - won), theirs - won))


class PairsWon(MultisetEvaluator):
    """The pairs of sorted dice in which the first side's is higher, and by how many dice it is ahead."""

    def next_state(self, state, order, outcome, ours, theirs):
        won, ahead = state or (0, 0)
        won += min(max(ahead, 0), theirs)
        return won, ahead + ours - theirs

    def final_outcome(self, final_state, order, outcomes, size, *args):
        return final_state[0]

    def order(self):
        return icepool.Order.Descending


WON = {
    (ours, theirs): PairsWon().evaluate(d(6).pool(ours), d(6).pool(theirs)) for ours in (1, 2, 3) for theirs in (1, 2)
}


def war():
    """The armies that are left of the attacker, less those of the defender."""
    start = Die([(20, 20)])
    ends = start.map(lambda ours, theirs: strike(ours, theirs) if ours and theirs else (ours, theirs), repeat="inf")
    left = ends.map(lambda ours, theirs: ours - theirs)
    total = left.denominator()
    mean = left.mean()
    answers = [("20", {0: left.quantity(">", 0)}, total), ("20", {1: left.median_low()}, 1)]
    return [*answers, ("20", {2: mean.numerator}, mean.denominator)]


WORKLOADS = {
    "w1": table,
    "w1-each": table_each,
    "w2": best_of_d6,
    "w2-evaluator": best_of_d6_evaluator,
    "w3a": lambda: one(d(20).highest(100, 50)),
    "w3b": lambda: one(d(6).highest(4, 3)),
    "w3c": lambda: one(Pool([d(4), d(6), d(8), d(10), d(12)] * 10).highest(10).sum()),
    "w3d": lambda: one(d(100).highest(20, 5)),
    "w4a": lambda: one(d(10).pool(20).largest_count()),
    "w4b": lambda: one(10 @ (10 @ (2 @ (d(10) >= 7)))),
    "w4c": half_alike,
    "w5a": lambda: one(10 @ (10 @ (10 @ d(6)))),
    "w5b": lambda: one(10 @ (10 @ d(100))),
    "w7": counter,
    "w8-5k3": lambda: exploding(5, 3),
    "w8-6k3": lambda: exploding(6, 3),
    "w8-10k5": lambda: exploding(10, 5),
    "w8-3v3": lambda: net_pairs(3),
    "w8-4v4": lambda: net_pairs(4),
    "w8-5v5": lambda: net_pairs(5),
    "w8-10v10": lambda: net_pairs(10),
    "w14": genesys,
    "w15": volley,
    "w16": longest_run_of_a_suit,
    "w16-flush": lambda: one(icepool.Deck({suit: 13 for suit in range(4)}).deal(5).largest_count()),
    "w17": technoir,
    "w18": lambda: one(CthulhuTech().evaluate(d(10).pool(10))),
    "war": war,
}


def forget():
    """Empties what icepool keeps between questions: evaluations, pools, dice, and binomial coefficients."""
    icepool.math.comb_row_cache.clear()
    for thing in gc.get_objects():
        if isinstance(thing, MultisetEvaluator):
            thing.__dict__.pop("_cache", None)
        elif isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()


if __name__ == "__main__":
    main(WORKLOADS, forget)
