//! Service processes on a Citus cluster of PostgreSQL servers.
//!
//! `VOIGHT_TEST_CITUS_BIN` names the directory of the PostgreSQL programs of an installation with the extension.
//! Without it every test reports by name that it is skipped.
#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is wrong, says what clients saw, and measures real time"
)]
// Shared with the suite `cluster`, which uses all of it.

mod durability;
mod faults;
mod figures;
mod hang;
mod migrations;
mod on_workers;
mod setup_guide;
mod spread;
mod stage;
mod throughput;
