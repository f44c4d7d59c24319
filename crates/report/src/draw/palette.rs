//! The colours of pictures as a style sheet, `page/shared/palette.css`, which all pages have.

use std::fmt::Write as _;

use super::color::hex;
use super::theme::{Colors, Theme, palette};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/shared/palette.css");

/// Rules that give pictures the colours of the reader's mode, and names for the colours that the script needs.
///
/// Every colour of a light picture says what it is for, so the rules need only name it. The ramp of bands is the same in
/// both modes.
fn style() -> String {
    let mut names = String::new();
    let mut swaps = String::new();
    for ((role, light), (_, dark)) in palette(Theme::Light).iter().zip(palette(Theme::Dark)) {
        let colour = format!("light-dark({light}, {dark})");
        if role == "bar" || role.starts_with("line-") {
            writeln!(names, "  --{role}: {colour};").expect("a string takes it");
        }
        // The page shows through.
        let with = if role == "background" {
            "none"
        } else {
            &colour
        };
        if *light != dark {
            for part in ["fill", "stroke"] {
                writeln!(swaps, "  svg [{part}=\"{light}\"] {{ {part}: {with}; }}")
                    .expect("a string takes it");
            }
        }
    }
    let colors = Colors::of(Theme::Light);
    for (step, &fill) in colors.steps(true).iter().enumerate() {
        let (fill, ink) = (hex(fill), hex(colors.on(fill)));
        writeln!(names, "  --band-{step}: {fill}; --on-band-{step}: {ink};")
            .expect("a string takes it");
    }
    format!(
        "/* Colours of pictures, written by `KEEP_PICTURES=1 cargo test -p oddsmith-report palette`. */\n\n\
         :root {{\n{names}}}\n\n@media not print {{\n{swaps}}}\n"
    )
}

#[test]
fn pages_have_the_colours_of_pictures() {
    if std::env::var_os("KEEP_PICTURES").is_some() {
        std::fs::write(FILE, style()).expect("it can be written");
    }
    let kept = std::fs::read_to_string(FILE).expect("it is there");
    assert!(kept == style(), "{FILE} is of other colours: see its head");
}
