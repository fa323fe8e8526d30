//! Tests of the client: hostile targets, hostile receivers, TLS and proxies.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first thing that is wrong, and prints its figures"
)]

mod authority;
mod client;
mod dns;
mod hostile;
mod hostile_targets;
mod limits;
mod namespace;
mod network;
mod proxies;
mod receiver;
mod responses;
mod tls;
