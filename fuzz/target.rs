//! Every target: which one it is, is the name of the program.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| oddsmith_fuzzing::demand(env!("CARGO_BIN_NAME"), input));
