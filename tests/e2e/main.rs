//! End-to-end tests: the modules test the built binary, its documentation and its package in one test binary.
#![expect(
    clippy::expect_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod architecture;
mod attacks;
mod billing;
mod browser;
mod citus;
mod cli;
mod cluster;
mod deploy;
mod documents;
mod erase;
mod faults;
mod format;
mod http;
mod logs;
mod monitoring;
mod oracle;
mod package;
mod packages;
mod pages;
mod receipts;
mod restart;
mod schemathesis;
mod sdk;
mod snapshots;
mod store;
mod webhooks;
