//! `oddsmith table`: many configurations.

use std::io;
use std::path::Path;

use anyhow::Result;
use oddsmith::part::Job;
use oddsmith::{RowSource, TableRequest};
use oddsmith_exact::{Gaps, Row};
use oddsmith_rules::{Check, InputRange, Query};

use crate::advice::Advice;
use crate::args::{TableArgs, TableFormat, Written};
use crate::document::{Cell, Grid, Markup};
use crate::format::columns::{self, Columns};
use crate::format::parquet;
use crate::format::pivot::{Pivot, PivotStyle, Placed};
use crate::format::rows::{Layout, RowStyle};
use crate::format::words::{Form, grouped};
use crate::output::{Destination, Output, partial_file, unwritable};
use crate::parting::Work;
use crate::progress::watched;
use crate::target::{Target, Wanted};
use crate::{exit, gaps, terminal};

/// Rows that are aligned in memory at the most.
const MOST_ALIGNED: u64 = 100_000;
/// Cells that are laid out in memory at the most.
const MOST_CELLS: u128 = 1_000_000;

/// Plans, computes and writes, row after row.
pub(crate) fn run(args: &TableArgs) -> Result<u8> {
    let destination = Destination::of(args.output.as_deref())?;
    let style = match args.parting.part {
        // What is not said yet says the file of the whole.
        Some(_) if args.format.is_none() => Style::Rows(RowStyle::Csv),
        _ => style(format(args, &destination)?, args.written)?,
    };
    let target = Target::resolve(&args.target, Wanted::Either)?;
    if args.denying.refuses(&target.model().warnings) {
        return Ok(exit::NO);
    }
    target.protect_from(&destination)?;
    let request = TableRequest {
        check: Some(target.check.name.clone()),
        settings: args.asked.settings(),
        sweeps: args.sweeps.clone(),
        only: args.only.clone(),
        queries: args.asked.queries.clone(),
        maximise: args.striving.maximise.clone(),
    };
    let table = target.game.table(&request)?;
    let work = args
        .parting
        .work(|| Job::of(&target.game, "table", &request))?;
    let (check, ranges, queries) = (&table.check, &table.ranges, &table.queries);
    let pivot = pivot(style, check, ranges, queries, args)?;
    if let Work::Part(..) = work {
        destination.has_place()?;
    }
    let limits = args.cost.limits_on(args.running.parallel);
    let budget = limits.budget();
    let columns = || Columns::new(check, ranges, queries, args.exact);
    let write = || {
        let whole = match &work {
            Work::Part(job, number) => {
                let output = Output::open(&destination)?;
                let (output, gaps) = table.write_part(job, *number, &budget, output)?;
                output.finish()?;
                gaps::tell_empty(&gaps);
                return Ok(());
            }
            Work::Done(whole) => Some(*whole),
            Work::All => None,
        };
        let rows = Rows {
            source: &table.source(whole, &budget)?,
            is_strict: args.strict,
        };
        let gaps = match (&pivot, style) {
            (Some(pivot), _) => write_pivot(&rows, pivot, &destination)?,
            (None, Style::Rows(style)) => {
                let layout = Layout::new(style, check, ranges, queries, args.exact);
                write(&rows, &layout, &destination)?
            }
            (None, Style::Aligned(form)) => write_aligned(&rows, &columns(), form, &destination)?,
            (None, Style::Parquet) => write_parquet(&rows, &columns(), &destination)?,
        };
        gaps::tell(
            &gaps,
            [
                "its cells are empty (`--strict` refuses the table)",
                "their cells are empty (`--strict` refuses the table)",
            ],
        );
        Ok::<(), anyhow::Error>(())
    };
    watched(&budget, shows_progress(&destination, args), || {
        limits.install(write)
    })??;
    Ok(exit::OK)
}

/// The rows of a sweep, and whether one that breaks a rule ends it.
struct Rows<'s> {
    source: &'s RowSource<'s>,
    is_strict: bool,
}

impl Rows<'_> {
    fn run<B: Default + Send>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        write: impl FnMut(B) -> Result<()>,
    ) -> Result<Gaps> {
        if self.is_strict {
            self.source.run(render, write)?;
            return Ok(Gaps::default());
        }
        self.source.run_with_gaps(render, write)
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// One after the other.
    Rows(RowStyle),
    /// All of them first, in aligned columns.
    Aligned(Form),
    /// By columns.
    Parquet,
}

/// Programs get decimals, people the form that they asked for.
fn style(format: TableFormat, written: Written) -> Result<Style> {
    let document = |markup| Ok(Style::Rows(RowStyle::Document(markup, written.form()?)));
    let for_programs = |name, style| written.refuse(name).map(|()| style);
    match format {
        TableFormat::Csv => for_programs("csv", Style::Rows(RowStyle::Csv)),
        TableFormat::Jsonl => for_programs("jsonl", Style::Rows(RowStyle::Jsonl)),
        TableFormat::Parquet => for_programs("Parquet", Style::Parquet),
        TableFormat::Table => Ok(Style::Aligned(written.form()?)),
        TableFormat::Markdown => document(Markup::Markdown),
        TableFormat::Bbcode => document(Markup::Bbcode),
    }
}

/// What `--pivot` asks for, if it can be laid out.
fn pivot<'a>(
    style: Style,
    check: &'a Check,
    ranges: &'a [InputRange],
    queries: &'a [Query],
    args: &TableArgs,
) -> Result<Option<Pivot<'a>>> {
    let Some(axis) = args.pivot.as_deref().map(str::trim) else {
        return Ok(None);
    };
    let style = match style {
        Style::Rows(RowStyle::Csv) => PivotStyle::Csv,
        Style::Rows(RowStyle::Document(markup, form)) => PivotStyle::Document(markup, form),
        Style::Aligned(form) => PivotStyle::View(form),
        Style::Rows(RowStyle::Jsonl) | Style::Parquet => {
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
    let near = oddsmith_rules::nearest(axis, swept.iter().copied());
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
        return Err(not_to_a_stream());
    }
    Ok(format)
}

fn not_to_a_stream() -> anyhow::Error {
    let message = "Parquet can only be written to a regular file";
    Advice::error(message, "write a new file, or use `--format csv`")
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

fn shows_progress(destination: &Destination, args: &TableArgs) -> bool {
    let is_elsewhere = *destination != Destination::Stdout;
    args.running.shows_progress(is_elsewhere)
}

fn write(rows: &Rows<'_>, layout: &Layout, destination: &Destination) -> Result<Gaps> {
    let mut output = Output::open(destination)?;
    output.write(&layout.head())?;
    let render = |row: &Row<'_>, bytes: &mut Vec<u8>| layout.render(row, bytes);
    let gaps = rows.run(render, |bytes: Vec<u8>| output.write(&bytes))?;
    output.write(layout.foot())?;
    output.finish()?;
    Ok(gaps)
}

/// All rows first, since the widest cell of a column may be the last one.
fn write_aligned(
    rows: &Rows<'_>,
    columns: &Columns,
    form: Form,
    destination: &Destination,
) -> Result<Gaps> {
    let configurations = rows.source.configurations();
    if configurations > MOST_ALIGNED {
        let message = format!("{configurations} rows are too many to align");
        return Err(Advice::error(message, "use `--format csv`, which streams"));
    }
    let output = Output::open(destination)?;
    let axes = columns.iter().filter(|column| column.is_axis());
    let mut grid = Grid::new(&columns::aligns(columns)).named_by(axes.count());
    grid.head(&columns.titles());
    let render = |row: &Row<'_>, texts: &mut Vec<Vec<String>>| {
        texts.push(columns.texts(row, Some(form)));
    };
    let gaps = rows.run(render, |texts: Vec<Vec<String>>| -> Result<()> {
        for row in texts {
            grid.push(row.into_iter().map(Cell::from).collect());
        }
        Ok(())
    })?;
    show_aligned(&grid.render("", width_of(&output)), output)?;
    Ok(gaps)
}

/// All cells first, since the rows of a pivot are none of the sweep's.
fn write_pivot(rows: &Rows<'_>, pivot: &Pivot<'_>, destination: &Destination) -> Result<Gaps> {
    let output = Output::open(destination)?;
    let mut cells = pivot.cells();
    let render = |row: &Row<'_>, placed: &mut Vec<Placed>| placed.push(pivot.place(row));
    let gaps = rows.run(render, |placed: Vec<Placed>| -> Result<()> {
        placed.into_iter().for_each(|placed| cells.fill(placed));
        Ok(())
    })?;
    show_aligned(&pivot.show(&cells, width_of(&output)), output)?;
    Ok(gaps)
}

/// By columns, in groups of rows.
fn write_parquet(rows: &Rows<'_>, columns: &Columns, destination: &Destination) -> Result<Gaps> {
    let Destination::File(path) = destination else {
        return Err(not_to_a_stream());
    };
    let cant_write = |error: anyhow::Error| {
        let reason = { error.chain() }.find_map(|cause| cause.downcast_ref::<io::Error>());
        let told = reason.map(|reason| unwritable(path, reason));
        told.unwrap_or(error)
    };
    let mut writer = parquet::Writer::new(partial_file(path)?, columns).map_err(cant_write)?;
    let render = |row: &Row<'_>, group: &mut parquet::Rows| group.add(columns, row);
    let gaps = rows.run(render, |group: parquet::Rows| {
        writer.push(group).map_err(cant_write)
    })?;
    writer.finish().map_err(cant_write)?.persist()?;
    Ok(gaps)
}

/// The columns that there are on the terminal; a file has as many as are needed.
fn width_of(output: &Output) -> Option<usize> {
    match output {
        Output::Stdout(_) => terminal::width(),
        _ => None,
    }
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
