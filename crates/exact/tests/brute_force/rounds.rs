//! Tracks that choose in their rounds, against every stationary way to choose, one after the other; where an opponent chooses
//! too, against every pair of such ways.

use oddsmith_exact::{Answer, Budget, RBig, answers, policy};
use oddsmith_rules::program::{Kind, Party};
use oddsmith_rules::{Check, Known};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::model_of;

/// Places on a board. In a round luck is rolled, then it is chosen how to go on, by one and then by the other, and then a die
/// says where to.
#[derive(Clone, Debug)]
struct Board {
    places: usize,
    luck: usize,
    sides: usize,
    /// For each place the number of options of whoever chooses first, and of the other one.
    options: [Vec<usize>; 2],
    /// Who chooses first: the player or, if there is one, the opponent.
    first: Party,
    /// Where each die leads, by place, luck and both options, and what that costs. The places behind the last one are ends: it
    /// is won, or lost.
    next: Vec<usize>,
    price: Vec<i64>,
}

/// The most options of a place.
const MOST: usize = 3;

/// What comes of a way to choose.
struct Outcome {
    won: RBig,
    lost: RBig,
    /// If it surely ends.
    means: Option<(RBig, RBig)>,
}

impl Board {
    fn index(&self, place: usize, luck: usize, [one, two]: [usize; 2], die: usize) -> usize {
        (((place * self.luck + luck) * MOST + one) * MOST + two) * self.sides + die
    }

    /// Whether two choose.
    fn is_duel(&self) -> bool {
        self.options[1].iter().any(|options| *options > 1)
    }

    fn second(&self) -> Party {
        match self.first {
            Party::Player => Party::Opponent,
            Party::Opponent => Party::Player,
        }
    }

    fn track(&self, goal: &str) -> Check {
        let list = |numbers: &[i64]| {
            let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            texts.join(", ")
        };
        let whole = |numbers: &[usize]| {
            numbers
                .iter()
                .map(|n| i64::try_from(*n).unwrap())
                .collect::<Vec<_>>()
        };
        let last = self.options.each_ref().map(|options| {
            let last: Vec<usize> = options.iter().map(|options| options - 1).collect();
            list(&whole(&last))
        });
        let end = self.places;
        let (first, second) = (self.first.keyword(), self.second().keyword());
        let answer = match self.is_duel() {
            true => format!("{second} answer in 0..=[{}, 0][min(at, {end})]", last[1]),
            false => "let answer = 0".to_owned(),
        };
        let text = format!(
            "name = \"Board\"\n[tracks.main]\nmaximise = '{goal}'\nrules = '''
let at = 0
let paid = 0
repeat until at >= {end} {{
  let luck = 1d({luck}) - 1
  {first} go in 0..=[{last}, 0][min(at, {end})]
  {answer}
  let way = (((at * {luck} + luck) * {MOST} + go) * {MOST} + answer) * {sides} + 1d({sides}) - 1
  set paid = paid + [{price}][way]
  set at = [{next}][way]
}}
show won  = at == {end}
show cost = paid
'''\n",
            luck = self.luck,
            last = last[0],
            sides = self.sides,
            price = list(&self.price),
            next = list(&whole(&self.next)),
        );
        model_of(&text).track("main").expect("it is there").clone()
    }

    /// All ways to choose of whoever is first: an option by place and luck; or of the other one: by what the first has chosen,
    /// too.
    fn policies(&self, turn: usize) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for place in 0..self.places {
            let seen = [1, MOST][turn];
            for at in 0..self.luck * seen {
                // What the first can't choose is not seen.
                let is_met = at % seen < self.options[0][place];
                let count = if turn == 0 || is_met {
                    self.options[turn][place]
                } else {
                    1
                };
                let more = |policy: &Vec<usize>| {
                    let policy = policy.clone();
                    (0..count).map(move |option| [&policy[..], &[option]].concat())
                };
                all = all.iter().flat_map(more).collect();
            }
        }
        all
    }

    /// The moves from a place with their chances and prices.
    fn moves(&self, [one, two]: [&[usize]; 2], place: usize) -> Vec<(usize, i64, RBig)> {
        let chance = RBig::from_parts(1.into(), (self.luck * self.sides).into());
        let ways = (0..self.luck).flat_map(|luck| (0..self.sides).map(move |die| (luck, die)));
        let moves = ways.map(|(luck, die)| {
            let at = place * self.luck + luck;
            let option = one[at];
            let index = self.index(place, luck, [option, two[at * MOST + option]], die);
            (self.next[index], self.price[index], chance.clone())
        });
        moves.collect()
    }

    fn play(&self, policies: [&[usize]; 2]) -> Outcome {
        let moves: Vec<_> = (0..self.places)
            .map(|place| self.moves(policies, place))
            .collect();
        let mut ends = vec![false; self.places];
        for _ in 0..self.places {
            for place in 0..self.places {
                let leads = |(to, ..): &(usize, i64, RBig)| *to >= self.places || ends[*to];
                ends[place] = moves[place].iter().any(leads);
            }
        }
        let solve = |brings: &dyn Fn(usize, i64) -> RBig| {
            let rows = (0..self.places).map(|place| {
                let mut row = vec![RBig::ZERO; self.places + 1];
                row[place] = RBig::ONE;
                for (to, price, chance) in moves[place].iter().filter(|_| ends[place]) {
                    row[self.places] += chance * brings(*to, *price);
                    if *to < self.places {
                        row[*to] -= chance;
                    }
                }
                row
            });
            eliminated(rows.collect())[0].clone()
        };
        let arrives = |end: usize| solve(&|to, _| if to == end { RBig::ONE } else { RBig::ZERO });
        let (won, lost) = (arrives(self.places), arrives(self.places + 1));
        let surely = &won + &lost == RBig::ONE;
        let means = surely.then(|| {
            let rolls = solve(&|_, _| RBig::ONE);
            (rolls, solve(&|_, price| RBig::from(price)))
        });
        Outcome { won, lost, means }
    }

    /// The ways to choose that the engine has found.
    fn found(&self, track: &Check) -> [Vec<usize>; 2] {
        let found = policy(track, &track.defaults(), &Budget::unlimited()).expect("it was played");
        let option = |turn: usize, place: usize, luck: usize, go: usize| {
            let own = ["go", "answer"][turn];
            let mut tables = found.choices.iter();
            let table = tables.find(|table| track.program().variable(table.var).name() == own)?;
            let known = |var: &str| {
                let value = match var {
                    "at" => place,
                    "luck" => luck,
                    "go" => go,
                    _ => panic!("{var} is not known"),
                };
                Known::Number(value.try_into().unwrap())
            };
            let fits = |row: &Vec<Known>| {
                let mut seen = table.seen.iter().zip(row);
                seen.all(|(seen, value)| match seen.kind {
                    Kind::Var(var) => known(track.program().variable(var).name()) == *value,
                    _ => panic!("names are all that is known"),
                })
            };
            let mut rows = table.rows.iter().filter(|(row, _)| fits(row));
            match rows.next()?.1 {
                Known::Number(option) => usize::try_from(*option).ok(),
                Known::Roll(_) => panic!("numbers are chosen"),
            }
        };
        let all =
            || (0..self.places).flat_map(|place| (0..self.luck).map(move |luck| (place, luck)));
        let first = all().map(|(place, luck)| option(0, place, luck, 0).unwrap_or(0));
        let seen = all().flat_map(|(place, luck)| (0..MOST).map(move |go| (place, luck, go)));
        let second = seen.map(|(place, luck, go)| option(1, place, luck, go).unwrap_or(0));
        [first.collect(), second.collect()]
    }

    /// What it is worth if both choose as well as they can, of these ways to choose: each of one against each of the other.
    /// None if it has no worth; of a duel if there is one pair that has none.
    fn worth(
        &self,
        [one, two]: [&[Vec<usize>]; 2],
        value: &dyn Fn(&Outcome) -> Option<RBig>,
    ) -> Option<RBig> {
        let of = |one: &[usize], two: &[usize]| value(&self.play([one, two]));
        if !self.is_duel() {
            return one.iter().filter_map(|one| of(one, &two[0])).max();
        }
        let pairs = one
            .iter()
            .map(|one| two.iter().map(|two| of(one, two)).collect());
        let table: Vec<Vec<RBig>> = pairs.collect::<Option<_>>()?;
        // Who chooses first by policies that the other knows is the player: against the best answer of the opponent.
        let lines: Vec<Vec<&RBig>> = match self.first {
            Party::Player => table.iter().map(|line| line.iter().collect()).collect(),
            Party::Opponent => {
                let line = |at: usize| table.iter().map(|line| &line[at]).collect();
                (0..two.len()).map(line).collect()
            }
        };
        let least = lines
            .iter()
            .map(|line| line.iter().min().expect("a way to choose"));
        least.max().map(|worth| (*worth).clone())
    }
}

/// Solves linear equations, by the schoolbook; each row ends in its right side.
fn eliminated(mut rows: Vec<Vec<RBig>>) -> Vec<RBig> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| rows[row][column] != RBig::ZERO);
        rows.swap(column, pivot.expect("all can be left"));
        let pivot = rows[column].clone();
        for (at, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = &row[column] / &pivot[column];
            for (entry, above) in row.iter_mut().zip(&pivot) {
                *entry -= &factor * above;
            }
            assert_eq!(row[column], RBig::ZERO, "row {at}");
        }
    }
    (0..n).map(|at| &rows[at][n] / &rows[at][at]).collect()
}

fn asked(track: &Check, query: &str) -> Result<RBig, String> {
    let query = track.query(query, "<query>").expect("a query");
    let answers = answers(track, &track.defaults(), &[query], &Budget::unlimited());
    answers
        .map_err(|error| error.to_string())
        .map(|answers: Vec<Answer>| answers[0].to_ratio().expect("a ratio"))
}

/// What the engine says is best, and what is.
fn compare(board: &Board, goal: &str, value: &dyn Fn(&Outcome) -> Option<RBig>) {
    let track = board.track(goal);
    let query = if track.strives_for_event() {
        "P"
    } else {
        "mean"
    };
    let answer = asked(&track, &format!("{query}({goal})"));
    let ways = [0, 1].map(|turn| board.policies(turn));
    let best = board.worth([&ways[0], &ways[1]], value);
    let place = format!("{goal} of {board:?}");
    match (answer, best) {
        (Ok(answer), Some(best)) => {
            assert_eq!(answer, best, "{place}");
            let [one, two] = board.found(&track);
            let outcome = board.play([&one, &two]);
            assert_eq!(value(&outcome), Some(best.clone()), "the policy: {place}");
            if board.is_duel() {
                // Neither way to choose can be taken advantage of.
                let [one, two] = [[one], [two]];
                let first = board.worth([&one, &ways[1]], value);
                let second = board.worth([&ways[0], &two], value);
                assert_eq!([first, second], [Some(best.clone()), Some(best)], "{place}");
            }
            assert_eq!(asked(&track, "P(won)"), Ok(outcome.won), "{place}");
            if let Some((rolls, paid)) = outcome.means {
                assert_eq!(asked(&track, "mean(rolls)"), Ok(rolls), "{place}");
                assert_eq!(asked(&track, "mean(cost)"), Ok(paid), "{place}");
            }
        }
        (Err(error), None) => {
            let reason = match board.is_duel() {
                true => "this track may go on for ever",
                false => "it is not certain that this track ends",
            };
            assert!(error.contains(reason), "{error}: {place}");
        }
        (Err(error), Some(_)) => {
            let can_grow = goal.contains("cost") && board.price.iter().any(|price| *price < 0);
            assert!(
                can_grow && error.contains("without end") && !board.is_duel(),
                "{error}: {place}"
            );
        }
        (Ok(answer), None) => panic!("{answer}, but nothing surely ends: {place}"),
    }
}

/// Boards on which a player chooses.
fn boards(prices: std::ops::Range<i64>) -> impl Strategy<Value = Board> {
    let sizes = (1_usize..4, 1_usize..3, 1_usize..4);
    sizes.prop_flat_map(move |sizes| {
        let options = vec(1..=MOST, sizes.0).prop_map(move |own| [own, vec![1; sizes.0]]);
        board(
            sizes,
            options.boxed(),
            Just(Party::Player).boxed(),
            prices.clone(),
        )
    })
}

/// Boards on which two choose, one after the other in each round.
fn duels(prices: std::ops::Range<i64>) -> impl Strategy<Value = Board> {
    let places = prop_oneof![
        (1_usize..4).prop_map(|places| (places, 1_usize)),
        Just((1_usize, 2_usize))
    ];
    let first = prop_oneof![Just(Party::Player), Just(Party::Opponent)].boxed();
    (places, 1_usize..4).prop_flat_map(move |((places, luck), sides)| {
        let options = [vec(1_usize..3, places), vec(1_usize..3, places)];
        // Both are sure to choose somewhere.
        let options = options.prop_map(|mut options| {
            options.iter_mut().for_each(|own| own[0] = 2);
            options
        });
        board(
            (places, luck, sides),
            options.boxed(),
            first.clone(),
            prices.clone(),
        )
    })
}

fn board(
    (places, luck, sides): (usize, usize, usize),
    options: BoxedStrategy<[Vec<usize>; 2]>,
    first: BoxedStrategy<Party>,
    prices: std::ops::Range<i64>,
) -> impl Strategy<Value = Board> {
    let count = places * luck * MOST * MOST * sides;
    // Places that are further on are likelier than ends.
    let next = prop_oneof![3 => 0..places, 1 => places..places + 2];
    (options, first, vec(next, count), vec(prices, count)).prop_map(
        move |(options, first, next, price)| Board {
            places,
            luck,
            sides,
            options,
            first,
            next,
            price,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_best_chance(board in boards(0..3)) {
        compare(&board, "won", &|outcome| Some(outcome.won.clone()));
    }

    /// Who never comes to an end has neither won nor lost: the event is that of those who end otherwise.
    #[test]
    fn the_best_chance_of_the_other_end(board in boards(0..3)) {
        compare(&board, "not won", &|outcome| Some(outcome.lost.clone()));
    }

    #[test]
    fn the_fewest_rounds(board in boards(0..3)) {
        compare(&board, "-rolls", &|outcome| Some(-outcome.means.as_ref()?.0.clone()));
    }

    /// Some ways cost nothing, so that it may cost nothing to go on for ever.
    #[test]
    fn the_lowest_price(board in boards(0..2)) {
        compare(&board, "-cost", &|outcome| Some(-outcome.means.as_ref()?.1.clone()));
    }

    /// A prize at the end against prices on the way, which may be paid back.
    #[test]
    fn a_prize_and_its_price(board in boards(-1..4)) {
        compare(&board, "5 * won - cost", &|outcome| {
            let (_, paid) = outcome.means.as_ref()?;
            Some(RBig::from(5) * &outcome.won - paid)
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_best_chance_against_an_opponent(board in duels(0..3)) {
        compare(&board, "won", &|outcome| Some(outcome.won.clone()));
    }

    #[test]
    fn the_best_chance_of_the_other_end_against_an_opponent(board in duels(0..3)) {
        compare(&board, "not won", &|outcome| Some(outcome.lost.clone()));
    }

    #[test]
    fn the_fewest_rounds_against_an_opponent(board in duels(0..3)) {
        compare(&board, "-rolls", &|outcome| Some(-outcome.means.as_ref()?.0.clone()));
    }

    #[test]
    fn a_prize_and_its_price_against_an_opponent(board in duels(-1..4)) {
        compare(&board, "5 * won - cost", &|outcome| {
            let (_, paid) = outcome.means.as_ref()?;
            Some(RBig::from(5) * &outcome.won - paid)
        });
    }
}
