//! Tracks: rounds until something is full.

mod tables;

use oddsmith_rules::{Check, OutcomeKind};

use crate::compare;
use crate::policies;
use crate::support::{MOST_TRIALS, config_of, model_of, queries_of, report, without_panic};

/// What every track here can play.
const AROUND: &str = r#"
name = "Test"
[params]
step = { default = 1, domain = "0..=3" }
[functions]
up = "(x, by, top) => min(x + by, top)"
EXTRA
[checks.action]
bands = ["miss", "weak", "strong"]
axes.stat = { domain = "-1..=3", default = 0 }
rules = """
let roll = d4 + stat
show band = match roll { <= 1: miss, 2..=3: weak, else: strong }
show pips = roll
"""
[checks.tries]
axes.goal = { domain = "0..=4", default = 2 }
rules = """
let best = 0
let used = 0
repeat 2 until best >= goal { set best = d3 set used = used + 1 }
show best_of = best
show thrown = used
"""
[checks.bold]
maximise = "if got >= need then 5 else got"
axes.need = { domain = "0..=9", default = 3 }
rules = """
let first = d3
choose risk in 0..=1
let second = d2
show got = if risk == 1 then 2 * second - 1 else first
show risky = risk == 1
"""
"#;

/// A track, more to ask about it than about all, and whether what is shown can be compared with numbers.
#[derive(Clone, Copy)]
enum Track {
    /// Numbers in queries are below 7.
    Of(&'static str, &'static [&'static str]),
    /// It shows sums that can fall, or several at once: only their means are asked for.
    Means(&'static str, &'static [&'static str]),
    /// With bands, worst first.
    Bands(&'static str, &'static str, &'static [&'static str]),
}

const MOST: i64 = 7;

fn track_of(track: Track) -> (Check, Vec<String>) {
    let (bands, script, extra) = match track {
        Track::Of(script, extra) | Track::Means(script, extra) => ("", script, extra),
        Track::Bands(bands, script, extra) => (bands, script, extra),
    };
    let around = AROUND.replace("EXTRA", "");
    let bands = if bands.is_empty() {
        String::new()
    } else {
        let labels: Vec<String> = bands.split(' ').map(|band| format!("{band:?}")).collect();
        format!("bands = [{}]", labels.join(", "))
    };
    let head = format!("[tracks.main]\n{bands}\naxes.slots = {{ domain = '1..=9', default = 3 }}");
    let text = format!("{around}\n{head}\nrules = \"\"\"\n{script}\n\"\"\"\n");
    let check = model_of(&text).track("main").expect("it is there").clone();
    let mut queries: Vec<String> = extra.iter().map(|query| (*query).to_owned()).collect();
    for text in [
        "mean(rolls)",
        "variance(rolls)",
        "P(rolls <= 2)",
        "P(rolls > 5)",
        "mean(min(rolls, 4))",
    ] {
        queries.push(text.to_owned());
    }
    let can_compare = !matches!(track, Track::Means(..));
    for outcome in check
        .outcomes
        .iter()
        .filter(|outcome| outcome.name != "rolls")
    {
        queries.extend(queries_about(&outcome.name, &outcome.kind, can_compare));
    }
    (check, queries)
}

/// What is asked about everything that is shown.
pub(crate) fn queries_about(name: &str, kind: &OutcomeKind, can_compare: bool) -> Vec<String> {
    let texts: &[&str] = match kind {
        OutcomeKind::Observable if can_compare => &[
            "mean(X)",
            "variance(X)",
            "P(X <= 2)",
            "P(X == 1)",
            "mean(rolls | X == 2)",
            "P(X == 1 | rolls <= 2)",
            "mean(X | rolls > 2)",
            "mean(X | X > 1)",
            "variance(rolls | X >= 1)",
            "variance(X - 2 * rolls)",
        ],
        OutcomeKind::Observable => &[
            "mean(X)",
            "variance(X)",
            "mean(2 * X - rolls)",
            "variance(X - rolls | rolls <= 3)",
        ],
        OutcomeKind::Flag => &[
            "P(X)",
            "P(X | rolls == 2)",
            "mean(rolls | not X)",
            "variance(rolls | X)",
        ],
        OutcomeKind::Band(labels) | OutcomeKind::Label(labels) => {
            let about = |label: &String| {
                let texts = [
                    "P(X == L)",
                    "P(X == L | rolls <= 2)",
                    "mean(rolls | X == L)",
                    "P(rolls == 2 | X != L)",
                ];
                texts.map(|text| text.replace('X', name).replace('L', label))
            };
            return labels.labels().iter().flat_map(about).collect();
        }
    };
    texts.iter().map(|text| text.replace('X', name)).collect()
}

fn all_agree(tracks: &[Track]) {
    agree_in(&[""], tracks);
}

/// Compares tracks in several configurations.
fn agree_in(settings: &[&str], tracks: &[Track]) {
    let mut complaints = Vec::new();
    for track in tracks {
        let (check, queries) = track_of(*track);
        let texts: Vec<&str> = queries.iter().map(String::as_str).collect();
        let queries = queries_of(&check, &texts);
        for setting in settings {
            let config = config_of(&check, setting);
            let compare = || {
                let found = compare::tracks::agrees(&check, &config, &queries, MOST, MOST_TRIALS);
                found.expect("the track is small")?;
                let played = policies::tracks_agree(&check, &config, &queries, MOST, MOST_TRIALS);
                played.expect("the track is small")
            };
            if let Err(complaint) = without_panic(compare) {
                let (Track::Of(script, _) | Track::Means(script, _) | Track::Bands(_, script, _)) =
                    track;
                complaints.push(format!("{script} ({setting})\n  => {complaint}"));
            }
        }
    }
    report(&complaints);
}
