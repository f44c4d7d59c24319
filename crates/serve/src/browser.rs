//! A browser for an address.

use std::io::{self, ErrorKind};
use std::process::{Command, Stdio};
use std::thread;

/// A program that opens an address, and what it is told before it.
type Program = (&'static str, &'static [&'static str]);

#[cfg(target_os = "macos")]
const PROGRAMS: &[Program] = &[("open", &[])];

#[cfg(windows)]
const PROGRAMS: &[Program] = &[("rundll32", &["url.dll,FileProtocolHandler"])];

#[cfg(not(any(target_os = "macos", windows)))]
const PROGRAMS: &[Program] = &[("xdg-open", &[]), ("wslview", &[]), ("gio", &["open"])];

/// Opens an address in the browser of whoever runs this, and does not wait for it. The address is one argument of a program;
/// no shell reads it.
///
/// # Errors
/// If this is no address of a server such as this one; if the system has none of the programs that open addresses.
pub fn open_browser(address: &str) -> io::Result<()> {
    demand_address(address)?;
    open_with(PROGRAMS, address)
}

fn demand_address(address: &str) -> io::Result<()> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ":/.[]-_".contains(c);
    let rest = address.strip_prefix("http://").unwrap_or_default();
    if rest.is_empty() || !rest.chars().all(is_plain) {
        let why = format!("`{}` is no address to open", address.escape_debug());
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    }
    Ok(())
}

fn open_with(programs: &[Program], address: &str) -> io::Result<()> {
    for (program, arguments) in programs {
        let mut command = Command::new(program);
        command.args(*arguments).arg(address);
        match start(&mut command) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => return done,
        }
    }
    let names: Vec<&str> = programs.iter().map(|(name, _)| *name).collect();
    let why = format!("no program opens a browser here ({})", names.join(", "));
    Err(io::Error::new(ErrorKind::NotFound, why))
}

fn start(command: &mut Command) -> io::Result<()> {
    // A browser that this starts outlives the Ctrl-C that ends the server.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    // Some of these programs last as long as the browser does; somebody has to be there when they end.
    thread::Builder::new()
        .name("browser".to_owned())
        .spawn(move || child.wait())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::{demand_address, open_browser, open_with};

    #[test]
    fn only_addresses_are_opened() {
        for bad in [
            "",
            "http://",
            "file:///etc/passwd",
            "https://127.0.0.1/",
            "--help",
            "http://127.0.0.1:1/`id`",
            "http://127.0.0.1:1/$(id)",
            "http://127.0.0.1:1/ --new-window",
            "http://127.0.0.1:1/&calc",
            "http://127.0.0.1:1/%41",
            "http://127.0.0.1:1/\"",
            "http://127.0.0.1:1/\n",
        ] {
            let error = open_browser(bad).expect_err(bad);
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{bad}");
        }
        demand_address("http://127.0.0.1:40000/0a1b/").expect("an address");
        demand_address("http://[::1]:40000/0a1b/").expect("an address");
    }

    #[cfg(unix)]
    #[test]
    fn the_first_program_that_is_there_opens_it() {
        let missing = ("oddsmith-has-no-such-program", &[] as &[&str]);
        let error = open_with(&[missing], "http://x/").expect_err("it is missing");
        assert!(error.to_string().contains("oddsmith-has-no-such-program"));
        open_with(&[missing, ("true", &[])], "http://x/").expect("it is there");
    }
}
