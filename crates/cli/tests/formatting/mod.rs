//! `oddsmith rules fmt`: which files are written, and what the exit status says.

use crate::support::{Place, Run};

const WRITTEN: &str = "[checks.toss]\nrules = '''\nshow heads=1d2==2 # or tails\n'''\n";
const FORMATTED: &str = "[checks.toss]\nrules = '''\nshow heads = 1d2 == 2  # or tails\n'''\n";
const BROKEN: &str = "[checks.toss]\nrules = '''\nshow heads = \n'''\n";

fn place() -> Place {
    let place = Place::new();
    place.write("coin.toml", WRITTEN);
    place.write("other.toml", WRITTEN);
    place.write("broken.toml", BROKEN);
    place
}

fn demand(run: &Run, status: i32, out: &str) {
    assert_eq!(
        (run.status, run.out.as_str()),
        (Some(status), out),
        "{}",
        run.err
    );
}

#[test]
fn files_are_formatted_once() {
    let place = place();
    let run = place.run("rules fmt coin.toml lantern.toml other.toml");
    demand(
        &run,
        0,
        "formatted: coin.toml (1 line)\nformatted: other.toml (1 line)\n",
    );
    assert_eq!(place.read("coin.toml"), FORMATTED);
    assert_eq!(place.read("other.toml"), FORMATTED);
    let run = place.run("rules fmt coin.toml lantern.toml other.toml");
    demand(&run, 0, "");
}

#[test]
fn a_check_writes_nothing() {
    let place = place();
    let run = place.run("rules fmt --check lantern.toml coin.toml");
    demand(&run, 1, "not formatted: coin.toml:3 (1 line)\n");
    assert_eq!(place.read("coin.toml"), WRITTEN);
    demand(&place.run("rules fmt --check lantern.toml"), 0, "");
}

#[test]
fn one_file_that_can_not_be_read_keeps_all_from_being_written() {
    let place = place();
    let files = place.files();
    let run = place
        .run("rules fmt coin.toml broken.toml nobody.toml pbta other.toml:toss HEAD:coin.toml");
    demand(&run, 2, "");
    for told in [
        "broken.toml:3:12",
        "can't read `nobody.toml`",
        "`oddsmith new mygame --from pbta` writes one",
        "`toss` alone",
        "`HEAD:coin.toml`",
    ] {
        assert!(run.err.contains(told), "{told}: {}", run.err);
    }
    assert_eq!(place.read("coin.toml"), WRITTEN);
    assert_eq!(place.files(), files);
    demand(&place.run("rules fmt --check coin.toml broken.toml"), 2, "");
}

#[test]
fn a_stream_is_formatted_on_its_way() {
    let place = place();
    demand(
        &place.shell("oddsmith rules fmt - < coin.toml"),
        0,
        FORMATTED,
    );
    let run = place.shell("oddsmith rules fmt - --check < coin.toml");
    demand(&run, 1, "not formatted: <stdin>:3 (1 line)\n");
    demand(&place.shell("oddsmith rules fmt - < broken.toml"), 2, "");
    demand(&place.run("rules fmt - coin.toml"), 2, "");
    demand(&place.run("rules fmt"), 2, "");
}
