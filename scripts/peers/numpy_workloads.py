"""The workloads of benches/lib.rs that libraries of dice do not offer, as somebody would program them who knows NumPy.

Floating-point numbers throughout: answers are probabilities and means, within rounding. Names are those of benches/lib.rs.
"""

import collections
import functools
import itertools
import math

import numpy as np

from workloads import main, place

# A duel: attack, damage, answer, until one side has no hit points.

DAMAGE = np.arange(4, 12)  # 1d8 + 3
THEIRS_HIT = 0.5  # 1d20 + 5 against 16


def ours_hit(bonus, armour):
    return np.clip(21 - (armour - bonus), 0, 20) / 20


def left_of(points):
    """The hit points that a blow leaves, for each damage."""
    return np.maximum(points - DAMAGE, 0)


def duel(ours, theirs, p):
    """The chance to win and the mean number of rounds, for each chance to hit; rounds without a hit are left out."""
    q, hit = THEIRS_HIT, 1 - (1 - p) * (1 - THEIRS_HIT)
    we, they = p / hit, (1 - p) * q / hit
    begun = np.array([0 * hit, 1 / hit])
    shape = (2, ours + 1, theirs + 1, *np.shape(p))
    # What a state is worth at the beginning of a round, and where the answer to a blow is due.
    worth, answered = np.zeros(shape), np.zeros(shape)
    answered[0, :, 0] = 1
    back = np.array([left_of(a) for a in range(ours + 1)])
    for b in range(1, theirs + 1):
        blow = answered[:, :, left_of(b)].mean(2)
        for a in range(1, ours + 1):
            worth[:, a, b] = begun + we * blow[:, a] + they * worth[:, back[a], b].mean(1)
        answered[:, 1:, b] = (1 - q) * worth[:, 1:, b] + q * worth[:, back[1:], b].mean(2)
    return worth[:, ours, theirs]


def long_duel():
    won, rounds = duel(120, 150, ours_hit(6, 15))
    return [("120", {0: won, 1: rounds}, None)]


def duels():
    configurations = [(bonus, armour) for bonus in range(16) for armour in range(9, 26)]
    won, _ = duel(30, 40, np.array([ours_hit(*pair) for pair in configurations]))
    return [(place(30, 40, *pair), {0: chance}, None) for pair, chance in zip(configurations, won, strict=True)]


def struck(chances):
    """What a blow makes of chances of hit points, which are the rows."""
    after = np.zeros_like(chances)
    for damage in DAMAGE:
        after[:-damage] += chances[damage:] / len(DAMAGE)
        after[0] += chances[:damage].sum(0) / len(DAMAGE)
    return after


def rounds_of_a_duel():
    p, q = ours_hit(6, 15), THEIRS_HIT
    chances = np.zeros((121, 151))
    chances[120, 150] = 1
    ended = [0.0]
    for _ in range(60):
        chances = (1 - p) * chances + p * struck(chances.T).T
        over = chances[:, 0].sum()
        chances[:, 0] = 0
        chances = (1 - q) * chances + q * struck(chances)
        over += chances[0].sum()
        chances[0] = 0
        ended.append(over)
    return [("", dict(enumerate(ended)), None)]


# Pig: a turn comes to each sum from where one holds, or to nothing.


@functools.lru_cache(maxsize=None)
def turn(enough):
    sums, ends = {0: 1.0}, collections.Counter()
    while sums:
        begun, chance = sums.popitem()
        ends[0] += chance / 6
        for face in range(2, 7):
            if begun + face >= enough:
                ends[begun + face] += chance / 6
            else:
                sums[begun + face] = sums.get(begun + face, 0) + chance / 6
    return ends


def pig(goal, hold=20):
    """The chance of whoever rolls first."""
    wins = {}

    def kept(mine, other):
        """The chance to win by a turn that comes to something, and that of one that comes to nothing."""
        ends = turn(min(hold, goal - mine))
        won = sum(
            chance * (1 if mine + points >= goal else 1 - wins[other, mine + points])
            for points, chance in ends.items()
            if points
        )
        return won, ends[0]

    for points in range(2 * goal - 2, -1, -1):
        for mine in range(max(0, points - goal + 1), points // 2 + 1):
            other = points - mine
            (ours, nothing), (theirs, lost) = kept(mine, other), kept(other, mine)
            wins[mine, other] = (ours + nothing * (1 - theirs - lost)) / (1 - nothing * lost)
            wins[other, mine] = theirs + lost * (1 - wins[mine, other])
    return [(place(goal), {0: wins[0, 0]}, None)]


def best_pig(goal=100):
    """The chance of whoever rolls first, if both play best: all states at once, until nothing changes."""
    mine, turn = np.arange(goal)[:, None, None], np.arange(goal)
    # By the score of who rolls, that of the other, and what the turn has come to; who has enough has won.
    wins = np.zeros((goal, goal, goal + 6))
    wins[np.broadcast_to(mine + np.arange(goal + 6) >= goal, wins.shape)] = 1
    held = np.minimum(mine[:, 0] + turn, goal - 1)
    while True:
        lost = 1 - wins[:, :, 0].T
        rolled = (lost[:, :, None] + sum(wins[:, :, die : goal + die] for die in range(2, 7))) / 6
        hold = lost[held].transpose(0, 2, 1)
        best = np.where(turn > 0, np.maximum(rolled, hold), rolled)
        best = np.where(mine + turn >= goal, 1, best)
        change = np.abs(best - wins[:, :, :goal]).max()
        wins[:, :, :goal] = best
        if change < 1e-15:
            return [(place(goal), {0: wins[0, 0, 0]}, None)]


# Two sides that fire sixty shots at once.


def volleys(shots=60, strength=60):
    shot = np.array([7 / 9, 2 / 27, 2 / 27, 2 / 27])
    damage = np.array([1.0])
    for _ in range(shots):
        damage = np.convolve(damage, shot)
    # The chance of each strength that is left, of each before.
    left = np.zeros((strength + 1, strength + 1))
    for before in range(1, strength + 1):
        left[before, 1 : before + 1] = damage[:before][::-1]
        left[before, 0] = damage[before:].sum()
    worth = np.zeros((strength + 1, strength + 1))
    worth[1:, 0] = 1
    for ours in range(1, strength + 1):
        for theirs in range(1, strength + 1):
            sums = left[ours] @ worth @ left[theirs]
            worth[ours, theirs] = sums / (1 - damage[0] ** 2)
    return [(place(shots, strength), {0: worth[strength, strength]}, None)]


# Farkle: every part of a roll that scores may be set aside.


@functools.lru_cache(maxsize=None)
def farkle_rolls(dice):
    """Points and dice that can be set aside, and how likely; nothing where the turn is lost."""
    rolls = collections.Counter()
    for faces in itertools.combinations_with_replacement(range(1, 7), dice):
        count = collections.Counter(faces)
        ways = math.factorial(dice) / math.prod(map(math.factorial, count.values()))
        trios = {face: count[face] // 3 for face in (2, 3, 4, 6)}
        sets = sum(trios.values()), 100 * sum(face * many for face, many in trios.items())
        asides = itertools.product(range(count[1] + 1), range(count[5] + 1), {0, min(sets[0], 1)})
        options = {
            (
                1000 * (ones // 3) + 100 * (ones % 3) + 500 * (fives // 3) + 50 * (fives % 3) + sets[1] * aside,
                ones + fives + 3 * sets[0] * aside,
            )
            for ones, fives, aside in asides
        }
        rolls[frozenset(option for option in options if option[1])] += ways / 6**dice
    return rolls


def farkle(throws=5):
    @functools.lru_cache(maxsize=None)
    def best(score, dice, rolls):
        if rolls == 0:
            return score
        after = lambda gain, used: max(score + gain, best(score + gain, dice - used or 6, rolls - 1))
        return sum(
            chance * max(after(*option) for option in options)
            for options, chance in farkle_rolls(dice).items()
            if options
        )

    return [(place(throws), {0: best(0, 6, throws)}, None)]


# Legend of the Five Rings: the best dice are kept, and those that explode are rolled on where that is worth it.

# What a face is worth (two for a success, one for an opportunity, less one for strife), and whether it explodes.
RING = [(0, False), (0, False), (1, False), (1, False), (2, False), (1, True)]
SKILL = [*[(0, False)] * 2, *[(1, False)] * 5, *[(2, False)] * 2, (3, False), (1, True), (2, True)]


def rolled_on(faces, depth):
    """The mean worth of a further die."""
    if depth == 0:
        return 0.0
    more = rolled_on(faces, depth - 1)
    return sum(max(0, worth + more * explodes) for worth, explodes in faces) / len(faces)


def hands(faces, dice, depth):
    """All rolls of some dice as what each die is worth, and how likely."""
    more = rolled_on(faces, depth)
    worths = collections.Counter(worth + more * explodes for worth, explodes in faces)
    for hand in itertools.combinations_with_replacement(worths, dice):
        count = collections.Counter(hand)
        ways = math.prod(worths[face] ** many / math.factorial(many) for face, many in count.items())
        yield hand, math.factorial(dice) * ways / len(faces) ** dice


def kept_dice(rings=4, skills=3, depth=3):
    mean = sum(
        first * second * sum(max(0, worth) for worth in sorted(ring + skill)[-rings:])
        for ring, first in hands(RING, rings, depth)
        for skill, second in hands(SKILL, skills, depth)
    )
    return [(place(rings, skills), {0: mean}, None)]


WORKLOADS = {
    "w9": long_duel,
    "w9t": duels,
    "w9r": rounds_of_a_duel,
    "volleys": volleys,
    "farkle": farkle,
    "w11": lambda: pig(100),
    "w11-50": lambda: pig(50),
    "w12": best_pig,
    "w19": kept_dice,
}


def forget():
    turn.cache_clear()
    farkle_rolls.cache_clear()


if __name__ == "__main__":
    main(WORKLOADS, forget)
