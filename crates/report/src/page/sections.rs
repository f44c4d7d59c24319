//! The parts of a page: contents, chapters, sections, pictures.

use super::contents::{CheckPage, Game, Page};
use super::data::data;
use super::html::{escape, fill, link, prose, script_json};
use super::pictures;
use crate::DrawError;
use oddsmith_numbers::plural;

const CHAPTER: &str = include_str!("assets/chapter.html");
const CHECK: &str = include_str!("assets/check.html");

/// How much the page holds, in a sentence.
pub(super) fn summary(page: &Page) -> String {
    let checks = || page.games.iter().flat_map(|game| &game.checks);
    let configurations = checks().map(|check| check.explorer.answers.iter().flatten().count());
    let tracks = checks().filter(|check| check.is_track).count();
    let kinds = [(checks().count() - tracks, "check"), (tracks, "track")].into_iter();
    let kinds = kinds.filter(|(number, _)| *number > 0);
    let kinds: Vec<String> = kinds
        .map(|(number, what)| plural(number as u64, what))
        .collect();
    format!(
        "{} in {} of {}",
        plural(configurations.sum::<usize>() as u64, "configuration"),
        kinds.join(" and "),
        plural(page.games.len() as u64, "game"),
    )
}

/// The table of contents: a list of games, each with the list of its checks.
pub(super) fn contents(page: &Page) -> String {
    let items = page.games.iter().map(|game| {
        let checks = game.checks.iter().map(|check| {
            let id = check_id(game, check);
            format!(
                "<li><a href=\"#{}\">{}</a></li>\n",
                link(&id),
                escape(check.title())
            )
        });
        format!(
            "<li><a href=\"#{}\">{}</a>\n<ol>\n{}</ol></li>\n",
            link(&game.id),
            escape(&game.name),
            checks.collect::<String>()
        )
    });
    items.collect()
}

/// What a check's section is called in links.
pub(super) fn check_id(game: &Game, check: &CheckPage) -> String {
    format!("{}:{}", game.id, check.id)
}

/// The chapter of a game.
pub(super) fn chapter(game: &Game) -> Result<String, DrawError> {
    let checks = game.checks.iter().map(|check| section(game, check));
    let checks = checks.collect::<Result<String, DrawError>>()?;
    Ok(fill(
        CHAPTER,
        &[
            ("id", &escape(&game.id)),
            ("name", &escape(&game.name)),
            ("help", &paragraph("lead", &game.help)),
            ("warnings", &warnings(&game.warnings)),
            ("checks", &checks),
        ],
    ))
}

fn section(game: &Game, check: &CheckPage) -> Result<String, DrawError> {
    let id = check_id(game, check);
    let drawn = check.pictures.iter().enumerate();
    let drawn = drawn.map(|(at, picture)| pictures::figure(&picture_id(&id, at), picture));
    let drawn = drawn.collect::<Result<String, DrawError>>()?;
    Ok(fill(
        CHECK,
        &[
            ("id", &escape(&id)),
            ("game", &escape(&game.name)),
            ("name", &escape(check.title())),
            ("help", &paragraph("lead", &check.help)),
            ("fixed", &fixed(&check.explorer.fixed)),
            ("file", &pictures::path(&check.csv)),
            ("data", &script_json(&data(&id, check))),
            ("pictures", &drawn),
            ("rules", &rules(&id, &check.rules)),
        ],
    ))
}

fn paragraph(class: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<p class=\"{class}\">{}</p>\n", prose(text))
}

/// What is hardly meant, to be opened.
fn warnings(warnings: &[String]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let items = warnings.iter();
    let items = items.map(|warning| format!("<li>{}</li>\n", escape(warning)));
    format!(
        "<details class=\"warnings\"><summary>{} about these rules</summary>\n<ul>\n{}</ul></details>\n",
        plural(warnings.len() as u64, "warning"),
        items.collect::<String>()
    )
}

/// The rules of a check, to be opened; a link to what is inside does so.
fn rules(check: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!(
        "<details class=\"rules\"><summary>The rules as they are written</summary>\n\
         <pre id=\"{}\" tabindex=\"0\"><code>{}</code></pre></details>\n",
        escape(&rules_id(check)),
        escape(text)
    )
}

/// What the rules of a check are called in links, by what its section is called.
pub(super) fn rules_id(check: &str) -> String {
    format!("{check}-rules")
}

/// What a picture of a check is called in links, by what its section is called.
pub(super) fn picture_id(check: &str, at: usize) -> String {
    format!("{check}-{}", at + 1)
}

/// The inputs that the sweep leaves alone.
fn fixed(inputs: &[(String, String)]) -> String {
    if inputs.is_empty() {
        return String::new();
    }
    let items = inputs.iter().map(|(name, value)| {
        format!(
            "<div><dt>{}</dt><dd>{}</dd></div>\n",
            escape(name),
            escape(value)
        )
    });
    format!(
        "<details class=\"fixed\"><summary>Everything else is at its default</summary>\n<dl>\n{}</dl></details>\n",
        items.collect::<String>()
    )
}
