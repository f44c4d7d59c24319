//! The case files that are listed are those that there are.

use oddsmith_testkit::cases::FILES;
use oddsmith_testkit::rulesets::path_of;

#[test]
fn no_file_is_left_out() {
    let files = std::fs::read_dir(path_of("tests/cases")).expect("the case files are there");
    let mut names: Vec<String> = files
        .map(|file| file.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    let mut known: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known);
}
