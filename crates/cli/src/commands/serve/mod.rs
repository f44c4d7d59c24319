//! `oddsmith serve`: the workbench.

mod files;
mod peer;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use oddsmith::Error;
use oddsmith_serve::{Files, Options, PAGE, Server, open_browser};

use crate::args::ServeArgs;
use crate::{exit, failure, interrupt, terminal};

use peer::Workbench;

/// How often it is looked whether it is time to end.
const PATIENCE: Duration = Duration::from_millis(50);

/// Serves until it is interrupted.
pub(crate) fn run(args: &ServeArgs) -> Result<u8> {
    let served = args.path.as_deref();
    let files = match served {
        Some(path) => Files::new(path, files::save).map_err(|error| unserved(path, &error))?,
        None => Files::none(),
    };
    let mut options = Options {
        port: args.port.unwrap_or(0),
        hosts: args.hosts.clone(),
        ..Options::default()
    };
    if let Some(address) = args.listen {
        options.address = address;
    }
    let server = Arc::new(Server::bind(options, PAGE.to_vec(), files, Workbench)?);
    interrupt::listen()?;
    interrupt::begin();
    let address = server.address();
    terminal::print(&format!("{address}\n"))?;
    if !args.no_open
        && let Err(error) = open_browser(&address)
    {
        failure::note(&format!(
            "no browser was opened ({error}): open the address above"
        ));
    }
    let stopper = server.stopper();
    let wait = move || {
        while !interrupt::is_asked() {
            thread::sleep(PATIENCE);
        }
        stopper.stop();
    };
    thread::spawn(wait);
    server.run()?;
    Ok(exit::OK)
}

fn unserved(path: &Path, error: &std::io::Error) -> Error {
    let message = format!("can't serve `{}`: {error}", path.display());
    let help = "give a ruleset, a directory, or nothing: `oddsmith serve` begins with the games that come along";
    Error::advice(message, help)
}
