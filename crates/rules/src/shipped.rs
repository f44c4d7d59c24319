//! The rulesets that come with Oddsmith, as text in the binary.

/// Name and text of every file of `rulesets/`: the one to begin with, then the others by name.
///
/// ```
/// for (name, text) in oddsmith_rules::shipped() {
///     assert!(oddsmith_rules::load(name, text.as_bytes()).is_ok());
/// }
/// ```
#[must_use]
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    SHIPPED
}

macro_rules! rulesets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("ODDSMITH_RULESETS"), "/", $name, ".toml")))),*]
    };
}

const SHIPPED: &[(&str, &str)] = rulesets![
    "stars-and-signs",
    "action-checks",
    "action-primer",
    "buried-secrets",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::shipped;

    #[test]
    fn lists_every_file_of_the_directory() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulesets");
        let mut files: Vec<String> = std::fs::read_dir(directory)
            .expect("the repository has rulesets")
            .map(|entry| entry.expect("a readable entry").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "toml")
            })
            .map(|path| {
                path.file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        files.sort_by_key(|name| (name != "stars-and-signs", name.clone()));
        let names: Vec<&str> = shipped().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, files);
    }

    #[test]
    fn each_is_right() {
        for (name, text) in shipped() {
            let model = crate::load(name, text.as_bytes());
            let model = model.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
            crate::validate(&model).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        }
    }
}
