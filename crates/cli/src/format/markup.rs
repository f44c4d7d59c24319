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

    /// Lines that stand by themselves; nothing if there are no words.
    pub(crate) fn paragraph(self, words: &str) -> String {
        let line = |line: &str| {
            let begins_a_block = self == Self::Markdown && line.starts_with(['#', '>', '-', '+']);
            let mark = if begins_a_block { "\\" } else { "" };
            format!("{mark}{}\n", self.escape(line))
        };
        words.lines().map(line).collect()
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

/// The line with a backslash before what Markdown would read as a cell's end, a change of type, a tag of HTML, an entity
/// or an escape.
fn marked(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut before = None;
    for (at, c) in line.char_indices() {
        let next = line[at + c.len_utf8()..].chars().next();
        let is_next = |means: fn(char) -> bool| next.is_some_and(means);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_read = match c {
            '|' | '*' | '`' | '~' => true,
            // Inside a word it is a letter like others.
            '_' => !(is_word(before) && is_word(next)),
            '<' => is_next(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => is_next(|next| next.is_ascii_alphabetic() || next == '#'),
            '\\' => is_next(|next| next.is_ascii_punctuation()),
            _ => false,
        };
        if is_read {
            text.push('\\');
        }
        text.push(c);
        before = Some(c);
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
        assert_eq!(Markdown.escape("_x_ ability_rank"), r"\_x\_ ability_rank");
        assert_eq!(
            Markdown.escape(r"a\* \d ~x~ &lt; R & D"),
            r"a\\\* \d \~x\~ \&lt; R & D"
        );
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
    fn a_paragraph_is_no_heading_quote_or_list() {
        assert_eq!(Markdown.paragraph("# a\n> b\n- c"), "\\# a\n\\> b\n\\- c\n");
        assert_eq!(Bbcode.paragraph("# a\n[b]"), "# a\n[ b]\n");
        assert_eq!(Markdown.paragraph(""), "");
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
