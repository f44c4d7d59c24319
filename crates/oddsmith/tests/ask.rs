//! Questions as one type: each is the request that it holds, asked.

use std::error::Error;
use std::fs;
use std::path::Path;

use oddsmith::ask::{DeclaredChartRequest, Question, Response, TablePage, TablePageRequest};
use oddsmith::{Game, Limits, TableRequest, all_games};
use serde_json::{Value, json};

type Outcome = Result<(), Box<dyn Error>>;

fn ask(game: &Game, question: Value) -> Result<Value, Box<dyn Error>> {
    let question: Question = serde_json::from_value(question)?;
    Ok(serde_json::to_value(
        question.ask(game, &Limits::default())?,
    )?)
}

/// The games that come along and the examples.
fn games() -> Result<Vec<Game>, Box<dyn Error>> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulesets/examples");
    let mut names: Vec<String> = all_games().map(|(name, _)| name.to_owned()).collect();
    for entry in fs::read_dir(examples)? {
        names.push(entry?.path().display().to_string());
    }
    names.sort();
    names.iter().map(|name| Ok(Game::open(name)?)).collect()
}

#[test]
fn a_declared_chart_is_the_chart_that_one_would_ask_for() -> Outcome {
    let mut drawn = 0;
    for game in games()? {
        for (at, declared) in game.model().charts.iter().enumerate() {
            let asked = game.declared_chart(&DeclaredChartRequest {
                chart: at,
                ..DeclaredChartRequest::default()
            })?;
            let check = game.find(asked.check.as_deref(), oddsmith::Wanted::Either)?;
            // What is asked for is read to the very chart of the file.
            let texts = oddsmith_rules::ChartTexts {
                title: asked.title.clone().unwrap_or_default(),
                kind: Some(declared.kind),
                x: asked.x.clone(),
                by: asked.by.clone(),
                facet: asked.facet.clone(),
                queries: asked.queries.clone(),
                sets: asked.settings.texts().map(str::to_owned).collect(),
            };
            let read = check.chart(&texts)?;
            let name = format!("{} {at}", game.name());
            assert_eq!(
                (&read.x, &read.by, &read.facet),
                (&declared.x, &declared.by, &declared.facet),
                "{name}"
            );
            assert_eq!(
                (&read.title, read.kind),
                (&declared.title, declared.kind),
                "{name}"
            );
            let texts = |chart: &oddsmith_rules::Chart| -> Vec<String> {
                chart
                    .queries
                    .iter()
                    .map(|query| query.text.clone())
                    .collect()
            };
            assert_eq!(texts(&read), texts(declared), "{name}");
            drawn += 1;
        }
    }
    assert!(drawn >= 12, "{drawn} charts");
    Ok(())
}

#[test]
fn settings_move_a_declared_chart() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let chart = |settings: Value| {
        ask(
            &game,
            json!({ "kind": "declared-chart", "chart": 0, "settings": settings }),
        )
    };
    let (usual, moved) = (chart(json!([]))?, chart(json!(["skill_rank=5"]))?);
    let svg = usual["svg"].as_str().expect("it is a text");
    assert!(svg.starts_with("<svg"), "{svg}");
    assert_ne!(usual["svg"], moved["svg"]);
    let wrong = chart(json!(["skil_rank=5"])).expect_err("there is no such axis");
    assert_eq!(
        wrong.to_string(),
        "set:1:1: `check` has no axis or parameter `skil_rank`"
    );
    let far = ask(&game, json!({ "kind": "declared-chart", "chart": 99 }));
    assert_eq!(
        far.expect_err("there are fewer").to_string(),
        "there is no chart 99 in `stars-and-signs`"
    );
    Ok(())
}

#[test]
fn the_stretches_of_a_table_are_the_table() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let request = TableRequest {
        sweeps: vec![
            "circ_boons=-2..=2".to_owned(),
            "ability_rank=all".to_owned(),
        ],
        ..TableRequest::default()
    };
    let rows = game.table(&request)?.rows(&Limits::default())?;
    for count in [1, 7, 1000] {
        let mut seen = Vec::new();
        loop {
            let table = request.clone();
            let from = seen.len();
            let page = TablePage::of(
                &game,
                &TablePageRequest { table, from, count },
                &Limits::default(),
            )?;
            assert_eq!(page.total, rows.len());
            assert_eq!(page.axes, ["circ_boons", "ability_rank"]);
            if page.rows.is_empty() {
                break;
            }
            seen.extend(page.rows);
        }
        assert_eq!(seen.len(), rows.len());
        for (line, row) in seen.iter().zip(&rows) {
            let weights: Vec<String> = row
                .answers
                .iter()
                .map(|answer| answer.weight.to_string())
                .collect();
            let told: Vec<&str> = line
                .answers
                .iter()
                .map(|answer| answer.weight.as_str())
                .collect();
            assert_eq!(told, weights);
        }
    }
    let many = TablePageRequest {
        table: request,
        from: 0,
        count: TablePage::MOST + 1,
    };
    let refused = TablePage::of(&game, &many, &Limits::default());
    assert_eq!(
        refused.expect_err("too many").to_string(),
        "10001 rows are wanted at once"
    );
    Ok(())
}

#[test]
fn commands_say_the_same() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let said = |question: Value| -> Result<String, Box<dyn Error>> {
        let question: Question = serde_json::from_value(question)?;
        Ok(question.command(&game)?)
    };
    let asked = [
        (
            json!({ "kind": "overview" }),
            "oddsmith rules show stars-and-signs",
        ),
        (
            json!({ "kind": "odds", "settings": ["circ_boons=2"], "queries": ["P(total>=18)"] }),
            "oddsmith odds stars-and-signs --set circ_boons=2 --query 'P(total>=18)'",
        ),
        (
            json!({ "kind": "table", "check": "check", "sweeps": ["circ_boons=all"], "count": 5 }),
            "oddsmith table stars-and-signs:check --sweep circ_boons=all",
        ),
        (
            json!({ "kind": "distribution", "values": ["total", "band"], "settings": ["circ_boons=1"] }),
            "oddsmith dist stars-and-signs:check.total,band --set circ_boons=1",
        ),
        (
            json!({ "kind": "track", "track": "counter", "horizon": 4 }),
            "oddsmith track stars-and-signs:counter --horizon 4",
        ),
        (
            json!({ "kind": "compare", "check": "check", "against": "check", "with": ["circ_boons=1"] }),
            "oddsmith compare stars-and-signs:check stars-and-signs:check --with circ_boons=1",
        ),
        (
            json!({ "kind": "plan", "pool": 4, "checks": 2 }),
            "oddsmith balance plan stars-and-signs --checks 2 --pool 4",
        ),
        (
            json!({ "kind": "lint", "all": true, "only": ["cliff"] }),
            "oddsmith balance lint stars-and-signs --only cliff --all",
        ),
        (
            json!({ "kind": "tune", "vary": ["boon_cap=3..=6"], "goals": ["Critical ~ 0.5"], "top": 3 }),
            "oddsmith tune stars-and-signs --vary boon_cap=3..=6 --goal 'Critical ~ 0.5' --top 3",
        ),
        (
            json!({ "kind": "chart", "x": "circ_boons=0..=5" }),
            "oddsmith chart stars-and-signs --x circ_boons=0..=5 --output chart.svg",
        ),
    ];
    for (question, command) in asked {
        assert_eq!(said(question)?, command);
    }
    Ok(())
}

/// The distribution of each value that a check shows agrees with what is asked of it.
#[test]
fn distributions_are_those_of_the_odds() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let band = ask(&game, json!({ "kind": "distribution", "values": ["band"] }))?;
    let odds = ask(&game, json!({ "kind": "odds" }))?;
    let bands = band["outcomes"].as_array().expect("a list");
    for (own, odds) in bands
        .iter()
        .zip(odds["outcomes"].as_array().expect("a list"))
    {
        assert_eq!(own["values"][0], odds["outcome"]);
        assert_eq!(own["probability"], odds["probability"]);
    }
    let joint = ask(
        &game,
        json!({ "kind": "distribution", "values": ["total", "band"] }),
    )?;
    let of_band = |label: &str| -> f64 {
        let rows = joint["outcomes"].as_array().expect("a list").iter();
        let own = rows.filter(|row| row["values"][1] == label);
        own.filter_map(|row| row["probability"].as_f64()).sum()
    };
    for own in bands {
        let label = own["values"][0].as_str().expect("a label");
        let expected = own["probability"].as_f64().expect("a number");
        assert!((of_band(label) - expected).abs() < 1e-12, "{label}");
    }
    let wrong = ask(&game, json!({ "kind": "distribution", "values": ["totl"] }));
    let wrong = wrong.expect_err("there is no such value").to_string();
    assert!(wrong.contains("`check` has no value `totl`"), "{wrong}");
    Ok(())
}

#[test]
fn each_kind_has_its_answer() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let numbers = ask(&game, json!({ "kind": "numbers" }))?;
    let numbers = numbers.as_array().expect("a list").iter();
    let total = { numbers }.find(|number| number["expression"] == "total");
    let total = total.expect("the check shows it");
    let means = game.odds(
        &oddsmith::OddsRequest {
            queries: vec!["mean(total)".to_owned()],
            ..Default::default()
        },
        &Limits::default(),
    )?;
    let mean = means.outcomes.last().expect("it was asked for");
    assert_eq!(
        total["mean"],
        mean.answer.to_ratio().expect("it is a number").to_string()
    );
    for (kind, key) in [
        ("overview", "checks"),
        ("odds", "outcomes"),
        ("table", "rows"),
        ("track", "outcomes"),
        ("contest", "outcomes"),
        ("compare", "rows"),
        ("plan", "resources"),
        ("value", "levers"),
        ("lint", "findings"),
        ("chart", "svg"),
        ("declared-chart", "svg"),
    ] {
        let sweeps = if kind == "table" {
            json!(["circ_boons=0,1"])
        } else {
            json!([])
        };
        let mut asked = json!({ "kind": kind, "sweeps": sweeps });
        if kind == "lint" {
            // The whole game is looked at by the tests of the schema of findings.
            asked["check"] = json!("check");
        }
        let answer = ask(&game, asked)?;
        assert!(!answer[key].is_null(), "{kind} has no `{key}`");
    }
    let intents = ask(&game, json!({ "kind": "expectations" }))?;
    assert!(
        intents
            .as_array()
            .is_some_and(|intents| !intents.is_empty())
    );
    Ok(())
}

#[test]
fn a_search_gives_the_text_of_the_rules_with_what_it_found() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let asked = json!({
        "kind": "tune", "vary": ["boon_cap=2..=6"], "goals": ["Critical @ circ_boons=5 ~ 0.5"],
    });
    let answer = ask(&game, asked)?;
    let text = answer["text"].as_str().expect("a candidate meets the goal");
    let tuned = Game::parse("stars-and-signs.toml", text.as_bytes())?;
    let cap = tuned
        .model()
        .params
        .iter()
        .find(|input| input.name == "boon_cap");
    assert_eq!(cap.map(|input| input.default), Some(3));
    let stranger = ask(&game, json!({ "kind": "tune", "file": "/etc/passwd" }));
    let stranger = stranger.expect_err("files are not read");
    assert_eq!(
        stranger.to_string(),
        "goals of a file can't be asked for here: `/etc/passwd`"
    );
    Ok(())
}

#[test]
fn what_is_cancelled_has_no_answer() -> Outcome {
    let game = Game::open("stars-and-signs")?;
    let limits = Limits::default();
    limits.watch.cancel();
    let question: Question = serde_json::from_value(json!({ "kind": "odds" }))?;
    let answer: Result<Response, _> = question.ask(&game, &limits);
    assert!(matches!(answer, Err(oddsmith::Error::Cancelled)));
    Ok(())
}
