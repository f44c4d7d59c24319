//! A picture as a file: what it is written as, and where it goes.

use std::path::Path;

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use oddsmith_report::{Figure, Theme, png, svg};

use crate::advice::Advice;
use crate::inline::{self, Protocol};
use crate::output::{Destination, Output};
use crate::target::protect;

/// What a picture looks like.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Look {
    /// Colours of the picture
    #[arg(long, value_enum, default_value_t = ThemeName::Light, requires = "output")]
    pub(crate) theme: ThemeName,
}

/// See [`Theme`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeName {
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
    /// For paper: no tinted ground
    Print,
}

impl From<ThemeName> for Theme {
    fn from(theme: ThemeName) -> Self {
        match theme {
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
            ThemeName::Print => Self::Print,
        }
    }
}

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

/// A picture that is to be written.
#[derive(Debug)]
pub(crate) struct PictureFile {
    pub(crate) destination: Destination,
    format: Format,
}

/// Where a picture goes.
#[derive(Debug)]
pub(crate) enum PicturePlace {
    File(PictureFile),
    /// A terminal that shows it.
    Terminal(Protocol),
}

impl PicturePlace {
    /// Where `-o` says, or else the terminal; none if that can't show a picture.
    pub(crate) fn of(output: Option<&Path>) -> Result<Option<Self>> {
        match output {
            Some(path) => Ok(Some(Self::File(PictureFile::of(path)?))),
            None => Ok(inline::protocol().map(Self::Terminal)),
        }
    }

    /// Refuses to take the place of a ruleset.
    pub(crate) fn protect(&self, ruleset: &str) -> Result<()> {
        match self {
            Self::File(file) => protect(ruleset, &file.destination),
            Self::Terminal(_) => Ok(()),
        }
    }

    /// Draws the figure there.
    pub(crate) fn draw(&self, figure: &Figure, look: Look) -> Result<()> {
        match self {
            Self::File(file) => file.write(figure, look),
            Self::Terminal(protocol) => inline::show(figure, *protocol),
        }
    }
}

impl PictureFile {
    /// What `-o` says.
    ///
    /// # Errors
    /// Where nothing can be written there, or its name does not say a kind of picture.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let destination = Destination::of(Some(path))?;
        let format = format(path, &destination)?;
        Ok(Self {
            destination,
            format,
        })
    }

    /// Draws the figure and writes it, whole or not at all.
    pub(crate) fn write(&self, figure: &Figure, look: Look) -> Result<()> {
        let theme = look.theme.into();
        let bytes = match self.format {
            Format::Svg => svg(figure, theme)?.into_bytes(),
            Format::Png => png(figure, theme)?,
        };
        let mut output = Output::open(&self.destination)?;
        output.write(&bytes)?;
        output.finish()
    }
}

/// What the file's name says; standard output and pipes get SVG.
fn format(path: &Path, destination: &Destination) -> Result<Format> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ if !matches!(destination, Destination::File(_)) => Ok(Format::Svg),
        _ => Err(Advice::error(
            format!("`{}` does not say a kind of picture", path.display()),
            "end it in .svg or .png",
        )),
    }
}
