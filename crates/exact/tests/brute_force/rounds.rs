//! Tracks that choose in their rounds, against every stationary way to choose, one after the other.

use oddsmith_exact::{Answer, Budget, RBig, answers, policy};
use oddsmith_rules::program::Kind;
use oddsmith_rules::{Check, Known};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::model_of;

/// Places on a board. In a round luck is rolled, then it is chosen how to go on, and then a die says where to.
#[derive(Clone, Debug)]
struct Board {
    places: usize,
    luck: usize,
    sides: usize,
    /// For each place the number of options.
    options: Vec<usize>,
    /// Where each die leads, by place, luck and option, and what that costs. The places behind the last one are ends: it is
    /// won, or lost.
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
    fn index(&self, place: usize, luck: usize, option: usize, die: usize) -> usize {
        ((place * self.luck + luck) * MOST + option) * self.sides + die
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
        let last: Vec<usize> = self.options.iter().map(|options| options - 1).collect();
        let text = format!(
            "name = \"Board\"\n[tracks.main]\nmaximise = '{goal}'\nrules = '''
let at = 0
let paid = 0
repeat until at >= {end} {{
  let luck = 1d({luck}) - 1
  choose go in 0..=[{last}, 0][min(at, {end})]
  let way = ((at * {luck} + luck) * {MOST} + go) * {sides} + 1d({sides}) - 1
  set paid = paid + [{price}][way]
  set at = [{next}][way]
}}
show won  = at == {end}
show cost = paid
'''\n",
            end = self.places,
            luck = self.luck,
            last = list(&whole(&last)),
            sides = self.sides,
            price = list(&self.price),
            next = list(&whole(&self.next)),
        );
        model_of(&text).track("main").expect("it is there").clone()
    }

    /// All ways to choose: an option by place and luck.
    fn policies(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for place in 0..self.places {
            for _ in 0..self.luck {
                let more = |policy: &Vec<usize>| {
                    let policy = policy.clone();
                    (0..self.options[place]).map(move |option| [&policy[..], &[option]].concat())
                };
                all = all.iter().flat_map(more).collect();
            }
        }
        all
    }

    /// The moves from a place with their chances and prices.
    fn moves(&self, policy: &[usize], place: usize) -> Vec<(usize, i64, RBig)> {
        let chance = RBig::from_parts(1.into(), (self.luck * self.sides).into());
        let ways = (0..self.luck).flat_map(|luck| (0..self.sides).map(move |die| (luck, die)));
        let moves = ways.map(|(luck, die)| {
            let option = policy[place * self.luck + luck];
            let index = self.index(place, luck, option, die);
            (self.next[index], self.price[index], chance.clone())
        });
        moves.collect()
    }

    fn play(&self, policy: &[usize]) -> Outcome {
        let moves: Vec<_> = (0..self.places)
            .map(|place| self.moves(policy, place))
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

    /// The way to choose that the engine has found.
    fn found(&self, track: &Check) -> Vec<usize> {
        let found = policy(track, &track.defaults(), &Budget::unlimited()).expect("it was played");
        let table = found.choices.first();
        let option = |place: usize, luck: usize| {
            let known = |var: &str| {
                Known::Number(if var == "at" { place } else { luck }.try_into().unwrap())
            };
            let table = table?;
            let fits = |row: &Vec<Known>| {
                let mut seen = table.seen.iter().zip(row);
                seen.all(|(seen, value)| match seen.kind {
                    Kind::Var(var) => known(track.program().variable(var).name()) == *value,
                    _ => panic!("places and luck are all that is known"),
                })
            };
            let mut rows = table.rows.iter().filter(|(row, _)| fits(row));
            match rows.next()?.1 {
                Known::Number(option) => usize::try_from(*option).ok(),
                Known::Roll(_) => panic!("numbers are chosen"),
            }
        };
        let all = (0..self.places).flat_map(|place| (0..self.luck).map(move |luck| (place, luck)));
        all.map(|(place, luck)| option(place, luck).unwrap_or(0))
            .collect()
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
    let best = board
        .policies()
        .iter()
        .filter_map(|policy| value(&board.play(policy)))
        .max();
    let place = format!("{goal} of {board:?}");
    match (answer, best) {
        (Ok(answer), Some(best)) => {
            assert_eq!(answer, best, "{place}");
            let outcome = board.play(&board.found(&track));
            assert_eq!(value(&outcome), Some(best), "the policy: {place}");
            assert_eq!(asked(&track, "P(won)"), Ok(outcome.won), "{place}");
            if let Some((rolls, paid)) = outcome.means {
                assert_eq!(asked(&track, "mean(rolls)"), Ok(rolls), "{place}");
                assert_eq!(asked(&track, "mean(cost)"), Ok(paid), "{place}");
            }
        }
        (Err(error), None) => {
            assert!(
                error.contains("it is not certain that this track ends"),
                "{error}: {place}"
            );
        }
        (Err(error), Some(_)) => {
            let can_grow = goal.contains("cost") && board.price.iter().any(|price| *price < 0);
            assert!(
                can_grow && error.contains("without end"),
                "{error}: {place}"
            );
        }
        (Ok(answer), None) => panic!("{answer}, but nothing surely ends: {place}"),
    }
}

fn boards(prices: std::ops::Range<i64>) -> impl Strategy<Value = Board> {
    let sizes = (1_usize..4, 1_usize..3, 1_usize..4);
    sizes.prop_flat_map(move |(places, luck, sides)| {
        let count = places * luck * MOST * sides;
        // Places that are further on are likelier than ends.
        let next = prop_oneof![3 => 0..places, 1 => places..places + 2];
        let options = vec(1..=MOST, places);
        (options, vec(next, count), vec(prices.clone(), count)).prop_map(
            move |(options, next, price)| Board {
                places,
                luck,
                sides,
                options,
                next,
                price,
            },
        )
    })
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
