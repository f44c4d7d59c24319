//! `oddsmith balance plan`: when to spend what.

mod picture;

use anyhow::Result;
use oddsmith_analysis::plan::{self, Error, Scene};
use oddsmith_exact::Budget;
use oddsmith_rules::{Check, Config, Resource, ResourceRequest, Spending};

use crate::advice::Advice;
use crate::args::{PlanArgs, Style};
use crate::format::plan::Plan;
use crate::format::plan_view;
use crate::target::{Target, Wanted};
use crate::{exit, progress, settings, terminal};

/// Checks of a scene where nothing is said.
const CHECKS: usize = 3;

/// Answers and prints, or draws.
pub(crate) fn run(args: &PlanArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let file = args.drawing.file()?;
    progress::use_threads(args.parallel)?;
    let target = Target::resolve(&args.target, Wanted::Check)?;
    if let Some(file) = &file {
        target.protect_from(&file.destination)?;
    }
    let plan = planned(&target, args)?;
    match file {
        Some(file) => file.write(&picture::figure(&plan), args.drawing.look)?,
        None => print(style, &plan)?,
    }
    Ok(exit::OK)
}

fn print(style: Style, plan: &Plan) -> Result<()> {
    match style {
        Style::View(form) => terminal::print(&plan_view::document(plan, form).terminal())?,
        Style::Csv => terminal::print_data(&plan.csv()?)?,
        Style::Json => terminal::print_json(&plan.json())?,
        Style::Document(markup, form) => {
            terminal::print_data(plan_view::document(plan, form).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

fn planned(target: &Target, args: &PlanArgs) -> Result<Plan> {
    let (name, spending) = spending(target, args)?;
    let checks = scene(&spending.check, args)?;
    refuse_set_points(&spending, &checks)?;
    let count = match args.checks {
        Some(count) if usize::from(count) < checks.len() => {
            let given = checks.len();
            let message = format!("`--checks {count}` leaves out checks: `--check` gives {given}");
            return Err(Advice::error(
                message,
                "give as many, or more: they are played in turn",
            ));
        }
        Some(count) => usize::from(count),
        None if args.each.is_empty() => CHECKS,
        None => checks.len(),
    };
    let scene = Scene {
        checks: checks.iter().cycle().take(count).cloned().collect(),
        pool: args.pool,
    };
    let budget = Budget::new(args.cost.budget);
    let plan = plan::plan(&spending, &scene, &budget).map_err(|error| refused(error, &spending))?;
    Ok(Plan {
        title: target.title(),
        ruleset: target.ruleset().to_owned(),
        resource: name,
        spending,
        scene,
        settings: checks,
        plan,
    })
}

/// How many points are spent is for the plan to say.
fn refuse_set_points(spending: &Spending, checks: &[Config]) -> Result<()> {
    let input = &spending.check.inputs[spending.axis.0];
    if checks
        .iter()
        .all(|config| config[spending.axis] == input.default)
    {
        return Ok(());
    }
    let message = format!("`{}` is what the plan finds", input.name);
    Err(Advice::error(
        message,
        "leave it out, and give the points of the scene with `--pool`",
    ))
}

/// The configurations of the checks that are told apart, in their order.
fn scene(check: &Check, args: &PlanArgs) -> Result<Vec<Config>> {
    let mut checks = Vec::new();
    for each in &args.each {
        let own = settings::assignments("--check", std::slice::from_ref(each))?;
        let common = args.sets.iter().map(|set| ("--set", set.as_str()));
        let own = own.iter().map(|set| ("--check", set.as_str()));
        checks.push(settings::config_of(check, common.chain(own))?);
    }
    if checks.is_empty() {
        checks.push(settings::config(check, &args.sets, "--set")?);
    }
    Ok(checks)
}

/// What is spent and how, with its name.
fn spending(target: &Target, args: &PlanArgs) -> Result<(String, Spending)> {
    let (name, mut request) = match &args.axis {
        Some(axis) => {
            let request = ResourceRequest {
                axis: axis.clone(),
                spent: args.spent.clone(),
                policy: args.policy.clone(),
                utility: None,
            };
            (axis.clone(), request)
        }
        None => {
            let resource = resource(target, args.resource.as_deref())?;
            (resource.name.clone(), resource.request.clone())
        }
    };
    if args.utility.is_some() {
        request.utility.clone_from(&args.utility);
    }
    if request.utility.is_none() && target.check.band().is_none() {
        let message = format!("`{}` has no bands to be worth something", target.check.name);
        let help = "say what its outcome is worth: `--utility EXPR`, over what it shows";
        return Err(Advice::error(message, help));
    }
    Ok((name, target.check.spending(&request)?))
}

/// The resource of that name, or the first that is spent on the check.
fn resource<'t>(target: &'t Target, name: Option<&str>) -> Result<&'t Resource> {
    let all = &target.model().resources;
    let fits = |resource: &&Resource| target.check.spending(&resource.request).is_ok();
    let found = match name {
        Some(name) => all.iter().find(|resource| resource.name == name),
        None => all.iter().find(fits),
    };
    found.ok_or_else(|| {
        let check = &target.check.name;
        let names: Vec<&str> = all.iter().filter(fits).map(|r| r.name.as_str()).collect();
        let message = match name {
            Some(name) => format!("there is no resource `{name}`"),
            None => format!("the ruleset does not say what is spent on `{check}`"),
        };
        let help = match names.as_slice() {
            [] => "say which axis is how many points are spent, `--axis NAME`; where that is only how many may be, also the number that shows how many were: `--spent NUMBER`"
                .to_owned(),
            names => format!("what is spent on `{check}`: {}", names.join(", ")),
        };
        Advice::error(message, help)
    })
}

/// Why there is no plan, with what to do about it.
fn refused(error: Error, spending: &Spending) -> anyhow::Error {
    let axis = &spending.check.inputs[spending.axis.0].name;
    match error {
        Error::Exact(error) => error.into(),
        Error::GivesBack => Advice::error(
            "a check may give points back",
            "what is shown of the points that were spent must not fall below 0",
        ),
        Error::Unaffordable => Advice::error(
            "however it is played, a check may cost more points than are left",
            format!(
                "`{axis}` must keep what is spent within it, or the check must leave the choice to the player"
            ),
        ),
    }
}
