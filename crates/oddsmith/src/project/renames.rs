//! Bands that have another name than in the accepted odds.

use crate::baseline::ManifestTable;

/// Bands that stand where others stood.
#[derive(Debug, Default)]
pub(super) struct Renames(Vec<(String, String)>);

impl Renames {
    /// As many bands as before, and new names in the places of old ones.
    pub(super) fn of(old: &ManifestTable, new: &ManifestTable) -> Self {
        if old.bands.len() != new.bands.len() {
            return Self::default();
        }
        let pairs = old.bands.iter().zip(&new.bands);
        let renamed =
            pairs.filter(|(before, now)| !new.bands.contains(before) && !old.bands.contains(now));
        Self(
            renamed
                .map(|(before, now)| (before.clone(), now.clone()))
                .collect(),
        )
    }

    /// Each band with what it is called now.
    pub(super) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// What a column was called.
    pub(super) fn before<'t>(&'t self, now: &'t str) -> &'t str {
        let pair = self.0.iter().find(|(_, name)| name == now);
        pair.map_or(now, |(before, _)| before)
    }

    /// Whether the columns differ in nothing but names.
    pub(super) fn are_all_of(&self, old: &ManifestTable, new: &ManifestTable) -> bool {
        let now = new.columns.iter().map(|column| self.before(column));
        !self.0.is_empty() && now.eq(old.columns.iter().map(String::as_str))
    }

    /// Whether a band has another name now.
    pub(super) fn is_before(&self, band: &str) -> bool {
        self.0.iter().any(|(before, _)| before == band)
    }
}
