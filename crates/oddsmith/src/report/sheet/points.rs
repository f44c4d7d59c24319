//! What a point of a resource is worth.

use oddsmith_numbers::difference::signed;
use oddsmith_numbers::{Form, plural};
use oddsmith_report::Entry;
use oddsmith_rules::Check;

use super::SheetOf;
use crate::{Error, PlanRequest, shell_words};

impl SheetOf<'_> {
    /// What the first point of a resource is worth in a scene, of the first one that is spent on the check.
    pub(super) fn points(&self, check: &Check) -> Result<Vec<Entry>, Error> {
        let game = &self.reported.game;
        let mut resources = game.model().resources.iter();
        let resource = resources.find(|resource| check.can_spend(&resource.request));
        let Some(resource) = resource else {
            return Ok(Vec::new());
        };
        let request = PlanRequest {
            check: Some(check.name.clone()),
            resource: Some(resource.name.clone()),
            ..PlanRequest::default()
        };
        let plan = game.plan(&request, &self.limits)?;
        let first = plan.plan.turns.first();
        let state = first.and_then(|turn| turn.states.first()?.as_ref());
        let Some((turn, more)) = first.zip(state.and_then(|state| state.more[0].as_ref())) else {
            return Ok(Vec::new());
        };
        let (target, name) = (self.target(check), shell_words::word(&resource.name));
        Ok(vec![Entry {
            title: format!("A point of {}", resource.name),
            number: signed(more, false, Form::USUAL),
            note: format!(
                "the first one, with {} to go; an outcome is worth `{}`",
                plural(turn.left as u64, "check"),
                plan.utility()
            ),
            command: format!("oddsmith balance plan {target} --resource {name}"),
            ..self.entry(check, Some(plan.spending.outlays[0].axis))
        }])
    }
}
