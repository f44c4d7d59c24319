//! `oddsmith serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;

/// The workbench: a page whose odds follow every change of the rules
///
/// Serves a page to the browser on this machine, and to nobody else: the address that is printed has a secret in it. On the
/// page rules are edited and saved, settings moved, versions compared; the answers are those of the other commands.
/// Without FILE it begins with the games that come along and a pad for dice. Ctrl-C ends it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith serve
  oddsmith serve mine.toml
  oddsmith serve rules --no-open --port 8000")]
pub(crate) struct ServeArgs {
    /// A ruleset, or a directory with some: what can be opened and saved
    #[arg(value_name = "FILE|DIR")]
    pub(crate) path: Option<PathBuf>,

    /// The port; any that is free without it
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,

    /// Print the address, and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Listen on this address in place of 127.0.0.1: others who reach it and know the secret may read and change the files
    #[arg(long, value_name = "IP")]
    pub(crate) listen: Option<IpAddr>,

    /// A further name, with its port, by which browsers may reach the server: `localhost:9000` at the end of a tunnel
    #[arg(long = "host", value_name = "NAME:PORT")]
    pub(crate) hosts: Vec<String>,
}
