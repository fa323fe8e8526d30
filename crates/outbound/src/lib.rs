#![doc = include_str!("../README.md")]

mod call_permits;
mod client;
mod connector;
mod exchange;
mod message;
mod options;
mod proxy;
mod resolver;
mod tls;

pub use client::OutboundClient;
pub use connector::{Connector, TcpConnector};
pub use exchange::{MAX_HEAD_BYTES, MAX_HEADERS};
pub use options::{OpenError, OutboundOptions, system_roots};
pub use resolver::{Resolver, SystemResolver};
