//! `oddsmith lsp`.

use clap::Args as ClapArgs;

/// A language server for editors: errors, completion, help, odds
///
/// Speaks the Language Server Protocol on standard input and output. Editors start it themselves: `docs/editors.md` has
/// the lines that Helix, Neovim, Emacs, Zed and VS Code need. Files that are no rulesets are left alone.
#[derive(Debug, ClapArgs)]
pub(crate) struct LspArgs {
    /// Many editors add this; there is no other way to talk
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
