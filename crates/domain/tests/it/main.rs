//! Tests of billing and of the use cases.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod billing;
mod services;
mod snapshots;
mod webhooks;
