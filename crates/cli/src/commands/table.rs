//! `oddsmith table`: many configurations.

use std::path::Path;

use anyhow::Result;
use oddsmith_exact::{Budget, Row, Sweep};
use oddsmith_rules::{Check, InputRange, Query};

use crate::args::{TableArgs, TableFormat, Written};
use crate::failure::Advice;
use crate::format::markup::Markup;
use crate::format::parquet;
use crate::format::pivot::{Pivot, PivotStyle};
use crate::format::rows::{Layout, RowStyle};
use crate::format::words::grouped;
use crate::output::{Destination, Output, PartialFile};
use crate::progress::{use_threads, watched};
use crate::target::{self, Target, Wanted};
use crate::{answers, exit, settings, terminal};

/// Rows that are aligned in memory at the most.
const MOST_ALIGNED: u64 = 100_000;
/// Cells that are laid out in memory at the most.
const MOST_CELLS: u128 = 1_000_000;

/// Plans, computes and writes, row after row.
pub(crate) fn run(args: &TableArgs) -> Result<u8> {
    let destination = Destination::of(args.output.as_deref())?;
    let style = style(format(args, &destination)?, args.written)?;
    let target = Target::resolve(&args.target, Wanted::Either)?;
    target.protect_from(&destination)?;
    let check = &settings::with_goal(target.check.clone(), args.striving.maximise.as_deref())?;
    let config = settings::config(check, &args.asked.sets, "--set")?;
    let queries = queries(check, args)?;
    let ranges = ranges(check, args)?;
    let pivot = pivot(style, check, &ranges, &queries, args)?;
    use_threads(args.running.parallel)?;
    let budget = Budget::new(args.cost.budget);
    let layout = Layout::new(style, check, &ranges, &queries, args.exact);
    watched(&budget, shows_progress(&destination, args), || {
        let sweep = Sweep::new(check, &config, &ranges, &queries, &budget)?;
        match &pivot {
            Some(pivot) => write_pivot(&sweep, pivot, &destination),
            None => write(&sweep, &layout, style, &destination),
        }
    })?;
    Ok(exit::OK)
}

/// How rows are written. Programs get decimals, people the form that they asked for.
fn style(format: TableFormat, written: Written) -> Result<RowStyle> {
    Ok(match format {
        TableFormat::Csv => written.refuse("csv").map(|()| RowStyle::Csv)?,
        TableFormat::Jsonl => written.refuse("jsonl").map(|()| RowStyle::Jsonl)?,
        TableFormat::Parquet => written.refuse("Parquet").map(|()| RowStyle::Cells(None))?,
        TableFormat::Table => RowStyle::Cells(Some(written.form()?)),
        TableFormat::Markdown => RowStyle::Document(Markup::Markdown, written.form()?),
        TableFormat::Bbcode => RowStyle::Document(Markup::Bbcode, written.form()?),
    })
}

/// What `--pivot` asks for, if it can be laid out.
fn pivot<'a>(
    style: RowStyle,
    check: &'a Check,
    ranges: &'a [InputRange],
    queries: &'a [Query],
    args: &TableArgs,
) -> Result<Option<Pivot<'a>>> {
    let Some(axis) = args.pivot.as_deref().map(str::trim) else {
        return Ok(None);
    };
    let style = match style {
        RowStyle::Csv => PivotStyle::Csv,
        RowStyle::Document(markup, form) => PivotStyle::Document(markup, form),
        RowStyle::Cells(Some(form)) => PivotStyle::View(form),
        RowStyle::Jsonl | RowStyle::Cells(None) => {
            let message =
                "jsonl and Parquet have a row for each configuration, so nothing can run across";
            let help = "use csv, table, markdown or bbcode with `--pivot`";
            return Err(Advice::error(message, help));
        }
    };
    let name = |range: &InputRange| check.inputs[range.input.0].name.as_str();
    let Some(across) = ranges.iter().position(|range| name(range) == axis) else {
        return Err(not_swept(
            axis,
            &ranges.iter().map(name).collect::<Vec<_>>(),
        ));
    };
    let pivot = Pivot::new(style, check, ranges, across, queries);
    if pivot.size() > MOST_CELLS {
        let message = format!(
            "{} cells are too many to lay out; {} is the most",
            grouped(pivot.size()),
            grouped(MOST_CELLS)
        );
        let help = "sweep fewer values, choose the columns with `--only`, or leave out `--pivot`, which streams";
        return Err(Advice::error(message, help));
    }
    Ok(Some(pivot))
}

fn not_swept(axis: &str, swept: &[&str]) -> anyhow::Error {
    let near = target::nearest(axis, swept.iter().copied());
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let help = format!("{near}the swept axes are {}", swept.join(", "));
    Advice::error(
        format!("`{axis}` is not swept, so it can't run across"),
        help,
    )
}

/// What was asked for, or what the file's name says. What is no file may have any name.
fn format(args: &TableArgs, destination: &Destination) -> Result<TableFormat> {
    let format = match (args.format, &args.output) {
        (Some(format), _) => format,
        (None, Some(path)) => match format_of(path) {
            Err(_) if !matches!(destination, Destination::File(_)) => TableFormat::Csv,
            format => format?,
        },
        (None, None) => TableFormat::Csv,
    };
    if let (TableFormat::Parquet, Destination::Stdout | Destination::Device(_)) =
        (format, destination)
    {
        let message = "Parquet can only be written to a regular file";
        return Err(Advice::error(
            message,
            "write a new file, or use `--format csv`",
        ));
    }
    Ok(format)
}

fn format_of(path: &Path) -> Result<TableFormat> {
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "csv" => Ok(TableFormat::Csv),
        "jsonl" => Ok(TableFormat::Jsonl),
        "md" => Ok(TableFormat::Markdown),
        "parquet" => Ok(TableFormat::Parquet),
        _ => Err(Advice::error(
            format!("`{}` does not say a format", path.display()),
            "end it in .csv, .jsonl, .md or .parquet, or give a `--format`",
        )),
    }
}

/// What a check or a track shows by itself, or in its place only what is wanted; then what was asked.
fn queries(check: &Check, args: &TableArgs) -> Result<Vec<Query>> {
    let mut queries = if !args.only.is_empty() {
        settings::queries_of(check, &args.only, "--only")?
    } else if check.rounds.is_some() {
        of_track(check)?
    } else {
        of_check(check)?
    };
    for query in settings::queries(check, &args.asked.queries)? {
        if queries.iter().all(|known| known.text != query.text) {
            queries.push(query);
        }
    }
    Ok(queries)
}

/// The bands, or without bands the flags and means.
fn of_check(check: &Check) -> Result<Vec<Query>> {
    let mut queries = check.own_queries();
    match check.band() {
        Some((_, bands)) => queries.truncate(bands.labels.len()),
        None => queries.extend(settings::means(check)?),
    }
    Ok(queries)
}

/// The bands and flags that it ends in, or without any the mean of its rolls.
fn of_track(track: &Check) -> Result<Vec<Query>> {
    let ends = answers::own_of(track, false).into_iter();
    let queries: Vec<Query> = ends.map(|(_, query)| query).collect();
    if queries.is_empty() {
        let rounds = answers::rounds_name(track);
        return Ok(settings::queries(track, &[format!("mean({rounds})")])?);
    }
    Ok(queries)
}

fn ranges(check: &Check, args: &TableArgs) -> Result<Vec<InputRange>> {
    if args.sweeps.is_empty() {
        let message = "a table needs at least one `--sweep`";
        let help = format!(
            "try `--sweep all`, or `--sweep AXIS=VALUES`: {}",
            settings::axes_help(check)
        );
        return Err(Advice::error(message, help));
    }
    settings::ranges(check, &args.sweeps, &args.asked.sets)
}

fn shows_progress(destination: &Destination, args: &TableArgs) -> bool {
    let is_elsewhere = *destination != Destination::Stdout;
    args.running.shows_progress(is_elsewhere)
}

fn write(
    sweep: &Sweep<'_>,
    layout: &Layout,
    style: RowStyle,
    destination: &Destination,
) -> Result<()> {
    let is_aligned = matches!(style, RowStyle::Cells(Some(_)));
    if is_aligned && sweep.configurations() > MOST_ALIGNED {
        let message = format!("{} rows are too many to align", sweep.configurations());
        return Err(Advice::error(message, "use `--format csv`, which streams"));
    }
    if let (RowStyle::Cells(None), Destination::File(path)) = (style, destination) {
        return write_columns(sweep, layout, path);
    }
    let mut output = Output::open(destination)?;
    output.write(&layout.head())?;
    let mut aligned = Vec::new();
    let render = |row: &Row<'_>, bytes: &mut Vec<u8>| layout.render(row, bytes);
    sweep.run(render, |bytes: Vec<u8>| {
        if is_aligned {
            aligned.extend_from_slice(&bytes);
            return Ok(());
        }
        output.write(&bytes)
    })?;
    if is_aligned {
        return show_aligned(&layout.align(&aligned), output);
    }
    output.write(layout.foot())?;
    output.finish()
}

/// All cells first, since the rows of a pivot are none of the sweep's.
fn write_pivot(sweep: &Sweep<'_>, pivot: &Pivot<'_>, destination: &Destination) -> Result<()> {
    let output = Output::open(destination)?;
    let mut cells = pivot.cells();
    let render = |row: &Row<'_>, bytes: &mut Vec<u8>| pivot.render(row, bytes);
    sweep.run(render, |bytes: Vec<u8>| -> Result<()> {
        pivot.fill(&String::from_utf8(bytes)?, &mut cells);
        Ok(())
    })?;
    show_aligned(&pivot.show(&cells), output)
}

/// Parquet: by columns, in groups of rows.
fn write_columns(sweep: &Sweep<'_>, layout: &Layout, path: &Path) -> Result<()> {
    let mut writer = parquet::Writer::new(PartialFile::create(path)?, layout)?;
    let render = |row: &Row<'_>, bytes: &mut Vec<u8>| layout.render(row, bytes);
    sweep.run(render, |bytes: Vec<u8>| writer.push(&bytes))?;
    writer.finish()?.persist()
}

/// Headings are dim on a terminal; a file gets no colours.
fn show_aligned(text: &str, mut output: Output) -> Result<()> {
    if matches!(output, Output::Stdout(_)) {
        drop(output);
        return Ok(terminal::print(text)?);
    }
    output.write(anstream::adapter::strip_str(text).to_string().as_bytes())?;
    output.finish()
}
