//! Answers as JSON are what the JSON Schema of answers says, for every check and track that ships.

use std::collections::BTreeSet;
use std::fs;

use jsonschema::Validator;
use oddsmith::wire::{
    ComparisonOdds, ContestOdds, DiceOdds, Distribution, Distributions, ExplainedDistribution,
    LintFindings, Odds, PlanOdds, PolicyOdds, ProjectOdds, Simulated, StepValues, TrackOdds,
    TuningOdds, ValueDistribution, outcomes, schema,
};
use oddsmith::{
    CompareRequest, ContestRequest, Dice, DistributionRequest, Error, Game, Limits, LintRequest,
    OddsRequest, PlanRequest, PolicyRequest, Project, ProjectRequest, SimulationRequest,
    TrackRequest, TuneRequest, ValueRequest,
};
use oddsmith_rules::shipped;
use serde::Serialize;
use serde_json::{Value, json};

/// The schema of one kind of answer.
fn of(name: &str) -> Validator {
    let all = schema();
    assert!(all["$defs"][name].is_object(), "there is no {name}");
    let one = json!({ "$ref": format!("#/$defs/{name}"), "$defs": all["$defs"] });
    jsonschema::validator_for(&one).expect("the schema is one")
}

fn fits(schema: &Validator, answer: &impl Serialize) -> Value {
    let answer = serde_json::to_value(answer).expect("an answer is JSON");
    let wrong = schema.iter_errors(&answer).map(|error| error.to_string());
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:?} in {answer:#}");
    answer
}

#[test]
fn answers_are_what_their_schema_says() -> Result<(), Error> {
    let (odds, track, contest) = (of("Odds"), of("TrackOdds"), of("ContestOdds"));
    let (rolled, limits) = (of("Simulated"), Limits::default());
    for (name, _) in shipped() {
        let game = Game::open(name)?;
        for check in &game.model().checks {
            let request = OddsRequest {
                check: Some(check.name.clone()),
                ..OddsRequest::default()
            };
            let answer = game.odds(&request, &limits)?.or_means(&limits)?;
            fits(&odds, &Odds::of(&game, &answer));
            let request = SimulationRequest {
                check: Some(check.name.clone()),
                trials: Some(1000),
                ..SimulationRequest::default()
            };
            let simulation = game.simulate(&request, &limits, &mut ())?;
            fits(&rolled, &Simulated::of(&simulation));
        }
        for one in &game.model().tracks {
            let request = TrackRequest {
                track: Some(one.name.clone()),
                ..TrackRequest::default()
            };
            let found = game.track(&request, &limits)?;
            fits(&track, &TrackOdds::of(&game, &found, &found.answer()?));
        }
        if game.model().checks[0].contest.is_some() {
            let both = game.contest(&ContestRequest::default())?;
            let answer = both.answer(&limits)?;
            fits(&contest, &ContestOdds::of(&game, &both, &answer));
        }
    }
    Ok(())
}

/// A sweep over numbers and labels, and two games that have little in common.
#[test]
fn comparisons_are_what_their_schema_says() -> Result<(), Error> {
    let (schema, limits) = (of("ComparisonOdds"), Limits::default());
    let game = Game::open("stars-and-signs")?;
    let mut request = CompareRequest {
        sweeps: vec!["circ_boons=-1..=1".to_owned(), "state=all".to_owned()],
        queries: vec!["mean(total)".to_owned()],
        ..CompareRequest::default()
    };
    request.with.set("skill_rank", 1);
    let answer = game.compare(&game, &request)?.answer(&limits)?;
    let json = fits(&schema, &ComparisonOdds::of(&answer));
    assert_eq!(
        json["rows"].as_array().map(Vec::len),
        Some(answer.rows.len())
    );
    assert!(json["rows"][0]["configuration"]["state"].is_string());
    let (other, none) = (Game::open("action-checks")?, CompareRequest::default());
    let answer = game.compare(&other, &none)?.answer(&limits)?;
    fits(&schema, &ComparisonOdds::of(&answer));
    Ok(())
}

#[test]
fn valuations_are_what_their_schema_says() -> Result<(), Error> {
    let (schema, limits) = (of("StepValues"), Limits::default());
    for (game, sweep) in [("stars-and-signs", true), ("buried-secrets", false)] {
        let game = Game::open(game)?;
        let mut request = ValueRequest::default();
        if sweep {
            request.sweeps = vec!["circ_boons=-1..=1".to_owned(), "state=all".to_owned()];
        }
        let valuation = game.value(&request, &limits)?;
        let json = fits(&schema, &StepValues::of(&game, &valuation));
        assert_eq!(
            json["levers"].as_array().map(Vec::len),
            Some(valuation.levers.len())
        );
        assert!(valuation.levers.len() > 3);
    }
    Ok(())
}

#[test]
fn overviews_are_what_their_schema_says() -> Result<(), Error> {
    let schema = of("Overview");
    for (name, _) in shipped() {
        let game = Game::open(name)?;
        let overview = game.overview(None)?;
        let json = fits(&schema, &overview);
        let model = game.model();
        let checks = model.checks.len() + model.tracks.len();
        assert_eq!(json["checks"].as_array().map(Vec::len), Some(checks));
        assert_eq!(overview.charts.len(), model.charts.len());
        let examples = overview.checks.iter().map(|check| check.examples.len());
        assert!(examples.min() > Some(0), "each can be asked something");
    }
    Ok(())
}

/// The games have nearly every kind of fact that a rule tells. What is left of them is questionable, and no acceptance is stale;
/// of the game that is left out, which takes three times as long as each of these, CI asks the same of the program.
#[test]
fn findings_of_the_shipped_games_are_what_their_schema_says() -> Result<(), Error> {
    let (schema, mut told) = (of("LintFindings"), BTreeSet::new());
    let request = LintRequest {
        all: true,
        ..LintRequest::default()
    };
    let games = [
        ("action-checks", 4),
        ("action-primer", 0),
        ("stars-and-signs", 0),
    ];
    for (name, left) in games {
        let answer = Game::open(name)?.lint(&request, &Limits::default())?;
        let json = fits(&schema, &LintFindings::from(&answer));
        let findings = json["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), answer.findings.len());
        let loud =
            |finding: &&Value| finding["severity"] != "note" && finding["accepted"].is_null();
        assert_eq!(findings.iter().filter(loud).count(), left, "{name}");
        assert_eq!(json["stale"], json!([]), "{name}");
        if name == "stars-and-signs" {
            // A Boon on difficulty hurts.
            let ids = findings.iter().filter_map(|finding| finding["id"].as_str());
            let signs: Vec<&str> = ids.filter(|id| id.starts_with("sign/test")).collect();
            let both = ["sign/test/diff_banes/band", "sign/test/diff_boons/band"];
            assert_eq!(signs, both);
        }
        for finding in findings {
            let facts = finding["facts"].as_object().expect("an object");
            told.extend(facts.keys().cloned());
        }
    }
    let kinds = [
        "by",
        "default",
        "first",
        "label",
        "pairs",
        "rises",
        "stretches",
        "word",
    ];
    assert!(kinds.iter().all(|kind| told.contains(*kind)), "{told:?}");
    Ok(())
}

/// A project that is accepted, one whose odds moved, and one whose ruleset is broken.
#[test]
fn projects_are_what_their_schema_says() -> Result<(), Error> {
    let schema = of("ProjectOdds");
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("coins.toml");
    let status = |text: &str, accept: bool| -> Result<Value, Error> {
        fs::write(&file, text).expect("a file");
        let request = ProjectRequest {
            rulesets: vec![file.clone()],
            baseline: Some(place.path().join("accepted")),
            accept,
            ..ProjectRequest::default()
        };
        let answer = Project::find(&request)?.answer(&Limits::default(), &())?;
        Ok(fits(&schema, &ProjectOdds::of(&answer)))
    };
    let rules = |sides: u32| {
        let expected = "[[expect]]\nintent = 'Even.'\nquery = 'heads'\nbetween = [0.5, 0.5]\n";
        format!(
            "name = 'Coins'\n[checks.toss]\naxes.more = {{ default = 0, domain = '0..=1' }}\nrules = 'show heads = 1d{sides} <= 1 + more'\n{expected}"
        )
    };
    status(&rules(2), true)?;
    let same = status(&rules(2), false)?;
    assert_eq!(same["status"], json!("as accepted"));
    assert_eq!(same["as_intended"], json!(true));
    let moved = status(&rules(4), false)?;
    assert_eq!(moved["status"], json!("moved"));
    assert_eq!(moved["as_intended"], json!(false));
    // A probe moves `more`: from 1 to 1/2.
    let table = &moved["rulesets"][0]["tables"][0];
    assert_eq!(table["moved"][0]["difference"], json!("-1/2"));
    let broken = status(
        "name = 'Coins'\n[checks.toss]\nrules = 'show heads = '\n",
        false,
    )?;
    assert_eq!(broken["status"], json!("error"));
    assert_eq!(broken["rulesets"][0]["errors"][0]["line"], json!(3));
    Ok(())
}

#[test]
fn plans_are_what_their_schema_says() -> Result<(), Error> {
    let (schema, limits) = (of("PlanOdds"), Limits::default());
    for (game, axis) in [
        ("stars-and-signs", None),
        ("buried-secrets", Some("push_die")),
    ] {
        let game = Game::open(game)?;
        let request = PlanRequest {
            pool: 3.into(),
            axis: axis.map(str::to_owned),
            ..PlanRequest::default()
        };
        let answer = game.plan(&request, &limits)?;
        let json = fits(&schema, &PlanOdds::of(&game, &answer));
        let states = json["states"].as_array().map(Vec::len);
        assert_eq!(states, Some(answer.states().count()));
        assert!(states > Some(1));
    }
    Ok(())
}

#[test]
fn policies_are_what_their_schema_says() -> Result<(), Error> {
    let game = Game::open("stars-and-signs")?;
    let mut request = PolicyRequest::default();
    request.settings.set("effort", 2);
    let policy = game.policy(&request, &Limits::default())?;
    assert!(policy.rows.iter().any(|row| row.is_optimal));
    fits(&of("PolicyOdds"), &PolicyOdds::of(&game, &policy));
    Ok(())
}

/// Several wishes, which have a Pareto set; lists and labels; and goals that nothing meets.
#[test]
fn tunings_are_what_their_schema_says() -> Result<(), Error> {
    let (schema, game) = (of("TuningOdds"), Game::open("stars-and-signs")?);
    let tune = |vary: &[&str], goals: &[&str]| -> Result<Value, Error> {
        let request = TuneRequest {
            vary: vary.iter().map(ToString::to_string).collect(),
            goals: goals.iter().map(ToString::to_string).collect(),
            ..TuneRequest::default()
        };
        let answer = game.tune(&request)?.answer(&Limits::default(), &mut ())?;
        Ok(fits(&schema, &TuningOdds::of(&game, &answer)))
    };
    let lists = "ladder=[0,4,6,8,10,12],[0,6,8,10,12,20]";
    let wishes = ["Hit ~ 0.4", "mean(total) ~ 15"];
    let found = tune(&[lists, "cap_order=all"], &wishes)?;
    assert!(found["best"][0]["values"]["ladder"].is_array());
    assert!(found["vary"]["cap_order"][0].is_string());
    assert!(found["pareto"]["members"][0]["total"]["fraction"].is_string());
    assert!(found["patch"].is_string());
    let nothing = tune(&["boon_cap=2..=4"], &["Critical at least 99 %"])?;
    assert_eq!(nothing["proof"]["conflict"], json!([1]));
    assert_eq!(nothing["goals"][0]["met_alone"], json!(0));
    assert_eq!(nothing["patch"], Value::Null);
    Ok(())
}

#[test]
fn distributions_of_values_are_what_their_schema_says() -> Result<(), Error> {
    let (schema, limits) = (of("ValueDistribution"), Limits::default());
    let mut asked = 0;
    for (name, _) in shipped() {
        let game = Game::open(name)?;
        for check in &game.model().checks {
            let shown: Vec<String> = check.outcomes.iter().map(|one| one.name.clone()).collect();
            for values in shown
                .iter()
                .map(|one| vec![one.clone()])
                .chain([shown.clone()])
            {
                let request = DistributionRequest {
                    check: Some(check.name.clone()),
                    values,
                    ..DistributionRequest::default()
                };
                let answer = game.distribution(&request, &limits)?;
                fits(&schema, &ValueDistribution::of(&game, &answer));
                asked += 1;
            }
        }
    }
    assert!(asked > 20, "{asked}");
    Ok(())
}

#[test]
fn dice_answers_are_what_their_schema_says() -> Result<(), Error> {
    let (dice, limits) = (Dice::parse("4d6kh3")?, Limits::default());
    let whole = Distribution::of(&dice.text, &dice.distribution(&limits)?);
    fits(&of("Distribution"), &whole);
    let distributions = vec![whole];
    fits(&of("Distributions"), &Distributions { distributions });
    let queries = ["mean(value)", "P(value >= 15)"].map(str::to_owned);
    let asked = DiceOdds {
        expression: dice.text.clone(),
        outcomes: outcomes(&dice.check, &dice.answers(&queries, &limits)?),
    };
    fits(&of("DiceOdds"), &asked);
    let explained = ExplainedDistribution::from(&dice.explain(&limits)?);
    let json = fits(&of("ExplainedDistribution"), &explained);
    assert!(json["steps"][0]["question"].is_string());
    Ok(())
}

/// A schema that takes anything would hold nothing: whatever is taken out of an answer is missed.
#[test]
fn an_answer_that_lacks_something_does_not_fit() -> Result<(), Error> {
    let game = Game::open("stars-and-signs")?;
    let answer = game.odds(&OddsRequest::default(), &Limits::default())?;
    let schema = of("Odds");
    let whole = fits(&schema, &Odds::of(&game, &answer));
    for key in whole.as_object().expect("an answer is an object").keys() {
        let mut broken = whole.clone();
        broken.as_object_mut().expect("an object").remove(key);
        assert!(!schema.is_valid(&broken), "without {key}");
    }
    let mut broken = whole.clone();
    broken["outcomes"][0]["weight"] = json!(1);
    assert!(!schema.is_valid(&broken), "whole numbers are text");
    Ok(())
}
