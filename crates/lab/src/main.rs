//! `cargo xtask detect`: train, evaluate, report.

fn main() {}
