//! A ruleset that is asked about, and its answers as data.

use std::ops::Deref;

use oddsmith::project::{Cause, ComparedTable, Found, TableDrift, Trouble, Value};
use oddsmith::wire::Exact;
use oddsmith::{Error, Limits, Project, ProjectAnswer, ProjectRequest};
use oddsmith_testkit::directory::Directory;
use oddsmith_testkit::rulesets::LANTERN;

/// The command that accepts, as errors name it.
pub(crate) const ACCEPT: &str = "oddsmith check --update";

/// A directory with a ruleset, and its accepted odds if there are any.
pub(crate) struct Place(Directory);

impl Deref for Place {
    type Target = Directory;

    fn deref(&self) -> &Directory {
        &self.0
    }
}

impl Place {
    /// The small game, whose odds are not accepted.
    pub(crate) fn new() -> Self {
        Self::of(LANTERN)
    }

    /// A ruleset whose odds are not accepted. The project's file says nothing, and keeps others from being found.
    pub(crate) fn of(rules: &str) -> Self {
        let place = Self(Directory::new());
        place.write("lantern.toml", rules);
        place.write("oddsmith.toml", "");
        place
    }

    /// The small game, its odds accepted.
    pub(crate) fn accepted() -> Self {
        let place = Self::new();
        place.accepts();
        place
    }

    /// Changes the ruleset.
    pub(crate) fn edit(&self, from: &str, to: &str) {
        self.change("lantern.toml", from, to);
    }

    /// The request about the ruleset.
    pub(crate) fn request(&self) -> ProjectRequest {
        ProjectRequest {
            rulesets: vec![self.path("lantern.toml")],
            baseline: Some(self.path("odds")),
            config: Some(self.path("oddsmith.toml")),
            ..ProjectRequest::default()
        }
    }

    /// The request that accepts its odds.
    pub(crate) fn update(&self) -> ProjectRequest {
        ProjectRequest {
            accept: true,
            ..self.request()
        }
    }

    /// The request with a tolerance.
    pub(crate) fn within(&self, tolerance: &str) -> ProjectRequest {
        ProjectRequest {
            tolerance: Some(tolerance.to_owned()),
            ..self.request()
        }
    }

    /// The answer to a request that has one. Nothing is written unless odds are to be accepted.
    pub(crate) fn answer(&self, request: &ProjectRequest) -> ProjectAnswer {
        let before = self.contents("");
        let answer = ask(request).unwrap_or_else(|error| panic!("{error}"));
        assert!(request.accept || self.contents("") == before);
        answer
    }

    /// What is found in the ruleset.
    pub(crate) fn found(&self) -> Found {
        self.found_by(&self.request())
    }

    /// What is found in the only ruleset of a request.
    pub(crate) fn found_by(&self, request: &ProjectRequest) -> Found {
        let mut answer = self.answer(request);
        assert_eq!((answer.rulesets.len(), &*answer.orphans), (1, &[][..]));
        let ruleset = answer.rulesets.remove(0);
        assert_eq!((&*ruleset.id, &*ruleset.file), ("lantern", "lantern.toml"));
        let told = |trouble: &Trouble| format!("{:?}", trouble.reasons);
        ruleset
            .found
            .map_err(|trouble| told(&trouble))
            .expect("it can be checked")
    }

    /// What is found where odds moved.
    pub(crate) fn moves(&self) -> Found {
        self.moves_by(&self.request())
    }

    /// The same of a request.
    pub(crate) fn moves_by(&self, request: &ProjectRequest) -> Found {
        let found = self.found_by(request);
        assert!(found.is_moved() && found.is_accepted && !found.is_first);
        found
    }

    /// What is found where no odds moved.
    pub(crate) fn stays(&self) -> Found {
        let answer = self.answer(&self.request());
        assert!(!answer.is_moved() && !answer.has_moved_rulesets());
        let found = self.found();
        assert!(!found.is_moved() && found.is_accepted);
        found
    }

    /// What is found while odds are accepted, after which there is nothing to say.
    pub(crate) fn accepts(&self) -> Found {
        let accepted = self.found_by(&self.update());
        let found = self.stays();
        assert!(found.says_nothing() && !found.has_other_rules && !found.is_first);
        assert_eq!(found.broken().count(), 0);
        assert_eq!(found.configurations(), accepted.configurations());
        let is_identical = |table| compared_of(table).is_identical;
        assert!(found.tables.iter().all(is_identical));
        accepted
    }

    /// Why nothing can be said of the ruleset, whether or not its odds may be accepted; and what helps. No file is another.
    pub(crate) fn refuses(&self) -> (Vec<String>, String) {
        let before = self.contents("");
        let refusals = [self.request(), self.update()].map(|request| self.refusal(&request));
        assert!(self.contents("") == before);
        let [checked, updated] = refusals;
        assert_eq!(checked, updated);
        checked
    }

    /// Why nothing can be said of the only ruleset of a request, and what helps.
    pub(crate) fn refusal(&self, request: &ProjectRequest) -> (Vec<String>, String) {
        let answer = ask(request).unwrap_or_else(|error| panic!("{error}"));
        assert!(answer.has_failed() && !answer.is_update && !answer.is_moved());
        let [ruleset] = &*answer.rulesets else {
            panic!("{answer:?}");
        };
        let trouble = ruleset.found.as_ref().expect_err("it can't be checked");
        let reasons = trouble.reasons.iter().map(|(reason, place)| {
            assert_eq!(*place, None, "it is none of the ruleset");
            self.shown(reason)
        });
        (reasons.collect(), self.help(&trouble.error))
    }

    /// What helps against an error.
    pub(crate) fn help(&self, error: &Error) -> String {
        let help = match error {
            Error::Advice { help, .. } => help.clone(),
            Error::Request(errors) => {
                let helps = errors.0.iter().filter_map(|error| error.help.clone());
                helps.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        };
        self.shown(&help)
    }
}

/// Asks.
pub(crate) fn ask(request: &ProjectRequest) -> Result<ProjectAnswer, Error> {
    Project::find(request)?.answer(&Limits::default(), &())
}

/// Causes, each with its line.
pub(crate) fn told(causes: &[Cause]) -> Vec<(&str, usize)> {
    let told = causes.iter().map(|cause| (&*cause.text, cause.place.line));
    told.collect()
}

/// The table of a check.
pub(crate) fn table<'f>(found: &'f Found, check: &str) -> &'f TableDrift {
    let table = found.tables.iter().find(|table| table.check == check);
    table.unwrap_or_else(|| panic!("there is no {check}"))
}

/// The table of a check beside the accepted one.
pub(crate) fn compared<'f>(found: &'f Found, check: &str) -> &'f ComparedTable {
    compared_of(table(found, check))
}

fn compared_of(table: &TableDrift) -> &ComparedTable {
    table.compared().expect("both tables are there")
}

/// In how many configurations a table moved, and in how many it was compared.
pub(crate) fn counts(table: &ComparedTable) -> (u64, u64) {
    let drift = &table.drift;
    (drift.moved_configurations(), drift.configurations())
}

/// The answers that moved: `boons=3: Strong 676/1296 -> 77/216 (-107/648)`.
pub(crate) fn moved(table: &ComparedTable) -> Vec<String> {
    let drift = &table.drift;
    let value = |value: Option<&Value>| value.map_or("none".to_owned(), exact);
    let moved = drift.moved().iter().map(|moved| {
        let column = &drift.measures()[moved.measure].name;
        let (before, after) = (value(moved.before.as_ref()), value(moved.after.as_ref()));
        let difference = value(moved.difference().as_ref());
        let configuration = &moved.configuration;
        format!("{configuration}: {column} {before} -> {after} ({difference})")
    });
    moved.collect()
}

/// The columns that moved: in how many configurations, by how much at most, and where.
pub(crate) fn largest(table: &ComparedTable) -> Vec<String> {
    let drift = &table.drift;
    let columns = drift.measures().iter().zip(drift.summaries());
    let largest = columns.filter_map(|(measure, summary)| {
        let (name, configurations) = (&measure.name, summary.configurations);
        let largest = summary.largest.as_ref()?;
        let (difference, at) = (Exact::from(&largest.difference), &largest.configuration);
        let difference = difference.as_str();
        Some(format!("{name}: {configurations}, {difference} at {at}"))
    });
    largest.collect()
}

pub(crate) fn exact(value: &Value) -> String {
    match value {
        Value::Falling => "-inf".to_owned(),
        Value::Finite(number) => number.to_string(),
        Value::Infinite => "inf".to_owned(),
    }
}
