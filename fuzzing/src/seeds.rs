//! The inputs that others are made of: the project's own files, and what was found.

use std::fs;
use std::path::Path;

use oddsmith_testkit::rulesets::{LANTERN, all, anydice_programs, path_of};

/// Rulesets that are read within milliseconds; and small ones.
pub(crate) fn rulesets() -> Vec<Vec<u8>> {
    let texts = all().into_iter().map(|(_, text)| text.into_bytes());
    let mut seeds: Vec<Vec<u8>> = texts.collect();
    seeds.retain(|text| text.len() < 4_000);
    seeds.push(LANTERN.as_bytes().to_vec());
    seeds
}

fn files(directory: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths
        .iter()
        .map(|path| fs::read(path).expect("a file can be read"))
        .collect()
}

/// A column of the case files, of rows that ask one kind of question.
fn column(question: &str, at: usize) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for file in files(&path_of("tests/cases")) {
        let text = String::from_utf8(file).expect("cases are text");
        for line in text.lines().skip(1) {
            // Quoted cells fall apart here, which is as good as any other change.
            let cells: Vec<&str> = line.split(',').collect();
            if cells.get(1) == Some(&question) {
                texts.extend(cells.get(at).map(|cell| cell.replace('"', "").into_bytes()));
            }
        }
    }
    texts.sort();
    texts.dedup();
    texts
}

fn owned(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub(crate) fn expressions() -> Vec<Vec<u8>> {
    let mut seeds = column("dist", 2);
    seeds.extend(owned(&[
        "4d6kh3",
        "2d20kh1 + 5",
        "3d6!(4)",
        "count(6d10, >= 7)",
        "matches(5d6, 3)",
        "subsets(4d6, 2)",
        "wins(3d6, 2d6)",
        "repeat 3 { 1d6 }",
        "if 1d6 > 3 then 2d8 else 1d4",
        "clamp(2d6 - 7, -2, 2)",
        "d{1, 1, 2, 6: 3}",
        "(1d4)d6",
        "max(1d6, 1d8) * 2",
        "1d20 == 20",
        "floor(3d6 / 2)",
        "dF + dF",
        "7d10 cs>=8",
        "match 1d6 { 1: 0, < 4: 1, else: 2 }",
    ]));
    seeds
}

/// AnyDice programs.
pub(crate) fn programs() -> Vec<Vec<u8>> {
    let programs = anydice_programs().into_iter();
    programs.map(String::into_bytes).collect()
}

pub(crate) fn queries() -> Vec<Vec<u8>> {
    let mut seeds = column("odds", 4);
    seeds.extend(owned(&[
        "P(total >= 8)",
        "mean(total)",
        "mean(total|Strong)",
        "variance(total)",
        "Miss",
        "Glimpse",
        "P(band >= Weak)",
        "P(band == Strong|total > 7)",
        "mean(rolls)",
        "P(rolls <= 4)",
        "done",
        "P(done and rolls < 3)",
    ]));
    seeds
}

pub(crate) fn settings() -> Vec<Vec<u8>> {
    owned(&[
        "stat=2\nboons=1\n\nlight=all",
        "light=bright\n\nall",
        "boon_cap=3\n\nstat=-1..=3\nboons=0,2,5",
        "\n\nstat=all\nlight=dim,bright\nboons=0..=5",
        "stat=0,boons=1\n\nboon_cap=0..=5",
    ])
}

pub(crate) fn goals() -> Vec<Vec<u8>> {
    owned(&[
        "Strong @ stat=2 at least 20%",
        "mean(total) @ boons=1 in [8, 9]",
        "boon_cap=0..=5",
        "P(total>=8) ~ 0.4 weight 2",
        "boons Miss=0, Weak=1, Strong=5/2",
        "stat total * 2",
        "Miss at most 0.3",
        "[tune]\ngoals = ['Strong @ stat=2 at least 20%']\ndials = ['boon_cap=0..=5']\n",
    ])
}

pub(crate) fn cases() -> Vec<Vec<u8>> {
    owned(&[
        "id,question,target,set,query,numerator,denominator\na,dist,4d6kh3,,P(value==18),7,432\nb,dist,2d6,,mean(value),7,1\n",
        "id,question,target,set,query,numerator,denominator\nc,odds,stars-and-signs:action,circ_boons=2,Hit,1,2\n",
        "id,question,target,set,query,numerator,denominator\nd,track,buried-secrets:race,,mean(rolls),inf,\n",
    ])
}

pub(crate) fn projects() -> Vec<Vec<u8>> {
    owned(&[
        "rulesets = ['lantern.toml']\nbaseline = 'odds'\n",
        "rulesets = ['.']\nbaseline = 'odds'\ntolerance = 0.5\n",
        "rulesets = ['lantern.toml', 'none.toml']\nbaseline = './odds'\n[tolerances]\nHit = 0.1\nMiss = 2\n",
    ])
}
