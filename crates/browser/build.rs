//! Makes cargo recompile the crate when a built file is added or removed.

fn main() {
    println!("cargo::rerun-if-changed=dist");
}
