//! The outputs of an AnyDice program.

use anyhow::Result;
use oddsmith::anydice::Output;
use oddsmith::shortest;
use oddsmith_exact::RBig;

use crate::document::{Block, Document, Medium, Span, Table};
use crate::format::dist::points;
use crate::format::side_by_side::{self, EMPTY};
use crate::format::words::Form;
use crate::format::{dist_view, view};

/// A table of all outputs if there are several, then each of them.
pub(crate) fn document(outputs: &[Output], form: Form, medium: Medium) -> Document {
    let mut document = Document::default();
    if outputs.len() > 1 {
        document.push([Block::table(summary(outputs))]);
    }
    for output in outputs {
        document.push_on(Medium::Page, [Block::heading(output.label.as_str())]);
        match &output.distribution {
            Some(dist) => dist_view::push(&mut document, &output.label, (dist, None), form, medium),
            None => document.push(view::opening(&output.label, EMPTY)),
        }
        document.push(cut(output).map(|cut| Block::paragraph(Span::muted(cut))));
    }
    document
}

fn summary(outputs: &[Output]) -> Table {
    let rows = outputs.iter();
    side_by_side::summary(
        "output",
        rows.map(|output| (output.label.as_str(), output.distribution.as_ref())),
    )
}

/// How likely a limit of the language is met, if it can be.
pub(crate) fn cut(output: &Output) -> Option<String> {
    if output.cut == RBig::ZERO {
        return None;
    }
    let odds = Form::Percent(2).show(output.cut.numerator(), output.cut.denominator());
    Some(format!(
        "cut off: {odds} of the rolls would explode once more or call deeper; --explode-depth and --function-depth go on"
    ))
}

/// `output,label,outcome,weight,total,probability`, an output at a time; the outputs count from 1.
pub(crate) fn csv(outputs: &[Output]) -> impl Iterator<Item = Result<Vec<u8>>> {
    let head = b"output,label,outcome,weight,total,probability\n".to_vec();
    let numbered = outputs.iter().zip(1_usize..);
    std::iter::once(Ok(head)).chain(numbered.map(|(output, number)| rows(output, number)))
}

fn rows(output: &Output, number: usize) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let number = number.to_string();
    if let Some(dist) = &output.distribution {
        let total = dist.total();
        let shown_total = total.to_string();
        for point in points(dist) {
            let probability = shortest(oddsmith::wire::share(&point.weight, total));
            writer.write_field(&number)?;
            writer.write_field(&output.label)?;
            writer.write_field(point.value.to_string())?;
            writer.write_field(point.weight.to_string())?;
            writer.write_field(&shown_total)?;
            writer.write_field(probability)?;
            writer.write_record(None::<&[u8]>)?;
        }
    }
    Ok(writer.into_inner()?)
}
