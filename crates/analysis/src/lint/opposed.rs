//! Pairs of axes of which one takes back what the other gives.

use oddsmith_dist::Budget;
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, InputRange, LintRule, Role};

use crate::expect::Stand;
use crate::levers::is_read;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Cell, Grid};
use crate::lint::measure::Measures;

/// The steps of each axis that are looked at.
const STEPS: i64 = 2;

/// Two axes beside the defaults of everything else, from there up to two steps of each.
pub(crate) struct Pair<'a> {
    pub(crate) axes: [InputId; 2],
    pub(crate) grid: Grid<'a>,
}

impl<'a> Pair<'a> {
    /// All pairs of numbers that go up from their defaults and of which `is_told` has at least one, as far as the budget
    /// has room for them.
    ///
    /// # Errors
    /// As [`oddsmith_exact::answers`].
    pub(crate) fn all(
        check: &'a Check,
        asked: &'a Measures,
        is_told: impl Fn(InputId) -> bool,
        budget: &Budget,
    ) -> Result<Vec<Self>, Error> {
        let inputs = (0..check.inputs.len()).map(InputId);
        let axes: Vec<InputId> = inputs.filter(|&axis| goes_up(check, axis)).collect();
        let mut pairs = Vec::new();
        for (at, &one) in axes.iter().enumerate() {
            let others = axes[at + 1..].iter();
            for &two in others.filter(|two| is_told(one) || is_told(**two)) {
                let ranges = [one, two].map(|input| {
                    let default = check.inputs[input.0].default;
                    let values = (default..=default + STEPS).collect();
                    InputRange::new(input, values)
                });
                match Grid::new(check, asked, check.defaults(), ranges.to_vec(), budget) {
                    Err(Error::OverBudget { .. }) => return Ok(pairs),
                    grid => pairs.push(Self {
                        axes: [one, two],
                        grid: grid?,
                    }),
                }
            }
        }
        Ok(pairs)
    }

    /// The answers after so many steps of each.
    pub(crate) fn cell(&self, one: i64, two: i64) -> Option<&Cell> {
        let at = one * (STEPS + 1) + two;
        self.grid.cell(usize::try_from(at).ok()?)
    }

    /// Whether both go up from 0 only, so that one may stand for what is missing of the other; and whether a step of each,
    /// and two of each, leave everything as it is, while one of either does not.
    pub(crate) fn are_opposed(&self) -> bool {
        let none = self.cell(0, 0);
        let inputs = self.axes.map(|axis| &self.grid.check.inputs[axis.0]);
        let are_one_sided = inputs
            .iter()
            .all(|input| input.default == 0 && input.domain.bounds().0 == 0);
        are_one_sided
            && none.is_some()
            && self.cell(1, 1) == none
            && self.cell(2, 2) == none
            && self.cell(1, 0) != none
            && self.cell(0, 1) != none
    }

    /// The finding that a step of one takes back a step of the other here, and does the very same as that there.
    pub(crate) fn finding(&self) -> Option<Finding> {
        let first = |is_so: &dyn Fn([&Cell; 4]) -> bool| {
            let mut starts = (0..STEPS).flat_map(|one| (0..STEPS).map(move |two| [one, two]));
            starts.find(|[one, two]| {
                let cells = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .map(|(up, over)| self.cell(one + up, two + over));
                matches!(cells, [Some(a), Some(b), Some(c), Some(d)] if is_so([a, b, c, d]))
            })
        };
        let undone = first(&|[none, one, two, both]| both == none && one != none && two != none)?;
        let same = first(&|[none, one, two, _]| one == two && one != none)?;
        let facts = Facts::Undone;
        let mut finding = Finding::about(
            LintRule::Sign,
            Severity::Warning,
            self.grid.check,
            &self.axes,
            facts,
        );
        let measure = self.moved(undone)?;
        finding.id = format!("{}/{}", finding.id, self.grid.measures[measure].outcome());
        finding.configurations = self.grid.configurations();
        let evidence = [undone, same].map(|start| self.evidence(start, measure));
        finding.evidence = evidence.into_iter().collect();
        finding.seen = [1, finding.configurations];
        Some(finding)
    }

    /// The first measure that a step of the first axis moves.
    fn moved(&self, [one, two]: [i64; 2]) -> Option<usize> {
        let (from, to) = (self.cell(one, two)?, self.cell(one + 1, two)?);
        (0..from.len()).find(|&at| from[at] != to[at])
    }

    /// The evidence without a step, with one of either, and with both.
    fn evidence(&self, [one, two]: [i64; 2], measure: usize) -> Evidence {
        let steps = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let stands = steps.iter().filter_map(|(up, over)| {
            let value = self.cell(one + up, two + over)?[measure].clone()?;
            let shown = |axis: InputId, steps: i64| {
                let default = self.grid.check.inputs[axis.0].default;
                self.grid.show(axis, default + steps)
            };
            let at = [
                shown(self.axes[0], one + up),
                shown(self.axes[1], two + over),
            ];
            Some(Stand {
                at: at.join(" "),
                value,
            })
        });
        Evidence::of(
            self.grid.check.describe(&self.grid.check.defaults()),
            self.grid.measures[measure].clone(),
            stands.collect(),
        )
    }
}

/// Whether an axis is a number that is read, and has room for two steps up from its default.
fn goes_up(check: &Check, axis: InputId) -> bool {
    let input = &check.inputs[axis.0];
    let (_, high) = input.domain.bounds();
    let is_number = matches!(input.domain, Domain::Range(..)) && input.role == Role::Axis;
    let has_room = high.saturating_sub(input.default) >= STEPS;
    is_number && has_room && is_read(check, axis)
}
