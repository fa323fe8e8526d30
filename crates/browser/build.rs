//! Makes cargo compile the crate again when a built file is added or removed.

fn main() {
    println!("cargo::rerun-if-changed=dist");
}
