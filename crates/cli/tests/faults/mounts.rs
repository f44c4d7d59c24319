//! File systems that are full, and such that are read-only: what was there stays as it was, and nothing else is left.

use crate::support::{Place, Run};

/// The commands that write, with what they name in the directory that is mounted.
const WRITERS: [&str; 5] = [
    "report lantern.toml -o disk/odds",
    "check lantern.toml --baseline disk/odds --update",
    "table lantern.toml --sweep all -o disk/odds.csv",
    "table lantern.toml --sweep all -o disk/odds.parquet",
    "chart lantern.toml --x stat -o disk/odds.svg",
];

/// A shell in which `disk` is a file system of 64 KB, and gone in the end; none where nobody may mount one.
fn mounted(place: &Place, script: &str) -> Option<Run> {
    let mount = "mkdir -p disk && mount -t tmpfs -o size=64k none disk";
    let inner = |script: &str| format!("unshare -rm sh -c '{mount} && {{ {script}\n}}'");
    if place.shell(&inner("true")).status != Some(0) {
        #[expect(clippy::print_stderr, reason = "nobody would notice otherwise")]
        {
            eprintln!(
                "SKIPPED: full and read-only disks are not tried, since nothing can be mounted here"
            );
        }
        return None;
    }
    Some(place.shell(&inner(script)))
}

/// What becomes of each command after `prepare`: an error with these words, and the same files as before, byte for byte.
/// Times are left out, since a directory of which something was made and taken away has a new one.
fn leave_all_as_it_was(prepare: &str, says: &str) {
    for command in WRITERS {
        let place = Place::new();
        let list = "{ find disk -exec ls -dlin --time-style=+ {} + ; find disk -type f -exec cksum {} + ; }";
        let script = format!(
            "echo old > disk/odds.csv; {prepare}\n\
             {list} > before 2>&1; oddsmith {command}; echo $? > status; {list} > after 2>&1"
        );
        let Some(run) = mounted(&place, &script) else {
            return;
        };
        assert_eq!(place.read("status"), "2\n", "{command}: {}", run.err);
        assert!(run.err.contains(says), "{command}: {}", run.err);
        assert!(!run.err.contains("panicked"), "{command}: {}", run.err);
        assert_eq!(run.out, "", "{command}");
        assert!(place.read("before").contains("disk/odds.csv"), "{command}");
        assert_eq!(place.read("before"), place.read("after"), "{command}");
    }
}

#[test]
fn a_full_disk_keeps_what_it_had() {
    let fill = "head -c 65536 /dev/zero > disk/filler 2> /dev/null";
    leave_all_as_it_was(fill, "no space left on device");
}

#[test]
fn a_disk_that_fills_on_the_way_keeps_what_it_had() {
    // 8 KB are left, too little for a page.
    let script = "head -c 53248 /dev/zero > disk/filler; oddsmith report lantern.toml -o disk/odds; find disk";
    let place = Place::new();
    let Some(run) = mounted(&place, script) else {
        return;
    };
    assert_eq!(run.out, "disk\ndisk/filler\n", "{}", run.err);
    assert!(run.err.contains("no space left on device"), "{}", run.err);
}

#[test]
fn a_read_only_disk_keeps_what_it_had() {
    leave_all_as_it_was("mount -o remount,ro disk", "read-only file system");
}

/// CI may have its checkout on a disk that is read-only; what a killed run has left there that decided nothing, too.
#[test]
fn odds_are_checked_on_a_read_only_disk() {
    let place = Place::new();
    let script = "cp lantern.toml disk; cd disk; oddsmith check lantern.toml --baseline odds --update || exit 3\n\
                  mount -o remount,ro . ; oddsmith check lantern.toml --baseline odds || exit 4\n\
                  mount -o remount,rw . ; mkdir odds/.oddsmith.partial; mount -o remount,ro .\n\
                  oddsmith check lantern.toml --baseline odds";
    let Some(run) = mounted(&place, script) else {
        return;
    };
    assert_eq!(run.status, Some(0), "{}", run.err);
}
