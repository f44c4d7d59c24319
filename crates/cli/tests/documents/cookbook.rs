//! The cookbook's pages: the questions of `tests/cookbook.csv`, each about a row of the case files, with the command that
//! asks it, what the program prints, and where the answer is from.
//!
//! With `KEEP_PAGES` set the pages are written, and otherwise held against what would be.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use oddsmith_testkit::cases::FILES;

use super::root;
use crate::support::{Place, records};

const INDEX: &str = "docs/cookbook.md";

/// A question with its row of a case file.
struct Question {
    family: String,
    asked: String,
    /// The case file's name.
    file: String,
    /// `id,question,target,set,query,numerator,denominator,source`.
    case: Vec<String>,
}

fn questions() -> Vec<Question> {
    let read = |path: &str| records(&fs::read_to_string(root().join(path)).expect(path));
    let mut cases = BTreeMap::new();
    for (file, _) in FILES {
        for case in read(&format!("tests/cases/{file}.csv")) {
            cases.insert(case[0].clone(), ((*file).to_owned(), case));
        }
    }
    let question = |row: Vec<String>| {
        let known = cases.get(&row[1]);
        let (file, case) = known
            .unwrap_or_else(|| panic!("there is no case {}", row[1]))
            .clone();
        let (family, asked) = (row[0].clone(), row[2].clone());
        Question {
            family,
            asked,
            file,
            case,
        }
    };
    read("tests/cookbook.csv")
        .into_iter()
        .skip(1)
        .map(question)
        .collect()
}

impl Question {
    /// The ruleset's name or path, and which of its checks; an expression as a whole.
    fn target(&self) -> (String, Option<&str>) {
        let target = &self.case[2];
        if self.case[1] == "dist" {
            return (target.clone(), None);
        }
        let (ruleset, check) = target.rsplit_once(':').expect("RULESET:NAME");
        let comes_along = ruleset
            .strip_prefix("rulesets/")
            .filter(|name| !name.contains('/'));
        let name = comes_along.and_then(|name| name.strip_suffix(".toml"));
        (name.unwrap_or(ruleset).to_owned(), Some(check))
    }

    /// The file of the rules, if they do not come along.
    fn file_of_rules(&self) -> Option<String> {
        let (ruleset, check) = self.target();
        (check.is_some() && ruleset.contains('/')).then_some(ruleset)
    }

    /// What follows the name of the program, to be run where the file of the rules lies.
    fn line(&self) -> String {
        let (ruleset, check) = self.target();
        let ruleset = match check {
            Some(check) => format!("{}:{check}", name_of(&ruleset)),
            None => ruleset,
        };
        let mut line = format!("{} {}", self.case[1], quoted(&ruleset));
        for set in self.case[3].split_whitespace() {
            let (option, set) = match set.split_once('.') {
                Some((side, set)) if self.case[1] == "contest" => (format!("--{side}"), set),
                _ => ("--set".to_owned(), set),
            };
            line += &format!(" {option} {}", quoted(set));
        }
        line + " --query " + &quoted(&self.case[4])
    }

    /// The answer as people read it, and exactly; it has to be that of the case.
    fn answer(&self, place: &Place) -> (String, String) {
        if let Some(path) = self.file_of_rules() {
            let rules = fs::read_to_string(root().join(&path)).expect("the rules");
            place.write(name_of(&path), &rules);
        }
        let line = self.line();
        let printed = |format| place.answer(&format!("{line} --format {format}"));
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let known = number(&self.case[5]) / number(&self.case[6]);
        let exactly = records(&printed("csv"));
        let found = number(&exactly.last().expect("a row")[3]);
        let is_known = (found - known).abs() <= 1e-12 * known.abs();
        assert!(is_known, "{}: {found}, and not {known}", self.asked);
        // The numbers of a check follow in a table of their own.
        let tables = printed("markdown");
        let odds = tables.lines().take_while(|line| !line.is_empty());
        let row = odds.last().expect("a row").trim_end_matches('|');
        let cells: Vec<&str> = row.rsplitn(3, '|').map(str::trim).collect();
        (cells[1].to_owned(), cells[0].to_owned())
    }

    fn source(&self) -> String {
        let source = &self.case[7];
        let script = match self.file.as_str() {
            "shelf" | "games" | "choices" => format!("derive-{}", self.file),
            "long" => "derive-long-games".to_owned(),
            _ => return source.clone(),
        };
        format!("{source} (`scripts/{script}`)")
    }
}

/// The last part of a path.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A word as a shell wants it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.:=".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{word}'")
    }
}

fn page_of(family: &str) -> String {
    format!("cookbook/{}.md", family.to_lowercase().replace(' ', "-"))
}

/// What links call a heading, as forges do.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A question on its page.
fn entry(question: &Question, place: &Place, shown: &mut BTreeSet<String>) -> String {
    let (odds, exact) = question.answer(place);
    let mut text = format!("\n## {}\n", question.asked);
    if let Some(path) = question
        .file_of_rules()
        .filter(|path| shown.insert(path.clone()))
    {
        let rules = fs::read_to_string(root().join(&path)).expect("the rules");
        let name = name_of(&path);
        let _ = write!(
            text,
            "\n<details><summary>The rules: <code>{name}</code></summary>\n\n```toml\n{rules}```\n\n</details>\n"
        );
    }
    let _ = write!(
        text,
        "\n```sh\noddsmith {}\n```\n\n**{odds}**",
        question.line()
    );
    if exact != odds && exact.contains('/') {
        let _ = write!(text, ", exactly {exact}");
    }
    let _ = writeln!(
        text,
        ". Source: {}.",
        question.source().trim_end_matches('.')
    );
    text
}

/// The pages by their paths below `docs`.
fn pages() -> BTreeMap<String, String> {
    let place = Place::empty();
    let questions = questions();
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut index = format!(
        "# Cookbook: {} questions\n\nWhat players and designers asked, with the command that answers it. A test asks all of it, and holds the \
         answers against\nthose that were printed by somebody else or found by other means.\n",
        questions.len()
    );
    let mut shown = BTreeSet::new();
    let mut asked_before = BTreeSet::new();
    for question in &questions {
        let path = page_of(&question.family);
        let page = pages.entry(path.clone()).or_insert_with(|| {
            let _ = write!(index, "\n## {}\n\n", question.family);
            shown.clear();
            format!(
                "# {}\n\nWhere no rules are shown they come along: `oddsmith rules show NAME --source` prints them.\n",
                question.family
            )
        });
        page.push_str(&entry(question, &place, &mut shown));
        let (asked, anchor) = (&question.asked, anchor(&question.asked));
        let _ = writeln!(index, "- [{asked}]({path}#{anchor})");
        assert!(asked_before.insert(asked), "{asked} is asked twice");
    }
    pages.insert("cookbook.md".to_owned(), index);
    pages
}

#[test]
fn the_cookbook_has_what_is_printed() {
    let mut wrong = Vec::new();
    let pages = pages();
    for (path, page) in &pages {
        let file = root().join("docs").join(path);
        if fs::read_to_string(&file).ok().as_ref() != Some(page) {
            wrong.push(path.clone());
            if std::env::var_os("KEEP_PAGES").is_some() {
                fs::create_dir_all(file.parent().expect("a folder")).expect("it is made");
                fs::write(file, page).expect("the page can be written");
            }
        }
    }
    let files = fs::read_dir(root().join("docs/cookbook"))
        .expect("the cookbook")
        .count();
    assert_eq!(files + 1, pages.len(), "a page without questions");
    assert!(wrong.is_empty(), "KEEP_PAGES=1 writes {wrong:?} anew");
    assert!(
        pages["cookbook.md"].lines().count() > 100,
        "{INDEX} has lost questions"
    );
}
