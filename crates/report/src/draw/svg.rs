//! Shapes as SVG.

use std::fmt::Write as _;

use plotters_backend::BackendCoord;

use super::canvas::{Anchor, BASELINE, Kind, Shape, Text, WIDTH, units};
use super::color::hex;
use super::font::Weight;
use crate::escape::escape;

/// Inter where there is one, which is what texts are measured with; the others run no wider.
const FAMILY: &str = "Inter, 'Helvetica Neue', Arial, sans-serif";

/// The picture as an SVG document, which says what it shows in a title and a description.
pub(crate) fn write(shapes: &[Shape], height: f64, title: &str, description: &str) -> String {
    let (across, down) = (units(WIDTH), units(height));
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {across} {down}" role="img" font-family="{FAMILY}">"#
    );
    svg.push('\n');
    let _ = writeln!(svg, "<title>{}</title>", escape(title));
    let _ = writeln!(svg, "<desc>{}</desc>", escape(description));
    for shape in shapes {
        element(&mut svg, shape);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes a shape on a line of its own.
fn element(svg: &mut String, shape: &Shape) {
    let paint = paint(shape);
    let (tag, attributes, content) = match &shape.kind {
        Kind::Rect((left, top), (right, bottom)) => {
            let (width, height) = (right - left, bottom - top);
            let place = format!(r#"x="{left}" y="{top}" width="{width}" height="{height}""#);
            ("rect", format!("{place} {paint}"), "")
        }
        Kind::Path(points) => {
            let dash = dash(shape.notes.dash);
            let points = list(points);
            let line = format!(r#"{paint} points="{points}" stroke-linejoin="round"{dash}"#);
            ("polyline", line, "")
        }
        Kind::Polygon(corners) => {
            let corners = list(corners);
            ("polygon", format!(r#"{paint} points="{corners}""#), "")
        }
        Kind::Circle((x, y), radius) => {
            let place = format!(r#"cx="{x}" cy="{y}" r="{radius}""#);
            ("circle", format!("{place} {paint}"), "")
        }
        Kind::Text(text) => ("text", text_attributes(text, &paint), text.text.as_str()),
    };
    let title = shape.notes.title.as_ref();
    let title = title.map(|title| format!("<title>{}</title>", escape(title)));
    let inside = title.unwrap_or_default() + &escape(content);
    let _ = match inside.is_empty() {
        true => writeln!(svg, "<{tag} {attributes}/>"),
        false => writeln!(svg, "<{tag} {attributes}>{inside}</{tag}>"),
    };
}

fn paint(shape: &Shape) -> String {
    let color = hex(shape.color);
    match shape.outline {
        None => format!(r#"fill="{color}""#),
        Some(width) => format!(r#"fill="none" stroke="{color}" stroke-width="{width}""#),
    }
}

fn list(points: &[BackendCoord]) -> String {
    let points = points.iter().map(|(x, y)| format!("{x},{y}"));
    points.collect::<Vec<_>>().join(" ")
}

fn dash(lengths: &[f64]) -> String {
    if lengths.is_empty() {
        return String::new();
    }
    let lengths: Vec<String> = lengths.iter().map(|d| units(*d).to_string()).collect();
    format!(r#" stroke-dasharray="{}""#, lengths.join(" "))
}

fn text_attributes(text: &Text, paint: &str) -> String {
    let ((x, y), size) = (text.at, text.size);
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => r#" text-anchor="middle""#,
        Anchor::End => r#" text-anchor="end""#,
    };
    let weight = match text.weight {
        Weight::Regular => "",
        Weight::SemiBold => r#" font-weight="600""#,
    };
    let turn = match text.upright {
        true => format!(r#" transform="rotate(270, {x}, {y})""#),
        false => String::new(),
    };
    format!(r#"x="{x}" y="{y}" dy="{BASELINE}em"{anchor} font-size="{size}" {paint}{weight}{turn}"#)
}
