//! What the black-box tests share: paths, a running server, a small HTTP client.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a helper of tests stops at the first thing that is wrong, and may say what it saw"
)]

pub mod command;
pub mod disk;
pub mod http;
pub mod paths;
pub mod ports;
pub mod publish;
pub mod server;
pub mod skip;
