//! Tells the linker of some systems that what the module lacks is in the interpreter.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
