//! What is asked of a plan: the resources that are spent, and what they are called.

use oddsmith_analysis::plan::Manner;
use oddsmith_rules::{Check, Config, Outlay, PurseError, PurseRequest, Resource, ResourceRequest};

use crate::{Error, Game, PlanRequest, ScenePool};

/// A resource that is spent over a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedResource {
    /// The name of its points.
    pub name: String,
    /// What people read in its place: of an axis that was named the label.
    pub title: String,
}

/// A resource that is to be spent.
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) how: ResourceRequest,
    pub(super) points: u32,
}

impl Asked {
    fn new(check: &Check, resource: &Resource, points: u32) -> Self {
        Self {
            name: resource.name.clone(),
            how: request_of(check, resource),
            points,
        }
    }
}

impl Game {
    /// The resources that are spent, in the order of the ruleset.
    pub(super) fn asked(&self, check: &Check, request: &PlanRequest) -> Result<Vec<Asked>, Error> {
        let pools = match &request.pool {
            ScenePool::Points(points) => {
                let of = |resource: &Resource| Asked::new(check, resource, *points);
                return Ok(vec![match &request.axis {
                    Some(axis) => Asked {
                        name: axis.clone(),
                        how: ResourceRequest {
                            axis: axis.clone(),
                            spent: request.spent.clone(),
                            policy: request.policy.clone(),
                            utility: None,
                        },
                        points: *points,
                    },
                    None => of(self.resource(check, request.resource.as_deref())?),
                }]);
            }
            ScenePool::ByResource(pools) => pools,
        };
        if request.axis.is_some() || request.resource.is_some() {
            let message = format!("`--pool {}` names resources already", request.pool);
            let help = "leave out `--resource` and `--axis`, or give one number of points";
            return Err(Error::advice(message, help));
        }
        if pools.is_empty() {
            let help = "give a number of points, or one for each resource: `effort=4,hope=3`";
            return Err(Error::advice("the pool names no resource", help));
        }
        for name in pools.keys() {
            self.resource(check, Some(name))?;
        }
        let all = self.model().resources.iter();
        let asked = all.filter_map(|resource| {
            let points = pools.get(&resource.name)?;
            Some(Asked::new(check, resource, *points))
        });
        Ok(asked.collect())
    }

    /// The resource of that name, or the first that is spent on the check.
    fn resource(&self, check: &Check, name: Option<&str>) -> Result<&Resource, Error> {
        let all = &self.model().resources;
        let fits = |resource: &&Resource| can_spend(check, resource);
        let found = match name {
            Some(name) => all.iter().find(|resource| resource.name == name),
            None => all.iter().find(fits),
        };
        found.ok_or_else(|| {
            let check = &check.name;
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
            Error::advice(message, help)
        })
    }
}

/// Whether points of a resource can be spent on a check, or in the rounds of a track.
pub(crate) fn can_spend(check: &Check, resource: &Resource) -> bool {
    match check.rounds {
        Some(_) => can_spend_in_rounds(check, resource),
        None => check.can_spend(&resource.request),
    }
}

/// How points of a resource are spent on a check or in the rounds of a track. What a track does not set as an input of its own
/// is no policy of it: the checks that it plays have what it gives them.
fn request_of(check: &Check, resource: &Resource) -> ResourceRequest {
    let mut own = resource.request.clone();
    let is_input = |policy: &String| {
        let axis = policy.split('=').next().unwrap_or_default().trim();
        check.inputs.iter().any(|input| input.name == axis)
    };
    if check.rounds.is_some() {
        own.policy = own.policy.filter(is_input);
    }
    own
}

/// Whether points of a resource can be spent in the rounds of a track.
fn can_spend_in_rounds(track: &Check, resource: &Resource) -> bool {
    let Ok(outlays) = track.outlays(&[request_of(track, resource)]) else {
        return false;
    };
    let purse = |outlay| PurseRequest {
        name: resource.name.clone(),
        outlay,
        most: 1,
    };
    let purses: Vec<PurseRequest> = outlays.into_iter().map(purse).collect();
    matches!(
        track.with_purses(&purses, None),
        Ok(_) | Err(PurseError::Goal)
    )
}

/// The resources that are spent, with what people read.
pub(super) fn planned_resources(
    request: &PlanRequest,
    check: &Check,
    asked: &[Asked],
    outlays: &[Outlay],
) -> Vec<PlannedResource> {
    let resource = |(asked, outlay): (&Asked, &Outlay)| PlannedResource {
        title: match &request.axis {
            Some(_) => check.inputs[outlay.axis.0].title().to_owned(),
            None => asked.name.clone(),
        },
        name: asked.name.clone(),
    };
    asked.iter().zip(outlays).map(resource).collect()
}

/// How many points are spent is for the plan to say.
pub(super) fn refuse_set_points(
    check: &Check,
    outlays: &[Outlay],
    checks: &[Config],
) -> Result<(), Error> {
    for outlay in outlays {
        let input = &check.inputs[outlay.axis.0];
        let mut points = checks.iter().map(|config| config[outlay.axis]);
        if !points.all(|points| points == input.default) {
            let message = format!("`{}` is what the plan finds", input.name);
            let help = "leave it out, and give the points of the scene with `--pool`";
            return Err(Error::advice(message, help));
        }
    }
    Ok(())
}

/// Whatever is done spends more than there is.
pub(super) fn unaffordable<'n>(axes: impl Iterator<Item = &'n str>) -> Error {
    let axes = axes.map(|axis| format!("`{axis}`")).collect::<Vec<_>>();
    Error::advice(
        "however it is played, a check may cost more points than are left",
        format!(
            "{} must keep what is spent within it, or the check must leave the choice to the player",
            axes.join(" and ")
        ),
    )
}

/// The name of a way to play: `never`, `without hope`, `always`, the label of a policy, `each by itself`, `plan`.
pub(super) fn manner_name(
    resources: &[PlannedResource],
    check: &Check,
    outlay: &dyn Fn(usize) -> Outlay,
    manner: Manner,
) -> String {
    match manner {
        Manner::Never => "never".to_owned(),
        Manner::Without(resource) => format!("without {}", resources[resource].title),
        Manner::Always(_) if resources.len() == 1 => "always".to_owned(),
        Manner::Always(resource) => format!("always {}", resources[resource].title),
        Manner::Named(resource, label) => {
            outlay(resource).policy.map_or(String::new(), |(axis, _)| {
                check.inputs[axis.0].domain.show(label)
            })
        }
        Manner::Greedy => "each by itself".to_owned(),
        Manner::Best => "plan".to_owned(),
    }
}
