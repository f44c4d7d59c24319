//! Tables whose rows are kept.

use oddsmith::{Error, Game, Limits, TableRequest};

const GAPS: &str = r#"
name = "Gaps"
[checks.check]
axes.n = { default = 1, domain = "0..=3", sweep = "all" }
rules = "show x = floor(6 / n) == 2"
"#;

fn all(game: &Game) -> Result<oddsmith::Table, Error> {
    game.table(&TableRequest {
        sweeps: vec!["all".to_owned()],
        ..TableRequest::default()
    })
}

#[test]
fn rows_whose_rules_can_t_be_carried_out_have_no_answers() -> Result<(), Error> {
    let game = Game::parse("gaps.toml", GAPS.as_bytes())?;
    let table = all(&game)?;
    let (rows, gaps) = table.rows_with_gaps(&Limits::default())?;
    let answers: Vec<Vec<f64>> = { rows.iter() }
        .map(|row| row.answers.iter().filter_map(oddsmith::decimal).collect())
        .collect();
    assert_eq!(answers, [vec![], vec![0.0], vec![0.0], vec![1.0]]);
    assert_eq!(gaps.count, 1);
    let first = gaps.first.expect("it has one").to_string();
    assert!(first.contains("division"), "{first}");
    let refused = table.rows(&Limits::default());
    assert_eq!(refused.expect_err("one has no answer").to_string(), first);
    Ok(())
}

#[test]
fn rows_that_are_kept_are_charged_for() -> Result<(), Error> {
    let game = Game::open("stars-and-signs")?;
    let table = all(&game)?;
    let kept = table.rows(&Limits::default())?.len();
    // Each row has more than 100 bytes, which are ten steps each.
    let steps = 1000 * kept as u64 - 1;
    let refused = table
        .rows(&Limits::steps(steps))
        .expect_err("they have no room");
    assert!(refused.is_over_budget());
    assert!(
        refused
            .to_string()
            .starts_with("keeping the rows of the table needs"),
        "{refused}"
    );
    Ok(())
}
