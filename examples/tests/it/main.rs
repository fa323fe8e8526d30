//! Tests of the examples for integrators: guide, quests and cluster.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops at the first error"
)]

mod cluster;
mod guide;
mod quests;
