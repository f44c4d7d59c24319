//! A table as it is computed now against the one that was accepted.

use std::collections::HashMap;

use anyhow::Result;
use oddsmith_analysis::drift::{Drift, Held, Measure};
use oddsmith_analysis::expect::Value;
use oddsmith_analysis::probe::Subject;
use oddsmith_exact::{Budget, RBig, Row, Sweep};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Query};
use rayon::prelude::*;

use super::project::Tolerances;
use super::renames::Renames;
use crate::advice::Advice;
use crate::answers;
use crate::baseline::{Baseline, Columns, Digest, Lines, Parsed, ProbeKind, Seen, Setting, Table};
use crate::format::outcomes::Kind;
use crate::format::rows::{Layout, RowStyle};

/// Between the values of a key; not in any label.
const BETWEEN: &str = "\u{1f}";

/// What of two tables is compared, and how far it is.
pub(super) struct Comparison<'a> {
    old: &'a Table,
    new: &'a Table,
    check: &'a Check,
    renames: &'a Renames,
    queries: Vec<Query>,
    /// Where each measure is in both tables.
    sides: Vec<[Side; 2]>,
    measures: Vec<Measure>,
    budget: Budget,
}

/// Where a measure is in the odds of probes, as accepted and as computed.
type Sides = [Option<usize>; 2];

/// Where a measure is.
#[derive(Clone, Copy, Debug)]
enum Side {
    Column(usize),
    /// A band that is not there never happens.
    Never,
}

impl Side {
    fn value(self, row: &Parsed) -> Option<Value> {
        match self {
            Self::Column(at) => row.values[at].clone(),
            Self::Never => Some(Value::Finite(RBig::ZERO)),
        }
    }
}

/// What came of it.
pub(super) struct Outcome {
    pub(super) drift: Drift,
    /// Whether every line is the same.
    pub(super) is_identical: bool,
    /// The fingerprint of the rows as they are computed.
    pub(super) digest: String,
}

/// The rows as they are computed, and what they are held against.
struct Ledger<'c, 'a> {
    comparison: &'c Comparison<'a>,
    columns: [Columns; 2],
    drift: Drift,
    is_identical: bool,
    digest: Digest,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        check: &'a Check,
        old: &'a Table,
        new: &'a Table,
        renames: &'a Renames,
        tolerances: &Tolerances,
        budget: u64,
    ) -> Result<Self> {
        let columns = answers::of_report(check)?;
        let mut comparison = Self {
            old,
            new,
            check,
            renames,
            queries: columns.iter().map(|(_, query)| query.clone()).collect(),
            sides: Vec::new(),
            measures: Vec::new(),
            budget: Budget::new(budget),
        };
        let have_bands = !old.bands.is_empty() && !new.bands.is_empty();
        for (at, (kind, query)) in columns.iter().enumerate() {
            let accepted = renames.before(&query.text);
            let before = match old.columns.iter().position(|column| column == accepted) {
                Some(at) => Side::Column(at),
                None if *kind == Kind::Band && have_bands => Side::Never,
                None => continue,
            };
            let sides = [before, Side::Column(at)];
            comparison.push(&query.text, kind.is_probability(), sides, tolerances);
        }
        for band in old.bands.iter().filter(|_| have_bands) {
            if !new.columns.contains(band) && !renames.is_before(band) {
                let at = old.columns.iter().position(|column| column == band);
                let before = at.map_or(Side::Never, Side::Column);
                comparison.push(band, true, [before, Side::Never], tolerances);
            }
        }
        comparison.push_probes(tolerances);
        Ok(comparison)
    }

    /// Adds what only probes show: the variances of a track, the odds of its first round, the outcomes of a contest.
    fn push_probes(&mut self, tolerances: &Tolerances) {
        for kind in ProbeKind::ALL {
            let Some(check) = kind.check(self.check) else {
                continue;
            };
            for column in Subject::new(&check).columns() {
                if !self.measures.iter().any(|known| known.name == column.name) {
                    self.measures.push(Measure {
                        name: column.name.clone(),
                        is_probability: column.is_probability,
                        tolerance: tolerances.of(&column.name, column.is_probability),
                    });
                }
            }
        }
    }

    /// For each measure its place among the accepted columns and among those of now; none of both where one side lacks it,
    /// which is told of the columns.
    fn probe_sides(&self, before: &[String], now: &[&str]) -> Vec<Sides> {
        let place = |measure: &Measure| -> Sides {
            let accepted = self.renames.before(&measure.name);
            let old = before.iter().position(|column| column == accepted);
            let new = now.iter().position(|column| *column == measure.name);
            match (old, new) {
                (Some(_), Some(_)) => [old, new],
                _ => [None; 2],
            }
        };
        self.measures.iter().map(place).collect()
    }

    fn push(
        &mut self,
        name: &str,
        is_probability: bool,
        sides: [Side; 2],
        tolerances: &Tolerances,
    ) {
        self.sides.push(sides);
        self.measures.push(Measure {
            name: name.to_owned(),
            is_probability,
            tolerance: tolerances.of(name, is_probability),
        });
    }

    /// Computes every row around a configuration and compares it; the `most` largest differences are kept, or all.
    pub(super) fn run(
        &self,
        baseline: &Baseline,
        config: &Config,
        most: Option<usize>,
    ) -> Result<Outcome> {
        let ranges = self.check.default_sweep();
        let sweep = Sweep::new(self.check, config, &ranges, &self.queries, &self.budget)?;
        let layout = Layout::new(RowStyle::Csv, self.check, &ranges, &self.queries, true);
        let mut lines = baseline.lines(self.old)?;
        let head = lines.next()?.unwrap_or_default().to_owned();
        let new_head = layout.head();
        let new_head = new_head.strip_suffix(b"\n").unwrap_or(&new_head);
        let columns = [
            Columns::of(&head, self.old),
            Columns::of(new_head, self.new),
        ];
        let [Some(before), Some(after)] = columns else {
            return Err(lines.unreadable());
        };
        let mut ledger = Ledger {
            comparison: self,
            columns: [before, after],
            drift: Drift::new(self.measures.clone(), most),
            is_identical: head == new_head,
            digest: Digest::default(),
        };
        let render = |row: &Row<'_>, bytes: &mut Vec<u8>| layout.render(row, bytes);
        if self.old.sweep == self.new.sweep {
            let mut stream = Stream::new(lines, ledger.columns[0].clone(), self.new)?;
            sweep.run_with_gaps(render, |bytes: Vec<u8>| {
                ledger.digest.lines(&bytes);
                rows(&bytes).try_for_each(|line| ledger.stream(line, &mut stream))
            })?;
            ledger.end_of(&mut stream)?;
        } else {
            let mut held = ledger.hold(lines)?;
            ledger.is_identical = false;
            sweep.run_with_gaps(render, |bytes: Vec<u8>| {
                ledger.digest.lines(&bytes);
                rows(&bytes).try_for_each(|line| ledger.find(line, &mut held))
            })?;
            for row in held.unmatched() {
                ledger
                    .drift
                    .gone_configuration(|| row.configuration.clone());
            }
        }
        for kind in ProbeKind::ALL {
            ledger.probes(baseline, kind, config)?;
        }
        Ok(Outcome {
            drift: ledger.drift.finish(),
            is_identical: ledger.is_identical,
            digest: ledger.digest.finish(),
        })
    }

    /// What a row that was accepted is now called, if it is still in the table; axes that were swept and are fixed now
    /// leave one of their values, axes that are gone leave all.
    fn key_of(&self, row: &Parsed) -> Option<String> {
        let accepted = |axis: &str| {
            let swept = self.old.sweep.iter().position(|(name, _)| name == axis);
            swept.map(|at| row.axes[at].clone())
        };
        let is_left_out = |(axis, value): &(String, Setting)| {
            accepted(axis).is_some_and(|accepted| accepted != value.to_string())
        };
        if self.new.fixed.iter().any(is_left_out) {
            return None;
        }
        let value = |(axis, _): &(String, Vec<Setting>)| {
            let fixed = self.old.fixed.iter().find(|(name, _)| name == axis);
            let fixed = fixed.map(|(_, value)| value.to_string());
            accepted(axis)
                .or(fixed)
                .unwrap_or_else(|| self.default(axis))
        };
        let values: Vec<String> = self.new.sweep.iter().map(value).collect();
        Some(values.join(BETWEEN))
    }

    /// The value of an axis where nothing is said.
    fn default(&self, axis: &str) -> String {
        let input = self.check.inputs.iter().find(|input| input.name == axis);
        input.map_or(String::new(), |input| input.domain.show(input.default))
    }

    /// Whether several accepted rows may be one row now.
    fn has_lost_axes(&self) -> bool {
        let mut axes = self.old.sweep.iter();
        axes.any(|(axis, _)| self.check.input(axis).is_none())
    }
}

impl Ledger<'_, '_> {
    /// Compares the accepted probes with what their odds are around a configuration.
    fn probes(&mut self, baseline: &Baseline, kind: ProbeKind, around: &Config) -> Result<()> {
        let (columns, rows) = baseline.probes(self.comparison.old, kind)?;
        let of_check = self.comparison.check;
        let Some(check) = kind.check(of_check) else {
            self.is_identical &= rows.is_empty();
            for row in &rows {
                self.drift
                    .gone_configuration(|| named(kind, &row.configuration));
            }
            return Ok(());
        };
        self.is_identical &= self.comparison.old.probes(kind).is_some();
        let subject = Subject::new(&check);
        let base = probe_base(&check, of_check, around);
        let limit = self.comparison.budget.limit();
        let computed: Vec<Result<Option<Seen>>> = rows
            .par_iter()
            .map(|row| {
                let config = row.config(&check, &base);
                let seen = |config| Seen::of(&check, &subject, &config, limit);
                config.map(seen).transpose()
            })
            .collect();
        let now: Vec<&str> = subject
            .columns()
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let is_same_head = columns == now;
        self.is_identical &= is_same_head;
        let sides = self.comparison.probe_sides(&columns, &now);
        for (row, seen) in rows.iter().zip(computed) {
            let name = || named(kind, &row.configuration);
            match seen? {
                None => self.drift.gone_configuration(name),
                Some(seen) if is_same_head && seen == row.seen => {
                    self.digest.line(seen.odds.as_bytes());
                    self.drift.same();
                    continue;
                }
                Some(seen) => {
                    self.digest.line(seen.odds.as_bytes());
                    self.probe(&row.seen, &seen, &sides, name)?;
                }
            }
            self.is_identical = false;
        }
        Ok(())
    }

    /// A probe whose odds are not what they were.
    fn probe(
        &mut self,
        before: &Seen,
        after: &Seen,
        sides: &[Sides],
        name: impl Fn() -> String,
    ) -> Result<()> {
        match (before.is_allowed(), after.is_allowed()) {
            (true, false) => self.drift.gone_configuration(name),
            (false, true) => self.drift.new_configuration(name),
            (false, false) => self.drift.same(),
            (true, true) => {
                let value = |seen: &Seen, at: Option<usize>| seen.values[at?].clone();
                let old: Vec<Option<Value>> =
                    sides.iter().map(|sides| value(before, sides[0])).collect();
                let new: Vec<Option<Value>> =
                    sides.iter().map(|sides| value(after, sides[1])).collect();
                let budget = &self.comparison.budget;
                self.drift.compare(&name, &old, &new, budget)?;
                if old == new && before.odds != after.odds {
                    self.drift.elsewhere(name);
                }
            }
        }
        Ok(())
    }

    fn parse(&self, side: usize, line: &[u8]) -> Result<Parsed> {
        let row = self.columns[side].parse(line);
        row.ok_or_else(|| Advice::error("a computed row can't be read back", ""))
    }

    /// The next row in the order of both tables.
    fn stream(&mut self, line: &[u8], old: &mut Stream) -> Result<()> {
        if old.is_at(line) {
            self.drift.same();
            return old.advance();
        }
        self.is_identical = false;
        let row = self.parse(1, line)?;
        let place = old.places.of(&row.axes);
        while let Some(next) = old.place()?
            && Some(&next) < place.as_ref()
        {
            self.drift
                .gone_configuration(|| configuration(self.comparison.old, &old.axes));
            old.advance()?;
        }
        if old.place()? != place {
            let new = self.comparison.new;
            self.drift
                .new_configuration(|| configuration(new, &row.axes));
            return Ok(());
        }
        let Some(before) = self.columns[0].parse(&old.line) else {
            return Err(old.lines.unreadable());
        };
        self.compare(&before, &row, || {
            configuration(self.comparison.new, &row.axes)
        })?;
        old.advance()
    }

    /// What was accepted beyond the last row.
    fn end_of(&mut self, old: &mut Stream) -> Result<()> {
        while old.place()?.is_some() {
            self.is_identical = false;
            self.drift
                .gone_configuration(|| configuration(self.comparison.old, &old.axes));
            old.advance()?;
        }
        Ok(())
    }

    /// All accepted rows, by what they are now.
    fn hold(&mut self, mut lines: Lines) -> Result<Held> {
        let mut held = Held::default();
        while let Some(line) = lines.next()? {
            let row = self.columns[0].parse(line);
            let row = row.ok_or_else(|| lines.unreadable())?;
            let name = configuration(self.comparison.old, &row.axes);
            match self.comparison.key_of(&row) {
                Some(key) => {
                    held.push(key, name, row.values, &self.comparison.budget)?;
                }
                None => self.drift.gone_configuration(|| name),
            }
        }
        Ok(held)
    }

    /// The next row, wherever it was.
    fn find(&mut self, line: &[u8], held: &mut Held) -> Result<()> {
        let row = self.parse(1, line)?;
        let found = held.find(&row.axes.join(BETWEEN));
        let name = || configuration(self.comparison.new, &row.axes);
        if found.is_empty() {
            self.drift.new_configuration(name);
        }
        for old in found {
            let before = Parsed {
                axes: Vec::new(),
                values: old.values.clone(),
            };
            if self.comparison.has_lost_axes() {
                self.compare(&before, &row, || old.configuration.clone())?;
            } else {
                self.compare(&before, &row, name)?;
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        before: &Parsed,
        after: &Parsed,
        configuration: impl Fn() -> String,
    ) -> Result<()> {
        let sides = &self.comparison.sides;
        let values = |side: usize, row| -> Vec<Option<Value>> {
            sides.iter().map(|sides| sides[side].value(row)).collect()
        };
        let (before, after) = (values(0, before), values(1, after));
        let budget = &self.comparison.budget;
        self.drift.compare(configuration, &before, &after, budget)?;
        Ok(())
    }
}

/// Accepted rows in the order of a sweep.
struct Stream {
    lines: Lines,
    line: Vec<u8>,
    /// Whether there is a line.
    is_line: bool,
    /// The axes of the line, once they are asked for.
    axes: Vec<String>,
    columns: Columns,
    places: Places,
}

impl Stream {
    /// At the first row.
    fn new(lines: Lines, columns: Columns, table: &Table) -> Result<Self> {
        let values = table.sweep.iter().map(|(_, values)| {
            let texts = values.iter().map(ToString::to_string);
            texts.zip(0..).collect()
        });
        let mut stream = Self {
            lines,
            line: Vec::new(),
            is_line: false,
            axes: Vec::new(),
            columns,
            places: Places(values.collect()),
        };
        stream.advance()?;
        Ok(stream)
    }

    /// Goes on to the next line.
    fn advance(&mut self) -> Result<()> {
        self.line.clear();
        let line = self.lines.next()?;
        self.is_line = line.is_some();
        self.line.extend_from_slice(line.unwrap_or_default());
        Ok(())
    }

    fn is_at(&self, line: &[u8]) -> bool {
        self.is_line && self.line == line
    }

    /// Where in the sweep the line is; none at the end.
    fn place(&mut self) -> Result<Option<Vec<usize>>> {
        if !self.is_line {
            return Ok(None);
        }
        let row = self.columns.parse(&self.line);
        let row = row.ok_or_else(|| self.lines.unreadable())?;
        let place = self.places.of(&row.axes);
        self.axes = row.axes;
        match place {
            Some(place) => Ok(Some(place)),
            None => Err(self.lines.unreadable()),
        }
    }
}

/// For each axis the places of its values.
struct Places(Vec<HashMap<String, usize>>);

impl Places {
    fn of(&self, axes: &[String]) -> Option<Vec<usize>> {
        let places = self.0.iter().zip(axes);
        places
            .map(|(places, axis)| places.get(axis).copied())
            .collect()
    }
}

/// Whole lines without their ends.
fn rows(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.is_empty())
}

/// `stat=1 light=dim`
fn configuration(table: &Table, axes: &[String]) -> String {
    if axes.is_empty() {
        return "the default configuration".to_owned();
    }
    let axes = table.sweep.iter().zip(axes);
    let words: Vec<String> = axes
        .map(|((name, _), value)| format!("{name}={value}"))
        .collect();
    words.join(" ")
}

/// What a probe is called.
fn named(kind: ProbeKind, configuration: &str) -> String {
    let configuration = match configuration {
        "" => "the default configuration".to_owned(),
        settings => settings.replace(", ", " "),
    };
    match kind {
        ProbeKind::Own => configuration,
        ProbeKind::Contest => format!("a contest with {configuration}"),
    }
}

/// The configuration that probes are settings of: that of a check, or in its contest that of both sides.
fn probe_base(probed: &Check, check: &Check, around: &Config) -> Config {
    let mut base = probed.defaults();
    for (at, input) in probed.inputs.iter().enumerate() {
        let plain = input
            .name
            .split_once('.')
            .map_or(&*input.name, |(_, name)| name);
        if let Some(id) = check.input(&input.name).or_else(|| check.input(plain)) {
            base.put(InputId(at), around[id]);
        }
    }
    base
}
