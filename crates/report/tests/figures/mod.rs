//! Figures at the edge of what can be drawn.

use oddsmith_report::{
    Axis, Bands, Figure, Grid, Heatmap, Lines, Plot, Pmf, PmfBars, RBig, Unit, Values,
};

/// What a float stands for, if it is finite.
pub(crate) fn exact(float: f64) -> Option<RBig> {
    RBig::try_from(float).ok()
}

fn all_exact(floats: impl IntoIterator<Item = f64>) -> Vec<RBig> {
    floats.into_iter().filter_map(exact).collect()
}

pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(crate) fn numbers(name: &str, values: impl IntoIterator<Item = i64>) -> Axis {
    Axis {
        name: name.to_owned(),
        values: Values::Numbers(values.into_iter().collect()),
    }
}

fn labels(name: &str, values: &[&str]) -> Axis {
    Axis {
        name: name.to_owned(),
        values: Values::Labels(words(values)),
    }
}

fn figure(title: &str, subtitle: &str, plot: Plot) -> Figure {
    Figure {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        plot,
    }
}

/// Shares that wander from the worst of `count` bands to the best as `place` goes from 0 to 1.
fn wandering(count: usize, place: f64) -> Vec<f64> {
    let best = place * (count as f64 - 1.0);
    let weights: Vec<f64> = (0..count)
        .map(|band| (-(band as f64 - best).powi(2) / 3.0).exp())
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// As many bars and bands, the names of which are given.
pub(crate) fn stacked(x: Axis, bands: &[&str]) -> Figure {
    let bars = x.values.len();
    let shares = (0..bars).map(|bar| {
        let place = (bar as f64 + 0.5) / bars as f64;
        Some(all_exact(wandering(bands.len(), place)))
    });
    let shares = Grid::of(shares.collect());
    figure(
        "What happens",
        "Some check",
        Plot::Bands(Bands {
            x,
            bands: words(bands),
            shares,
        }),
    )
}

pub(crate) const TWELVE: [&str; 12] = [
    "Doom", "Ruin", "Loss", "Miss", "Graze", "Cost", "Even", "Gain", "Hit", "Boon", "Glory",
    "Legend",
];

const WORDY: [&str; 7] = [
    "in the open, at noon, with witnesses",
    "under cover",
    "from behind",
    "while the whole town is watching and somebody is shouting",
    "Pneumonoultramicroscopicsilicovolcanoconiosis",
    "alone",
    "at night",
];

fn gaps() -> Figure {
    let mut figure = stacked(numbers("rank", 0..8), &["Miss", "Hit"]);
    if let Plot::Bands(bands) = &mut figure.plot {
        bands.shares.panels[0][0] = None;
        bands.shares.panels[0][3] = None;
        bands.shares.panels[0][5] = Some(all_exact([0.0, 1.0]));
        bands.shares.panels[0][6] = Some(all_exact([1e-9, 1.0 - 1e-9]));
    }
    figure
}

pub(crate) fn lines(
    x: Axis,
    unit: Unit,
    series: &[&str],
    at: impl Fn(usize, usize) -> Option<f64>,
) -> Figure {
    let line = |i| {
        (0..x.values.len())
            .map(|place| exact(at(i, place)?))
            .collect::<Vec<_>>()
    };
    let values = Grid::of((0..series.len()).map(line).collect());
    let plot = Lines {
        unit,
        y: "mean(total)".to_owned(),
        by: "rank".to_owned(),
        series: words(series),
        values,
        x,
    };
    figure("How much it is", "Some check", Plot::Lines(plot))
}

pub(crate) fn map(
    x: Axis,
    y: Axis,
    unit: Unit,
    at: impl Fn(usize, usize) -> Option<f64>,
) -> Figure {
    let row = |up| {
        (0..x.values.len())
            .map(|across| exact(at(across, up)?))
            .collect::<Vec<_>>()
    };
    let cells = Grid::of((0..y.values.len()).map(row).collect());
    let plot = Heatmap {
        unit,
        number: "P(band>=Hit)".to_owned(),
        cells,
        x,
        y,
    };
    figure("How likely it is", "Some check", Plot::Heatmap(plot))
}

pub(crate) fn pmf(outcomes: Vec<i64>, bands: &[&str]) -> Figure {
    let count = outcomes.len();
    let middle = (count as f64 - 1.0) / 2.0;
    let width = (count as f64 / 5.0).max(0.5);
    let weights: Vec<f64> = (0..count)
        .map(|i| (-((i as f64 - middle) / width).powi(2)).exp())
        .collect();
    let sum: f64 = weights.iter().sum();
    let ps: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let at_least = all_exact((0..count).map(|i| ps[i..].iter().sum::<f64>().min(1.0)));
    let parts = |i: usize| match bands.len() {
        0 => vec![ps[i]],
        n => wandering(n, i as f64 / middle.max(0.5) / 2.0)
            .into_iter()
            .map(|share| share * ps[i])
            .collect(),
    };
    let bars = PmfBars {
        shares: (0..count).map(|i| all_exact(parts(i))).collect(),
        at_least,
        outcomes,
    };
    let plot = Pmf {
        x: "total".to_owned(),
        bands: words(bands),
        bars: Grid::of(bars),
    };
    figure("What it comes to", "Some dice", Plot::Pmf(plot))
}

/// As many panels in rows and columns, all alike.
pub(crate) fn multiplied(mut figure: Figure, rows: &[&str], columns: &[&str]) -> Figure {
    fn grid<T: Clone>(grid: &mut Grid<T>, rows: &[&str], columns: &[&str]) {
        grid.panels = vec![grid.panels[0].clone(); rows.len() * columns.len()];
        grid.rows = words(rows);
        grid.columns = words(columns);
    }
    match &mut figure.plot {
        Plot::Bands(plot) => grid(&mut plot.shares, rows, columns),
        Plot::Lines(plot) => grid(&mut plot.values, rows, columns),
        Plot::Heatmap(plot) => grid(&mut plot.cells, rows, columns),
        Plot::Pmf(plot) => grid(&mut plot.bars, rows, columns),
    }
    figure
}

fn bands() -> Vec<(&'static str, Figure)> {
    let mut long = stacked(
        labels("where", &WORDY),
        &[
            "Fail with a complication",
            "Fail",
            "Succeed at a great cost to yourself",
            "Succeed",
        ],
    );
    long.title = "What becomes of a check that is rolled in one of several places, some of which have names that go on".to_owned();
    long.subtitle = "Stars & Signs, check: ability_rank=4 skill_rank=0 circ_boons=-2 flat=0 asset_mode=none asset_quality=0 mood=0 state=ok effort=0 effort_policy=next_band".to_owned();
    vec![
        ("bands-one", stacked(numbers("rank", [-3]), &["Hit"])),
        ("bands-twelve", stacked(numbers("rank", -5..=5), &TWELVE)),
        (
            "bands-sixty",
            stacked(numbers("a", 1..=60), &["Miss", "Graze", "Hit"]),
        ),
        ("bands-long", long),
        ("bands-gaps", gaps()),
        (
            "bands-grid",
            multiplied(
                stacked(numbers("rank", 0..=9), &["Miss", "Hit"]),
                &["skill = 0", "skill = 5", "skill = 10"],
                &["a = 1", "a = 2", "a = 3", "a = 4", "a = 5", "a = 6"],
            ),
        ),
        ("bands-hostile", {
            let mut hostile = stacked(
                labels("<x> & \"y\"", &["<script>alert(1)</script>", "a\u{1}b\nc"]),
                &["<b>", "]]>"],
            );
            hostile.title = "'Quotes', \"quotes\" & <tags>".to_owned();
            hostile
        }),
    ]
}

fn line_figures() -> Vec<(&'static str, Figure)> {
    let slope = |i: usize, x: usize| Some(i as f64 * 2.0 - x as f64);
    let uneven = numbers("bonus", [0, 2, 5, 20]);
    let many = TWELVE;
    vec![
        (
            "lines-uneven",
            lines(uneven, Unit::Number, &["one", "two", "three"], slope),
        ),
        (
            "lines-one",
            lines(numbers("a", [7]), Unit::Number, &["alone"], |_, _| {
                Some(3.5)
            }),
        ),
        (
            "lines-zero",
            lines(numbers("a", 0..5), Unit::Number, &[""], |_, _| Some(0.0)),
        ),
        (
            "lines-gaps",
            lines(
                numbers("a", 0..12),
                Unit::Probability,
                &["with gaps", "whole"],
                |i, x| (i == 1 || ![0, 4, 5, 7].contains(&x)).then_some(0.3 + 0.02 * x as f64),
            ),
        ),
        (
            "lines-huge",
            lines(
                numbers("a", -4..=4),
                Unit::Number,
                &["vast", "tiny"],
                |i, x| {
                    Some(if i == 0 {
                        10_f64.powf(x as f64 + 296.0)
                    } else {
                        1e-9
                    })
                },
            ),
        ),
        (
            "lines-tiny",
            lines(numbers("a", -4..=4), Unit::Number, &["tiny"], |_, x| {
                Some(1e-9 * x as f64)
            }),
        ),
        (
            "lines-twelve",
            lines(numbers("a", 1..=60), Unit::Probability, &many, |i, x| {
                Some(((x as f64 / 60.0).powf(0.3 + i as f64 / 6.0)).min(1.0))
            }),
        ),
        (
            "lines-long",
            lines(
                labels("where", &WORDY),
                Unit::Number,
                &[
                    "a name that takes up all the room there is and more",
                    "short",
                ],
                slope,
            ),
        ),
        (
            "lines-grid",
            multiplied(
                lines(
                    numbers("a", -5..=5),
                    Unit::Probability,
                    &["one", "two", "three"],
                    |i, x| Some(0.1 * x as f64 * 0.9_f64.powf(i as f64)),
                ),
                &[""],
                &["b = -2", "b = -1", "b = 0", "b = 1", "b = 2"],
            ),
        ),
    ]
}

fn maps() -> Vec<(&'static str, Figure)> {
    let product = |across: usize, up: usize| Some(across as f64 * up as f64 / 3600.0);
    vec![
        (
            "map-one",
            map(
                numbers("a", [1]),
                numbers("b", [2]),
                Unit::Probability,
                |_, _| Some(0.123),
            ),
        ),
        (
            "map-sixty",
            map(
                numbers("a", 1..=60),
                numbers("b", 1..=60),
                Unit::Probability,
                product,
            ),
        ),
        (
            "map-gaps",
            map(
                numbers("a", 0..6),
                labels("where", &WORDY),
                Unit::Number,
                |across, up| (across + up != 5).then_some(across as f64 * 123.4 - 300.0),
            ),
        ),
        (
            "map-drop",
            map(
                numbers("a", 0..6),
                numbers("b", 0..3),
                Unit::Points,
                |across, up| Some(-0.004 * (across * up * up) as f64),
            ),
        ),
        (
            "map-grid",
            multiplied(
                map(
                    numbers("a", 0..5),
                    numbers("b", 0..5),
                    Unit::Probability,
                    |x, y| Some((x * y) as f64 / 16.0),
                ),
                &[""],
                &["c = 1", "c = 2", "c = 3"],
            ),
        ),
    ]
}

fn distributions() -> Vec<(&'static str, Figure)> {
    vec![
        ("pmf-one", pmf(vec![7], &[])),
        (
            "pmf-many",
            pmf((0..350).collect(), &["Miss", "Graze", "Hit", "Critical"]),
        ),
        (
            "pmf-holes",
            pmf(vec![-10, -5, 0, 1, 2, 20], &["Miss", "Hit"]),
        ),
        ("pmf-far", pmf(vec![0, 1, 1_000_000], &[])),
        (
            "pmf-grid",
            multiplied(
                pmf((2..=12).collect(), &["Miss", "Hit"]),
                &["a = 1", "a = 2"],
                &["b = 1", "b = 2"],
            ),
        ),
    ]
}

/// All of them, by name.
pub(crate) fn all() -> Vec<(&'static str, Figure)> {
    [bands(), line_figures(), maps(), distributions()].concat()
}
