//! What pictures are coloured with.

use plotters::style::RGBColor;
use plotters::style::colors::colormaps::ViridisRGB;

use super::color::{contrast, hex, ramp, rgb};

/// What a picture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// A light page.
    Light,
    /// A dark page.
    Dark,
    /// Paper: black on white, with stronger lines.
    Print,
}

/// How many steps the ramp of bands has, and of numbers on both sides of 0. Odd: there is a middle.
const DIVERGING: usize = 65;
/// How many steps the ramp of other numbers has.
const SEQUENTIAL: usize = 64;

/// Orange for the worst, grey, purple for the best: after ColorBrewer's PuOr, apart for every kind of colour vision.
/// It is steep around its middle, where neighbours would look most alike, and its ends are light enough to stand on a
/// dark page.
const WORST_TO_BEST: [(f64, u32); 9] = [
    (0.0, 0x00A6_4600),
    (0.2, 0x00DD_8022),
    (0.36, 0x00F3_B46E),
    (0.45, 0x00F1_D2AC),
    (0.5, 0x00E2_DFDA),
    (0.55, 0x00CF_CCE6),
    (0.64, 0x00BA_B0DC),
    (0.8, 0x008B_7BC2),
    (1.0, 0x0053_3E92),
];

/// The colours of a theme. All differ, so that a page can tell from a colour what it is for.
///
/// The two ramps, and the labels on them, are the same in all themes: a page that swaps the colours of one theme for
/// those of another keeps the contrast of every label with what it lies on.
#[derive(Clone, Debug)]
pub(crate) struct Colors {
    pub(crate) background: RGBColor,
    pub(crate) text: RGBColor,
    /// Subtitles, numbers of the axes.
    pub(crate) muted: RGBColor,
    pub(crate) axis: RGBColor,
    pub(crate) grid: RGBColor,
    /// The mark where there is no answer.
    pub(crate) missing: RGBColor,
    /// Bars that no band shades.
    pub(crate) bar: RGBColor,
    /// The curve of at least as much.
    pub(crate) curve: RGBColor,
    /// Labels in light and in dark areas.
    pub(crate) on_light: RGBColor,
    pub(crate) on_dark: RGBColor,
    pub(crate) lines: [RGBColor; 8],
    diverging: Vec<RGBColor>,
    sequential: Vec<RGBColor>,
}

/// Text, muted, axis, grid, missing, bar, curve, background.
const LIGHT: [u32; 8] = [
    0x1C1F24, 0x59606A, 0x878D96, 0xE2E4E8, 0x767C85, 0x7F93AB, 0x1A1D29, 0xFFFFFF,
];
const DARK: [u32; 8] = [
    0xE9EAED, 0xA5ABB5, 0x747B86, 0x31353D, 0x8B929D, 0x6F86A3, 0xF7F5EF, 0x15171C,
];
const PRINT: [u32; 8] = [
    0x000000, 0x3A3A3A, 0x5C5C5C, 0xCFCFCF, 0x555555, 0x8C9AAC, 0x0B0B12, 0xFFFFFF,
];
const LINES_ON_LIGHT: [u32; 8] = [
    0x1B5E9E, 0xB5420A, 0x17794A, 0x7A3FA8, 0x856200, 0xB3266E, 0x0C7480, 0x4A4F57,
];
const LINES_ON_DARK: [u32; 8] = [
    0x6CB2F5, 0xFF9D66, 0x5FD39A, 0xC79BF2, 0xE3C14F, 0xF58CBF, 0x55CBD6, 0xB9BFC9,
];

impl Colors {
    pub(crate) fn of(theme: Theme) -> Self {
        let (roles, lines) = match theme {
            Theme::Light => (LIGHT, LINES_ON_LIGHT),
            Theme::Dark => (DARK, LINES_ON_DARK),
            Theme::Print => (PRINT, LINES_ON_LIGHT),
        };
        let [text, muted, axis, grid, missing, bar, curve, background] = roles.map(rgb);
        Self {
            background,
            text,
            muted,
            axis,
            grid,
            missing,
            bar,
            curve,
            // Not quite black and white, which are the colours of pages.
            on_light: rgb(0x0001_0101),
            on_dark: rgb(0x00FE_FEFE),
            lines: lines.map(rgb),
            diverging: ramp(&WORST_TO_BEST, DIVERGING),
            sequential: viridis(),
        }
    }

    /// The colour of a band by its place among `count`, worst first. Few bands need no extremes.
    pub(crate) fn band(&self, place: usize, count: usize) -> RGBColor {
        let (first, last) = match count {
            0 | 1 => (52, 52),
            2 => (10, 54),
            3 => (8, 56),
            _ => (0, DIVERGING - 1),
        };
        let steps = count.saturating_sub(1).max(1);
        self.diverging[first + (place * (last - first) + steps / 2) / steps]
    }

    /// The colour of a share from 0 to 1 of the way along a ramp.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn shade(&self, share: f64, diverging: bool) -> RGBColor {
        let ramp = self.steps(diverging);
        ramp[(share.clamp(0.0, 1.0) * (ramp.len() - 1) as f64).round() as usize]
    }

    /// The colours of a ramp, lowest first.
    pub(crate) fn steps(&self, diverging: bool) -> &[RGBColor] {
        if diverging {
            &self.diverging
        } else {
            &self.sequential
        }
    }

    /// The colour of a label on a fill.
    pub(crate) fn on(&self, fill: RGBColor) -> RGBColor {
        if contrast(self.on_light, fill) >= contrast(self.on_dark, fill) {
            self.on_light
        } else {
            self.on_dark
        }
    }
}

/// Viridis (S. van der Walt and N. Smith, 2015): equal steps look equal, whatever the colour vision.
fn viridis() -> Vec<RGBColor> {
    let end = (SEQUENTIAL - 1) as f32;
    (0..SEQUENTIAL)
        .map(|step| ViridisRGB::get_color_normalized(step as f32, 0.0, end))
        .collect()
}

/// Every colour that a picture of this theme may contain, as `(role, #RRGGBB)`; no colour appears twice.
///
/// A role has the same name in all themes: `background`, `text`, `muted`, `axis`, `grid`, `missing`, `bar`, `curve`,
/// `on-light`, `on-dark`, `line-0` to `line-7`, `diverging-0` to `diverging-64` (bands, and numbers on both sides of 0) and
/// `sequential-0` to `sequential-63`. The colours of the two ramps and of `on-light` and `on-dark`, the labels on them, do
/// not depend on the theme.
#[must_use]
pub fn palette(theme: Theme) -> Vec<(String, String)> {
    let colors = Colors::of(theme);
    let single = [
        ("background", colors.background),
        ("text", colors.text),
        ("muted", colors.muted),
        ("axis", colors.axis),
        ("grid", colors.grid),
        ("missing", colors.missing),
        ("bar", colors.bar),
        ("curve", colors.curve),
        ("on-light", colors.on_light),
        ("on-dark", colors.on_dark),
    ];
    let mut palette: Vec<(String, String)> = single
        .into_iter()
        .map(|(role, color)| (role.to_owned(), hex(color)))
        .collect();
    for (name, ramp) in [
        ("line", colors.lines.as_slice()),
        ("diverging", &colors.diverging),
        ("sequential", &colors.sequential),
    ] {
        let steps = ramp.iter().enumerate();
        palette.extend(steps.map(|(step, color)| (format!("{name}-{step}"), hex(*color))));
    }
    palette
}
