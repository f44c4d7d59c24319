//! A scene as SVG, through plotters' SVG back-end.

use std::fmt::Write as _;

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, TextStyle};

use super::error::DrawError;
use super::font::Weight;
use super::scene::{Anchor, Kind, Label, Point, Scene, Shape, WIDTH};

/// The back-end knows whole units only: with four to a pixel, curves are smooth and bars as high as they should be.
const UNITS: f64 = 4.0;
/// What the back-end divides the size of a text by.
const BACKEND_TEXT: f64 = 1.24;
/// How far below a text's place the back-end puts the baseline if the place is its top.
const BACKEND_TOP: f64 = 0.76;
/// Inter where there is one, which is what texts are measured with; the others run no wider.
const FAMILY: &str = "Inter, 'Helvetica Neue', Arial, sans-serif";

/// The picture as an SVG document.
pub(crate) fn render(
    scene: &Scene,
    height: f64,
    title: &str,
    description: &str,
) -> Result<String, DrawError> {
    let mut drawn = String::new();
    let size = (units(WIDTH).unsigned_abs(), units(height).unsigned_abs());
    let mut backend = SVGBackend::with_string(&mut drawn, size);
    for shape in &scene.shapes {
        draw(&mut backend, shape)?;
    }
    drop(backend);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {} {}" role="img" font-family="{FAMILY}">"#,
        size.0, size.1
    );
    let _ = writeln!(svg, "<title>{}</title>", escaped(title));
    let _ = writeln!(svg, "<desc>{}</desc>", escaped(description));
    // The first line is the back-end's own head. Then a shape is a line, a text three.
    let mut lines = drawn.lines().skip(1);
    for shape in &scene.shapes {
        finish(&mut svg, shape, &mut lines);
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// A length in units of the back-end.
#[allow(clippy::cast_possible_truncation)]
fn units(length: f64) -> i32 {
    (length * UNITS).round() as i32
}

fn place((x, y): Point) -> (i32, i32) {
    (units(x), units(y))
}

fn draw(backend: &mut SVGBackend<'_>, shape: &Shape) -> Result<(), DrawError> {
    let color = shape.color;
    let drawn = match &shape.kind {
        Kind::Rect(rect) => {
            let corner = place((rect.right(), rect.bottom()));
            backend.draw_rect(place((rect.left, rect.top)), corner, &color, true)
        }
        Kind::Path { points, width, .. } => {
            let style = color.stroke_width(units(*width).unsigned_abs());
            backend.draw_path(points.iter().copied().map(place), &style)
        }
        Kind::Polygon(points) => backend.fill_polygon(points.iter().copied().map(place), &color),
        Kind::Circle(centre, radius) => {
            backend.draw_circle(place(*centre), units(*radius).unsigned_abs(), &color, true)
        }
        Kind::Text(label) => {
            let text = printable(&label.text);
            backend.draw_text(&text, &style(label, &color), place(top(label)))
        }
    };
    drawn.map_err(|error| DrawError::Backend(error.to_string()))
}

/// Where the back-end wants a label whose baseline is to be where it should be.
fn top(label: &Label) -> Point {
    let rise = label.size * BACKEND_TOP;
    let (x, y) = label.at;
    if label.upright {
        (x - rise, y)
    } else {
        (x, y - rise)
    }
}

fn style<'a>(label: &Label, color: &'a RGBColor) -> TextStyle<'a> {
    let weight = match label.weight {
        Weight::Regular => FontStyle::Normal,
        Weight::SemiBold => FontStyle::Bold,
    };
    let size = label.size * UNITS * BACKEND_TEXT;
    let turn = if label.upright {
        FontTransform::Rotate270
    } else {
        FontTransform::None
    };
    let side = match label.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let font = FontDesc::new(FontFamily::SansSerif, size, weight);
    TextStyle::from(font.transform(turn))
        .color(color)
        .pos(Pos::new(side, VPos::Top))
}

/// The text without what XML can't hold; spaces in its place.
fn printable(text: &str) -> String {
    let allowed = |c: char| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
    text.chars()
        .map(|c| if allowed(c) { c } else { ' ' })
        .collect()
}

/// A text for XML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

fn font_size(size: f64) -> String {
    format!("font-size=\"{size}\"")
}

/// Writes what the back-end drew for a shape, with what the back-end knows nothing of: titles, dashes, round joins,
/// the weight of text. What says nothing is left out.
fn finish<'a>(svg: &mut String, shape: &Shape, lines: &mut impl Iterator<Item = &'a str>) {
    let mut element = lines
        .next()
        .unwrap_or_default()
        .replace(" opacity=\"1\"", "");
    let title = shape
        .title
        .as_ref()
        .map(|title| format!("<title>{}</title>", escaped(title)));
    let title = title.unwrap_or_default();
    if let Kind::Text(label) = &shape.kind {
        let size = label.size * UNITS;
        let element = element
            .replace(
                &font_size(size * BACKEND_TEXT / BACKEND_TEXT),
                &font_size(size),
            )
            .replace(" font-family=\"sans-serif\"", "")
            .replace(" text-anchor=\"start\"", "")
            .replace("font-weight=\"bold\"", "font-weight=\"600\"");
        let text = lines.next().unwrap_or_default();
        let close = lines.next().unwrap_or_default();
        let _ = writeln!(svg, "{element}{title}{text}{close}");
        return;
    }
    element.truncate(element.trim_end_matches("/>").len());
    let mut element = element.replace(" stroke=\"none\"", "").replace(" \"", "\"");
    if let Kind::Path { dash, .. } = &shape.kind {
        element.push_str(" stroke-linejoin=\"round\"");
        if !dash.is_empty() {
            let dash: Vec<String> = dash.iter().map(|d| units(*d).to_string()).collect();
            let _ = write!(element, " stroke-dasharray=\"{}\"", dash.join(" "));
        }
    }
    let tag = element[1..]
        .split(' ')
        .next()
        .unwrap_or_default()
        .to_owned();
    if title.is_empty() {
        let _ = writeln!(svg, "{element}/>");
    } else {
        let _ = writeln!(svg, "{element}>{title}</{tag}>");
    }
}
