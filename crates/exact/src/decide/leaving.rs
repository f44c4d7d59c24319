//! Which ways to choose come to an end.

use oddsmith_dist::Budget;
use oddsmith_rules::program::Party;

use super::web::Web;
use crate::Error;

/// For each place whether something holds there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Marks(Vec<bool>);

impl Marks {
    pub(super) fn all(web: &Web<'_>, value: bool) -> Self {
        Self(vec![value; web.places()])
    }

    pub(super) fn is_everywhere(&self) -> bool {
        self.0.iter().all(|mark| *mark)
    }

    pub(super) fn at(&self, place: usize) -> bool {
        self.0[place]
    }

    /// Where both hold.
    pub(super) fn and(&self, other: &Self) -> Self {
        let both = self.0.iter().zip(&other.0);
        Self(both.map(|(one, other)| *one && *other).collect())
    }

    /// Those of the marks that can be come to from some states without leaving them, by steps that are allowed.
    pub(super) fn from(&self, web: &Web<'_>, starts: &[usize], allowed: &Allowed<'_>) -> Self {
        let mut kept = Self::all(web, false);
        let mut open = starts.to_vec();
        while let Some(place) = open.pop() {
            if self.at(place) && !std::mem::replace(&mut kept.0[place], true) {
                let steps = web.steps(place).iter().enumerate();
                let steps = steps.filter(|(nth, _)| allowed(place, *nth));
                open.extend(steps.map(|(_, step)| step.to as usize));
            }
        }
        kept
    }
}

/// Whether a place may take a step, of which this is the number.
pub(super) type Allowed<'a> = dyn Fn(usize, usize) -> bool + 'a;

/// Who would rather not come to an end: whose choices take any of the options that are allowed, not those that suit.
pub(super) type Against<'a> = dyn Fn(Party) -> bool + 'a;

/// Where an end can be reached, if a choice takes one of the options that are allowed, whichever suits.
pub(super) fn reaching(
    web: &Web<'_>,
    allowed: &Allowed<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    let (any_end, nobody) = (|_: usize| true, |_: Party| false);
    reaching_against(web, &any_end, allowed, &nobody, budget)
}

/// Where one of these ends can be reached whatever is done against it, with the options that are allowed.
pub(super) fn reaching_against(
    web: &Web<'_>,
    is_wanted: &dyn Fn(usize) -> bool,
    allowed: &Allowed<'_>,
    against: &Against<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    let mut marks = Marks::all(web, false);
    loop {
        web.pay(budget)?;
        let mut has_more = false;
        for at in 0..web.places() {
            if marks.at(at) {
                continue;
            }
            let steps = web.steps(at).iter().enumerate();
            let mut reach = steps.map(|(nth, step)| (nth, marks.at(step.to as usize)));
            let reaches = match web.party(at) {
                None if web.steps(at).is_empty() => is_wanted(at),
                None => reach.any(|(_, reaches)| reaches),
                Some(party) if against(party) => {
                    reach.all(|(nth, reaches)| reaches || !allowed(at, nth))
                }
                Some(_) => reach.any(|(nth, reaches)| reaches && allowed(at, nth)),
            };
            marks.0[at] = reaches;
            has_more |= reaches;
        }
        if !has_more {
            return Ok(marks);
        }
    }
}

/// From where it can be made certain that there is an end, of what can be come to from some states without giving that up.
///
/// What may lead elsewhere is left out, again and again, until an end can be reached from all that is left.
pub(super) fn certain(web: &Web<'_>, starts: &[usize], budget: &Budget) -> Result<Marks, Error> {
    let mut inside = Marks::all(web, true);
    loop {
        let allowed = |at: usize, nth: usize| inside.at(web.steps(at)[nth].to as usize);
        let reached = reaching(web, &allowed, budget)?;
        let mut next = inside.and(&reached);
        // What is left out leaves out more.
        loop {
            web.pay(budget)?;
            let mut has_changed = false;
            for at in (0..web.places()).filter(|at| !web.steps(*at).is_empty()) {
                let mut stay = web.steps(at).iter().map(|step| next.at(step.to as usize));
                let stays = match web.party(at) {
                    None => stay.all(|stays| stays),
                    Some(_) => stay.any(|stays| stays),
                };
                has_changed |= next.at(at) && !stays;
                next.0[at] &= stays;
            }
            if !has_changed {
                break;
            }
        }
        if next == inside {
            return Ok(inside.from(web, starts, &|_, _| true));
        }
        inside = next;
    }
}

/// Where no end is reached with what is chosen, the first option that is allowed and leads where one is takes its place, again
/// and again. Where an end is reached after all that.
pub(super) fn lead_out(
    web: &Web<'_>,
    chosen: &mut [u32],
    allowed: &Allowed<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    lead_out_against(web, chosen, allowed, &|_| false, budget)
}

/// [`lead_out`] where some would rather not come to an end: what they have chosen stays, and does not count, for they may take
/// any option that is allowed.
pub(super) fn lead_out_against(
    web: &Web<'_>,
    chosen: &mut [u32],
    allowed: &Allowed<'_>,
    against: &Against<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    loop {
        let reached = {
            let may_be_taken = |at: usize, nth: usize| match web.party(at) {
                Some(party) if against(party) => allowed(at, nth),
                _ => chosen[at] as usize == nth,
            };
            reaching_against(web, &|_| true, &may_be_taken, against, budget)?
        };
        let mut has_changed = false;
        for at in (0..web.places()).filter(|at| !reached.at(*at)) {
            if web.party(at).is_none_or(against) {
                continue;
            }
            let mut steps = web.steps(at).iter().enumerate();
            let out =
                steps.position(|(nth, step)| allowed(at, nth) && reached.at(step.to as usize));
            if let Some(nth) = out {
                chosen[at] = u32::try_from(nth).expect("options are few");
                has_changed = true;
            }
        }
        if !has_changed {
            return Ok(reached);
        }
    }
}
