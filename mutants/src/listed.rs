//! Changes that are known to be unseen, each with the reason why no configuration can tell.

use anyhow::{Context, Result, ensure};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A change that no baseline could notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The ruleset, as a path from the repository's root.
    pub file: String,
    /// The part that is changed, such as `checks.check.rules`.
    pub part: String,
    /// The changed lines, with single blanks.
    pub was: String,
    /// What they become.
    pub now: String,
    /// Why no configuration can tell.
    pub reason: String,
}

/// The entries of a list.
///
/// # Errors
/// If the text is no such list.
pub fn read(text: &str) -> Result<Vec<Listed>> {
    let root = DeTable::parse(text).context("the list of known survivors")?;
    let entries = root
        .get_ref()
        .get("survivor")
        .and_then(|list| list.get_ref().as_array());
    let entries = entries.into_iter().flat_map(|entries| entries.iter());
    entries.map(entry).collect()
}

fn entry(entry: &Spanned<DeValue<'_>>) -> Result<Listed> {
    let get = |key: &str| {
        let value = entry.get_ref().as_table().and_then(|table| table.get(key));
        let text = value.and_then(|value| value.get_ref().as_str());
        let text = text.with_context(|| format!("a survivor has no `{key}`, or it is no text"))?;
        ensure!(!text.trim().is_empty(), "a survivor has an empty `{key}`");
        Ok(text.to_owned())
    };
    Ok(Listed {
        file: get("file")?,
        part: get("part")?,
        was: get("was")?,
        now: get("now")?,
        reason: get("reason")?,
    })
}

/// One entry, to be copied into the list.
#[must_use]
pub fn render(listed: &Listed) -> String {
    let Listed {
        file,
        part,
        was,
        now,
        reason,
    } = listed;
    format!(
        "[[survivor]]\nfile = '{file}'\npart = '{part}'\nwas = '''{was}'''\nnow = '''{now}'''\nreason = '''{reason}'''\n"
    )
}
