//! What an expectation claims, by the keys that it has.

use crate::expectation::Direction;
use crate::file::expect::number::{self, Figure};
use crate::file::nodes::{self, Entries, Node, Written, span, written, wrong_type};
use crate::source::{Reporter, Span};

/// What an expectation is about.
#[derive(Debug)]
pub(super) struct Subject {
    /// One of [`SUBJECTS`].
    pub(super) key: &'static str,
    pub(super) queries: Vec<Written>,
}

/// A claim as the file has it.
#[derive(Debug)]
pub(super) enum ClaimText {
    Within(Limits),
    Monotone {
        along: Written,
        direction: Direction,
        strictly: bool,
    },
    Step {
        along: Written,
        change: Limits,
    },
    Ordered {
        options: Vec<Vec<Written>>,
        strictly: bool,
        span: Span,
    },
    Reachable {
        somewhere: bool,
    },
    Unreachable,
    Printed {
        x: Option<Written>,
        by: Option<Written>,
        cells: Cells,
        span: Span,
    },
}

/// Bounds with their places.
#[derive(Debug)]
pub(crate) struct Limits {
    pub(super) at_least: Option<Figure>,
    pub(super) at_most: Option<Figure>,
}

/// What is printed: none stands for a dash.
#[derive(Debug)]
pub(super) enum Cells {
    One(Option<Figure>),
    Row(Vec<Option<Figure>>),
    Rows(Vec<(Vec<Option<Figure>>, Span)>),
}

const SUBJECTS: [&str; 4] = ["query", "sum", "reachable", "unreachable"];
const CLAIMS: [&str; 5] = ["increases", "decreases", "ordered", "step", "printed"];
pub(crate) const BOUNDS: [&str; 3] = ["at_least", "at_most", "between"];
/// Keys that mean something beside some others only.
const COMPANIONS: [(&str, &[&str]); 4] = [
    ("strictly", &["increases", "decreases", "ordered"]),
    ("somewhere", &["reachable"]),
    ("x", &["printed"]),
    ("by", &["printed"]),
];

/// An expectation's keys, being read.
pub(crate) struct Keys<'e, 'a, 't> {
    pub(crate) entry: &'e Entries<'a, 't>,
    /// Where the expectation begins.
    pub(crate) start: Span,
    pub(crate) reporter: &'e mut Reporter,
}

impl<'a, 't> Keys<'_, 'a, 't> {
    /// What it is about, and what it says of that; none if there are errors.
    pub(super) fn read(&mut self) -> Option<(Subject, ClaimText)> {
        let before = self.reporter.len();
        let subject = self.only(&SUBJECTS);
        if subject.is_none() && self.reporter.len() == before {
            let error = self
                .reporter
                .error(self.start, "this expects something of nothing");
            let help = format!("say what it is about, with {}", listed(&SUBJECTS));
            self.reporter
                .push(error.with_label("what is it about?").with_help(help));
        }
        let claim = self.only(&CLAIMS);
        self.refuse_strays();
        if self.reporter.len() > before {
            return None;
        }
        let (subject, node) = subject?;
        let asked = match subject {
            "reachable" | "unreachable" => self.event(subject, claim),
            _ => self.claim(subject, claim),
        };
        let queries = nodes::one_or_more(node, &format!("`{subject}`"), self.reporter);
        if queries.is_empty() && self.reporter.len() == before {
            let error = self
                .reporter
                .error(span(node), format!("`{subject}` names nothing"));
            self.reporter.push(error.with_label("an empty list"));
        }
        let subject = Subject {
            key: subject,
            queries,
        };
        asked
            .filter(|_| self.reporter.len() == before)
            .map(|asked| (subject, asked))
    }

    /// The one of some keys that is there; more than one is an error.
    fn only(&mut self, keys: &[&'static str]) -> Option<(&'static str, &'a Node<'t>)> {
        let entry = self.entry;
        let mut present = keys.iter().filter_map(|key| Some((*key, entry.get(key)?)));
        let first = present.next()?;
        for (key, node) in present {
            let message = format!("`{}` and `{key}` are two expectations", first.0);
            let error = self.reporter.error(span(node), message);
            let help = "write an [[expect]] for each, with its intent";
            self.reporter
                .push(error.with_label("the second one").with_help(help));
        }
        Some(first)
    }

    /// Refuses keys without those that they belong to.
    fn refuse_strays(&mut self) {
        for (key, owners) in COMPANIONS {
            let Some(node) = self.entry.get(key) else {
                continue;
            };
            if owners.iter().all(|owner| self.entry.get(owner).is_none()) {
                let message = format!("`{key}` says nothing without {}", listed(owners));
                self.reporter.push(self.reporter.error(span(node), message));
            }
        }
    }

    /// What is said of events that can happen, or can't.
    fn event(
        &mut self,
        subject: &str,
        claim: Option<(&'static str, &Node<'_>)>,
    ) -> Option<ClaimText> {
        self.refuse_bounds(subject);
        if let Some((claim, node)) = claim {
            let message = format!("`{subject}` and `{claim}` are two expectations");
            let error = self.reporter.error(span(node), message);
            let help = format!("`{claim}` is for a `query` or a `sum`");
            self.reporter.push(error.with_help(help));
            return None;
        }
        Some(match subject {
            "reachable" => ClaimText::Reachable {
                somewhere: self.flag("somewhere"),
            },
            _ => ClaimText::Unreachable,
        })
    }

    /// What is said of numbers.
    fn claim(
        &mut self,
        subject: &str,
        claim: Option<(&'static str, &Node<'_>)>,
    ) -> Option<ClaimText> {
        let Some((claim, node)) = claim else {
            return self.bounds(subject).map(ClaimText::Within);
        };
        if claim != "step" {
            self.refuse_bounds(claim);
        }
        let strictly = self.flag("strictly");
        Some(match claim {
            "ordered" => ClaimText::Ordered {
                options: self.options(node)?,
                strictly,
                span: span(node),
            },
            "printed" => ClaimText::Printed {
                x: self.along("x"),
                by: self.along("by"),
                cells: self.cells(node)?,
                span: span(node),
            },
            "step" => ClaimText::Step {
                change: self.bounds("step")?,
                along: self.along("step")?,
            },
            _ => ClaimText::Monotone {
                along: self.along(claim)?,
                direction: match claim {
                    "increases" => Direction::Up,
                    _ => Direction::Down,
                },
                strictly,
            },
        })
    }

    fn along(&mut self, key: &str) -> Option<Written> {
        written(self.entry.get(key)?, &format!("`{key}`"), self.reporter)
    }

    /// A truth value; false if nothing is said.
    fn flag(&mut self, key: &str) -> bool {
        let Some(node) = self.entry.get(key) else {
            return false;
        };
        let flag = node.get_ref().as_bool();
        if flag.is_none() {
            let needed = format!("`{key}` must be true or false");
            wrong_type(node, &needed, self.reporter);
        }
        flag.unwrap_or_default()
    }

    fn refuse_bounds(&mut self, claim: &str) {
        for key in BOUNDS {
            if let Some(node) = self.entry.get(key) {
                let message = format!("`{claim}` and `{key}` are two expectations");
                let error = self.reporter.error(span(node), message);
                let help =
                    "bounds are for a `query`, a `sum` or a `step`; write an [[expect]] for them";
                self.reporter.push(error.with_help(help));
            }
        }
    }

    /// The bounds of a query or a step, of which there must be one.
    fn bounds(&mut self, subject: &str) -> Option<Limits> {
        let limits = self.limits()?;
        if BOUNDS.iter().all(|key| self.entry.get(key).is_none()) {
            let message = format!("this expects nothing of `{subject}`");
            let error = self.reporter.error(self.start, message);
            let rest = match subject {
                "step" => String::new(),
                _ => format!("; or one of {}", listed(&CLAIMS)),
            };
            let help = format!("say what with {}{rest}", listed(&BOUNDS));
            self.reporter.push(error.with_help(help));
        }
        Some(limits)
    }

    /// The bounds that are there; none if `between` is no pair.
    pub(crate) fn limits(&mut self) -> Option<Limits> {
        let mut read = |key: &str| {
            let node = self.entry.get(key)?;
            number::read(node, &format!("`{key}`"), self.reporter)
        };
        let mut limits = Limits {
            at_least: read("at_least"),
            at_most: read("at_most"),
        };
        if let Some(node) = self.entry.get("between") {
            if let Some(key) = BOUNDS[..2].iter().find(|key| self.entry.get(key).is_some()) {
                let message = format!("`between` has both ends, and there is `{key}`");
                let error = self.reporter.error(span(node), message);
                self.reporter.push(error.with_help("leave one of them out"));
            }
            limits = self.between(node)?;
        }
        let Limits { at_least, at_most } = &limits;
        if let (Some(low), Some(high)) = (at_least, at_most)
            && low.printed.number.compare(&high.printed.number).is_gt()
        {
            let (low, least) = (&low.printed.number.text, high);
            let message = format!(
                "no number is at least {low} and at most {}",
                least.printed.number.text
            );
            self.reporter.push(
                self.reporter
                    .error(least.span, message)
                    .with_label("the lower end stands first"),
            );
        }
        Some(limits)
    }

    /// Both ends.
    fn between(&mut self, node: &Node<'_>) -> Option<Limits> {
        let Some([low, high]) = node
            .get_ref()
            .as_array()
            .map(|items| items.iter().as_slice())
        else {
            let error = self
                .reporter
                .error(span(node), "`between` must be a list of two numbers");
            self.reporter
                .push(error.with_help("both ends are right: between = [0.55, 0.65]"));
            return None;
        };
        let mut read = |node| number::read(node, "each end of `between`", self.reporter);
        Some(Limits {
            at_least: read(low),
            at_most: read(high),
        })
    }

    /// The settings of each option.
    fn options(&mut self, node: &Node<'_>) -> Option<Vec<Vec<Written>>> {
        let items = node
            .get_ref()
            .as_array()
            .map(|items| items.iter().as_slice());
        match items {
            Some(items) if items.len() >= 2 => {
                let read =
                    |item| nodes::one_or_more(item, "each option of `ordered`", self.reporter);
                Some(items.iter().map(read).collect())
            }
            _ => {
                let error = self.reporter.error(
                    span(node),
                    "`ordered` must be a list of two options or more",
                );
                let help = "the option that is worse stands first: ordered = [\"mode=none\", \"mode=die\"]";
                self.reporter.push(error.with_help(help));
                None
            }
        }
    }

    /// What is printed.
    fn cells(&mut self, node: &Node<'_>) -> Option<Cells> {
        let Some(items) = node.get_ref().as_array() else {
            return Some(Cells::One(self.cell(node)));
        };
        if items.is_empty() {
            let error = self.reporter.error(span(node), "`printed` says nothing");
            self.reporter.push(error.with_label("an empty list"));
            return None;
        }
        if items.iter().all(|item| !item.get_ref().is_array()) {
            return Some(Cells::Row(
                items.iter().map(|item| self.cell(item)).collect(),
            ));
        }
        let mut rows = Vec::new();
        for item in items {
            match item.get_ref().as_array() {
                Some(row) => {
                    let cells = row.iter().map(|item| self.cell(item));
                    rows.push((cells.collect(), span(item)));
                }
                None => {
                    let needed =
                        "`printed` must be a number, a list of numbers, or a list of such lists";
                    wrong_type(item, needed, self.reporter);
                }
            }
        }
        Some(Cells::Rows(rows))
    }

    /// A number, or none where a dash stands.
    fn cell(&mut self, node: &Node<'_>) -> Option<Figure> {
        if node
            .get_ref()
            .as_str()
            .is_some_and(|text| text.trim() == "-")
        {
            return None;
        }
        number::read(node, "what is `printed`", self.reporter)
    }
}

/// `a`, `b` or `c`
pub(crate) fn listed(keys: &[&str]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
