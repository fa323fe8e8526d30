#![doc = include_str!("../README.md")]

pub mod billing;
pub mod check;
pub mod clock_guard;
pub mod codec;
pub mod events;
pub mod histogram;
pub mod invoicing;
pub mod ledger_audit;
pub mod linkage;
pub mod metering;
pub mod outbound;
pub mod ownership;
pub mod ports;
pub mod rate_limit;
pub mod registry;
pub mod retention;
pub mod secrets;
pub mod services;
pub mod snapshot;
pub mod verdict;
pub mod vocabulary;
pub mod webhooks;

pub use vocabulary::{
    ApiKey, CheckId, ClientId, ClientName, ContextId, ContextTitle, Environment, EoaAddress, KeyId,
    Origin, Scope, Timestamp,
};
