//! The items of lists: `[8: 3, 12]` is `[8, 8, 8, 12]`, and `set hp[i] = …` changes one.

use super::ast::{Expr, ExprKind, Name};
use super::lexer::{Bracket, Keyword, Token, TokenKind};
use super::parser::{Parsed, Parser};
use crate::source::{Diagnostic, Span};

/// The most parts of items that a text may write once for several.
const MOST_COPIED: usize = 10_000;

impl Parser<'_> {
    /// Items with commas between them up to and with the closing bracket.
    pub(super) fn list_items(&mut self) -> Parsed<Vec<Expr>> {
        Ok(self.items(Self::list_item)?.concat())
    }

    /// `8`, or `8: 3` for three of it: each is worked out by itself, as if it were written three times.
    fn list_item(&mut self) -> Parsed<Vec<Expr>> {
        let item = self.expr()?;
        if self.operator().kind != TokenKind::Colon {
            return Ok(vec![item]);
        }
        self.take(self.operator());
        let count = self.sum()?;
        let text = self.text(item.span);
        let ExprKind::Int(copies) = count.kind else {
            let error = self.error(count.span, "how many items a list has is a plain number");
            let help = format!(
                "a list keeps its length: give it the most that there can be, as in `[{text}: 4]`, and make those 0 that are not there"
            );
            return Err(error.with_help(help).into());
        };
        let mut parts = 0;
        item.for_each(&mut |_| parts += 1);
        let copies = usize::try_from(copies).unwrap_or(usize::MAX);
        self.copied = self.copied.saturating_add(copies.saturating_mul(parts));
        if copies == 0 || self.copied > MOST_COPIED {
            let message = if copies == 0 {
                "a list has at least one item of each kind"
            } else {
                "this list is too long"
            };
            let error = self.error(count.span, message);
            return Err(error
                .with_help(format!("write `[{text}: 3]` for three of it"))
                .into());
        }
        Ok(vec![item; copies])
    }

    /// `[place]` behind the name of a `set`, if it is there.
    pub(super) fn item_place(&mut self, keyword: Keyword, name: &Name) -> Parsed<Option<Expr>> {
        let open = self.operator();
        if open.kind != TokenKind::Open(Bracket::Square) {
            return Ok(None);
        }
        if keyword != Keyword::Set {
            let (word, text) = (keyword.word(), &name.text);
            let error = self.error(open.span, format!("`{word}` names a value as a whole"));
            let help = match keyword {
                Keyword::Let => format!(
                    "name the list, as in `let {text} = [8: 3]`; `set {text}[0] = …` changes an item"
                ),
                _ => format!("give it a name of its own, as in `show {text}_0 = {text}[0]`"),
            };
            return Err(error.with_help(help).into());
        }
        self.enter(open, Bracket::Square);
        let place = self.expr()?;
        self.close("`]`")?;
        Ok(Some(place))
    }
    /// The error of `hp[0] = 3` without its keyword, if that begins here.
    pub(super) fn no_set(&self, token: Token) -> Option<Diagnostic> {
        if token.kind != TokenKind::Name
            || self.after(token).kind != TokenKind::Open(Bracket::Square)
        {
            return None;
        }
        let mut rest = self.clone();
        rest.take(token);
        rest.enter(rest.operator(), Bracket::Square);
        rest.expr().and_then(|_| rest.close("`]`")).ok()?;
        let item = self.text(Span::new(token.span.start, rest.pos));
        (rest.operator().kind == TokenKind::Assign).then(|| {
            self.error(token.span, "a statement begins with a keyword")
                .with_label("not one")
                .with_help(format!("write `set {item} = …`"))
        })
    }
}
