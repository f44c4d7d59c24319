//! Rows and distributions that are known from elsewhere: random scripts, cut anywhere, are the ones that are worked out.

use std::sync::Arc;

use oddsmith_analysis::probe::Subject;
use oddsmith_analysis::rows::{Asked, Rows, note_rows};
use oddsmith_dist::Transcript;
use oddsmith_exact::{Answer, Budget, Error, Row, Sweep, distribution};
use oddsmith_rules::{Check, Config, InputRange, Query};
use oddsmith_testkit::random::{check_of, text, trees};
use proptest::prelude::*;

/// Steps of a question; a script that takes more is none to look at.
const STEPS: u64 = 20_000_000;

/// A row: its number, its values, its answers, and whether it breaks a rule.
type Seen = (u64, Vec<i64>, Vec<Answer>, bool);

fn seen(row: &Row<'_>, rows: &mut Vec<Seen>) {
    let answers = row.answers.iter().map(Answer::from).collect();
    rows.push((
        row.number,
        row.values.to_vec(),
        answers,
        row.broken.is_some(),
    ));
}

/// What comes of all rows: they, how many break a rule, and what the first of these says; or why there are none.
fn worked_out(
    run: impl FnOnce(&mut Vec<Seen>) -> Result<(u64, Option<String>), Error>,
) -> Result<(Vec<Seen>, u64, Option<String>), String> {
    let mut all = Vec::new();
    let (count, first) = run(&mut all).map_err(|error| error.to_string())?;
    Ok((all, count, first))
}

/// A script, its check, and a configuration of it; none if the checker refuses it.
fn played(tree: &trees::Tree, k: i64) -> Option<(String, Check, Config)> {
    let (script, goal) = text::script(tree);
    let check = check_of(&script, goal.as_ref())?;
    let mut config = check.defaults();
    config.put(check.input("k").expect("every script has it"), k);
    Some((script, check, config))
}

/// A question about many rows.
struct Question<'a> {
    check: &'a Check,
    config: &'a Config,
    ranges: &'a [InputRange],
    queries: &'a [Query],
}

impl Question<'_> {
    fn rows(&self, budget: &Budget) -> Result<(Vec<Seen>, u64, Option<String>), String> {
        worked_out(|all| {
            let rows = Rows::of(self.check, self.config, self.ranges, self.queries, budget)?;
            let gaps = rows.run_with_gaps(seen, |more| {
                all.extend(more);
                Ok::<(), Error>(())
            })?;
            Ok((gaps.count, gaps.first.map(|error| error.to_string())))
        })
    }

    /// The same, as far as no rule is broken.
    fn strict_rows(&self, budget: &Budget) -> Result<(Vec<Seen>, u64, Option<String>), String> {
        worked_out(|all| {
            let rows = Rows::of(self.check, self.config, self.ranges, self.queries, budget)?;
            rows.run(seen, |more| {
                all.extend(more);
                Ok::<(), Error>(())
            })?;
            Ok((0, None))
        })
    }

    fn sweep(&self) -> Result<(Vec<Seen>, u64, Option<String>), String> {
        let budget = Budget::new(STEPS);
        worked_out(|all| {
            let sweep = Sweep::new(self.check, self.config, self.ranges, self.queries, &budget)?;
            let gaps = sweep.run_with_gaps(seen, |more| {
                all.extend(more);
                Ok::<(), Error>(())
            })?;
            Ok((gaps.count, gaps.first.map(|error| error.to_string())))
        })
    }

    /// A transcript of the rows, cut at some places.
    fn noted(&self, cuts: &[u64]) -> Transcript {
        let noted = Arc::new(Transcript::noting());
        let ends = cuts.iter().copied().chain([4]);
        let mut start = 0;
        for end in ends {
            let budget = Budget::new(STEPS).with_transcript(Arc::clone(&noted));
            let asked = (self.queries, &budget);
            let _ = note_rows((self.check, self.config, self.ranges), asked, start..end);
            start = end;
        }
        Transcript::known(noted.entries())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn known_rows_are_those_that_are_worked_out(
        tree in trees::script(false),
        risks in any::<[bool; 4]>(),
        cuts in prop::collection::vec(0_u64..=4, 0..4),
    ) {
        let [items, counts, zeros, sums] = risks;
        let (script, goal) = text::risky_script(&tree, text::Risks { items, counts, zeros, sums });
        let check = check_of(&script, goal.as_ref());
        prop_assume!(check.is_some());
        let check = check.expect("just checked");
        let k = check.input("k").expect("every script has it");
        let mut cuts = cuts;
        cuts.sort_unstable();
        let question = Question {
            check: &check,
            config: &check.defaults(),
            ranges: &[InputRange::new(k, vec![0, 1, 2, 3])],
            queries: &check.own_queries(),
        };
        let worked = question.sweep();
        prop_assume!(!matches!(&worked, Err(why) if why.contains("steps")));
        let known = Arc::new(question.noted(&cuts));
        let budget = Budget::new(STEPS).with_transcript(Arc::clone(&known));
        prop_assert_eq!(question.rows(&budget), worked.clone(), "{}", script);
        if let Ok((_, 0, _)) = &worked {
            prop_assert_eq!(budget.spent(), 0, "nothing is worked out that is known");
        }
        prop_assert_eq!(question.strict_rows(&budget), question.strict_rows(&Budget::new(STEPS)));

        // Noting answers does not change them, and what is noted by whoever has all rows is known as well.
        let noted = Arc::new(Transcript::noting());
        let noting = Budget::new(STEPS).with_transcript(Arc::clone(&noted));
        prop_assert_eq!(question.rows(&noting), worked.clone(), "{}", script);
        let known = Budget::new(STEPS).with_transcript(Arc::new(Transcript::known(noted.entries())));
        prop_assert_eq!(question.rows(&known), worked, "{}", script);
    }

    #[test]
    fn known_distributions_are_those_that_are_worked_out(tree in trees::script(false), k in 0_i64..4) {
        let played = played(&tree, k);
        prop_assume!(played.is_some());
        let (script, check, config) = played.expect("just checked");
        let asked = Asked::of(&check);
        let noted = Arc::new(Transcript::noting());
        let noting = Budget::new(STEPS).with_transcript(Arc::clone(&noted));
        for outcome in &check.outcomes {
            let worked = distribution(&check, &config, outcome, &Budget::new(STEPS));
            let noted = asked.distribution(&config, outcome, &noting);
            prop_assert_eq!(noted.ok(), worked.ok(), "{}", script);
        }
        let known = Budget::new(STEPS).with_transcript(Arc::new(Transcript::known(noted.entries())));
        for outcome in &check.outcomes {
            let worked = distribution(&check, &config, outcome, &Budget::new(STEPS));
            prop_assert_eq!(asked.distribution(&config, outcome, &known).ok(), worked.ok(), "{}", script);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn known_odds_cost_what_they_cost(tree in trees::script(false), k in 0_i64..4) {
        let played = played(&tree, k);
        prop_assume!(played.is_some());
        let (script, check, config) = played.expect("just checked");
        let subject = Subject::new(&check);
        let noted = Arc::new(Transcript::noting());
        let worked = Budget::new(STEPS);
        let odds = subject.odds(&config, &worked);
        let noting = Budget::new(STEPS).with_transcript(Arc::clone(&noted));
        prop_assert_eq!(subject.odds(&config, &noting).ok(), odds.clone().ok(), "{}", script);
        let entries: Vec<_> = noted.entries().collect();
        prop_assert_eq!(entries.len(), usize::from(odds.is_ok()));
        let known = Arc::new(Transcript::known(entries));
        for limit in [STEPS, STEPS - 1, worked.spent().saturating_sub(1)] {
            let (plain, known) = (Budget::new(limit), Budget::new(limit).with_transcript(Arc::clone(&known)));
            let plainly = subject.odds(&config, &plain);
            prop_assert_eq!(subject.odds(&config, &known).ok(), plainly.ok(), "{}", script);
            prop_assert_eq!(known.spent(), plain.spent(), "{}", script);
        }
    }
}

fn check(rules: &str) -> Check {
    let text = format!(
        "name = 'Demo'\n[checks.check]\naxes.k = {{ default = 1, domain = '0..=3' }}\nrules = '{rules}'\n"
    );
    let model = oddsmith_rules::load("demo.toml", text.as_bytes()).expect("the rules are right");
    model.checks[0].clone()
}

/// The answers of another check, of another configuration or of other rows are never taken.
#[test]
fn only_the_same_question_is_known() {
    let (two, three) = (check("show total = 2d6 + k"), check("show total = 3d6 + k"));
    let k = two.input("k").expect("an axis");
    let ask = |check: &Check, values: Vec<i64>, query: &str, transcript: &Arc<Transcript>| {
        let question = Question {
            check,
            config: &check.defaults(),
            ranges: &[InputRange::new(k, values)],
            queries: &[check.query(query, "<query>").expect("it is right")],
        };
        let budget = Budget::new(STEPS).with_transcript(Arc::clone(transcript));
        let rows = question.rows(&budget);
        assert_eq!(rows, question.sweep());
        budget.spent() == 0
    };
    let noted = Arc::new(Transcript::noting());
    ask(&two, vec![0, 1], "mean(total)", &noted);
    let known = Arc::new(Transcript::known(noted.entries()));
    assert!(ask(&two, vec![0, 1], "mean(total)", &known));
    assert!(!ask(&three, vec![0, 1], "mean(total)", &known));
    assert!(!ask(&two, vec![0, 2], "mean(total)", &known));
    assert!(!ask(&two, vec![0, 1, 2], "mean(total)", &known));
    assert!(!ask(&two, vec![0, 1], "variance(total)", &known));
    let question = Question {
        check: &two,
        config: &two.defaults(),
        ranges: &[InputRange::new(k, vec![0, 1])],
        queries: &[two.query("mean(total)", "<query>").expect("it is right")],
    };
    let lower = Budget::new(1).with_transcript(known);
    let refusal = question
        .rows(&lower)
        .expect_err("it takes more than a step");
    assert!(refusal.contains("steps"), "{refusal}");
}

/// Lines that are not the rows of the question are passed over, however they are wrong.
#[test]
fn what_can_not_be_read_is_worked_out() {
    let check = check("show total = 2d6 + k");
    let k = check.input("k").expect("an axis");
    let question = Question {
        check: &check,
        config: &check.defaults(),
        ranges: &[InputRange::new(k, vec![0, 1])],
        queries: &[check.query("mean(total)", "<query>").expect("it is right")],
    };
    let noted = Arc::new(Transcript::noting());
    let noting = Budget::new(STEPS).with_transcript(Arc::clone(&noted));
    let worked = question.rows(&noting);
    let entries: Vec<_> = noted.entries().collect();
    for wrong in [
        "",
        "7/1\n",
        "7/1\n8/1\n9/1\n",
        "7/1 8/1\n8/1\n",
        "7\n8\n",
        "+3\n",
        "+1\n+18446744073709551615\n",
        "x/1\n8/1\n",
        "7/-1\n8/1\n",
        "\u{fe}\n8/1\n",
    ] {
        let entries =
            { entries.iter() }.map(|(asked, _)| (asked.clone(), wrong.as_bytes().to_vec()));
        let known = Arc::new(Transcript::known(entries));
        let budget = Budget::new(STEPS).with_transcript(known);
        assert_eq!(question.rows(&budget), worked, "{wrong:?}");
    }
}
