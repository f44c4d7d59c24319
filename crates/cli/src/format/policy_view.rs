//! The best policy: how others compare with it, and tables to play by.

use oddsmith::PolicyAnswer;
use oddsmith::questions::{number_title, query_title};
use oddsmith_exact::{Decision, RBig};
use oddsmith_rules::Check;
use oddsmith_rules::program::Party;

use crate::document::{Block, Column, Document, Medium, Role, Span, Table, Text};
use crate::format::most_likely;
use crate::format::policy::{number_or_chance, plain, round, table};
use crate::format::policy_lines::{Line, lines};
use crate::format::view;
use crate::format::words::Form;

/// `0.5`, or from the least to the greatest.
fn lead(line: &Line<'_>, is_chance: bool, form: Form) -> String {
    let leads = line.rows.iter().filter_map(|row| row.lead.as_ref());
    let shown = |lead: &RBig| number_or_chance(lead, is_chance, form.of_differences());
    match (leads.clone().min(), leads.max()) {
        (Some(least), Some(most)) if least == most => match *least == RBig::ZERO {
            true => "as good as the next".to_owned(),
            false => shown(least),
        },
        (Some(least), Some(most)) => format!("{} to {}", shown(least), shown(most)),
        _ => "no other option".to_owned(),
    }
}

/// A table to play by; `is_chance` says whether what is maximised is an event.
pub(super) fn sheet(
    decision: &Decision,
    (check, is_chance): (&Check, bool),
    form: Form,
) -> [Block; 3] {
    let all = match check.rounds {
        Some(_) => "of the times that it is chosen",
        None => "of the rolls",
    };
    let mut lines = lines(decision);
    let mut note = String::new();
    if most_likely::sort(&mut lines, Line::probability) {
        let shown = lines
            .iter()
            .fold(RBig::ZERO, |sum, line| sum + line.probability());
        note = format!(
            "the {} that come up most, {} {all}; `--format csv` has all of them",
            lines.len(),
            Form::USUAL.show_ratio(&shown)
        );
    }
    let names = decision
        .seen
        .iter()
        .map(|seen| number_title(check, &seen.name));
    let title_of_choice = decision.numbered(check.title_of(&decision.name));
    // A track chooses again and again.
    let share = match check.rounds {
        Some(_) => "of all choices",
        None => "comes up",
    };
    let last = [&title_of_choice, share, "worth"];
    let right = names.chain(last.map(str::to_owned));
    let columns = right.map(Column::right).chain([Column::left("better by")]);
    let row = |line: &Line<'_>| {
        let all = decision.seen.iter().enumerate();
        let mut cells: Vec<Span> = all
            .map(|(at, value)| line.range_words(at, value).into())
            .collect();
        cells.push(Span::strong(plain(&line.rows[0].chosen)));
        cells.push(form.show_ratio(&line.probability()).into());
        cells.push(number_or_chance(&line.worth(), is_chance, form).into());
        cells.push(lead(line, is_chance, form).into());
        cells
    };
    let table = Table::new(columns).with_rows(lines.iter().map(row));
    let note = Block::note(Text::with_code(&note));
    [
        Block::heading(title(decision, check)),
        Block::table(table),
        note,
    ]
}

/// `choose kept in round 2, knowing hand`
fn title(decision: &Decision, check: &Check) -> String {
    let names: Vec<String> = decision
        .seen
        .iter()
        .map(|seen| number_title(check, &seen.name))
        .collect();
    let knowing = if names.is_empty() {
        ", whatever is known".to_owned()
    } else {
        format!(", knowing {}", names.join(" and "))
    };
    let round = match decision.rounds.len() {
        0 => String::new(),
        _ => format!(" in round {}", round(decision)),
    };
    let word = decision.party.keyword();
    let choice = decision.numbered(check.title_of(&decision.name));
    format!("{word} {choice}{round}{knowing}")
}

/// How the best policy compares with other ways to choose, and tables to play by.
pub(crate) fn document(title: &str, policy: &PolicyAnswer, form: Form) -> Document {
    let mut document = Document::default();
    let settings = policy.check.tell(&policy.common);
    document.push_on(Medium::Terminal, view::opening(title, &settings));
    let side_by_side = Block::table(side_by_side(policy, form));
    let goal = goal(&policy.check, &policy.goal, policy.is_chance);
    let is_opposed = |decision: &Decision| decision.party == Party::Opponent;
    let least = match policy.decisions.iter().any(is_opposed) {
        true => ", and for `oppose` the least",
        false => "",
    };
    document.push([Block::paragraph(format!("{goal}{least}")), side_by_side]);
    for decision in &policy.decisions {
        document.push(sheet(decision, (&policy.check, policy.is_chance), form));
    }
    document
}

/// `best is the greatest mean of …`
pub(super) fn goal(check: &Check, goal: &str, is_chance: bool) -> String {
    let what = if is_chance { "chance" } else { "mean" };
    // A formula stands as it is written: labels are no words of one.
    let is_formula = goal.contains(' ') && !check.labels.is_empty();
    let goal = match is_formula {
        true => goal.to_owned(),
        false => query_title(check, goal),
    };
    format!("best is the greatest {what} of {goal}")
}

fn side_by_side(policy: &PolicyAnswer, form: Form) -> Table {
    let (head, rows) = table(policy, form);
    let mut head: Vec<String> = head
        .into_iter()
        .map(|name| query_title(&policy.check, name))
        .collect();
    let by = policy.check.input(&policy.by);
    let by = by.map(|by| &policy.check.inputs[by.0]);
    if let Some(input) = by {
        input.title().clone_into(&mut head[0]);
    }
    let rows = policy.rows.iter().zip(rows);
    Table::new(Column::of_numbers(head)).with_rows(rows.map(|(row, mut cells)| {
        let value = by.and_then(|input| Some((input, input.domain.read(&row.name)?)));
        if let Some((input, value)) = value {
            cells[0] = input.told(value);
        }
        let role = if row.is_optimal {
            Role::Strong
        } else {
            Role::Plain
        };
        cells.into_iter().map(move |cell| Span::new(cell, role))
    }))
}
