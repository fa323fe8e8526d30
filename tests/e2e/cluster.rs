//! Several processes on one database: one ledger, despite concurrent nodes and crashes.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test stops at the first thing that is wrong, and says what clients saw"
)]

#[path = "cluster/clients.rs"]
mod clients;
#[path = "cluster/failover.rs"]
mod failover;
#[path = "cluster/faults.rs"]
mod faults;
#[path = "cluster/guide.rs"]
mod guide;
#[path = "cluster/histories.rs"]
mod histories;
#[path = "cluster/nodes.rs"]
mod nodes;
#[path = "cluster/refusals.rs"]
mod refusals;
#[path = "cluster/shared.rs"]
mod shared;
#[path = "cluster/supervisor.rs"]
mod supervisor;
