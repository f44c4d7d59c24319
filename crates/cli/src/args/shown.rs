//! How an answer is to be shown.

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};

use crate::advice::Advice;
use crate::document::Markup;
use crate::format::words::Form;

/// How an answer is shown: the format, and how probabilities are written in it.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Shown {
    /// How to show the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) written: Written,
}

/// How probabilities are written.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Written {
    /// How probabilities are written for people, in table, markdown and bbcode [default: percent]. They are rounded,
    /// halves up, but 0.00% is never and 100.00% always: what is nearly so is <0.01% or >99.99%
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub(crate) form: Option<FormName>,

    /// Their digits after the point, from 0 to 6 [default: 2 of percent, 4 of decimal]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=6))]
    pub(crate) decimals: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For reading
    Table,
    /// Exact, for programs
    Csv,
    /// Exact, for programs
    Json,
    /// For documents and wikis
    #[value(alias = "md")]
    Markdown,
    /// For forums: `[table]`, `[tr]`, `[th]`, `[td]`
    Bbcode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormName {
    /// 7.69%
    Percent,
    /// 0.0769
    Decimal,
    /// 1 in 13
    OneIn,
    /// 1/13
    Fraction,
}

/// What is to be written, for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// To be read on a terminal.
    View(Form),
    Csv,
    Json,
    /// To be pasted.
    Document(Markup, Form),
}

impl Shown {
    /// The format and the form together.
    ///
    /// # Errors
    /// Where a form is asked for that the format has no use for.
    pub(crate) fn style(self) -> Result<Style> {
        Ok(match self.format {
            AnswerFormat::Table => Style::View(self.written.form()?),
            AnswerFormat::Markdown => Style::Document(Markup::Markdown, self.written.form()?),
            AnswerFormat::Bbcode => Style::Document(Markup::Bbcode, self.written.form()?),
            AnswerFormat::Csv => self.written.refuse("csv").map(|()| Style::Csv)?,
            AnswerFormat::Json => self.written.refuse("json").map(|()| Style::Json)?,
        })
    }
}

impl Written {
    /// How probabilities are written for people.
    ///
    /// # Errors
    /// Where digits are asked of fractions.
    pub(crate) fn form(self) -> Result<Form> {
        let digits = self.decimals.map(usize::from);
        Ok(match self.form.unwrap_or(FormName::Percent) {
            FormName::Percent => Form::Percent(digits.unwrap_or(2)),
            FormName::Decimal if digits == Some(0) => {
                let message = "a probability without digits after the point is 0 or 1";
                return Err(Advice::error(
                    message,
                    "ask for 1 to 6, or write `--as percent`",
                ));
            }
            FormName::Decimal => Form::Decimal(digits.unwrap_or(4)),
            FormName::OneIn => Form::OneIn(digits),
            FormName::Fraction if digits.is_some() => {
                let message =
                    "fractions have no digits after the point, so `--decimals` has no use";
                return Err(Advice::error(message, "drop it, or write `--as decimal`"));
            }
            FormName::Fraction => Form::Fraction,
        })
    }

    /// Nothing, if no form is asked for: a format for programs has one of its own.
    ///
    /// # Errors
    /// That `format` always has decimals.
    pub(crate) fn refuse(self, format: &str) -> Result<()> {
        let option = match (self.form, self.decimals) {
            (None, None) => return Ok(()),
            (Some(_), _) => "--as",
            (None, Some(_)) => "--decimals",
        };
        let message =
            format!("`{option}` has no use here: {format} always has decimals, all their digits");
        let help = "`--format table`, `markdown` or `bbcode` writes them for people";
        Err(Advice::error(message, help))
    }
}
