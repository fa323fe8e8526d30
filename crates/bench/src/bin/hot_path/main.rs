//! The hot path by itself, from request bytes to response bytes, for counting its instructions and allocations.

fn main() {}
