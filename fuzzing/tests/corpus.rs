//! Inputs that were wrong once, and some of each target that may be.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oddsmith_fuzzing::{Inputs, TARGETS, Target, set_slack, try_input};

/// Inputs of each target, beside those that `scripts/fuzz` tries.
const INPUTS: u64 = 40;
/// A build without optimisation beside other tests: only what never ends is too slow here.
const SLACK: u32 = 200;

/// Lets one test of this process run at a time: memory is counted for the whole process, so that what one test
/// allocates would count against the input of another.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn what_was_wrong_is_not() {
    let _alone = alone();
    set_slack(SLACK);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for directory in fs::read_dir(corpus).expect("the corpus is there") {
        let directory = directory.expect("a directory").path();
        let name = directory
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let target = Target::named(&name).unwrap_or_else(|message| panic!("{message}"));
        for path in fs::read_dir(&directory).expect("a directory") {
            let path = path.expect("a file").path();
            let input = fs::read(&path).expect("a file can be read");
            assert_eq!(try_input(target, &input), Ok(()), "{}", path.display());
        }
    }
}

#[test]
fn some_inputs_of_each_target_are_right() {
    let _alone = alone();
    set_slack(SLACK);
    for target in TARGETS {
        let inputs = Inputs::new(target);
        for number in 0..INPUTS {
            let judged = try_input(target, &inputs.input(2026, number));
            assert_eq!(judged, Ok(()), "{}, input {number}", target.name);
        }
    }
}

/// Inputs are the same in every process, or what is found could not be shown again.
#[test]
fn inputs_can_be_made_again() {
    let _alone = alone();
    for target in TARGETS {
        let [one, other] = [Inputs::new(target), Inputs::new(target)];
        let changed = (0..40).filter(|&number| {
            assert_eq!(one.input(1, number), other.input(1, number));
            one.input(1, number) != one.input(2, number)
        });
        assert!(changed.count() > 20, "{}", target.name);
    }
}

/// The test of the tests: a wrong answer, a panic and a broken limit are each told.
#[test]
fn what_is_wrong_is_told() {
    let _alone = alone();
    let target = |run| Target {
        name: "wrong",
        run,
        seeds: Vec::new,
        drawn: None,
    };
    assert!(try_input(&target(|_| Err("no".to_owned())), b"").is_err());
    let panicked = try_input(&target(|_| panic!("at the end")), b"");
    assert_eq!(panicked, Err("a panic: at the end".to_owned()));
}
