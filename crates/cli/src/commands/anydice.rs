//! `oddsmith anydice`: a program in another language.

use std::io::{self, Read as _};
use std::path::Path;

use anyhow::Result;
use oddsmith::anydice::{AnyDice, Depths, MOST_BYTES, Output};
use oddsmith::ask::{DiceLine, of_dice};
use oddsmith::text_file;
use oddsmith::wire::AnyDiceOdds;

use crate::advice::{Advice, reason};
use crate::args::{AnyDiceArgs, Style};
use crate::document::Medium;
use crate::format::anydice;
use crate::format::words::plural;
use crate::output::{Destination, Output as OutputFile};
use crate::picture::PictureFile;
use crate::{exit, failure, terminal};

/// Answers all outputs, and shows, draws or translates them.
pub(crate) fn run(args: &AnyDiceArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let picture = args.drawing.file()?;
    let ruleset = args.to_ruleset.as_deref();
    let ruleset = ruleset
        .map(|path| Destination::of(Some(path)))
        .transpose()?;
    let name = match args.path.to_str() {
        Some("-") => "<standard input>".to_owned(),
        _ => args.path.display().to_string(),
    };
    let program = AnyDice::parse(&name, &text(&args.path, &name)?)?;
    let outputs = program.outputs(&depths(args), &args.cost.limits())?;
    if outputs.is_empty() {
        failure::note("the program has no output: write `output` before a value");
    }
    if let Some(destination) = ruleset {
        return translate(args, &program, &outputs, &destination);
    }
    if let Some(file) = picture {
        draw(args, &outputs, &file)?;
    } else {
        show(style, &outputs)?;
    }
    Ok(exit::OK)
}

fn depths(args: &AnyDiceArgs) -> Depths {
    Depths {
        explode_depth: args.explode_depth,
        function_depth: args.function_depth,
    }
}

fn text(path: &Path, name: &str) -> Result<String> {
    let unread =
        |error: &io::Error| Advice::error(format!("can't read `{name}`: {}", reason(error)), "");
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let mut stdin = io::stdin().lock().take(MOST_BYTES + 1);
        stdin
            .read_to_end(&mut bytes)
            .map_err(|error| unread(&error))?;
    } else {
        bytes = text_file::read(path, MOST_BYTES).map_err(|error| unread(&error))?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("`{name}` has more than {MOST_BYTES} bytes");
        return Err(Advice::error(message, "no program has as many"));
    }
    String::from_utf8(bytes).map_err(|_| {
        let help = "save the program as UTF-8";
        Advice::error(format!("`{name}` is not UTF-8"), help)
    })
}

fn show(style: Style, outputs: &[Output]) -> Result<()> {
    match style {
        Style::View(form) => {
            let document = anydice::document(outputs, form, Medium::Terminal);
            terminal::print(&document.terminal())?;
        }
        Style::Csv => {
            for piece in anydice::csv(outputs) {
                terminal::print_piece(&piece?)?;
            }
        }
        Style::Json => terminal::print_answer(&AnyDiceOdds::of(outputs))?,
        Style::Document(markup, form) => {
            let document = anydice::document(outputs, form, Medium::Page);
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

/// All outputs in one picture; the empty die has nothing to draw.
fn draw(args: &AnyDiceArgs, outputs: &[Output], file: &PictureFile) -> Result<()> {
    let drawn = outputs.iter().filter_map(|output| {
        let dist = output.distribution.as_ref()?;
        Some(DiceLine::new(&output.label, dist.clone()))
    });
    let drawn: Vec<DiceLine> = drawn.collect();
    let figure = of_dice(&drawn, args.mode.into())?;
    file.write(&figure, args.drawing.look)?;
    for output in outputs {
        if let Some(cut) = anydice::cut(output) {
            failure::note(&format!("{}: {cut}", output.label));
        }
    }
    Ok(())
}

fn translate(
    args: &AnyDiceArgs,
    program: &AnyDice,
    outputs: &[Output],
    destination: &Destination,
) -> Result<u8> {
    let title = args.path.file_stem().and_then(|stem| stem.to_str());
    let title = title
        .filter(|title| *title != "-")
        .unwrap_or("From AnyDice");
    let ruleset = program.to_ruleset(title, &depths(args), outputs, &args.cost.limits())?;
    failure::warn(&ruleset.left);
    let Some(text) = ruleset.text else {
        failure::note("no output has a counterpart in a ruleset: nothing was written");
        return Ok(exit::NO);
    };
    let mut output = OutputFile::open(destination)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    let (checks, left) = (ruleset.checks, ruleset.left.0.len());
    let (checks, outputs) = (
        plural(checks as u64, "check"),
        plural((checks + left) as u64, "output"),
    );
    failure::note(&format!(
        "{checks} of {outputs}, each with the odds of its output"
    ));
    Ok(exit::OK)
}
