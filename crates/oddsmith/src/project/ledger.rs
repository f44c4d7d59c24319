//! A table as it is computed now against the one that was accepted, row by row.

use std::ops::Range;

use oddsmith_analysis::drift::{Drift, Held};
use oddsmith_analysis::expect::Value;
use oddsmith_analysis::probe::Subject;
use oddsmith_analysis::rows::Rows;
use oddsmith_exact::{Budget, Row};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config};
use rayon::prelude::*;

use super::compare::{BETWEEN, Comparison, Sides};
use super::stream::{Stream, configuration, rows};
use crate::baseline::{AcceptedProbe, Baseline, Columns, Digest, Lines, Parsed, ProbeKind, Seen};
use crate::csv_rows::CsvRows;
use crate::{Error, Limits, columns};

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
    limits: &'c Limits,
    budget: &'c Budget,
    columns: [Columns; 2],
    drift: Drift,
    is_identical: bool,
    digest: Digest,
}

/// Computes every row around a configuration and compares it; the `most` largest differences are kept, or all.
pub(super) fn run(
    comparison: &Comparison<'_>,
    (baseline, config): (&Baseline, &Config),
    most: Option<usize>,
    limits: &Limits,
) -> Result<Outcome, Error> {
    let Comparison {
        old,
        new,
        check,
        queries,
        measures,
        ..
    } = comparison;
    let (ranges, budget) = (check.default_sweep(), limits.share());
    let computed = Rows::of(check, config, &ranges, queries, &budget)?;
    let style = CsvRows::new(columns::Columns::new(check, &ranges, queries, true));
    let mut lines = baseline.lines(old)?;
    let head = lines.next()?.unwrap_or_default().to_owned();
    let new_head = style.head();
    let new_head = new_head.strip_suffix(b"\n").unwrap_or(&new_head);
    let columns = [Columns::of(&head, old), Columns::of(new_head, new)];
    let [Some(before), Some(after)] = columns else {
        return Err(lines.unreadable());
    };
    let mut ledger = Ledger {
        comparison,
        limits,
        budget: &budget,
        columns: [before, after],
        drift: Drift::new(measures.clone(), most),
        is_identical: head == new_head,
        digest: Digest::default(),
    };
    ledger.rows(&computed, &style, lines)?;
    for kind in ProbeKind::ALL {
        ledger.probes(baseline, kind, config)?;
    }
    Ok(Outcome {
        drift: ledger.drift.finish(),
        is_identical: ledger.is_identical,
        digest: ledger.digest.finish(),
    })
}

/// Asks for the odds of some accepted probes around the defaults, for the transcript of the limits.
pub(super) fn ask_probes(
    (kind, of_check): (ProbeKind, &Check),
    probes: &[AcceptedProbe],
    wanted: Range<u64>,
    limits: &Limits,
) {
    let Some(check) = kind.check(of_check) else {
        return;
    };
    let (subject, base) = (
        Subject::new(&check),
        probe_base(&check, of_check, &of_check.defaults()),
    );
    let numbered = (0..)
        .zip(probes)
        .filter(|(number, _)| wanted.contains(number));
    let own: Vec<&AcceptedProbe> = numbered.map(|(_, probe)| probe).collect();
    own.par_iter().for_each(|probe| {
        if let Some(config) = probe.config(&check, &base) {
            let _ = Seen::of(&check, &subject, &config, limits);
        }
    });
}

impl Ledger<'_, '_> {
    /// Compares the accepted rows with those that are computed.
    fn rows(&mut self, computed: &Rows<'_>, style: &CsvRows, lines: Lines) -> Result<(), Error> {
        let Comparison { old, new, .. } = self.comparison;
        let render = |row: &Row<'_>, bytes: &mut Vec<u8>| style.push(row, bytes);
        if old.sweep == new.sweep {
            let mut stream = Stream::new(lines, self.columns[0].clone(), new)?;
            computed.run_with_gaps(render, |bytes: Vec<u8>| {
                self.digest.lines(&bytes);
                rows(&bytes).try_for_each(|line| self.stream(line, &mut stream))
            })?;
            return self.end_of(&mut stream);
        }
        let mut held = self.hold(lines)?;
        self.is_identical = false;
        computed.run_with_gaps(render, |bytes: Vec<u8>| {
            self.digest.lines(&bytes);
            rows(&bytes).try_for_each(|line| self.find(line, &mut held))
        })?;
        for row in held.unmatched() {
            let name = || row.configuration.clone();
            self.drift.gone_configuration(name);
        }
        Ok(())
    }

    /// Compares the accepted probes with what their odds are around a configuration.
    fn probes(
        &mut self,
        baseline: &Baseline,
        kind: ProbeKind,
        around: &Config,
    ) -> Result<(), Error> {
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
        let limits = self.limits;
        let computed: Vec<Result<Option<Seen>, Error>> = rows
            .par_iter()
            .map(|row| {
                let config = row.config(&check, &base);
                let seen = |config| Seen::of(&check, &subject, &config, limits);
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
    ) -> Result<(), Error> {
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
                self.drift.compare(&name, &old, &new, self.budget)?;
                if old == new && before.odds != after.odds {
                    self.drift.elsewhere(name);
                }
            }
        }
        Ok(())
    }

    fn parse(&self, side: usize, line: &[u8]) -> Result<Parsed, Error> {
        let row = self.columns[side].parse(line);
        row.ok_or_else(|| Error::advice("a computed row can't be read back", ""))
    }

    /// The next row in the order of both tables.
    fn stream(&mut self, line: &[u8], old: &mut Stream) -> Result<(), Error> {
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
    fn end_of(&mut self, old: &mut Stream) -> Result<(), Error> {
        while old.place()?.is_some() {
            self.is_identical = false;
            self.drift
                .gone_configuration(|| configuration(self.comparison.old, &old.axes));
            old.advance()?;
        }
        Ok(())
    }

    /// All accepted rows, by what they are now.
    fn hold(&mut self, mut lines: Lines) -> Result<Held, Error> {
        let mut held = Held::default();
        while let Some(line) = lines.next()? {
            let row = self.columns[0].parse(line);
            let row = row.ok_or_else(|| lines.unreadable())?;
            let name = configuration(self.comparison.old, &row.axes);
            match self.comparison.key_of(&row) {
                Some(key) => {
                    held.push(key, name, row.values, self.budget)?;
                }
                None => self.drift.gone_configuration(|| name),
            }
        }
        Ok(held)
    }

    /// The next row, wherever it was.
    fn find(&mut self, line: &[u8], held: &mut Held) -> Result<(), Error> {
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
    ) -> Result<(), Error> {
        let sides = &self.comparison.sides;
        let values = |side: usize, row| -> Vec<Option<Value>> {
            sides.iter().map(|sides| sides[side].value(row)).collect()
        };
        let (before, after) = (values(0, before), values(1, after));
        self.drift
            .compare(configuration, &before, &after, self.budget)?;
        Ok(())
    }
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
