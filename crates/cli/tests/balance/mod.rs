//! `oddsmith balance`.

mod value;

use std::fs;
use std::path::Path;

use crate::support::Place;

/// What the document shows of a console is what the program prints.
#[test]
fn the_document_shows_what_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/balance.md");
    let text = fs::read_to_string(path).expect("the document");
    let place = Place::new();
    let mut shown = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let (command, output) = block.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ ").expect("a command");
        let run = place.shell(command);
        // Findings are an answer too.
        assert!(run.status < Some(2), "{command}: {}", run.err);
        assert_eq!(run.out, output, "{command}");
        shown += 1;
    }
    assert!(shown > 0);
}
