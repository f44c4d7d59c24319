//! What a terminal shows beside the words: styles, colours, bars.

use anstyle::{Ansi256Color, Color, Style};

/// Headings and what is beside the point.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Titles.
pub(crate) const BOLD: Style = Style::new().bold();

/// A bar of up to `width` cells for a share of the whole, to an eighth of a cell; never empty for what is
/// possible.
pub(crate) fn bar(share: f64, width: u32) -> String {
    let eighths = (share.clamp(0.0, 1.0) * f64::from(width * 8)).round();
    let mut left = if share > 0.0 { eighths.max(1.0) } else { 0.0 };
    let mut bar = String::new();
    while left >= 8.0 {
        bar.push('█');
        left -= 8.0;
    }
    let parts = [
        (7.0, '▉'),
        (6.0, '▊'),
        (5.0, '▋'),
        (4.0, '▌'),
        (3.0, '▍'),
        (2.0, '▎'),
        (1.0, '▏'),
    ];
    bar.extend(
        parts
            .iter()
            .find(|(eighths, _)| left >= *eighths)
            .map(|(_, block)| *block),
    );
    bar
}

/// Vermillion, orange, grey, sky blue, blue of the terminal's 256 colours: from worst to best, and apart for
/// every kind of colour vision (after Okabe and Ito's palette).
const DIVERGING: [u8; 5] = [166, 214, 246, 75, 32];
/// For bars without an order.
pub(crate) const PLAIN: Style = foreground(75);

const fn foreground(color: u8) -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(color))))
}

/// The colour of a band by its place among `count`, worst first.
pub(crate) fn band_color(place: usize, count: usize) -> Style {
    let steps = count.saturating_sub(1).max(1);
    foreground(DIVERGING[(place * (DIVERGING.len() - 1) + steps / 2) / steps])
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.29, 4), "█▏");
        assert_eq!(bar(1e-9, 4), "▏");
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(1.0, 4), "████");
    }
}
