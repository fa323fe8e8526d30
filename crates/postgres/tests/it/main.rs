//! Tests of the PostgreSQL store on a private server.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod common;
mod connect;
mod dump;
mod endpoints;
mod events;
mod faults;
mod key_cache;
mod leader_lease;
mod open;
