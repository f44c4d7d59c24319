//! `oddsmith report`: tables, charts and a page.

mod files;

use anyhow::Result;
use oddsmith::Limits;
use oddsmith::baseline::{self, Baseline, Listed, Manifest, Remedy};
use oddsmith::file_set::FileSet;
use oddsmith::report::{Report, Reported};
use oddsmith_exact::Gaps;
use oddsmith_report::page;

use crate::args::ReportArgs;
use crate::exit;
use crate::failure;
use crate::gaps;
use crate::output::{Destination, Interruptions};
use crate::parting::{self, Work};
use crate::progress::counted;
use crate::shell_words;

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
    let accepted = { report.games.iter() }.map(|reported| accepted(reported, args));
    let accepted: Vec<Option<Baseline>> = accepted.collect::<Result<_>>()?;
    let limits = &limits.of_run(Limits::TABLES);
    let is_seen = args.running.shows_progress(true);
    let contents = counted(&limits.watch, is_seen, || report.page(limits))?;
    let checks = contents.games.iter().flat_map(|game| &game.checks);
    for picture in checks.flat_map(|check| &check.pictures) {
        files::add_picture(&mut files, picture, args.png)?;
    }
    let mut all_gaps = Vec::new();
    let manifests = counted(&limits.watch, is_seen, || {
        tables(&report, &mut files, limits, &mut all_gaps)
    });
    all_gaps.iter().for_each(gaps::tell_empty);
    let mut moved = Vec::new();
    let manifests = report.games.iter().zip(manifests?);
    for ((reported, manifest), accepted) in manifests.zip(accepted) {
        let id = &reported.id;
        let is_whole = reported.is_whole();
        let is_same = |accepted: &Baseline| accepted.manifest().has_odds_of(&manifest, is_whole);
        if !accepted.as_ref().is_none_or(is_same) {
            moved.push(id);
        }
    }
    files.add("index.html", page(&contents)?.as_bytes())?;
    files.persist()?;
    for id in moved {
        let directory = args.output.display();
        failure::note(&format!(
            "{id}: these odds are not those that were accepted in `{directory}`: now they are"
        ));
    }
    Ok(exit::OK)
}

/// Adds the tables of all games, and what is said of gaps in them.
fn tables(
    report: &Report,
    files: &mut FileSet<'_>,
    limits: &Limits,
    all_gaps: &mut Vec<Gaps>,
) -> Result<Vec<Manifest>> {
    let listed = report.games.iter().map(|reported| Listed {
        id: &reported.id,
        model: reported.game.model(),
        checks: reported.checks().collect(),
    });
    let listed: Vec<Listed<'_>> = listed.collect();
    let tell = &mut |gaps: &Gaps| all_gaps.push(gaps.clone());
    Ok(limits.run(|| baseline::add(files, &listed, limits, tell))?)
}

/// What was accepted in the directory that is written to.
fn accepted(reported: &Reported, args: &ReportArgs) -> Result<Option<Baseline>> {
    let directory = args.output.join(&reported.id);
    let mut words = vec!["oddsmith report".to_owned()];
    words.extend(args.targets.iter().map(|target| shell_words::word(target)));
    words.push(format!("-o {}", shell_words::path(&args.output)));
    let remedy = Remedy::new(&directory, &words.join(" "));
    let game = baseline::game(&reported.id, reported.game.model());
    Ok(Baseline::open(&directory, game, remedy)?)
}
