//! Several processes on one database: one ledger, despite concurrent nodes and crashes.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test stops at the first thing that is wrong, and says what clients saw"
)]

pub(crate) mod clients;
mod deliveries;
mod failover;
mod faults;
mod guide;
mod histories;
pub(crate) mod nodes;
mod rejections;
mod shared;
pub(crate) mod supervisor;
