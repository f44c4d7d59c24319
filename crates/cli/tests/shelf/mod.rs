//! Known games from anywhere, and a game of one's own: `rules list`, `new`, and what is said to whoever asks nothing.

use oddsmith_rules::{all_games, load, shelf};

use crate::support::Place;

#[test]
fn all_games_are_listed_by_family_within_a_terminal() {
    let place = Place::new();
    let list = place.answer("rules list");
    let long = list.lines().find(|line| line.chars().count() > 80);
    assert_eq!(long, None);
    // A line each, but for those of the project's own games.
    for game in shelf() {
        let model = load(game.name, game.text.as_bytes()).expect("it is right");
        let line = format!("{}: {}", model.name, model.help);
        let name = format!("  {} ", game.name);
        let found = list.lines().find(|line| line.starts_with(&name));
        let found = found.unwrap_or_else(|| panic!("{} is not listed", game.name));
        assert!(found.ends_with(&line), "{found}");
    }
    let places: Vec<usize> = all_games()
        .map(|(name, _)| list.find(&format!("\n  {name} ")).expect("it is listed"))
        .collect();
    assert!(places.is_sorted(), "{list}");
    assert!(list.contains("\n\nd20\n  dnd5e-attack "), "{list}");
}

#[test]
fn known_games_answer_by_their_names() {
    let place = Place::new();
    let odds = place.answer("odds pbta --set stat=2 --query strong");
    assert!(odds.contains("5/12"), "{odds}");
    let track = place.answer("track craps --query win --format csv");
    assert!(track.contains("win,244,495,"), "{track}");
    place.answer("chart blades-in-the-dark --x dice -o dice.svg");
    assert!(place.read("dice.svg").contains("<svg"));
    let show = place.answer("rules show pathfinder2e");
    assert!(show.contains("critical success"), "{show}");
    place.refuses("odds pathfinder2", &["did you mean `pathfinder2e`?"]);
    place.refuses(
        "odds qqqqqqqq",
        &["`oddsmith rules list` has those that come along"],
    );
}

#[test]
fn a_new_game_answers_at_once() {
    let place = Place::new();
    let said = place.answer("new mygame");
    assert!(said.starts_with("mygame.toml is written."), "{said}");
    let commands = said
        .lines()
        .filter_map(|line| line.trim().split("  ").next());
    let commands: Vec<&str> = commands
        .filter(|line| line.starts_with("oddsmith "))
        .collect();
    assert_eq!(commands.len(), 4);
    // The last one serves, which does not end.
    for command in &commands[..3] {
        let run = place.shell(command);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{command}");
    }
    assert!(commands[3].starts_with("oddsmith serve "));
    place.answer("rules validate mygame.toml --deny warnings");
    let text = place.read("mygame.toml");
    assert!(text.contains("name = \"mygame\"") && text.contains("oddsmith odds mygame.toml"));
    assert!(!text.contains("{title}") && !text.contains("{file}"));
}

#[test]
fn a_new_game_is_begun_from_any_other_with_its_comments() {
    let place = Place::new();
    for (name, text) in all_games() {
        let mine = format!("my-{name}");
        place.answer(&format!("new {mine} --from {name}"));
        let copy = place.read(&format!("{mine}.toml"));
        let comments = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
        assert_eq!(comments(&copy), comments(text) + 2, "{name}");
        let model = load(&mine, copy.as_bytes()).expect("it is right");
        assert_eq!(model.name, mine);
        assert_eq!(
            model.checks.len(),
            load(name, text.as_bytes())
                .expect("it is right")
                .checks
                .len()
        );
    }
    // A game of tracks alone is asked by its track.
    let said = place.answer("new dice-table --from craps");
    assert!(said.contains("oddsmith track dice-table.toml"), "{said}");
    // A file, and the name with its ending.
    place.answer("new second.toml --from lantern.toml");
    assert!(
        place
            .read("second.toml")
            .starts_with("# second, begun from Lantern (`lantern.toml`)\n")
    );
}

#[test]
fn a_new_game_takes_no_place_of_another() {
    let place = Place::new();
    let before = place.read("lantern.toml");
    for line in ["new lantern", "new lantern.toml --from pbta"] {
        place.refuses(line, &["`lantern.toml` is there already"]);
    }
    assert_eq!(place.read("lantern.toml"), before);
    let files = place.files();
    for name in ["-", "", ".toml", "..", "a\"b", "x\u{1b}[1m", "nowhere/game"] {
        let run = place.run(&format!("new -- '{name}'"));
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{name}");
    }
    place.refuses("new mine --from pbtaa", &["did you mean `pbta`?"]);
    assert_eq!(place.files(), files);
}

#[test]
fn whoever_asks_nothing_is_told_how_to_begin() {
    let place = Place::new();
    let said = place.refusal("");
    assert_eq!(said.lines().count(), 8, "{said}");
    assert!(
        said.lines().all(|line| line.chars().count() <= 80),
        "{said}"
    );
    for line in said.lines().skip(1) {
        let command = line.trim().split("  ").next().expect("a command");
        assert!(command.starts_with("oddsmith "), "{command}");
        if command != "oddsmith serve" {
            let run = place.shell(command);
            assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{command}");
        }
    }
}

#[test]
fn help_is_asked_by_a_word_too() {
    let place = Place::new();
    for words in ["odds", "balance plan", "rules list", "new"] {
        let by_word = place.answer(&format!("help {words}"));
        assert_eq!(by_word, place.answer(&format!("{words} --help")));
    }
    assert_eq!(place.answer("help"), place.answer("--help"));
    place.refuses("help oods", &["odds"]);
}
