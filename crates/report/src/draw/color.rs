//! Colours: mixing, luminance, contrast.

use plotters::style::RGBColor;

/// `#1B5E9E`
pub(crate) fn hex(color: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2)
}

/// A colour from `0x1B5E9E`.
pub(crate) const fn rgb(code: u32) -> RGBColor {
    let [_, red, green, blue] = code.to_be_bytes();
    RGBColor(red, green, blue)
}

/// The share of light, from 0 to 1, that a channel of sRGB stands for.
fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.040_45 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

/// The channel for a share of light; what lies outside is clipped.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn channel(light: f64) -> u8 {
    let c = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    };
    (c.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Red, green and blue as shares of light.
pub(crate) fn light(color: RGBColor) -> [f64; 3] {
    [linear(color.0), linear(color.1), linear(color.2)]
}

/// Relative luminance after WCAG, from 0 (black) to 1 (white).
fn luminance(color: RGBColor) -> f64 {
    let [red, green, blue] = light(color);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The contrast of two colours after WCAG, from 1 to 21. Text needs 4.5.
pub(crate) fn contrast(one: RGBColor, other: RGBColor) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Shares of light in Oklab (B. Ottosson, 2020), where distances are about as large as they look.
pub(crate) fn oklab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let l = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
    let m = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
    let s = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

/// The colour at a point of Oklab.
fn from_oklab([lightness, a, b]: [f64; 3]) -> RGBColor {
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    RGBColor(
        channel(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
        channel(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
        channel(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s),
    )
}

/// A ramp of `steps` colours through the given ones, which stand at `(place, colour)` with places from 0 to 1.
pub(crate) fn ramp(anchors: &[(f64, u32)], steps: usize) -> Vec<RGBColor> {
    let place = |step: usize| step as f64 / (steps - 1) as f64;
    (0..steps)
        .map(|step| between(anchors, place(step)))
        .collect()
}

/// The colour at a place between anchors.
fn between(anchors: &[(f64, u32)], place: f64) -> RGBColor {
    let upper = anchors
        .iter()
        .position(|(at, _)| *at >= place)
        .unwrap_or(anchors.len() - 1)
        .max(1);
    let ((from, start), (to, end)) = (anchors[upper - 1], anchors[upper]);
    let share = (place - from) / (to - from);
    let (start, end) = (oklab(light(rgb(start))), oklab(light(rgb(end))));
    from_oklab([0, 1, 2].map(|i| start[i] + share * (end[i] - start[i])))
}
