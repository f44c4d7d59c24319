//! `oddsmith chart`: a picture.

use std::path::Path;

use anyhow::Result;
use oddsmith_report::{png, svg};
use oddsmith_rules::ChartRequest;

use crate::args::ChartArgs;
use crate::failure::Advice;
use crate::output::{Destination, Output};
use crate::target::{Target, Wanted};
use crate::{exit, figures, settings};

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

/// Computes, draws and writes.
pub(crate) fn run(args: &ChartArgs) -> Result<u8> {
    let destination = Destination::of(Some(&args.output))?;
    let format = format(&args.output, &destination)?;
    let target = Target::resolve(&args.target, Wanted::Either)?;
    target.protect_from(&destination)?;
    let check = &settings::with_goal(target.check.clone(), args.maximise.as_deref())?;
    let chart = check.chart(&request(args))?;
    let figure = figures::figure(target.game(), check, &chart, args.cost.budget)?;
    let picture = svg(&figure, args.theme.into())?;
    let bytes = match format {
        Format::Svg => picture.into_bytes(),
        Format::Png => png(&picture)?,
    };
    let mut output = Output::open(&destination)?;
    output.write(&bytes)?;
    output.finish()?;
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

/// What the file's name says; standard output and pipes get SVG.
fn format(path: &Path, destination: &Destination) -> Result<Format> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ if !matches!(destination, Destination::File(_)) => Ok(Format::Svg),
        _ => Err(Advice::error(
            format!("`{}` does not say a kind of picture", path.display()),
            "end it in .svg or .png",
        )),
    }
}
