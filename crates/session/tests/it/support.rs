//! Rulesets, documents and random numbers for the tests.

use std::sync::Arc;

use oddsmith_session::{Document, Position, Range, Session, TextEdit};
use oddsmith_testkit::rulesets;

/// All rulesets of the project, shortest first.
pub(crate) fn rulesets() -> Vec<(String, String)> {
    let mut found = rulesets::all();
    found.sort_by_key(|(path, text)| (text.len(), path.clone()));
    let named = found
        .into_iter()
        .map(|(path, text)| (path.display().to_string(), text));
    named.collect()
}

pub(crate) fn open(text: &str) -> Arc<Document> {
    Session::default().open("file:///test.toml", 1, text)
}

/// The text of a document after some edits.
pub(crate) fn edited(document: &Document, edits: &[TextEdit]) -> String {
    let mut text = document.text().to_owned();
    for edit in edits.iter().rev() {
        let (start, end) = (
            document.offset(edit.range.start),
            document.offset(edit.range.end),
        );
        text.replace_range(start..end, &edit.new_text);
    }
    text
}

/// Demands that both ends of a range are places of the text: between two characters, in their order.
pub(crate) fn demand_range(document: &Document, range: Range) {
    for end in [range.start, range.end] {
        let there = document.position(document.offset(end));
        assert_eq!(there, end, "{range:?} in {:?}", document.text());
    }
    assert!(range.start <= range.end, "{range:?}");
}

/// The position of the beginning of a text, and of so many characters behind it.
pub(crate) fn find(document: &Document, wanted: &str, behind: usize) -> Position {
    let at = document.text().find(wanted);
    let at = at.unwrap_or_else(|| panic!("no {wanted:?} in {:?}", document.text()));
    document.position(at + behind)
}

/// The document of a text with a `|` where the cursor is, and that position.
pub(crate) fn with_cursor(text: &str) -> (Arc<Document>, Position) {
    let at = text.find('|').expect("a cursor");
    let document = open(&text.replacen('|', "", 1));
    let position = document.position(at);
    (document, position)
}

/// SplitMix64: the same numbers everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap();
        usize::try_from(self.next() % end).unwrap()
    }

    pub(crate) fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    /// A place between two characters of a text.
    pub(crate) fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// A ruleset with a hole for each part.
pub(crate) fn game(keys: &str, rules: &str, rest: &str) -> String {
    format!(
        "name = \"Game\"\n\
         [params]\n\
         cap = {{ default = 5, domain = \"0..=9\", help = \"the most that counts\" }}\n\
         tone = {{ default = \"grim\", domain = [\"grim\", \"light\"] }}\n\
         [functions]\n\
         capped = \"(x, most) => min(x, most)\"\n\
         [checks.roll]\n\
         bands = [\"Miss\", \"Weak hit\", \"Hit\"]\n\
         axes.stat = {{ default = 0, domain = \"0..=3\", sweep = \"all\", help = \"how good\" }}\n\
         axes.mood = {{ default = \"low\", domain = [\"low\", \"high\"] }}\n\
         {keys}\n\
         rules = '''\n\
         let left = capped(stat, cap)\n\
         {rules}\n\
         show total = 2d6 + left\n\
         show band = match total {{ < 7: Miss, < 10: \"Weak hit\", else: Hit }}\n\
         '''\n\
         [checks.other]\n\
         inherit = [\"roll\"]\n\
         rules = '''\n\
         let first = roll(..)\n\
         show twice = 2 * first.total\n\
         '''\n\
         {rest}\n"
    )
}
