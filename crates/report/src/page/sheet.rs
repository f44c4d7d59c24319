//! Balance sheets: the first part of a page, for whoever has a minute.

use oddsmith_numbers::typeset;

use super::contents::{CheckPage, Entry, ExplorerAxis, Game, Page, Reading, Sheet};
use super::html::{escape, link, prose};
use super::sections::{check_id, picture_id, rules_id};

/// What the part with all sheets is called in links. No game and no check is called so.
const SHEETS: &str = ":sheets";

/// The line of the contents that leads to the sheets; nothing if there are none.
pub(super) fn contents(page: &Page) -> String {
    let mut games = page.games.iter();
    if games.all(|game| game.sheet.entries.is_empty()) {
        return String::new();
    }
    let link = link(SHEETS);
    format!("<li><a href=\"#{link}\">Balance sheets</a></li>\n")
}

/// The sheets of all games that have one.
pub(super) fn sheets(page: &Page) -> String {
    let sheets: String = page.games.iter().map(sheet).collect();
    if sheets.is_empty() {
        return sheets;
    }
    format!(
        "<section class=\"sheets\" id=\"{SHEETS}\" aria-labelledby=\"{SHEETS}-title\">\n\
         <h2 id=\"{SHEETS}-title\">Balance sheets</h2>\n\
         <p class=\"lead\">The figures that matter first. Each leads to its table, its chart and its rule; the command below it \
         answers with the same number.</p>\n{sheets}</section>\n"
    )
}

fn sheet(game: &Game) -> String {
    let Sheet {
        entries, left_out, ..
    } = &game.sheet;
    if entries.is_empty() {
        return String::new();
    }
    let entries: String = entries.iter().map(|own| entry(game, own)).collect();
    let readings = readings(game);
    let left_out: String = { left_out.iter() }
        .map(|why| format!("<p class=\"left-out\">Not here: {}</p>\n", prose(why)))
        .collect();
    let (id, name) = (link(&game.id), escape(&game.name));
    format!(
        "<section class=\"sheet\">\n<h3><a href=\"#{id}\">{name}</a></h3>\n\
         <ul class=\"entries\">\n{entries}</ul>\n{readings}{left_out}</section>\n"
    )
}

fn entry(game: &Game, entry: &Entry) -> String {
    let check = game.checks.iter().find(|check| check.id == entry.check);
    let links = check.map(|check| links(game, check, entry));
    format!(
        "<li>\n<p class=\"what\">{}</p>\n<p class=\"value\">{}</p>\n<p class=\"about\">{}</p>\n\
         <p class=\"ways\">\n{}</p>\n<p class=\"from\"><code>{}</code></p>\n</li>\n",
        escape(&typeset(&entry.title)),
        escape(&typeset(&entry.number)),
        prose(&typeset(&entry.note)),
        links.unwrap_or_default(),
        escape(&entry.command),
    )
}

/// The table of readings, folded; nothing if there are none.
fn readings(game: &Game) -> String {
    let Sheet { readings, idle, .. } = &game.sheet;
    if readings.is_empty() {
        return String::new();
    }
    let rows: String = readings.iter().map(|own| reading(game, own)).collect();
    let mut questions: Vec<&str> = Vec::new();
    for own in readings {
        if !questions.contains(&own.question.as_str()) {
            questions.push(&own.question);
        }
    }
    let questions: String = { questions.into_iter() }
        .map(|question| format!("<p class=\"left-out\">{}</p>\n", escape(&typeset(question))))
        .collect();
    let idle = match idle.as_slice() {
        [] => String::new(),
        idle => format!(
            "<p class=\"left-out\">These change no odds of the default sweeps, though some may limit what is legal: {}.</p>\n",
            escape(&typeset(&idle.join("; ")))
        ),
    };
    format!(
        "<details class=\"readings\">\n<summary>Which readings matter, and by how much</summary>\n\
         <p class=\"left-out\">Where the text of the game is open, a parameter has its readings. Each row has another one in place of the \
         default, in the check or track whose default sweep it changes the most. Typical is the median of the changes that are not zero, \
         and rows are in its order; a change may be much larger somewhere.</p>\n\
         <div class=\"wide\" tabindex=\"0\">\n<table>\n<caption class=\"unseen\">What other readings change, the largest typical change first</caption>\n\
         <thead><tr><th scope=\"col\">reading</th><th scope=\"col\">of</th>\
         <th scope=\"col\">typically</th><th scope=\"col\">at most</th><th scope=\"col\">configurations</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n{questions}{idle}</details>\n"
    )
}

fn reading(game: &Game, reading: &Reading) -> String {
    let check = game.checks.iter().find(|check| check.id == reading.check);
    let of = escape(&typeset(&reading.of));
    let of = match check {
        Some(check) => format!(
            "<a href=\"#{}\">{}</a>: {of}",
            link(&check_id(game, check)),
            escape(check.title())
        ),
        None => of,
    };
    let cells = [&reading.typical, &reading.most, &reading.share];
    let cells: String = { cells.iter() }
        .map(|cell| format!("<td>{}</td>", escape(&typeset(cell))))
        .collect();
    format!(
        "<tr><th scope=\"row\" title=\"{}\">{}</th><td>{of}</td>{cells}</tr>\n",
        escape(&reading.command),
        escape(&typeset(&reading.title)),
    )
}

/// The links of an entry; each says what it is about also to those who hear it alone.
fn links(game: &Game, check: &CheckPage, entry: &Entry) -> String {
    let id = check_id(game, check);
    let picture = entry.picture.filter(|at| *at < check.pictures.len());
    // Where the explorer leaves the default out, it can't be set to it.
    let is_told = |axis: &ExplorerAxis| {
        let mut settings = entry.settings.iter();
        axis.default.is_some() || settings.any(|(name, _)| *name == axis.name)
    };
    let can_show = check.explorer.axes.iter().all(is_told);
    let table = can_show.then(|| ("Table", link(&id) + &state(&entry.settings)));
    let chart = picture.map(|at| ("Chart", link(&picture_id(&id, at))));
    let rule = (!check.rules.is_empty()).then(|| ("Rule", link(&rules_id(&id))));
    let title = escape(&entry.title);
    let ways = [table, chart, rule].into_iter().flatten();
    ways.map(|(word, target)| {
        format!("<a href=\"#{target}\">{word}<span class=\"unseen\"> of: {title}</span></a>\n")
    })
    .collect()
}

/// What the explorer is set to, as `link.js` reads it: `?ability_rank=10&skill_rank=9`, or `?` for all defaults.
fn state(settings: &[(String, String)]) -> String {
    let pairs = settings.iter();
    let pairs = pairs.map(|(name, value)| format!("{}={}", link(name), link(value)));
    format!("?{}", pairs.collect::<Vec<_>>().join("&amp;"))
}
