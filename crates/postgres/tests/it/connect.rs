//! Connections: encryption and authentication methods.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

mod authentication;
mod certificates;
#[path = "../common/mod.rs"]
mod common;
mod encryption;
mod relay;
