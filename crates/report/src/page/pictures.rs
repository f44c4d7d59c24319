//! Pictures in a page, and their colours in both modes.

use std::collections::BTreeSet;

use super::contents::{ColumnKind, Explorer, Page, Picture};
use super::html::{escape, fill, link};
use crate::draw::{Colors, hex};
use crate::figure::Figure;
use crate::{DrawError, Theme, palette, svg};

const PICTURE: &str = include_str!("assets/picture.html");

/// A picture with its title, its numbers as a table, and the file it also lies in.
pub(super) fn figure(id: &str, picture: &Picture) -> Result<String, DrawError> {
    let Figure {
        title, subtitle, ..
    } = &picture.figure;
    Ok(fill(
        PICTURE,
        &[
            ("id", &escape(id)),
            ("title", &escape(title)),
            ("subtitle", &escape(subtitle)),
            ("drawing", &svg(&picture.figure, Theme::Light)?),
            ("table", &table(&picture.figure)),
            ("file", &path(&picture.file)),
        ],
    ))
}

/// A path relative to the page as an attribute's value; a name with a colon is no protocol then.
pub(super) fn path(path: &str) -> String {
    format!("./{}", link(path))
}

fn table(figure: &Figure) -> String {
    let table = figure.table();
    let cells = |tag: &str, cells: &[String]| -> String {
        let cell = |text: &String| format!("<{tag}>{}</{}>", escape(text), &tag[..2]);
        cells.iter().map(cell).collect()
    };
    let rows = table.rows.iter().map(|row| {
        let (first, rest) = row.split_at(1.min(row.len()));
        format!(
            "<tr>{}{}</tr>\n",
            cells("th scope=\"row\"", first),
            cells("td", rest)
        )
    });
    format!(
        "<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n",
        cells("th scope=\"col\"", &table.head),
        rows.collect::<String>()
    )
}

/// Rules that give pictures the colours of the reader's mode, and bands theirs.
///
/// Every colour of a light picture says what it is for, so the rules need only name it.
pub(super) fn colours(page: &Page) -> String {
    let modes = palette(Theme::Light).into_iter().zip(palette(Theme::Dark));
    let modes = modes.map(|((role, light), (_, dark))| match role.as_str() {
        // The page shows through.
        "background" => swap(&light, "none"),
        _ if light == dark => String::new(),
        _ => swap(&light, &format!("light-dark({light}, {dark})")),
    });
    let checks = page.games.iter().flat_map(|game| &game.checks);
    let counts: BTreeSet<usize> = checks.map(|check| bands(&check.explorer)).collect();
    modes.chain(counts.into_iter().map(band_colours)).collect()
}

fn swap(color: &str, with: &str) -> String {
    format!(
        "@media not print{{svg [fill=\"{color}\"]{{fill:{with}}}svg [stroke=\"{color}\"]{{stroke:{with}}}}}\n"
    )
}

/// How many bands a check has.
pub(super) fn bands(explorer: &Explorer) -> usize {
    let columns = explorer.columns.iter();
    columns
        .filter(|column| column.kind == ColumnKind::Band)
        .count()
}

/// The colours of so many bands, worst first, and of what is written on them; they are the same in both modes.
fn band_colours(count: usize) -> String {
    let colors = Colors::of(Theme::Light);
    let colours = (0..count).map(|place| {
        let fill = colors.band(place, count);
        let ink = colors.on(fill);
        format!(
            "--band-{place}:{};--on-band-{place}:{};",
            hex(fill),
            hex(ink)
        )
    });
    format!(".bands-{count}{{{}}}\n", colours.collect::<String>())
}
