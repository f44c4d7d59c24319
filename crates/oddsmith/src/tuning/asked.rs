//! What may change and what for: from the request, and from `[tune]` tables.

use std::path::Path;

use oddsmith_rules::{Check, Diagnostics, Dial, Domain, Model, Role, Tuning, load_goals};

use super::request::TuneRequest;
use crate::{Error, reason, text_file};

/// The dials and the goals of a search over a ruleset.
pub(super) fn read(request: &TuneRequest, model: &Model, check: &Check) -> Result<Tuning, Error> {
    let own = &model.tuning;
    let is_told =
        !(request.vary.is_empty() && request.goals.is_empty() && request.keeps.is_empty());
    let mut tuning = match &request.file {
        Some(path) => from_file(model, path)?,
        None if is_told => Tuning::default(),
        None => own.clone().unwrap_or_default(),
    };
    add_dials(request, check, &mut tuning)?;
    add_goals(request, (model, check), &mut tuning)?;
    let origin = match own {
        Some(_) if is_told && request.file.is_none() => {
            "; what the ruleset's [tune] says counts only if nothing is said here"
        }
        Some(_) => "",
        None => "; the ruleset has no [tune]",
    };
    if tuning.dials.is_empty() {
        let message = format!("nothing varies{origin}");
        return Err(Error::advice(message, what_may_change(check)));
    }
    if tuning.goals.is_empty() {
        let message = format!("there is no goal{origin}");
        let queries = check.own_queries();
        let asked = queries.last().map_or("P(total >= 10)", |query| &query.text);
        let help = format!("say what the odds are to be, as in `--goal '{asked} in [0.5, 0.6]'`");
        return Err(Error::advice(message, help));
    }
    settle(request, (model, check), &mut tuning)?;
    Ok(tuning)
}

/// How a parameter of a check is varied.
fn what_may_change(check: &Check) -> String {
    let mut inputs = check.inputs.iter();
    let Some(first) = inputs.find(|input| input.role == Role::Parameter) else {
        return "what varies is a parameter, and this ruleset has none: move a number of its rules to `[params]`".to_owned();
    };
    let values = match first.domain {
        Domain::Range(low, high) => format!("{low}..={high}"),
        Domain::Choice(_) => "all".to_owned(),
    };
    format!(
        "say what may change, as in `--vary {}={values}`; `oddsmith rules show` lists the parameters",
        first.name
    )
}

/// The `[tune]` of a file of goals.
fn from_file(model: &Model, path: &Path) -> Result<Tuning, Error> {
    let name = path.display().to_string();
    let bytes = text_file::read(path, oddsmith_rules::MOST_BYTES)
        .map_err(|error| Error::advice(format!("can't read `{name}`: {}", reason(&error)), ""))?;
    let broken = |errors| Error::Ruleset {
        name: name.clone(),
        errors,
    };
    load_goals(model, &name, &bytes).map_err(broken)
}

/// `--vary`, in place of what a file says of the same parameter. All errors at once.
fn add_dials(request: &TuneRequest, check: &Check, tuning: &mut Tuning) -> Result<(), Error> {
    let (mut own, mut errors): (Vec<Dial>, _) = (Vec::new(), Vec::new());
    for text in &request.vary {
        match check.dial(text, "--vary") {
            Err(error) => errors.push(error),
            Ok(dial) => {
                if own.iter().any(|known| overlap(known, &dial)) {
                    let message = format!("`{}` varies twice", dial.name);
                    let help = "give all its values in one `--vary`";
                    return Err(Error::advice(message, help));
                }
                tuning.dials.retain(|known| !overlap(known, &dial));
                own.push(dial);
            }
        }
    }
    tuning.dials.extend(own);
    Ok(Diagnostics::if_any(errors)?)
}

fn overlap(one: &Dial, other: &Dial) -> bool {
    one.inputs.iter().any(|input| other.inputs.contains(input))
}

/// `--goal`, then `--keep`. All errors at once.
fn add_goals(
    request: &TuneRequest,
    (model, check): (&Model, &Check),
    tuning: &mut Tuning,
) -> Result<(), Error> {
    let goals = request
        .goals
        .iter()
        .map(|text| model.goal(check, text, "--goal"));
    let keeps = request
        .keeps
        .iter()
        .map(|text| model.keep(check, text, "--keep"));
    let mut errors = Vec::new();
    for goal in goals.chain(keeps) {
        match goal {
            Ok(goal) => tuning.goals.push(goal),
            Err(wrong) => errors.extend(wrong.0),
        }
    }
    Ok(Diagnostics::if_any(errors)?)
}

/// Gives the goals what `--set` says, and refuses what is set and varies.
fn settle(
    request: &TuneRequest,
    (model, check): (&Model, &Check),
    tuning: &mut Tuning,
) -> Result<(), Error> {
    let mut config = check.defaults();
    let mut errors = Vec::new();
    let Tuning { dials, goals } = tuning;
    for (origin, set) in request.settings.given() {
        errors.extend(check.set(&mut config, set, origin).err());
        for goal in &mut *goals {
            let about = model.check_or_track(&goal.check);
            let about = about.expect("a goal is about a check of its ruleset");
            // An error is told once, above.
            let _ = goal.set(about, set, origin);
        }
    }
    Diagnostics::if_any(errors)?;
    let varies = |id| dials.iter().find(|dial| dial.inputs.contains(&id));
    let sets: Vec<&str> = request.settings.texts().collect();
    let set_here = check.inputs_set(&sets);
    let all = goals.iter().flat_map(|goal| &goal.set).chain(&set_here);
    match all.copied().find_map(varies) {
        None => Ok(()),
        Some(dial) => {
            let message = format!("`{}` varies, and is set", dial.name);
            let help = "a goal is about what every candidate does; set axes, and parameters that do not vary";
            Err(Error::advice(message, help))
        }
    }
}
