//! Laws of every picture: texts can be read and colours can be told apart.

#[path = "../../tests/figures/mod.rs"]
mod figures;

use plotters::style::RGBColor;

use super::canvas::{Anchor, BASELINE, Kind, Text, UNITS, WIDTH};
use super::color::{contrast, light, oklab};
use super::scene::Rect;
use super::theme::Colors;
use super::{Theme, font, palette, shapes};

const THEMES: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Print];

/// A place in pixels.
fn pixels((x, y): (i32, i32)) -> (f64, f64) {
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}

/// What a text covers: from the height of its capitals to its baseline.
fn covered(text: &Text) -> Rect {
    let size = text.size / UNITS;
    let length = font::width(&text.text, size, text.weight);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => length / 2.0,
        Anchor::End => length,
    };
    let (x, y) = pixels(text.at);
    let (drop, capitals) = (BASELINE * size, 0.727 * size);
    if text.upright {
        return Rect {
            left: x + drop - capitals,
            top: y - length + before,
            width: capitals,
            height: length,
        };
    }
    Rect {
        left: x - before,
        top: y + drop - capitals,
        width: length,
        height: capitals,
    }
}

fn overlap(one: &Rect, other: &Rect) -> bool {
    one.left < other.right() - 0.5
        && other.left < one.right() - 0.5
        && one.top < other.bottom() - 0.5
        && other.top < one.bottom() - 0.5
}

#[test]
fn no_text_is_small_or_cut_off_or_lies_on_another() {
    for (name, figure) in figures::all() {
        let (shapes, height) = shapes(&figure, Theme::Light).expect(name);
        let mut texts: Vec<(Rect, &str)> = Vec::new();
        for shape in &shapes {
            let Kind::Text(label) = &shape.kind else {
                continue;
            };
            let rect = covered(label);
            let inside = rect.left >= 0.0
                && rect.right() <= WIDTH
                && rect.top >= 0.0
                && rect.bottom() <= height;
            assert!(
                inside,
                "{name}: `{}` leaves the picture: {rect:?}",
                label.text
            );
            assert!(
                label.size >= 13.0 * UNITS,
                "{name}: `{}` is small",
                label.text
            );
            let other = texts.iter().find(|(other, _)| overlap(&rect, other));
            assert!(
                other.is_none(),
                "{name}: `{}` lies on {other:?}",
                label.text
            );
            texts.push((rect, &label.text));
        }
    }
}

#[test]
fn nothing_is_drawn_outside() {
    for (name, figure) in figures::all() {
        let (shapes, height) = shapes(&figure, Theme::Light).expect(name);
        // The background fills the picture. What would leave a drawing area to the side ends on its edge.
        for shape in shapes.into_iter().skip(1) {
            let points = match shape.kind {
                Kind::Rect(from, to) => vec![from, to],
                Kind::Path(points) | Kind::Polygon(points) => points,
                Kind::Circle(centre, _) => vec![centre],
                Kind::Text(_) => Vec::new(),
            };
            let points: Vec<(f64, f64)> = points.into_iter().map(pixels).collect();
            let inside = |(x, y): &(f64, f64)| *x > 0.0 && *x < WIDTH && *y > 0.0 && *y < height;
            assert!(points.iter().all(inside), "{name}: {points:?}");
        }
    }
}

#[test]
fn labels_contrast_with_every_shade() {
    for theme in THEMES {
        let colors = Colors::of(theme);
        for diverging in [false, true] {
            for fill in colors.steps(diverging) {
                assert!(
                    contrast(colors.on(*fill), *fill) >= 4.5,
                    "{theme:?} {fill:?}"
                );
            }
        }
        let on_page = [colors.text, colors.muted, colors.curve]
            .into_iter()
            .chain(colors.lines);
        for color in on_page {
            assert!(
                contrast(color, colors.background) >= 4.5,
                "{theme:?} {color:?}"
            );
        }
        assert!(
            contrast(colors.missing, colors.background) >= 3.0,
            "{theme:?}"
        );
    }
}

#[test]
fn roles_are_the_same_and_colours_differ() {
    let roles = |theme| {
        palette(theme)
            .into_iter()
            .map(|(role, _)| role)
            .collect::<Vec<_>>()
    };
    for theme in THEMES {
        assert_eq!(roles(theme), roles(Theme::Light));
        let mut colors: Vec<String> = palette(theme).into_iter().map(|(_, color)| color).collect();
        let all = colors.len();
        colors.sort();
        colors.dedup();
        assert_eq!(colors.len(), all, "{theme:?}");
    }
    let ramps = |theme| {
        let same = |role: &str| {
            ["on-", "diverging-", "sequential-"]
                .iter()
                .any(|ramp| role.starts_with(ramp))
        };
        palette(theme)
            .into_iter()
            .filter(|(role, _)| same(role))
            .collect::<Vec<_>>()
    };
    assert_eq!(ramps(Theme::Dark), ramps(Theme::Light));
    assert_eq!(ramps(Theme::Print), ramps(Theme::Light));
}

/// How those without long, middle or short cones see linear colours (Machado, Oliveira and Fernandes, 2009).
const DICHROMACY: [[[f64; 3]; 3]; 3] = [
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

fn distance(one: RGBColor, other: RGBColor, eye: &[[f64; 3]; 3]) -> f64 {
    let seen = |color| {
        let light = light(color);
        let cones = eye.map(|row| {
            row.iter()
                .zip(light)
                .map(|(weight, share)| weight * share)
                .sum::<f64>()
        });
        oklab(cones.map(|share| share.clamp(0.0, 1.0)))
    };
    let (one, other) = (seen(one), seen(other));
    one.iter()
        .zip(other)
        .map(|(a, b)| (a - b).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[test]
fn neighbouring_bands_differ_for_every_eye() {
    let all = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let colors = Colors::of(Theme::Light);
    for count in 2..=12 {
        // 0.02 is about what can just be told apart side by side.
        let least = if count <= 6 { 0.09 } else { 0.06 };
        for place in 1..count {
            let (below, above) = (colors.band(place - 1, count), colors.band(place, count));
            for eye in DICHROMACY.iter().chain([&all]) {
                let apart = distance(below, above, eye);
                assert!(apart >= least, "{place} of {count}: {apart:.3}");
            }
        }
    }
}
