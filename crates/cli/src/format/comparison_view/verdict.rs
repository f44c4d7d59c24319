//! Which side is better, in words.

use oddsmith::comparison::{Compared, SIDES};
use oddsmith::questions::number_title;
use oddsmith_analysis::compare::{Difference, Lead, Order, PairRow};

use crate::document::{Block, Column, Document, Medium, Span, Table, Text};
use crate::format::comparison_view::line::ComparisonView;
use crate::format::difference::{points, share};
use crate::format::words::{self, Form, list};

/// Which is better and where, then how far the two are apart; nothing if they can't be compared as a whole.
pub(super) fn push_to(document: &mut Document, view: &ComparisonView<'_>, row: &PairRow) {
    let Some(difference) = &row.difference else {
        return;
    };
    let (head, rest) = parts(view, difference);
    let [variation, distance] = numbers(view, difference);
    let moves = match &view.comparison.compared {
        Compared::Number(name) => {
            let name = number_title(&view.comparison.checks[0], name);
            format!("so far does {name} move on average")
        }
        _ if view.is_track() => "so far does its end move on average".to_owned(),
        _ => "so far do rolls move on average".to_owned(),
    };
    let elsewhere = match view.is_track() {
        true => "at least so often does it end elsewhere",
        false => "at least so many rolls end elsewhere",
    };
    let sentence =
        format!("{head}{rest}. The total variation is {variation}, the distance {distance}.");
    document.push_on(Medium::Page, [Block::paragraph(sentence)]);
    let mut table = Table::new([Column::left(""), Column::right(""), Column::left("")]);
    for (name, value, what) in [
        ("total variation", variation, elsewhere),
        ("distance", distance, &moves),
    ] {
        table.push([name.into(), value.into(), Span::muted(what)]);
    }
    let sentence = Block::paragraph(Text::from(Span::strong(head)).and(rest));
    document.push_on(Medium::Terminal, [sentence, Block::table(table)]);
}

/// The total variation, and the distance with its unit.
fn numbers(view: &ComparisonView<'_>, difference: &Difference) -> [String; 2] {
    let Difference {
        variation,
        distance,
        ..
    } = difference;
    let unit = match view.comparison.compared {
        Compared::Number(_) => "",
        _ => " bands",
    };
    [share(variation, view.form), words::value(distance) + unit]
}

/// Who is ahead where.
pub(super) fn sentence(view: &ComparisonView<'_>, difference: &Difference) -> String {
    let (head, rest) = parts(view, difference);
    head + &rest
}

/// `A is better`, and `: it reaches Hit more often (by 1.98 points)`.
fn parts(view: &ComparisonView<'_>, difference: &Difference) -> (String, String) {
    let better = match view.comparison.compared {
        Compared::Number(_) => "higher",
        _ => "better",
    };
    let own = |side: usize| {
        let lead = difference.leads[side].as_ref();
        lead.map_or(String::new(), |lead| ahead(view, lead))
    };
    match difference.order {
        Order::Equal => {
            let equal = match &view.comparison.compared {
                Compared::Number(name) => {
                    let name = number_title(&view.comparison.checks[0], name);
                    format!("A and B have the same odds for {name}")
                }
                _ => "A and B reach every band equally often".to_owned(),
            };
            (equal, String::new())
        }
        Order::First => (format!("A is {better}"), format!(": it {}", own(0))),
        Order::Second => (format!("B is {better}"), format!(": it {}", own(1))),
        Order::Neither => (
            format!("neither is {better}"),
            format!(": {} {}, {} {}", SIDES[0], own(0), SIDES[1], own(1)),
        ),
    }
}

/// `reaches Hit and Critical more often (by up to 1.98 points)`
fn ahead(view: &ComparisonView<'_>, lead: &Lead) -> String {
    let by = match view.form.of_differences() {
        form @ Form::Decimal(_) => points(&lead.by, form),
        form => points(&lead.by, form) + " points",
    };
    match &view.comparison.compared {
        Compared::Bands(bands) => {
            let is_in = |place: usize| {
                let place = i64::try_from(place).unwrap_or(i64::MAX);
                let mut stretches = lead.stretches.iter();
                stretches.any(|(low, high)| (*low..=*high).contains(&place))
            };
            let names = bands.iter().enumerate().filter(|(place, _)| is_in(*place));
            let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
            let up_to = if names.len() > 1 { "up to " } else { "" };
            format!("reaches {} more often (by {up_to}{by})", list(&names))
        }
        Compared::Number(name) => {
            let name = number_title(&view.comparison.checks[0], name);
            let stretches = lead.stretches.iter();
            let stretches: Vec<String> = stretches
                .map(|(low, high)| match low == high {
                    true => low.to_string(),
                    false => format!("{low} to {high}"),
                })
                .collect();
            let (places, at) = (first_of(&stretches), lead.at);
            format!("reaches {name} {places} more often (by up to {by}, at {at})")
        }
        Compared::Nothing => String::new(),
    }
}

/// So many stretches of numbers are told.
const MOST: usize = 5;

/// All of them if they are few; or else the first ones, and how many there are besides.
fn first_of(stretches: &[String]) -> String {
    let more = stretches.len().saturating_sub(MOST);
    let rest = match more {
        1 => "another one".to_owned(),
        _ => format!("{more} others"),
    };
    let mut told: Vec<&str> = stretches.iter().take(MOST).map(String::as_str).collect();
    told.extend((more > 0).then_some(rest.as_str()));
    list(&told)
}
