//! Pictures as users get them.

mod figures;

use std::fmt::Write as _;
use std::path::Path;

use figures::{TWELVE, all, lines, map, multiplied, numbers, pmf, stacked};
use oddsmith_report::{Axis, DrawError, Figure, Plot, Theme, Unit, Values, palette, png, svg};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use tiny_skia::Pixmap;

const THEMES: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Print];

fn named(name: &str) -> Figure {
    all()
        .into_iter()
        .find(|(other, _)| *other == name)
        .expect("a figure of this name")
        .1
}

#[test]
fn every_figure_can_be_drawn_in_every_theme() {
    for (name, figure) in all() {
        for theme in THEMES {
            let picture = svg(&figure, theme).expect(name);
            assert_eq!(
                picture,
                svg(&figure, theme).expect(name),
                "{name}: differs from itself"
            );
            let document = Document::parse(&picture).expect(name);
            let colors: Vec<String> = palette(theme).into_iter().map(|(_, color)| color).collect();
            for element in document.descendants().filter(Node::is_element) {
                let tag = element.tag_name().name();
                let drawn = [
                    "svg", "title", "desc", "rect", "polyline", "polygon", "circle", "text",
                ];
                assert!(drawn.contains(&tag), "{name}: {tag}");
                for attribute in ["fill", "stroke"] {
                    let color = element.attribute(attribute).unwrap_or("none");
                    let known = color == "none" || colors.iter().any(|known| known == color);
                    assert!(known, "{name}: {color} is not in the palette");
                }
                let refers = element
                    .attributes()
                    .any(|a| a.name() == "href" || a.value().contains("url("));
                assert!(!refers, "{name}: refers to something");
            }
        }
    }
}

#[test]
fn pictures_say_what_they_show() {
    let picture = svg(&named("bands-hostile"), Theme::Light).expect("a picture");
    let document = Document::parse(&picture).expect("well-formed");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let text = |tag: &str| {
        let mut children = root.children();
        children
            .find(|node| node.tag_name().name() == tag)
            .and_then(|node| node.text())
    };
    assert_eq!(text("title"), Some("'Quotes', \"quotes\" & <tags>"));
    let desc = text("desc").unwrap_or_default();
    assert!(
        desc.starts_with(
            "Some check. Stacked bars: the probabilities of <b>, ]]> by <x> & \"y\" ("
        ),
        "{desc}"
    );
    assert!(!picture.contains("<script"), "words stay words");
}

/// What a picture consists of: how many elements of each kind, and its texts with their places in whole pixels.
fn reduced(figure: &Figure) -> String {
    let picture = svg(figure, Theme::Light).expect("a picture");
    let document = Document::parse(&picture).expect("well-formed");
    let root = document.root_element();
    let size = |name| root.attribute(name).unwrap_or_default();
    let mut reduced = format!("{} x {}\n", size("width"), size("height"));
    for tag in ["rect", "polyline", "polygon", "circle", "text"] {
        let count = root
            .children()
            .filter(|node| node.tag_name().name() == tag)
            .count();
        let _ = writeln!(reduced, "{tag}: {count}");
    }
    for node in root
        .children()
        .filter(|node| node.tag_name().name() == "text")
    {
        let at = |name| {
            node.attribute(name)
                .and_then(|v| v.parse::<f64>().ok())
                .unwrap_or(f64::NAN)
                / 4.0
        };
        let words: String = node
            .children()
            .filter(Node::is_text)
            .filter_map(|child| child.text())
            .collect();
        let title = node
            .children()
            .find(Node::is_element)
            .and_then(|child| child.text());
        let title = title.map(|title| format!(" ({title})")).unwrap_or_default();
        let _ = writeln!(reduced, "{:.0} {:.0} {words}{title}", at("x"), at("y"));
    }
    reduced
}

#[test]
fn layouts() {
    for name in [
        "bands-long",
        "lines-gaps",
        "lines-grid",
        "map-drop",
        "map-gaps",
        "pmf-grid",
    ] {
        insta::assert_snapshot!(name, reduced(&named(name)));
    }
}

/// The pictures that are kept, small ones.
const KEPT: [&str; 4] = ["bands-gaps", "lines-uneven", "map-one", "pmf-holes"];

/// Pixels as they were kept, but for how edges are smoothed. Written anew where `KEEP_PICTURES` is set.
#[test]
fn pixels() {
    for name in KEPT {
        let drawn = png(&named(name), Theme::Print).expect(name);
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/pictures")
            .join(name)
            .with_extension("png");
        if std::env::var_os("KEEP_PICTURES").is_some() {
            std::fs::write(&path, &drawn).expect("a file");
        }
        let kept = std::fs::read(&path).expect("a kept picture");
        let (drawn, kept) = (
            Pixmap::decode_png(&drawn).expect(name),
            Pixmap::decode_png(&kept).expect(name),
        );
        assert_eq!(
            (drawn.width(), drawn.height()),
            (kept.width(), kept.height()),
            "{name}"
        );
        let pairs = drawn.data().iter().zip(kept.data());
        let differ = pairs.filter(|(a, b)| a.abs_diff(**b) > 40).count();
        assert!(
            differ * 2000 < drawn.data().len(),
            "{name}: {differ} of {}",
            drawn.data().len()
        );
    }
}

#[test]
fn what_could_not_be_told_apart_is_refused() {
    let limit = |figure: &Figure| match svg(figure, Theme::Light) {
        Err(DrawError::TooMany {
            what, count, limit, ..
        }) => (what, count, limit),
        other => panic!("{other:?}"),
    };
    let x = || numbers("a", 0..3);
    let names: Vec<String> = (0..13).map(|i| i.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(limit(&stacked(x(), &names)), ("bands", 13, 12));
    assert_eq!(
        limit(&stacked(numbers("a", 0..400), &["Hit"])),
        ("bars side by side", 400, 211)
    );
    assert_eq!(
        limit(&lines(x(), Unit::Number, &names, |_, _| Some(1.0))),
        ("lines", 13, 12)
    );
    assert_eq!(
        limit(&lines(
            numbers("a", 0..400),
            Unit::Number,
            &["b"],
            |_, _| Some(1.0)
        ))
        .0,
        "values of the axis"
    );
    let square = |n| {
        map(
            numbers("a", 0..n),
            numbers("b", 0..n),
            Unit::Number,
            |_, _| Some(1.0),
        )
    };
    assert_eq!(limit(&square(100)), ("cells", 10_000, 6000));
    assert_eq!(limit(&pmf((0..1000).collect(), &[])).0, "outcomes");
    assert_eq!(
        limit(&multiplied(
            stacked(x(), &["Hit"]),
            &[""],
            &TWELVE.repeat(4)
        )),
        ("panels", 48, 36)
    );
    assert_eq!(
        limit(&multiplied(stacked(x(), &["Hit"]), &["1", "2"], &TWELVE)),
        ("columns of panels", 12, 6)
    );
}

#[test]
fn errors_say_what_helps() {
    let error = svg(
        &multiplied(
            stacked(numbers("a", 0..3), &["Hit"]),
            &[""],
            &TWELVE.repeat(4),
        ),
        Theme::Light,
    );
    let message = error.expect_err("too many").to_string();
    assert_eq!(
        message,
        "48 panels are too many for a picture, which has room for 36: give fewer values to what makes the panels, or fix it"
    );
}

#[test]
fn figures_that_contradict_themselves_are_refused() {
    let mut figure = stacked(numbers("a", 0..3), &["Miss", "Hit"]);
    if let Plot::Bands(bands) = &mut figure.plot {
        bands.shares.panels[0].pop();
    }
    assert!(matches!(
        svg(&figure, Theme::Light),
        Err(DrawError::Mismatch(_))
    ));
    assert!(matches!(
        svg(&stacked(numbers("a", []), &["Hit"]), Theme::Light),
        Err(DrawError::Empty(_))
    ));
    assert!(matches!(
        svg(&multiplied(named("pmf-one"), &[], &[]), Theme::Light),
        Err(DrawError::Empty(_))
    ));
    // As a table they are what is there.
    assert_eq!(figure.table().rows.len(), 3);
}

#[test]
fn characters_never_go_missing_from_pixels() {
    let mut figure = named("map-one");
    figure.title = "Бросок: ≥ 4½ − 2 × σ → 10⁻⁶".to_owned();
    assert!(png(&figure, Theme::Light).is_ok());
    figure.title = "日本の日".to_owned();
    assert!(svg(&figure, Theme::Light).is_ok());
    let error = png(&figure, Theme::Light).expect_err("a character that the font lacks");
    assert_eq!(error, DrawError::Characters("日本の".to_owned()));
    assert!(
        error.to_string().contains("lacks `日`, `本`, `の`: SVG"),
        "{error}"
    );
}

/// Numbers of every kind, and none; those without end are none.
fn number() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        Just(None),
        proptest::num::f64::ANY.prop_map(Some),
        (0.0..1.0_f64).prop_map(Some),
        Just(Some(0.0)),
    ]
}

/// An axis of up to 20 numbers or words, all different.
fn axis() -> impl Strategy<Value = Axis> {
    let near = proptest::collection::btree_set(-30..30_i64, 1..20);
    let far = proptest::collection::btree_set(any::<i64>(), 1..20);
    let words = proptest::collection::btree_set(".{0,30}", 1..20);
    let values = prop_oneof![
        near.prop_map(|n| Values::Numbers(n.into_iter().collect())),
        far.prop_map(|n| Values::Numbers(n.into_iter().collect())),
        words.prop_map(|words| Values::Labels(words.into_iter().collect())),
    ];
    (".{0,40}", values).prop_map(|(name, values)| Axis { name, values })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_numbers_and_words_make_a_picture(
        x in axis(),
        y in axis(),
        pool in proptest::collection::vec(number(), 400),
        names in proptest::collection::vec(".{0,60}", 12),
        unit in 0..4_usize,
    ) {
        let at = |i: usize, j: usize| pool[(i * 20 + j) % 400];
        let unit = [Unit::Probability, Unit::Number, Unit::Points, Unit::Difference][unit];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut figures = vec![
            stacked(x.clone(), &names),
            lines(x.clone(), unit, &names, at),
            map(x.clone(), y, unit, at),
        ];
        if let Values::Numbers(outcomes) = &x.values {
            figures.push(pmf(outcomes.clone(), &names));
        }
        for figure in figures {
            let figure = multiplied(figure, &[""], &names[..3]);
            let picture = svg(&figure, Theme::Light).expect("a picture");
            prop_assert!(Document::parse(&picture).is_ok());
            let table = figure.table();
            prop_assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
        }
    }
}
