//! Makes cargo compile the crate again when a built file is added or removed.
#![expect(clippy::print_stdout, reason = "cargo reads the standard output of a build script")]

fn main() {
    println!("cargo::rerun-if-changed=dist");
}
