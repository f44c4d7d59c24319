//! Balance sheets: their figures are those of commands, and their links lead somewhere.

use crate::support::Place;

/// A game with all that a sheet tells of: gains, points, tracks, options that nobody would choose.
const GRIT: &str = r#"name = "Grit & Rope"

[checks.climb]
bands = ["slip", "hold", "leap"]
axes.skill = { default = 0, domain = "0..=3", sweep = "all", label = "Skill", help = "what it rolls with" }
axes.wind  = { default = 0, domain = "-3..=3", sweep = "-2..=2", label = "Wind", help = "against it" }
axes.way   = { default = "slow", domain = ["slow", "fast"], label = "Way", help = "fast is never better" }
axes.grit  = { default = 0, domain = "0..=2", sweep = "all", label = "Grit", help = "points that are spent" }
rules = '''
show total = 1d10 + skill + grit - wind - (if way == fast then 1 else 0)
show band  = match total { < 4: slip, < 7: hold, else: leap }
'''

# Of the wall.
[tracks.wall]
inherit = ["climb"]
unit    = "move"
bands   = ["night", "top"]
axes.height = { default = 2, domain = "1..=3", sweep = "all" }
rules = '''
let done = 0
repeat until done == height or rolls == 4 { set done = done + (climb(..).band >= hold) }
show band = if done == height then top else night
'''

[resources.grit]
axis = "grit"
"#;

/// An entry as the page has it, without its markup.
#[derive(Debug)]
struct Read {
    what: String,
    value: String,
    about: String,
    links: Vec<String>,
    command: String,
}

/// The text of the first element with this class.
fn text(html: &str, class: &str) -> String {
    let open = format!("<p class=\"{class}\">");
    let rest = html.split_once(&open).expect("it is there").1;
    let inner = rest.split_once("</p>").expect("it is closed").0;
    let mut text = String::new();
    for part in inner.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
        ("−", "-"),
    ]
    .iter()
    .fold(text, |text, (from, to)| text.replace(from, to))
}

fn entries(page: &str) -> Vec<Read> {
    let sheet = page
        .split_once("<ul class=\"entries\">")
        .expect("a sheet")
        .1;
    let sheet = sheet.split_once("</ul>").expect("it is closed").0;
    let read = |html: &str| Read {
        what: text(html, "what"),
        value: text(html, "value"),
        about: text(html, "about"),
        links: { html.split("href=\"#").skip(1) }
            .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
            .collect(),
        command: text(html, "from"),
    };
    sheet.split("<li>").skip(1).map(read).collect()
}

fn reported(rules: &str) -> (Place, String) {
    let place = Place::new();
    place.write("grit.toml", rules);
    place.answer("report grit.toml -o odds");
    let page = place.read("odds/index.html");
    (place, page)
}

/// What a command answers in a shell, its lines joined: long ones are broken. To find something odd is an answer too.
fn answered(place: &Place, command: &str) -> String {
    let run = place.shell(command);
    assert!(matches!(run.status, Some(0 | 1)), "{command}: {}", run.err);
    run.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_sheet_has_the_figures_that_matter() {
    let (_, page) = reported(GRIT);
    let told: Vec<String> = entries(&page)
        .into_iter()
        .map(|entry| format!("{}: {}", entry.what, entry.value))
        .collect();
    // By hand: 7 of 10 faces hold, with a skill of 3 all do, and a step or a gust is one face. A point is worth a band
    // on 3 and on 6. The wall takes 2 moves in 49 %, 3 in 29.4 %, and 4 in the rest.
    assert_eq!(
        told,
        [
            "hold or better at the start: 70.00%",
            "hold or better at the cap: 100.00%",
            "A step of Skill: +10.00 points",
            "Hurts the most: a step of Wind -2 … 2: -10.00 points",
            "A point of grit: +0.2",
            "Length of wall: 2.726 moves",
            "Way: never better than slow: “fast”",
        ]
    );
}

#[test]
fn the_track_with_the_most_axes_of_its_own_is_told_beside_the_first_one() {
    let track = |name: &str, axes: &str, works: &str| {
        format!(
            r#"
[tracks.{name}]
inherit = ["climb"]
bands   = ["night", "top"]
{axes}
rules = '''
let done = 0
repeat until done == 1 or rolls == 2 {{ set done = {works} }}
show band = if done == 1 then top else night
'''
"#
        )
    };
    let more = r#"axes.ice = { default = 0, domain = "0..=1" }
axes.snow = { default = 0, domain = "0..=1" }"#;
    let rules = [
        GRIT,
        &track("storm", more, "climb(..).band >= hold and ice + snow < 2"),
        &track("hut", "", "climb(..).band >= hold").replace("[\"climb\"]", "[\"storm\"]"),
    ]
    .concat();
    let (_, page) = reported(&rules);
    let told = entries(&page);
    let told = told
        .iter()
        .filter_map(|entry| entry.what.strip_prefix("Length of "));
    assert_eq!(told.collect::<Vec<_>>(), ["wall", "storm"]);
}

/// The rows of the table of readings, cell by cell.
fn readings(page: &str) -> Vec<Vec<String>> {
    let table = page
        .split_once("<details class=\"readings\">")
        .expect("a table")
        .1;
    let body = table.split_once("<tbody>").expect("rows").1;
    let body = body.split_once("</tbody>").expect("it is closed").0;
    let cell = |html: &str| {
        let parts = html
            .split('<')
            .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        parts.collect::<String>().trim().replace('−', "-")
    };
    let row = |html: &str| {
        html.replace("</th>", "</td>")
            .split("</td>")
            .map(cell)
            .collect::<Vec<_>>()
    };
    let rows = body.split("</tr>").map(row);
    rows.map(|mut row| {
        row.pop();
        row
    })
    .filter(|row| !row.is_empty())
    .collect()
}

#[test]
fn readings_are_told_where_they_change_the_most() {
    let params = r#"
[params]
edge  = { default = 4, domain = "4..=5", label = "Hold from", help = "the least total that holds", reading = "It is open." }
slack = { default = "none", domain = ["none", "some"], label = "Slack", help = "of the rope", reading = "It is open." }
late  = { default = 4, domain = "3..=4", label = "Night after", help = "moves", reading = "It is open." }
"#;
    let rules = GRIT
        .replace(
            "\n[checks.climb]",
            &(params.to_owned() + "\n[checks.climb]"),
        )
        .replace("< 4: slip", "< edge: slip")
        .replace("rolls == 4", "rolls == late")
        .replace(
            "show band  =",
            "show rope = if slack == some and total < -100 then 1 else 0\nshow band  =",
        );
    let (place, page) = reported(&rules);
    let rows = readings(&page);
    // By hand: what the die needs is one face more, unless it holds with each face: with a skill, grit and wind of 4 or more together,
    // as in 19 of 60.
    let hold = [
        "Hold from 4 → 5",
        "climb: hold or better",
        "-10.00 points",
        "-10.00",
        "41 of 60",
    ];
    assert_eq!(rows[0], hold);
    let [_, night] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!(night[..2], ["Night after 4 → 3", "wall: top"]);
    let value = answered(&place, "oddsmith balance value grit.toml:wall --lever late");
    assert!(
        value.contains(night[2].trim_end_matches(" points")),
        "{night:?}: {value}"
    );
    assert!(page.contains("These change no odds of the default sweeps, though some may limit what is legal: Slack none → some."));
}

#[test]
fn values_of_a_picture_are_numbers_where_none_of_them_has_a_label() {
    let wind = r#"sweep = "-2..=2", label = "Wind","#;
    let labels = wind.to_owned() + r#" labels = { -3 = "a storm" },"#;
    let chart = "[[charts]]\ncheck = \"climb\"\nkind = \"bands\"\nx = \"wind\"\ntitle = \"Wind\"\n";
    let rules = GRIT.replace(wind, &labels).replace("# Of the wall.", chart);
    assert_ne!(rules, GRIT);
    let (place, _) = reported(&rules);
    let picture = place.read("odds/grit/wind.svg");
    assert!(picture.contains("by Wind (−2 to 2)"), "{picture}");
}

#[test]
fn each_figure_is_what_its_command_answers() {
    let (place, page) = reported(GRIT);
    for entry in entries(&page) {
        let answer = answered(&place, &entry.command);
        let number = entry.value.split(' ').next().unwrap_or_default();
        let number = number.trim_start_matches('+').trim_matches(['“', '”']);
        assert!(answer.contains(number), "{entry:?}: {answer}");
    }
    let entries = entries(&page);
    let last = &entries[entries.len() - 1];
    let sentence = last.about.split(". ").next().unwrap_or_default();
    let answer = answered(&place, &last.command).replace('`', "");
    assert!(
        answer.contains(sentence.trim_end_matches('.')),
        "{sentence}: {answer}"
    );
    let wall = entries.iter().find(|entry| entry.what == "Length of wall");
    let wall = wall.expect("the track is told of");
    let top = wall.about.rsplit("top ").next().unwrap_or_default();
    assert!(answered(&place, &wall.command).contains(top), "{wall:?}");
}

#[test]
fn links_lead_to_parts_of_the_page_and_to_rules_as_they_are_written() {
    let (_, page) = reported(GRIT);
    let body = page.split_once("<body>").expect("a body").1;
    for entry in entries(&page) {
        assert!(entry.links.len() >= 2, "{entry:?}");
        for link in &entry.links {
            let id = link.split('?').next().unwrap_or_default();
            assert_eq!(body.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
        }
    }
    let cap = &entries(&page)[1];
    assert_eq!(cap.links[0], "grit:climb?skill=3");
    let rules = body
        .split_once("id=\"grit:climb-rules\" tabindex=\"0\"><code>")
        .expect("rules")
        .1;
    let rules = rules.split_once("</code>").expect("they end").0;
    assert!(
        rules.starts_with("[checks.climb]\n")
            && rules.ends_with("'''".replace('\'', "&#39;").as_str())
    );
}

#[test]
fn a_ruleset_without_bands_tracks_and_points_has_a_short_sheet() {
    let (_, page) = reported("name = 'Coins'\n[checks.toss]\nrules = 'show coins = 3d2'\n");
    let body = page.split_once("<body>").expect("a body").1;
    let told: Vec<String> = entries(body).into_iter().map(|entry| entry.what).collect();
    assert_eq!(told, ["Options that nobody would choose"]);
    assert!(!body.contains("left-out"));
}
