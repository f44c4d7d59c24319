//! What a search over parameters found, to be read.

use oddsmith::tuning::{Candidate, Distance, Method, Proof, aim};
use oddsmith::{Answer, TuningAnswer};
use oddsmith_rules::{Aim, QueryKind};

use crate::document::{Block, Column, Document, Table, Text};
use crate::format::outcomes::{INFINITE, Kind, Line, Shown as _};
use crate::format::view;
use crate::format::words::{self, Form, grouped, plural};

/// A search and how its odds are written.
#[derive(Clone, Copy)]
struct TuningView<'t> {
    tuning: &'t TuningAnswer,
    form: Form,
}

/// What stands where a query has no answer.
const NO_ANSWER: &str = "no answer";

/// What was searched for, what was found, and how the ruleset changes.
pub(crate) fn document(title: &str, tuning: &TuningAnswer, form: Form) -> Document {
    let view = TuningView { tuning, form };
    let table = Some(view.table()).filter(|table| !table.is_empty());
    let paragraph = |text| Block::paragraph(Text::with_code(text));
    let mut document = Document::default();
    document.push(view::opening(title, &view.space()));
    document.push([Block::table(view.goals())]);
    document.push([Block::paragraph(view.verdict())]);
    document.push([Block::paragraph(view.asked())]);
    document.push(view.reasons().map(Block::paragraph));
    document.push(
        table
            .into_iter()
            .flat_map(|table| [Block::table(table), Block::note(view.weights())]),
    );
    document.push(view.pareto().as_deref().map(paragraph));
    let patch = tuning.change.as_ref();
    let patch = patch.map(|change| change.patch.diff.as_str());
    document.push(patch.map(|patch| match patch {
        "" => Block::paragraph(view.no_change()),
        patch => Block::code("diff", patch),
    }));
    document
}

impl<'t> TuningView<'t> {
    /// `boon_cap 3 to 6, thresholds[1] 12 to 18: 28 candidates`
    fn space(self) -> String {
        let TuningAnswer {
            dials,
            tuned,
            check,
            ..
        } = self.tuning;
        let dials = dials.iter().map(|dial| {
            let options = dial.options.len();
            let is_run = dial.inputs.len() == 1
                && options > 2
                && dial
                    .options
                    .windows(2)
                    .all(|pair| pair[0][0] + 1 == pair[1][0]);
            let words = if is_run {
                format!(
                    "{} to {}",
                    dial.told(check, 0),
                    dial.told(check, options - 1)
                )
            } else if options > 8 {
                format!("{options} values")
            } else {
                let shown: Vec<String> = (0..options).map(|at| dial.told(check, at)).collect();
                shown.join(", ")
            };
            format!("{}: {words}", dial.title(check))
        });
        let dials: Vec<String> = dials.collect();
        format!(
            "{} ({})",
            dials.join("; "),
            plural(tuned.candidates, "candidate")
        )
    }

    /// The goals, by the numbers that the other table has at its head.
    fn goals(self) -> Table {
        let TuningAnswer {
            goals,
            tuned,
            subjects,
            ..
        } = self.tuning;
        let alone = tuned.proof.as_ref().map(|proof| &proof.alone);
        let has_intents = goals.iter().any(|goal| !goal.intent.is_empty());
        let last = if alone.is_some() {
            "met alone by"
        } else {
            "excludes"
        };
        let [now, last] = ["now", last].map(Column::right);
        let [goal, aim_of] = ["goal", ""].map(Column::left);
        let mut columns = vec![Column::right(""), goal, aim_of, now, last];
        columns.extend(has_intents.then(|| Column::left("")));
        let goals = goals.iter().enumerate();
        Table::new(columns).with_rows(goals.map(|(at, goal)| {
            let counted = alone.map_or(tuned.excluded[at], |alone| alone[at]);
            let is_hard = goal.aim.is_hard();
            let row = [
                (at + 1).to_string(),
                subjects[at].clone(),
                aim(goal),
                self.answer(at, tuned.now[at].as_ref()),
                if is_hard {
                    grouped(counted)
                } else {
                    String::new()
                },
            ];
            let intent = has_intents.then(|| goal.intent.clone());
            row.into_iter().chain(intent)
        }))
    }

    /// How many candidates there are of each kind.
    fn verdict(self) -> String {
        let tuned = &self.tuning.tuned;
        let looked = tuned.until - tuned.from;
        if looked == 0 {
            return "No candidate was looked at yet.".to_owned();
        }
        let some = match looked == tuned.candidates {
            true => plural(looked, "candidate"),
            false => format!(
                "the {} from {} to {}",
                plural(looked, "candidate"),
                tuned.from,
                tuned.until.saturating_sub(1)
            ),
        };
        let has_goals = self.tuning.goals.iter().any(|goal| goal.aim.is_hard());
        let mut words = match (tuned.met, looked == tuned.candidates) {
            (0, true) => format!("Nothing meets the goals. All {some} were looked at"),
            _ if !has_goals => format!("Looked at {some}; those nearest to the wishes come first"),
            (met, _) => format!("{} of {some} meet the goals", grouped(met)),
        };
        let missed: u64 = tuned.excluded.iter().sum();
        let parts: Vec<String> = [
            (tuned.forbidden, "the rules forbid"),
            (missed, "miss a goal"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(count)))
        .collect();
        if !parts.is_empty() {
            let mark = if has_goals { ":" } else { ";" };
            words = format!("{words}{mark} {}", parts.join(", "));
        }
        words + "." + &self.equals() + &self.more()
    }

    /// How many meet the goals beside those that are told.
    fn more(self) -> String {
        let tuned = &self.tuning.tuned;
        match tuned.met.saturating_sub(tuned.best.len() as u64) {
            0 => String::new(),
            rest => format!(" {} more with `--top`.", grouped(rest)),
        }
    }

    /// How many questions were asked, and why every candidate was looked at if that had to be.
    fn asked(self) -> String {
        let tuned = &self.tuning.tuned;
        let were = if tuned.asked == 1 { "was" } else { "were" };
        let asked = format!("{} {were} asked", plural(tuned.asked, "question"));
        let goals = match &tuned.method {
            Method::Shared => {
                return format!(
                    "{asked}; candidates that do not differ for a goal share its answer."
                );
            }
            Method::Each(goals) => goals,
        };
        let numbers: Vec<String> = goals.iter().map(|goal| (goal + 1).to_string()).collect();
        let who = match numbers.as_slice() {
            [] => "for the rules and the goals together".to_owned(),
            [only] => format!("for goal {only}"),
            _ => format!("for goals {}", words::list(&numbers)),
        };
        format!("{asked}, candidate by candidate, since {who} too many of them differ.")
    }

    /// How many are equally good, and which of them come first.
    fn equals(self) -> String {
        let tuned = &self.tuning.tuned;
        if tuned.equals < 2 {
            return String::new();
        }
        let who = match tuned.equals == tuned.met {
            true => "They are".to_owned(),
            false => format!("The best {} are", grouped(tuned.equals)),
        };
        format!(" {who} equally good; first come those that change the least.")
    }

    /// Why nothing is right, if that is known.
    fn reasons(self) -> Option<String> {
        let proof = self.tuning.tuned.proof.as_ref()?;
        let goals: Vec<String> = proof
            .conflict
            .iter()
            .map(|goal| (goal + 1).to_string())
            .collect();
        let conflict = match goals.split_last() {
            None => "The rules forbid every candidate.".to_owned(),
            Some((only, [])) => format!("No candidate meets goal {only}."),
            Some((last, rest)) => {
                let few = if rest.len() == 1 {
                    ""
                } else {
                    "; without any one of them some do"
                };
                format!(
                    "No candidate meets goals {} and {last} together{few}.",
                    rest.join(", ")
                )
            }
        };
        let nearest = proof.nearest.as_ref().map(|nearest| {
            format!(
                " The nearest miss{} {}:",
                if self.hard().count() > 1 {
                    ", whose largest miss is the least,"
                } else {
                    ""
                },
                self.misses(nearest)
            )
        });
        Some(conflict + &nearest.unwrap_or_default())
    }

    /// The goals that are met or missed.
    fn hard(self) -> impl Iterator<Item = usize> {
        let goals = self.tuning.goals.iter().enumerate();
        goals
            .filter(|(_, goal)| goal.aim.is_hard())
            .map(|(at, _)| at)
    }

    /// `is off by 2.31 points in goal 1 and 0.4 in goal 2 and has no answer to goal 3`
    fn misses(self, candidate: &Candidate) -> String {
        let (mut off, mut silent) = (Vec::new(), Vec::new());
        for at in self.hard() {
            match TuningAnswer::off(candidate, at) {
                Some(own) if *own == ZERO => {}
                Some(own) => off.push(format!("{} in goal {}", self.off(at, own), at + 1)),
                None => silent.push(format!("goal {}", at + 1)),
            }
        }
        let parts = [("is off by", off), ("has no answer to", silent)];
        let parts = parts.iter().filter(|(_, words)| !words.is_empty());
        let parts: Vec<String> = parts
            .map(|(lead, words)| format!("{lead} {}", words::list(words)))
            .collect();
        parts.join(" and ")
    }

    /// A distance with its unit.
    fn off(self, goal: usize, off: &Distance) -> String {
        let unit = if self.kind(goal).is_probability() {
            " points"
        } else {
            ""
        };
        format!("{}{unit}", distance(off))
    }

    fn kind(self, goal: usize) -> Kind {
        Kind::of(&self.tuning.goals[goal].query)
    }

    fn answer(self, goal: usize, answer: Option<&Answer>) -> String {
        let Some(answer) = answer else {
            return NO_ANSWER.to_owned();
        };
        let line = Line {
            name: String::new(),
            kind: self.kind(goal),
            answer: answer.clone(),
        };
        line.shown(self.form)
    }

    /// What comes nearest where no candidate meets the goals.
    fn nearest(self) -> Option<&'t Candidate> {
        let proof = self.tuning.tuned.proof.as_ref();
        proof.and_then(|proof: &Proof| proof.nearest.as_ref())
    }

    /// Whether candidates are shown by how far they are from the wishes.
    fn is_ranked(self) -> bool {
        self.nearest().is_none() && self.tuning.has_wishes()
    }

    /// The candidates, or the nearest miss.
    fn table(self) -> Table {
        let TuningAnswer {
            dials,
            goals,
            tuned,
            check,
            ..
        } = self.tuning;
        let mut head = vec!["candidate".to_owned()];
        head.extend(dials.iter().map(|dial| dial.title(check).to_owned()));
        head.extend((1..=goals.len()).map(|goal| format!("goal {goal}")));
        let (nearest, is_ranked) = (self.nearest(), self.is_ranked());
        head.extend(is_ranked.then(|| "off".to_owned()));
        let has_front = is_ranked && tuned.pareto.is_some();
        head.extend(has_front.then(|| "Pareto".to_owned()));
        let candidates: Vec<&Candidate> = self
            .tuning
            .candidates()
            .into_iter()
            .chain(nearest)
            .collect();
        let is_now = |candidate: &Candidate| candidate.change.dials == 0 && !self.tuning.is_set;
        let has_now = candidates.iter().any(|candidate| is_now(candidate));
        head.extend(has_now.then(String::new));
        let mut table = Table::new(head.into_iter().map(Column::right));
        for candidate in candidates {
            let mut row = vec![candidate.number.to_string()];
            let options = dials.iter().zip(&candidate.options);
            row.extend(options.map(|(dial, option)| dial.told(check, *option)));
            let answers = candidate.answers.iter().enumerate();
            row.extend(answers.map(|(goal, answer)| self.answer(goal, answer.as_ref())));
            let total = self.tuning.total(candidate);
            row.extend(is_ranked.then(|| total.map_or(NO_ANSWER.to_owned(), distance)));
            row.extend(has_front.then(|| if candidate.is_pareto { "yes" } else { "" }.to_owned()));
            row.extend(has_now.then(|| if is_now(candidate) { "as it is" } else { "" }.to_owned()));
            table.push(row);
        }
        table
    }

    /// What a distance from all wishes is, and of what it is the sum; nothing without a wish.
    fn weights(self) -> String {
        if !self.is_ranked() {
            return String::new();
        }
        let goals = self.tuning.goals.iter().enumerate();
        let parts = goals.filter_map(|(at, goal)| {
            let Aim::Near { weight, .. } = &goal.aim else {
                return None;
            };
            let unit = match matches!(goal.query.kind, QueryKind::Probability(_)) {
                true => "percentage point",
                false => "unit",
            };
            Some(format!(
                "{} for each {unit} of goal {}",
                weight.text,
                at + 1
            ))
        });
        match parts.collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            parts => format!("off: how far from what is wished, {}", parts.join(", ")),
        }
    }

    /// How large the Pareto set is.
    fn pareto(self) -> Option<String> {
        let pareto = self
            .tuning
            .tuned
            .pareto
            .as_ref()
            .filter(|pareto| pareto.candidates > 0)?;
        let rest = pareto.distinct.saturating_sub(pareto.members.len() as u64);
        let more = match rest {
            0 => String::new(),
            rest => format!(" {} more of them with `--top`.", grouped(rest)),
        };
        let alike = match pareto.candidates - pareto.distinct {
            0 => String::new(),
            alike => format!(" ({} differ only in what no wish sees)", grouped(alike)),
        };
        Some(format!(
            "The Pareto set has {}{alike}: none of all candidates{} is as near in every wish and nearer in one.{more}",
            plural(pareto.candidates, "candidate"),
            if self.is_whole() {
                ""
            } else {
                " that were looked at"
            },
        ))
    }

    /// Whether all candidates were looked at.
    fn is_whole(self) -> bool {
        let tuned = &self.tuning.tuned;
        (tuned.from, tuned.until) == (0, tuned.candidates)
    }

    /// That there is no change.
    fn no_change(self) -> String {
        let tuned = &self.tuning.tuned;
        match self.tuning.picked {
            Some(number) => format!("Candidate {number} is the ruleset as it is: nothing changes."),
            None if !self.is_whole() => {
                "Of those that were looked at none is better than the ruleset as it is.".to_owned()
            }
            None if tuned.equals > 1 => {
                "None is better than the ruleset as it is: nothing has to change.".to_owned()
            }
            None => "The best one is the ruleset as it is: nothing has to change.".to_owned(),
        }
    }
}

const ZERO: Distance = Distance::Finite(oddsmith_exact::RBig::ZERO);

fn distance(off: &Distance) -> String {
    match off {
        Distance::Finite(ratio) => words::value(ratio),
        _ => INFINITE.to_owned(),
    }
}
