//! What people read in place of settings that are written as on a command line.

use oddsmith_rules::{Input, in_turn, setting};

/// The input of a name.
pub(crate) fn input<'m>(inputs: &'m [Input], name: &str) -> Option<&'m Input> {
    inputs.iter().find(|input| input.name == name)
}

/// What people read in place of a value, which is written as on a command line.
pub(crate) fn value(input: &Input, written: &str) -> String {
    let labels = &input.value_labels;
    let label = labels
        .iter()
        .find(|(own, _)| input.domain.show(*own) == written);
    label.map_or_else(|| written.to_owned(), |(_, label)| label.clone())
}

/// What people read in place of settings with blanks between them; of words that set nothing these words.
pub(crate) fn settings(inputs: &[Input], written: &str) -> String {
    let told = written.split(' ').map(|word| {
        let (name, set) = word.split_once('=')?;
        let input = input(inputs, name)?;
        Some(setting(input.title(), &value(input, set)))
    });
    let told: Option<Vec<String>> = told.collect();
    told.map_or_else(|| written.to_owned(), |words| in_turn(&words))
}
