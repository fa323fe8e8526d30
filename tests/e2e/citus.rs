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
#![expect(dead_code, reason = "the other suite uses the rest")]

#[path = "cluster/clients.rs"]
mod clients;
#[path = "cluster/supervisor.rs"]
mod fleet;
#[path = "cluster/nodes.rs"]
mod nodes;

#[path = "citus/durability.rs"]
mod durability;
#[path = "citus/faults.rs"]
mod faults;
#[path = "citus/figures.rs"]
mod figures;
#[path = "citus/hang.rs"]
mod hang;
#[path = "citus/migrations.rs"]
mod migrations;
#[path = "citus/on_workers.rs"]
mod on_workers;
#[path = "citus/setup_guide.rs"]
mod setup_guide;
#[path = "citus/spread.rs"]
mod spread;
#[path = "citus/stage.rs"]
mod stage;
#[path = "citus/throughput.rs"]
mod throughput;
