//! Checks of the source itself that no compiler makes.
//!
//! - An arrow between crates points to the left: [`crates`].
//! - Modules know each other in one direction, and every file belongs to a module: [`modules`].
//! - Every file that a document names is there, and every link leads somewhere: [`documents`].
//! - The book has every document that it links to: [`book`].
//! - Every package that is built has a licence that `deny.toml` allows: [`licences`].
//! - What a page without a server computes asks for no files, threads or clocks: [`systems`].
//! - Every accepted snapshot is one that a test looks at: [`snapshots`].
//!
//! Each check returns sentences, one for each thing that is wrong; `cargo run -p xtask -- tidy` prints them, and a test
//! of this crate holds them to be none.

pub mod book;
pub mod crates;
pub mod cycles;
pub mod documents;
mod files;
pub mod licences;
pub mod modules;
pub mod snapshots;
pub mod systems;

use std::path::Path;

use anyhow::Result;

/// All that is wrong with the source below `root`, the directory of the workspace.
///
/// # Errors
/// If a file can't be read, or is not what its name says.
pub fn tidy(root: &Path) -> Result<Vec<String>> {
    let mut wrong = crates::wrong_arrows(root)?;
    for (name, most) in cycles::MOST {
        wrong.extend(cycles::too_long(
            &root.join("crates").join(name),
            name,
            most,
        )?);
    }
    wrong.extend(modules::orphans(root)?);
    wrong.extend(documents::lost_paths(root)?);
    wrong.extend(documents::dead_links(root)?);
    wrong.extend(book::left_out(root)?);
    wrong.extend(licences::refused(root)?);
    wrong.extend(systems::missing_in_pages(root)?);
    Ok(wrong)
}
