//! Tells the linker of some systems that what the module lacks is in the interpreter, and people which profile it wants.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    if std::env::var("CARGO_CFG_PANIC").is_ok_and(|panic| panic == "abort") {
        println!(
            "cargo::warning=a panic ends the interpreter here; with `--profile wheel` it is an exception"
        );
    }
}
