//! `cargo xtask bench`: what the running service costs, beside a static handler.

fn main() {}
