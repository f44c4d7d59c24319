//! `oddsmith completions` and `oddsmith man`: the arguments, described for shells and readers.

use anyhow::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Args;
use crate::{exit, terminal};

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "oddsmith", &mut script);
    terminal::print_data(&script)?;
    Ok(exit::OK)
}

/// Prints one page with every command on it.
pub(crate) fn man() -> Result<u8> {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    let whole = Man::new(command.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    for part in command.get_subcommands() {
        page.extend(section(part)?);
        for inner in part.get_subcommands() {
            page.extend(section(inner)?);
        }
    }
    whole.render_extra_section(&mut page)?;
    terminal::print_data(&page)?;
    Ok(exit::OK)
}

/// A command as a section whose parts are subsections.
fn section(command: &clap::Command) -> Result<Vec<u8>> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
        .replace('-', " ");
    let man = Man::new(command.clone());
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    man.render_extra_section(&mut parts)?;
    let parts = String::from_utf8_lossy(&parts).replace("\n.SH ", "\n.SS ");
    let parts = parts
        .strip_prefix(".SH ")
        .map_or(parts.clone(), |rest| format!(".SS {rest}"));
    Ok(format!(".SH \"{}\"\n{parts}", name.to_uppercase()).into_bytes())
}
