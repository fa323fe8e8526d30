//! Tests of the console over a store in memory, through HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a helper of a test fails the test"
)]

mod accounts;
mod changes;
mod common;
mod guards;
mod links;
mod sign_in;
