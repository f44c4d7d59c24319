//! Documents on a page of others: Markdown for wikis, BBCode for forums. All escaping is here.

use std::fmt::Write as _;

use super::block::{Content, Document, Medium};
use super::table::{Align, Column, Table};
use super::text::{Role, Span, Text};

/// How a page is marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    /// Pipe tables, as GitHub has them.
    Markdown,
    /// `[table]`, `[tr]`, `[th]` and `[td]`, as XenForo has them.
    Bbcode,
}

impl Document {
    /// The whole document, marked up.
    pub(crate) fn markup(&self, markup: Markup) -> String {
        markup.blocks(self.sections(Medium::Page).flatten())
    }
}

impl Markup {
    fn blocks<'b>(self, blocks: impl Iterator<Item = &'b Content>) -> String {
        let mut text = String::new();
        let mut is_below_heading = false;
        for block in blocks {
            // What a heading is of follows it at once in a forum.
            if !text.is_empty() && (self == Self::Markdown || !is_below_heading) {
                text.push('\n');
            }
            text += &self.block(block);
            is_below_heading = matches!(block, Content::Title(_) | Content::Heading(_));
        }
        text
    }

    fn block(self, block: &Content) -> String {
        match (block, self) {
            (Content::Title(text), Self::Markdown) => format!("### {}\n", self.escape(text)),
            (Content::Title(text), Self::Bbcode) => self.strong(text) + "\n",
            (Content::Heading(text), _) => self.strong(text) + "\n",
            (Content::Paragraph { text, .. } | Content::Note(text), _) => self.lines(text),
            (Content::Table(table), _) => self.whole_table(table),
            (Content::Code { language, text }, Self::Markdown) => {
                let fence = fence(text);
                format!("{fence}{language}\n{text}{fence}\n")
            }
            (Content::Code { text, .. }, Self::Bbcode) => {
                format!("[code]\n{}[/code]\n", text.replace("[/code", "[ /code"))
            }
            (Content::List(items), _) => items
                .iter()
                .map(|item| format!("- {}{}\n", self.guard(item), self.escape(item)))
                .collect(),
            (Content::Folded { summary, blocks }, _) => {
                let blocks = blocks.iter().filter_map(|own| own.on(Medium::Page));
                let blocks = self.blocks(blocks);
                self.folded(summary, &blocks)
            }
        }
    }

    fn folded(self, summary: &str, text: &str) -> String {
        match self {
            Self::Markdown => {
                let summary = summary.replace('&', "&amp;").replace('<', "&lt;");
                let summary = unlinked(&summary.replace('\n', " "), "&#8203;");
                format!("<details><summary>{summary}</summary>\n\n{text}\n</details>\n")
            }
            Self::Bbcode => format!("{}\n{text}", self.strong(summary)),
        }
    }

    fn whole_table(self, table: &Table) -> String {
        let columns = table.columns.iter();
        let columns = columns.filter(|column| column.is_on(Medium::Page));
        let (names, aligns): (Vec<String>, Vec<Align>) =
            columns.map(|column| (name(column), column.align)).unzip();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut text = self.head(&names, &aligns);
        let [open, between, close] = self.row_marks();
        for row in table.rows.iter().filter(|row| !row.is_empty()) {
            let cells = table.cells(row, Medium::Page).map(|cell| self.cell(cell));
            let cells: Vec<String> = cells.collect();
            let _ = write!(text, "{open}{}{close}", cells.join(between));
        }
        text + self.foot()
    }

    /// What comes before the rows of a table. BBCode can't say how columns stand.
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

    fn strong(self, text: &str) -> String {
        match self {
            Self::Markdown => format!("**{}**", self.escape(text)),
            Self::Bbcode => format!("[b]{}[/b]", self.escape(text)),
        }
    }

    fn code(self, text: &str) -> String {
        match self {
            // Between backticks nothing has a meaning but them.
            Self::Markdown if !text.contains('`') => format!("`{text}`"),
            _ => self.escape(&format!("`{text}`")),
        }
    }

    fn cell(self, cell: &Span) -> String {
        match cell.role {
            Role::Code => self.code(&cell.text).replace('|', "\\|"),
            _ => self.escape(&cell.text),
        }
    }

    /// Lines that begin no heading, quote or list.
    fn lines(self, text: &Text) -> String {
        let mut out = String::new();
        for span in &text.0 {
            for (at, part) in span.text.split('\n').enumerate() {
                if at > 0 {
                    out.push('\n');
                }
                let guard = match out.is_empty() || out.ends_with('\n') {
                    true => self.guard(part),
                    false => "",
                };
                match span.role {
                    _ if part.is_empty() => {}
                    Role::Strong => out += &self.strong(part),
                    Role::Code => out += &self.code(part),
                    _ => {
                        out += guard;
                        out += &self.escape(part);
                    }
                }
            }
        }
        out + "\n"
    }

    /// A backslash before a line that would begin a heading, a quote, a list, or underline the line above it.
    fn guard(self, line: &str) -> &'static str {
        match self == Self::Markdown && line.starts_with(['#', '>', '-', '+', '=']) {
            true => "\\",
            false => "",
        }
    }

    /// Text in a line. Nothing in it becomes a link, or calls anybody.
    ///
    /// BBCode has no escape that all forums know (`[plain]` or `[noparse]`, if there is one at all; entities are
    /// shown as they are). But a tag's name follows its bracket at once, so after a space it is text; a member's name
    /// likewise its `@`. Markdown decodes an entity before it looks for names, and `\@` is `@` to it: there a space of no
    /// width follows, which nobody sees.
    pub(crate) fn escape(self, text: &str) -> String {
        let line = text.replace('\n', " ");
        match self {
            Self::Markdown => unlinked(&marked(&line), "&#8203;"),
            Self::Bbcode => unlinked(&line.replace('[', "[ ").replace("[  ", "[ "), " "),
        }
    }
}

/// Both lines of a column's head in one, unless it has another name.
fn name(column: &Column) -> String {
    let both = || {
        format!("{} {}", column.above, column.name)
            .trim()
            .to_owned()
    };
    column.on_page.clone().unwrap_or_else(both)
}

/// More backticks than stand anywhere in the text, and three at the least.
fn fence(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or(0).max(2) + 1)
}

/// The line with `gap` inside of what would become a link without any brackets: the name of a member, an address of mail or
/// of the web, the number of an issue.
fn unlinked(line: &str, gap: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        text.push(c);
        let (done, rest) = line.split_at(at + c.len_utf8());
        let is_next = |means: fn(char) -> bool| rest.starts_with(means);
        let ends = |word: &str| {
            let end = done.len().checked_sub(word.len());
            let end = end.and_then(|start| done.get(start..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(word))
        };
        let is_link = match c {
            '@' => is_next(char::is_alphanumeric),
            '#' => is_next(|next| next.is_ascii_digit()),
            '-' => is_next(|next| next.is_ascii_digit()) && ends("gh-"),
            ':' => rest.starts_with("//"),
            'w' | 'W' => rest.starts_with('.') && ends("www"),
            _ => false,
        };
        if is_link {
            text += gap;
        }
    }
    text
}

/// The line with a backslash before what Markdown would read as a cell's end, a change of type, a link, a tag of HTML, an
/// entity or an escape.
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
            ']' => is_next(|next| matches!(next, '(' | '[' | ':')),
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
    use super::super::{Block, Column, Document, Medium, Role, Span, Table, Text};
    use super::Markup::{Bbcode, Markdown};

    fn document(blocks: impl IntoIterator<Item = Block>) -> Document {
        let mut document = Document::default();
        document.push(blocks);
        document
    }

    fn both(blocks: impl IntoIterator<Item = Block>) -> [String; 2] {
        let document = document(blocks);
        [Markdown, Bbcode].map(|markup| document.markup(markup))
    }

    #[test]
    fn a_bar_in_a_label_does_not_end_the_cell() {
        assert_eq!(Markdown.escape("P(net==0|actor>0)"), r"P(net==0\|actor>0)");
        assert_eq!(Bbcode.escape("P(net==0|actor>0)"), "P(net==0|actor>0)");
        assert_eq!(Markdown.cell(&Span::new("a|b", Role::Code)), r"`a\|b`");
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
    fn brackets_in_a_label_are_no_tags_and_no_links() {
        assert_eq!(Bbcode.escape("mean(worth[b])"), "mean(worth[ b])");
        assert_eq!(Bbcode.escape("[/td][i]"), "[ /td][ i]");
        assert_eq!(Bbcode.escape("[[url=x]]"), "[ [ url=x]]");
        assert_eq!(Bbcode.escape("[ b]"), "[ b]");
        assert_eq!(Markdown.escape("mean(worth[b])"), "mean(worth[b])");
        assert_eq!(Markdown.escape("[a](b)"), r"[a\](b)");
    }

    #[test]
    fn texts_call_nobody_and_link_nowhere() {
        for (text, markdown, bbcode) in [
            (
                "@eve, a@b.org",
                "@&#8203;eve, a@&#8203;b.org",
                "@ eve, a@ b.org",
            ),
            (
                "#12 o/r#3 gh-4",
                "#&#8203;12 o/r#&#8203;3 gh-&#8203;4",
                "# 12 o/r# 3 gh- 4",
            ),
            ("https://a.b", "https:&#8203;//a.b", "https: //a.b"),
            ("Www.a.b", "Www&#8203;.a.b", "Www .a.b"),
            ("&#64;eve", "\\&#&#8203;64;eve", "&# 64;eve"),
            ("[a]: b [a][b]", "[a\\]: b [a\\][b]", "[ a]: b [ a][ b]"),
            ("<https://a.b>", "\\<https:&#8203;//a.b>", "<https: //a.b>"),
        ] {
            assert_eq!(Markdown.escape(text), markdown);
            assert_eq!(Bbcode.escape(text), bbcode);
        }
        for text in ["a @ b", "# a", "a-1", "P(x): 1/2", "www", "é@"] {
            assert_eq!(Markdown.escape(text), text);
            assert_eq!(Bbcode.escape(text), text);
        }
        assert_eq!(Markdown.code("@eve"), "`@eve`"); // names in code call nobody
        let [markdown, _] = both([Block::folded("@eve &", [Block::list(["# a"])])]);
        let open = "<details><summary>@&#8203;eve &amp;</summary>";
        assert_eq!(markdown, format!("{open}\n\n- \\# a\n\n</details>\n"));
    }

    #[test]
    fn a_paragraph_is_no_heading_quote_or_list() {
        let lines = Block::paragraph("# a\n> b\n- c\n===\n[b]");
        let expected = [
            "\\# a\n\\> b\n\\- c\n\\===\n[b]\n",
            "# a\n> b\n- c\n===\n[ b]\n",
        ];
        assert_eq!(both([lines]), expected);
        assert_eq!(both([Block::paragraph("")]), ["", ""]);
        let strong = Text::from(Span::strong("A*")).and(": - b");
        let expected = ["**A\\***: - b\n", "[b]A*[/b]: - b\n"];
        assert_eq!(both([Block::paragraph(strong)]), expected);
    }

    #[test]
    fn code_is_code_whatever_stands_in_it() {
        let [markdown, bbcode] = both([Block::paragraph(Text::with_code("say `a*[b]`, *"))]);
        assert_eq!(markdown, "say `a*[b]`, \\*\n");
        assert_eq!(bbcode, "say `a*[ b]`, *\n");
        let [markdown, bbcode] = both([Block::code("diff", "+```\n+[/code]\n")]);
        assert_eq!(markdown, "````diff\n+```\n+[/code]\n````\n");
        assert_eq!(bbcode, "[code]\n+```\n+[ /code]\n[/code]\n");
    }

    #[test]
    fn what_is_folded_stands_between_tags_that_no_summary_ends() {
        let inner = Block::list(["a*", "b"]);
        let folded = Block::folded("x</summary>\n[b]", [Block::paragraph("see"), inner]);
        let [markdown, bbcode] = both([Block::title("T*"), folded]);
        let open = "<details><summary>x&lt;/summary> [b]</summary>";
        let expected = format!("### T\\*\n\n{open}\n\nsee\n\n- a\\*\n- b\n\n</details>\n");
        assert_eq!(markdown, expected);
        assert_eq!(
            bbcode,
            "[b]T*[/b]\n[b]x</summary> [ b][/b]\nsee\n\n- a*\n- b\n"
        );
    }

    #[test]
    fn both_have_the_same_cells() {
        let columns = [
            Column::left("").on_page("band"),
            Column::right("odds").below("all"),
            Column::left("bar").only(Medium::Terminal),
        ];
        let mut table = Table::new(columns);
        table.push(["Hit\nme", "36%", "███"]);
        table.push_gap();
        table.push(["Miss"]);
        let [markdown, bbcode] = both([Block::table(table)]);
        let expected = "| band | all odds |\n|---|---:|\n| Hit me | 36% |\n| Miss |\n";
        assert_eq!(markdown, expected);
        let head = "[table]\n[tr][th]band[/th][th]all odds[/th][/tr]\n";
        let rows = "[tr][td]Hit me[/td][td]36%[/td][/tr]\n[tr][td]Miss[/td][/tr]\n[/table]\n";
        assert_eq!(bbcode, format!("{head}{rows}"));
    }

    #[test]
    fn blocks_stand_apart_and_an_empty_table_has_its_head() {
        let table = Table::new([Column::left("a")]);
        let [markdown, bbcode] = both([
            Block::heading("T_"),
            Block::table(table),
            Block::paragraph("seen elsewhere").only(Medium::Terminal),
            Block::note("n"),
        ]);
        assert_eq!(markdown, "**T\\_**\n\n| a |\n|---|\n\nn\n");
        let table = "[table]\n[tr][th]a[/th][/tr]\n[/table]\n";
        assert_eq!(bbcode, format!("[b]T_[/b]\n{table}\nn\n"));
    }
}
