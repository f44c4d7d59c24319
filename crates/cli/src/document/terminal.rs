//! Documents on a terminal: styles, aligned columns, lines that fit.

use std::fmt::Write as _;

use super::block::{Block, Content, Document, Medium};
use super::fit::{fit, on_screen, room};
use super::grid::{Cell, Grid};
use super::table::{Align, Column, Table};
use super::text::{Role, Span, Text};
use crate::terminal;
use anstyle::{Ansi256Color, AnsiColor, Color, Style};

/// Headings of columns and what is beside the point.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Titles.
pub(crate) const BOLD: Style = Style::new().bold();
/// What must not be.
pub(crate) const ALARM: Style = AnsiColor::BrightRed.on_default().bold();

/// Vermillion, orange, grey, sky blue, blue of the terminal's 256 colours: from worst to best, and apart for
/// every kind of colour vision (after Okabe and Ito's palette).
const DIVERGING: [u8; 5] = [166, 214, 246, 75, 32];
/// For bars without an order.
const PLAIN_BAR: u8 = 75;
/// Where tables and notes begin.
const INDENT: &str = "  ";

impl Document {
    /// The whole document, coloured.
    pub(crate) fn terminal(&self) -> String {
        self.within(terminal::width())
    }

    /// The whole document for a screen that is so wide; without a width tables and notes have lines as long as they need.
    pub(crate) fn within(&self, width: Option<usize>) -> String {
        let sections = self.sections(Medium::Terminal);
        let section = |blocks: Vec<&Content>| -> String {
            let blocks = blocks.into_iter();
            blocks.map(|content| block(content, width)).collect()
        };
        sections.map(section).collect::<Vec<_>>().join("\n")
    }
}

impl Block {
    /// The block alone, coloured.
    pub(crate) fn terminal(&self) -> String {
        let block = |content| block(content, terminal::width());
        self.on(Medium::Terminal).map(block).unwrap_or_default()
    }
}

fn block(content: &Content, width: Option<usize>) -> String {
    match content {
        Content::Title(text) | Content::Heading(text) => heading(text, width),
        Content::Paragraph { text, is_wrapped } if *is_wrapped => {
            let spans = text.0.iter();
            let spans = spans.map(|span| Span::new(fit(&span.text, room(width)), span.role));
            paragraph(&Text(spans.collect()))
        }
        Content::Paragraph { text, .. } => on_screen(paragraph(text), width),
        Content::Note(text) => on_screen(note(text), width),
        Content::Table(own) => table(own, width),
        Content::Code { text, .. } => text.lines().map(code_line).collect(),
        Content::List(items) => {
            let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
            on_screen(items, width)
        }
        Content::Folded { summary, blocks } => {
            let blocks = blocks.iter().filter_map(|own| own.on(Medium::Terminal));
            let blocks: String = blocks.map(|own| block(own, width)).collect();
            heading(summary, width) + &blocks
        }
    }
}

fn heading(text: &str, width: Option<usize>) -> String {
    paragraph(&Span::strong(fit(text, room(width))).into())
}

fn style(role: Role) -> Style {
    match role {
        Role::Plain | Role::Code => Style::new(),
        Role::Strong => BOLD,
        Role::Muted => DIM,
        Role::Alarm => ALARM,
        Role::Bar => foreground(PLAIN_BAR),
        Role::Ranked { place, count } => {
            let steps = count.saturating_sub(1).max(1);
            foreground(DIVERGING[(place * (DIVERGING.len() - 1) + steps / 2) / steps])
        }
    }
}

const fn foreground(color: u8) -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(color))))
}

/// Each line of it in its style.
fn push_styled(text: &str, style: Style, out: &mut String) {
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if line.is_empty() || style == Style::new() {
            out.push_str(line);
        } else {
            let _ = write!(out, "{style}{line}{style:#}");
        }
    }
}

fn paragraph(text: &Text) -> String {
    let mut out = String::new();
    for span in &text.0 {
        push_styled(&shown(span), style(span.role), &mut out);
    }
    out + "\n"
}

/// Lines below a table, beside the point.
fn note(text: &Text) -> String {
    let whole: String = text.0.iter().map(shown).collect();
    let lines = whole.lines();
    lines
        .map(|line| format!("{INDENT}{DIM}{line}{DIM:#}\n"))
        .collect()
}

fn shown(span: &Span) -> String {
    match span.role {
        Role::Code => format!("`{}`", span.text),
        _ => span.text.clone(),
    }
}

/// A line of a difference stands out if it is one that goes or comes.
fn code_line(line: &str) -> String {
    let is_changed =
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    let style = if is_changed { BOLD } else { DIM };
    format!("{style}{line}{style:#}\n")
}

fn table(table: &Table, width: Option<usize>) -> String {
    let columns = table.columns.iter();
    let columns: Vec<&Column> = columns
        .filter(|column| column.is_on(Medium::Terminal))
        .collect();
    let aligns: Vec<Align> = columns.iter().map(|column| column.align).collect();
    let mut grid = Grid::new(&aligns);
    for (at, column) in columns.iter().enumerate() {
        grid.widen(at, column.width);
    }
    let lines = [
        columns.iter().map(|column| column.above.as_str()).collect(),
        columns.iter().map(|column| column.name.as_str()).collect(),
    ];
    for head in lines
        .iter()
        .filter(|head: &&Vec<&str>| head.iter().any(|name| !name.is_empty()))
    {
        grid.head(head);
    }
    for row in &table.rows {
        let cells = table.cells(row, Medium::Terminal);
        let cells = cells.map(|span| Cell::styled(shown(span), style(span.role)));
        grid.push(cells.collect());
    }
    grid.render(if table.is_flush { "" } else { INDENT }, width)
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Column, Document, Medium, Role, Span, Table, Text};

    fn plain(blocks: impl IntoIterator<Item = Block>) -> String {
        anstream::adapter::strip_str(&coloured(blocks)).to_string()
    }

    fn coloured(blocks: impl IntoIterator<Item = Block>) -> String {
        let mut document = Document::default();
        document.push(blocks);
        document.push([Block::paragraph("")]);
        document.push([Block::paragraph("end").only(Medium::Page)]);
        document.within(None)
    }

    #[test]
    fn tables_are_aligned_by_what_is_seen() {
        let columns = [
            Column::left("").on_page("band"),
            Column::right("odds"),
            Column::left("").wide(3),
            Column::left("exact").only(Medium::Page),
            Column::left("more"),
        ];
        let mut table = Table::new(columns);
        table.push(["成功", "1%", "█", "1/100", "a|*[<"]);
        table.push_gap();
        table.push(["Hit"]);
        let note = Block::note(Text::with_code("see `x`\nand y"));
        let expected = "\
T
        odds       more
  成功    1%  █    a|*[<

  Hit
  see `x`
  and y
";
        assert_eq!(
            plain([Block::heading("T"), Block::table(table), note]),
            expected
        );
    }

    #[test]
    fn heads_have_the_lines_that_say_something() {
        let table = |columns| plain([Block::table(Table::new(columns).flush())]);
        let two = vec![Column::left("a"), Column::left("b").below("mean")];
        assert_eq!(table(two), "   mean\na  b\n");
        assert_eq!(table(vec![Column::left("a")]), "a\n");
        assert_eq!(table(vec![Column::left("")]), "");
    }

    #[test]
    fn long_lines_are_broken_between_words_and_set_in() {
        let (wide, long) = ("成".repeat(40), "x".repeat(99));
        let text = format!("a {long}\nshort\n{wide} {} {wide}", "b".repeat(19));
        let expected = format!("a\n  {long}\nshort\n{wide} {}\n  {wide}\n", "b".repeat(19));
        assert_eq!(plain([Block::wrapped(text.as_str())]), expected);
        assert_eq!(plain([Block::paragraph(text.as_str())]), text + "\n");
    }

    #[test]
    fn on_a_narrow_screen_words_go_below_words_and_columns_below_columns() {
        let columns = [
            Column::left("name"),
            Column::right("odds"),
            Column::left("help"),
        ];
        let mut table = Table::new(columns);
        table.push(["cap", "1%", "Boons or Banes beyond this many are ignored"]);
        let mut wide = Table::new(["at", "1", "2", "3"].map(Column::right));
        wide.push(["x", "0.111111", "0.222222", "0.333333"]);
        let note = Block::note("each of these is a note that is long");
        let mut document = Document::default();
        document.push([Block::table(table), note]);
        document.push([Block::table(wide)]);
        let narrow = anstream::adapter::strip_str(&document.within(Some(32))).to_string();
        let expected = [
            "  name  odds  help",
            "  cap     1%  Boons or Banes",
            "              beyond this many",
            "              are ignored",
            "  each of these is a note that",
            "    is long",
            "",
            "  at         1         2",
            "   x  0.111111  0.222222",
            "",
            "  at         3",
            "   x  0.333333",
            "",
        ];
        let expected = expected.join("\n");
        assert_eq!(narrow, expected);
        let wide = anstream::adapter::strip_str(&document.within(None)).to_string();
        assert_eq!(wide.lines().count(), 6);
    }

    #[test]
    fn roles_have_styles_line_by_line() {
        let muted = Block::paragraph(Span::muted("a\nb"));
        assert_eq!(
            coloured([muted]),
            "\u{1b}[2ma\u{1b}[0m\n\u{1b}[2mb\u{1b}[0m\n"
        );
        let ranks = [0, 1, 2].map(|place| Role::Ranked { place, count: 3 });
        let ranked = ranks.map(|role| coloured([Block::paragraph(Span::new("x", role))]));
        assert_eq!(
            ranked,
            [166, 246, 32].map(|color| format!("\u{1b}[38;5;{color}mx\u{1b}[0m\n"))
        );
        let code = Block::code("diff", "+++ a\n+b\n c\n");
        let lines = ["\u{1b}[2m+++ a", "\u{1b}[1m+b", "\u{1b}[2m c"];
        let lines: String = lines.map(|line| format!("{line}\u{1b}[0m\n")).concat();
        assert_eq!(coloured([code]), lines);
    }
}
