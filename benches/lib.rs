//! The benchmarks stand beside this file; the library is empty.
