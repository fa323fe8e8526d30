//! Use cases with the in-memory store: no runtime, and a clock that the test moves.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod binding;
mod checks;
mod fixture;
mod ledgers;
mod registry;
mod signing_keys;
