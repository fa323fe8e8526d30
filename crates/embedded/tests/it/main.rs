//! Tests of the embedded store over plain maps.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod dump;
mod endpoints;
mod maintenance;
mod verify;
