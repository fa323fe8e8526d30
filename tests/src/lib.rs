//! What the black-box tests share: paths, a running server, a small HTTP client.

pub mod command;
pub mod http;
pub mod paths;
pub mod ports;
pub mod server;
pub mod skip;
