//! `oddsmith chart`: a picture.

use anyhow::Result;
use oddsmith_rules::ChartRequest;

use crate::args::ChartArgs;
use crate::picture::PictureFile;
use crate::target::{Target, Wanted};
use crate::{exit, figures, gaps, settings};

/// Computes, draws and writes.
pub(crate) fn run(args: &ChartArgs) -> Result<u8> {
    let file = PictureFile::of(&args.output)?;
    let target = Target::resolve(&args.target, Wanted::Either)?;
    target.protect_from(&file.destination)?;
    let check = &settings::with_goal(target.check.clone(), args.striving.maximise.as_deref())?;
    let chart = check.chart(&request(args))?;
    let (figure, gaps) = figures::figure(target.game.title(), check, &chart, args.cost.budget)?;
    file.write(&figure, args.look)?;
    gaps::tell(&gaps, figures::NOT_DRAWN);
    Ok(exit::OK)
}

fn request(args: &ChartArgs) -> ChartRequest {
    ChartRequest {
        title: args.title.clone().unwrap_or_default(),
        kind: args.kind.map(Into::into),
        x: args.x.clone(),
        by: args.by.clone(),
        facet: args.facet.clone(),
        queries: args.asked.queries.clone(),
        sets: args.asked.sets.clone(),
    }
}
