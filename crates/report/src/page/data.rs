//! An explorer as the JSON that the page's script reads.

use serde_json::{Value, json};

use super::contents::{CheckPage, Column, ColumnKind, ExplorerAxis};
use super::pack::pack;
use crate::figure::Values;

/// Everything that the script needs to know of a check whose part of the page is called `id`.
///
/// # Panics
///
/// If the answers are not one for each configuration, or not one for each column.
pub(super) fn data(id: &str, check: &CheckPage) -> Value {
    let explorer = &check.explorer;
    let configurations: usize = explorer.axes.iter().map(|axis| axis.values.len()).product();
    assert_eq!(
        explorer.answers.len(),
        configurations,
        "{id} has an answer for each configuration"
    );
    let fits = |answers: &Vec<_>| answers.len() == explorer.columns.len();
    assert!(
        explorer.answers.iter().flatten().all(fits),
        "{id} answers each column"
    );
    let packed = pack(explorer);
    let columns = explorer.columns.iter();
    let columns: Vec<Value> = columns.map(column).collect();
    let axes: Vec<Value> = explorer.axes.iter().map(axis).collect();
    json!({
        "id": id,
        "command": check.command,
        "file": check.csv.rsplit('/').next(),
        "axes": axes,
        "columns": columns,
        "totals": packed.totals,
        "rows": packed.rows,
        "places": packed.places,
    })
}

fn column(column: &Column) -> Value {
    let mut column_data = json!({"name": column.name, "kind": kind(column.kind)});
    if !column.title.is_empty() {
        column_data["title"] = json!(column.title);
    }
    if !column.is_told {
        column_data["untold"] = json!(true);
    }
    column_data
}

fn axis(axis: &ExplorerAxis) -> Value {
    let (key, values) = match &axis.values {
        Values::Numbers(numbers) => ("numbers", json!(numbers)),
        Values::Labels(labels) => ("labels", json!(labels)),
    };
    let mut axis_data = json!({
        "name": axis.name,
        "help": axis.help,
        key: values,
        "default": axis.default,
        "legal": axis.legal,
    });
    if !axis.label.is_empty() {
        axis_data["label"] = json!(axis.label);
    }
    if !axis.value_labels.is_empty() {
        axis_data["valueLabels"] = json!(axis.value_labels);
    }
    axis_data
}

/// What the script calls a kind of answers.
fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Band => "band",
        ColumnKind::Flag => "flag",
        ColumnKind::Probability => "probability",
        ColumnKind::Conditional => "conditional",
        ColumnKind::Number => "number",
    }
}
