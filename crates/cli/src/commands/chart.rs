//! `oddsmith chart`: a picture.

use anyhow::Result;
use oddsmith::{ChartAnswer, ChartRequest, Settings};
use oddsmith_rules::ChartKind;

use crate::args::ChartArgs;
use crate::picture::PictureFile;
use crate::target::{self, TargetName};
use crate::{exit, gaps};

/// What becomes of configurations that break a rule.
const NOT_DRAWN: [&str; 2] = ["it is not drawn", "they are not drawn"];

/// Computes, draws and writes.
pub(crate) fn run(args: &ChartArgs) -> Result<u8> {
    let file = PictureFile::of(&args.output)?;
    let name = TargetName::parse(&args.target);
    let game = target::open(name.ruleset)?;
    target::protect(game.name(), &file.destination)?;
    let limits = &args.cost.limits();
    let ChartAnswer { figure, gaps } = game.chart(&request(args, name.check), limits)?;
    file.write(&figure, args.look)?;
    gaps::tell(&gaps, NOT_DRAWN);
    Ok(exit::OK)
}

fn request(args: &ChartArgs, check: Option<&str>) -> ChartRequest {
    let kind = args.kind.map(ChartKind::from);
    ChartRequest {
        check: check.map(str::to_owned),
        title: args.title.clone(),
        kind: kind.map(|kind| kind.name().to_owned()),
        x: args.x.clone(),
        by: args.by.clone(),
        facet: args.facet.clone(),
        queries: args.asked.queries.clone(),
        settings: Settings::parse("--set", &args.asked.sets),
        maximise: args.striving.maximise.clone(),
    }
}
