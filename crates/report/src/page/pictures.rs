//! Pictures in a page. Its style gives them the colours of both modes.

use super::contents::Picture;
use super::html::{escape, fill, link};
use crate::figure::Figure;
use crate::{DrawError, Theme, svg};

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
