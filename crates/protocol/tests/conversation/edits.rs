//! Many edits: each answer is about the text that it says, and is that of the library.

use oddsmith::ask::Question;
use oddsmith::{Game, Limits};
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

use super::support::{Client, RULES, URI, read};

/// All memory is counted.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Numbers that look random; the same in each run.
struct Numbers(u64);

impl Numbers {
    /// One below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }
}

/// What an edit writes: words of the language, and what breaks it.
const WORDS: [&str; 12] = [
    "8", "3", "2d6", "1d8", " + skill", "limit", "Clear", "\"", "\n", "𝒟", "", "else",
];

/// A place between two characters, as a client counts.
fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

/// The text with an edit, and the edit.
fn edited(text: &str, numbers: &mut Numbers) -> (String, Value) {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let from = numbers.below(places.len());
    let to = (from + numbers.below(4)).min(places.len() - 1);
    let (from, to) = (places[from], places[to]);
    let word = WORDS[numbers.below(WORDS.len())];
    let range = json!({ "start": position(text, from), "end": position(text, to) });
    let after = format!("{}{word}{}", &text[..from], &text[to..]);
    (after, json!({ "range": range, "text": word }))
}

/// What the library says of a text: its odds, or nothing if it has none.
fn odds(text: &str) -> Option<Value> {
    let game = Game::parse(URI, text.as_bytes()).ok()?;
    let question: Question = serde_json::from_value(json!({ "kind": "odds" })).expect("it is one");
    let answer = question.ask(&game, &Limits::steps(1_000_000_000)).ok()?;
    Some(read(&answer))
}

/// Demands that what is told of a version has places of its text.
fn demand_places(client: &Client, version: i32, text: &str, numbers: &mut Numbers) {
    let lines: Vec<Vec<u16>> = { text.split('\n') }
        .map(|line| line.trim_end_matches('\r').encode_utf16().collect())
        .collect();
    let place = |place: &Value| {
        let [line, character] = ["line", "character"]
            .map(|key| usize::try_from(place[key].as_u64().expect("a number")).expect("small"));
        let line_units = lines
            .get(line)
            .unwrap_or_else(|| panic!("{place} in {text}"));
        // Between two characters, and not behind the line.
        let (before, rest) = line_units
            .split_at_checked(character)
            .unwrap_or_else(|| panic!("{place} in {text}"));
        assert!(
            String::from_utf16(before).is_ok() && String::from_utf16(rest).is_ok(),
            "{place} in {text}"
        );
        (line, character)
    };
    let demand = |range: &Value| assert!(place(&range["start"]) <= place(&range["end"]), "{range}");
    for fault in client.faults(version) {
        demand(&fault["range"]);
        let related = fault["relatedInformation"].as_array().into_iter().flatten();
        related.for_each(|related| demand(&related["location"]["range"]));
    }
    let at = text
        .char_indices()
        .nth(numbers.below(text.chars().count()))
        .map_or(0, |(at, _)| at);
    let document = json!({ "uri": URI });
    let here = json!({ "textDocument": document, "position": position(text, at) });
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let asked = [
        ("textDocument/hover", here.clone()),
        ("textDocument/definition", here),
        (
            "textDocument/formatting",
            json!({ "textDocument": document, "options": options }),
        ),
    ];
    for (method, params) in asked {
        let told = client.call(method, &params).expect("it is not gone");
        let alone = [told.clone()];
        let all = told.as_array().map_or(&alone[..], Vec::as_slice);
        let ranges = all.iter().filter_map(|one| one.get("range"));
        ranges.for_each(demand);
    }
}

/// Makes edits, and returns how many of the texts had odds. `at` is called after each with its version.
fn edit(client: &Client, versions: std::ops::Range<i32>, mut at: impl FnMut(i32)) -> usize {
    let mut numbers = Numbers(7);
    let mut text = RULES.to_owned();
    let mut answered = 0;
    for version in versions {
        // From time to time the rules are as they were, or no edit would be of sound rules.
        let (after, change) = match version % 4 {
            0 => (RULES.to_owned(), json!({ "text": RULES })),
            _ => edited(&text, &mut numbers),
        };
        text = after;
        let document = json!({ "uri": URI, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        client.notify("textDocument/didChange", &params);
        let id = client.ask_of(version, "odds", &json!({}));
        // Every third answer is not waited for: the next edit comes before it.
        if version % 3 == 0 {
            continue;
        }
        let found = client.answer(id).ok();
        assert_eq!(
            found.as_ref().map(|found| &found["answer"]),
            odds(&text).as_ref(),
            "{text}"
        );
        answered += usize::from(found.is_some());
        demand_places(client, version, &text, &mut numbers);
        client.forget();
        at(version);
    }
    answered
}

#[test]
fn answers_belong_to_their_texts() {
    let answered = edit(&Client::opened(), 2..1500, |_| ());
    assert!(answered > 250, "{answered} texts had odds");
}

/// What a connection may gain over 90,000 edits: what is under way at both ends may differ.
const GAINED: usize = 1 << 20;

#[test]
#[ignore = "100,000 edits take minutes: cargo test --release -p oddsmith-protocol -- --ignored"]
#[expect(clippy::print_stdout, reason = "the figures are told")]
fn a_hundred_thousand_edits_leave_no_memory_behind() {
    let (mut early, mut late) = (0, 0);
    let client = Client::opened();
    edit(&client, 2..100_000, |version| match version {
        9_001..=10_000 => early = early.max(MEMORY.current_usage()),
        99_001.. => late = late.max(MEMORY.current_usage()),
        _ => (),
    });
    println!("{early} bytes after 10,000 edits, {late} after 100,000");
    assert!(late < early + GAINED, "{early} bytes became {late}");
}
