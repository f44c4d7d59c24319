//! Tables for documents: Markdown for wikis, BBCode for forums. Both have a head, rows, and one line for each.

use std::fmt::Write as _;

use crate::format::grid::Align;

/// How a document marks up a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    /// Pipe tables, as GitHub has them.
    Markdown,
    /// `[table]`, `[tr]`, `[th]` and `[td]`, as XenForo has them.
    Bbcode,
}

impl Markup {
    /// A head, how its columns stand, and rows. BBCode can't say how columns stand.
    pub(crate) fn table(self, head: &[&str], aligns: &[Align], rows: &[Vec<String>]) -> String {
        let mut text = self.head(head, aligns);
        let [open, between, close] = self.row_marks();
        for row in rows {
            let cells: Vec<String> = row.iter().map(|cell| self.escape(cell)).collect();
            let _ = write!(text, "{open}{}{close}", cells.join(between));
        }
        text + self.foot()
    }

    /// What comes before the rows.
    pub(crate) fn head(self, names: &[&str], aligns: &[Align]) -> String {
        let names: Vec<String> = names.iter().map(|name| self.escape(name)).collect();
        match self {
            Self::Markdown => {
                let rule = |align: &Align| match align {
                    Align::Left => "|---",
                    Align::Right => "|---:",
                };
                let rules: String = aligns.iter().map(rule).collect();
                format!("| {} |\n{rules}|\n", names.join(" | "))
            }
            Self::Bbcode => format!("[table]\n[tr][th]{}[/th][/tr]\n", names.join("[/th][th]")),
        }
    }

    /// What comes before the first cell of a row, between two cells, and after the last one.
    pub(crate) fn row_marks(self) -> [&'static str; 3] {
        match self {
            Self::Markdown => ["| ", " | ", " |\n"],
            Self::Bbcode => ["[tr][td]", "[/td][td]", "[/td][/tr]\n"],
        }
    }

    /// What comes after the rows.
    pub(crate) fn foot(self) -> &'static str {
        match self {
            Self::Markdown => "",
            Self::Bbcode => "[/table]\n",
        }
    }

    /// A line above a table.
    pub(crate) fn title(self, text: &str) -> String {
        match self {
            Self::Markdown => format!("**{}**\n\n", self.escape(text)),
            Self::Bbcode => format!("[b]{}[/b]\n", self.escape(text)),
        }
    }

    /// Text as a cell.
    ///
    /// BBCode has no escape that all forums know (`[plain]` or `[noparse]`, if there is one at all; entities are
    /// shown as they are). But a tag's name follows its bracket at once, so after a space it is text.
    pub(crate) fn escape(self, cell: &str) -> String {
        let line = cell.replace('\n', " ");
        match self {
            Self::Markdown => marked(&line),
            Self::Bbcode => line.replace('[', "[ ").replace("[  ", "[ "),
        }
    }
}

/// The line with a backslash before what Markdown would read as a cell's end, a change of type, or a tag of HTML.
fn marked(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        let next = line[at + c.len_utf8()..].chars().next();
        let is_tag =
            || next.is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?'));
        if matches!(c, '|' | '*' | '`') || (c == '<' && is_tag()) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Markup::{Bbcode, Markdown};
    use crate::format::grid::Align::{Left, Right};

    #[test]
    fn a_bar_in_a_label_does_not_end_the_cell() {
        assert_eq!(Markdown.escape("P(net==0|actor>0)"), r"P(net==0\|actor>0)");
        assert_eq!(Bbcode.escape("P(net==0|actor>0)"), "P(net==0|actor>0)");
    }

    #[test]
    fn labels_and_formulas_change_no_type() {
        assert_eq!(Markdown.escape("<b>*`"), r"\<b>\*\`");
        assert_eq!(Markdown.escape("</b> <!--"), r"\</b> \<!--");
        assert_eq!(Markdown.escape("<0.01% <1% a < b"), "<0.01% <1% a < b");
    }

    #[test]
    fn brackets_in_a_label_are_no_tags() {
        assert_eq!(Bbcode.escape("mean(worth[b])"), "mean(worth[ b])");
        assert_eq!(Bbcode.escape("[/td][i]"), "[ /td][ i]");
        assert_eq!(Bbcode.escape("[[url=x]]"), "[ [ url=x]]");
        assert_eq!(Bbcode.escape("[ b]"), "[ b]");
        assert_eq!(Markdown.escape("mean(worth[b])"), "mean(worth[b])");
    }

    #[test]
    fn both_have_the_same_cells() {
        let rows = [vec!["Hit".to_owned(), "36%".to_owned()]];
        let table = |markup: super::Markup| markup.table(&["band", "odds"], &[Left, Right], &rows);
        assert_eq!(
            table(Markdown),
            "| band | odds |\n|---|---:|\n| Hit | 36% |\n"
        );
        assert_eq!(
            table(Bbcode),
            "[table]\n[tr][th]band[/th][th]odds[/th][/tr]\n[tr][td]Hit[/td][td]36%[/td][/tr]\n[/table]\n"
        );
    }
}
