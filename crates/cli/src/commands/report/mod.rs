//! `oddsmith report`: tables, charts and a page.

mod files;

use anyhow::Result;
use oddsmith::Limits;
use oddsmith::file_set::FileSet;
use oddsmith::report::Report;
use oddsmith_report::page;

use crate::args::ReportArgs;
use crate::exit;
use crate::failure;
use crate::gaps;
use crate::output::{Destination, Interruptions};
use crate::parting::{self, Work};
use crate::progress::counted;

/// Computes and draws everything, then writes it: an error leaves all files as they were.
pub(crate) fn run(args: &ReportArgs) -> Result<u8> {
    args.cost
        .limits_on(args.running.parallel)
        .install(|| write(args))?
}

fn write(args: &ReportArgs) -> Result<u8> {
    let report = Report::open(&args.targets)?;
    let warnings = || { report.games.iter() }.map(|reported| &reported.game.model().warnings);
    for warnings in warnings() {
        failure::warn(warnings);
    }
    if warnings().any(|warnings| args.denying.refuses(warnings)) {
        return Ok(exit::NO);
    }
    let work = args.parting.work(|| report.job())?;
    let limits = &work.limits(args.cost.limits())?;
    if let Work::Part(job, number) = work {
        let destination = Destination::of(Some(&args.output))?;
        destination.has_place()?;
        let part = report.part((&job, number), limits, Vec::new())?;
        return parting::write_part(&destination, Some(part));
    }
    let mut files = FileSet::new(&args.output, &Interruptions)?;
    let accepted = report.accepted(&args.output)?;
    let limits = &limits.of_run(Limits::TABLES);
    let is_seen = args.running.shows_progress(true);
    let (contents, all_gaps) = counted(&limits.watch, is_seen, || {
        let contents = report.page(limits)?;
        let all_gaps = limits.run(|| report.add_tables(&mut files, &accepted, limits));
        anyhow::Ok((contents, all_gaps?))
    })?;
    let checks = contents.games.iter().flat_map(|game| &game.checks);
    for picture in checks.flat_map(|check| &check.pictures) {
        files::add_picture(&mut files, picture, args.png)?;
    }
    all_gaps.iter().for_each(gaps::tell_empty);
    files.add("index.html", page(&contents)?.as_bytes())?;
    files.persist()?;
    if is_seen {
        let page = args.output.join("index.html");
        failure::note(&format!("the page to open is `{}`", page.display()));
    }
    Ok(exit::OK)
}
