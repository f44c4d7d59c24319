//! `oddsmith compare`: two versions side by side.

mod lines;
mod picture;
mod sides;

use anyhow::Result;
use oddsmith_analysis::compare::{Pair, Scale, Side, Summary};
use oddsmith_exact::{Budget, Gaps};

use crate::args::{CompareArgs, Style};
use crate::document::Medium;
use crate::format::comparison::{self, Compared, Comparison, SIDES};
use crate::format::comparison_view;
use crate::picture::PictureFile;
use crate::{exit, failure, gaps, terminal};
use lines::Lines;
use picture::Drawing;
use sides::Sides;

/// Answers and prints, or draws.
pub(crate) fn run(args: &CompareArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let file = args.drawing.file()?;
    let sides = Sides::of(args)?;
    let lines = Lines::of(&sides, args)?;
    let gaps = match file {
        Some(file) => draw(&file, &sides, &lines, args)?,
        None => {
            let (comparison, gaps) = compared(&sides, &lines, args)?;
            print(style, &comparison)?;
            gaps
        }
    };
    for (gaps, side) in gaps.iter().zip(SIDES) {
        let without = format!("{side} has no odds there");
        gaps::tell(gaps, [&without, &without]);
    }
    for note in sides.notes.iter().chain(&lines.notes) {
        failure::note(note);
    }
    Ok(exit::OK)
}

/// Computes both sides.
fn compared(sides: &Sides, lines: &Lines, args: &CompareArgs) -> Result<(Comparison, [Gaps; 2])> {
    let pair = Pair {
        sides: [0, 1].map(|side| Side {
            check: &sides.targets[side].check,
            config: &sides.configs[side],
            ranges: sides
                .axes
                .iter()
                .map(|axis| axis.ranges[side].clone())
                .collect(),
            lines: lines.queries[side].clone(),
        }),
        lengths: sides.axes.iter().map(|axis| axis.values.len()).collect(),
        scale: match &lines.compared {
            Compared::Nothing => Scale::None,
            Compared::Bands(bands) => Scale::Bands((0..bands.len()).collect()),
            Compared::Number(name) => Scale::Number(lines::outcomes(sides, name)?),
        },
    };
    let (rows, gaps) = pair.rows(&Budget::new(args.cost.budget))?;
    let comparison = Comparison {
        title: sides.title(),
        settings: sides.settings(|input, value| value != input.default),
        names: sides.names(),
        axes: sides.axes.iter().map(sides::Axis::shown).collect(),
        summary: Summary::of(&rows, lines.heads.len()),
        heads: lines.heads.clone(),
        compared: lines.compared.clone(),
        rows,
    };
    Ok((comparison, gaps))
}

fn print(style: Style, comparison: &Comparison) -> Result<()> {
    match style {
        Style::View(form) => terminal::print(
            &comparison_view::document(comparison, form, Medium::Terminal).terminal(),
        )?,
        Style::Csv => terminal::print_data(&comparison::csv(comparison)?)?,
        Style::Json => terminal::print_json(&comparison::json(comparison))?,
        Style::Document(markup, form) => {
            let document = comparison_view::document(comparison, form, Medium::Page).markup(markup);
            terminal::print_data(document.as_bytes())?;
        }
    }
    Ok(())
}

/// What can't be drawn is refused before it is computed.
fn draw(file: &PictureFile, sides: &Sides, lines: &Lines, args: &CompareArgs) -> Result<[Gaps; 2]> {
    for target in &sides.targets {
        target.protect_from(&file.destination)?;
    }
    let drawing = Drawing::of(sides, lines)?;
    let (comparison, gaps) = compared(sides, lines, args)?;
    file.write(&drawing.figure(&comparison), args.drawing.look)?;
    Ok(gaps)
}
