//! From the parser's events to keys and values.

use std::collections::HashMap;

use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

use crate::layout::parts::{KeyPart, Layout, Scalar, Step};
use crate::source::{Span, inside_quotes};

/// Brackets deeper than this are not looked into.
const MOST_DEPTH: u32 = 80;

/// Where the reading of a text is.
#[derive(Debug, Default)]
pub(super) struct Reader<'t> {
    text: &'t str,
    layout: Layout,
    /// The way to the table of the last heading.
    table: Vec<Step>,
    /// How many tables the lists of tables have so far.
    counts: HashMap<Vec<Step>, usize>,
    /// What is open, outermost first.
    pub(super) open: Vec<Open>,
    /// The names of the key that is being read, with their places.
    pub(super) names: Vec<(String, Span)>,
    /// Whether they are those of a heading.
    pub(super) heading: Option<Heading>,
    /// The way to the value that is due; none if a key is.
    pub(super) value: Option<Vec<Step>>,
    /// The names of the entry that is being read, in `layout.keys`.
    entry: std::ops::Range<usize>,
}

/// A heading that is not closed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) is_list: bool,
    start: usize,
}

/// A bracket that is not closed yet.
#[derive(Debug)]
pub(super) struct Open {
    /// The way to what it holds.
    pub(super) path: Vec<Step>,
    /// How many items a list has so far; none for a table.
    pub(super) items: Option<usize>,
    start: usize,
    /// The names of its entry.
    entry: std::ops::Range<usize>,
}

impl Layout {
    /// What can be told of a text.
    ///
    /// ```
    /// use oddsmith_rules::layout::Layout;
    /// let text = "[checks.attack]\naxes.sta\nbands = ['Miss', 'Hit']";
    /// let layout = Layout::of(text);
    /// let names: Vec<&str> = layout.keys.iter().map(|key| &text[key.span.start..key.span.end]).collect();
    /// assert_eq!(names, ["checks", "attack", "axes", "sta", "bands"]);
    /// assert_eq!(layout.scalars.len(), 2);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        read(text)
    }
}

fn read(text: &str) -> Layout {
    let source = toml_parser::Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::new();
    let mut guard = RecursionGuard::new(&mut events, MOST_DEPTH);
    // What is no TOML is told by the loader.
    parse_document(&tokens, &mut guard, &mut ());
    let mut reader = replay(text, &events, text.len() + 1);
    reader.end_headings();
    Layout {
        events,
        ..reader.layout
    }
}

/// Where the reading of a text is before what begins at a byte or after it.
pub(super) fn replay<'t>(text: &'t str, events: &[Event], until: usize) -> Reader<'t> {
    let mut reader = Reader {
        text,
        ..Reader::default()
    };
    // The parser closes what nothing closes; whoever is still writing there has not left it.
    let mut made_up: Vec<&Event> = Vec::new();
    for event in events {
        if event.span().start() >= until {
            return reader;
        }
        let kind = event.kind();
        if matches!(kind, EventKind::InlineTableClose | EventKind::ArrayClose)
            && event.span().is_empty()
        {
            made_up.push(event);
            continue;
        }
        if kind != EventKind::Whitespace {
            made_up.drain(..).for_each(|event| reader.take(event));
        }
        reader.take(event);
    }
    if until > text.len() {
        made_up.drain(..).for_each(|event| reader.take(event));
    }
    reader
}

impl Reader<'_> {
    fn take(&mut self, event: &Event) {
        let span = Span::new(event.span().start(), event.span().end());
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.end_line();
                self.heading = Some(Heading {
                    is_list: event.kind() == EventKind::ArrayTableOpen,
                    start: span.start,
                });
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.close_heading(span.end),
            EventKind::SimpleKey => {
                let raw = &self.text[span.start..span.end];
                let name = inside_quotes(raw).map_or(raw, |(inner, _)| inner);
                self.names.push((name.to_owned(), span));
            }
            EventKind::KeyValSep => self.end_key(),
            EventKind::InlineTableOpen => self.open(span.start, None),
            EventKind::ArrayOpen => self.open(span.start, Some(0)),
            EventKind::InlineTableClose | EventKind::ArrayClose => self.close(span.end),
            EventKind::Scalar => self.scalar(span, event.encoding()),
            EventKind::ValueSep => self.next_item(),
            EventKind::Comment => self.layout.comments.push(span),
            EventKind::Newline if self.open.is_empty() => self.end_line(),
            EventKind::Newline | EventKind::KeySep | EventKind::Whitespace | EventKind::Error => {}
        }
    }

    /// The way to the table whose keys are read.
    pub(super) fn base(&self) -> &[Step] {
        self.open.last().map_or(&self.table, |open| &open.path)
    }

    /// Notes the names of a key; each is a way longer than the one before.
    fn note(&mut self, base: Vec<Step>, whole: Span, is_heading: bool) -> Vec<Step> {
        let names = std::mem::take(&mut self.names);
        let (mut path, last) = (base, names.len().saturating_sub(1));
        let first = self.layout.keys.len();
        for (at, (name, span)) in names.into_iter().enumerate() {
            self.enter_last_table(&mut path);
            path.push(Step::Key(name));
            self.layout.keys.push(KeyPart {
                path: path.clone(),
                span,
                whole,
                is_heading,
                is_last: at == last,
            });
        }
        self.entry = first..self.layout.keys.len();
        path
    }

    /// A name behind that of a list of tables is one of its last table.
    fn enter_last_table(&self, path: &mut Vec<Step>) {
        if let Some(count) = self.counts.get(path.as_slice()) {
            path.push(Step::At(count - 1));
        }
    }

    fn close_heading(&mut self, end: usize) {
        let Some(heading) = self.heading.take() else {
            return;
        };
        let mut path = self.note(Vec::new(), Span::new(heading.start, end), true);
        if heading.is_list {
            let count = self.counts.entry(path.clone()).or_insert(0);
            *count += 1;
            path.push(Step::At(*count - 1));
        }
        self.table = path;
    }

    /// A key has ended: its value is due.
    fn end_key(&mut self) {
        if self.names.is_empty() {
            return; // what the parser made up
        }
        let start = self.names[0].1.start;
        let end = self.names[self.names.len() - 1].1.end;
        let base = self.base().to_vec();
        self.value = Some(self.note(base, Span::new(start, end), false));
    }

    /// A line has ended: what it lacks is not said.
    fn end_line(&mut self) {
        if self.heading.is_some() {
            self.close_heading(self.names.last().map_or(0, |(_, span)| span.end));
        }
        if self.value.is_none() && !self.names.is_empty() {
            self.end_key();
        }
        self.value = None;
    }

    fn open(&mut self, start: usize, items: Option<usize>) {
        let Some(mut path) = self.value.take() else {
            return;
        };
        let entry = std::mem::replace(&mut self.entry, 0..0);
        self.value = items.map(|_| {
            path.push(Step::At(0));
            path.clone()
        });
        if items.is_some() {
            path.pop();
        }
        self.open.push(Open {
            path,
            items,
            start,
            entry,
        });
    }

    fn close(&mut self, end: usize) {
        if self.value.is_none() && !self.names.is_empty() {
            self.end_key();
        }
        self.names.clear();
        self.value = None;
        if let Some(open) = self.open.pop() {
            self.layout.brackets.push(Span::new(open.start, end));
            self.entry = open.entry;
            self.extend(end);
        }
    }

    /// The entry that is being read goes as far as this.
    fn extend(&mut self, end: usize) {
        for key in &mut self.layout.keys[self.entry.clone()] {
            key.whole.end = key.whole.end.max(end);
        }
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>) {
        let Some(path) = self.value.take() else {
            return;
        };
        if span.start == span.end {
            return; // what the parser made up
        }
        let raw = &self.text[span.start..span.end];
        let text = encoding.map(|encoding| text_of(raw, encoding, span));
        self.layout.scalars.push(Scalar { path, span, text });
        self.extend(span.end);
    }

    /// A comma: the next item of a list, or the next entry of a table.
    fn next_item(&mut self) {
        if self.value.is_none() && !self.names.is_empty() {
            self.end_key();
        }
        self.names.clear();
        self.value = None;
        if let Some(open) = self.open.last_mut()
            && let Some(items) = &mut open.items
        {
            *items += 1;
            let mut path = open.path.clone();
            path.push(Step::At(*items));
            self.value = Some(path);
        }
    }

    /// Each heading goes as far as the last entry before the next one.
    fn end_headings(&mut self) {
        self.end_line();
        let mut end = 0;
        let keys = &mut self.layout.keys;
        let mut last = vec![0; keys.len()];
        for at in (0..keys.len()).rev() {
            if keys[at].is_heading {
                last[at] = end.max(keys[at].whole.end);
                let is_first = at == 0 || keys[at - 1].whole != keys[at].whole;
                end = if is_first { 0 } else { end };
            } else {
                end = end.max(keys[at].whole.end);
            }
        }
        for (key, end) in keys.iter_mut().zip(last) {
            if key.is_heading {
                key.whole.end = end;
            }
        }
    }
}

/// What stands between the quotes of a string, closed or not.
fn text_of(raw: &str, encoding: Encoding, span: Span) -> Span {
    if let Some((inner, start)) = inside_quotes(raw) {
        let start = span.start + start;
        return Span::new(start, start + inner.len());
    }
    let quotes = match encoding {
        Encoding::LiteralString | Encoding::BasicString => 1,
        Encoding::MlLiteralString | Encoding::MlBasicString => 3,
    };
    Span::new((span.start + quotes).min(span.end), span.end)
}
