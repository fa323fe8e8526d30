#![doc = include_str!("../README.md")]

pub mod billing;
pub mod binding;
pub mod check;
pub mod codec;
pub mod invoicing;
pub mod links;
pub mod metering;
pub mod ports;
pub mod proof;
pub mod registry;
pub mod secrets;
pub mod services;
pub mod timekeeping;
pub mod verdict;
pub mod vocabulary;

pub use vocabulary::{
    ApiKey, CheckId, ClientId, ClientName, ContextId, ContextTitle, Environment, EoaAddress, KeyId, Origin, Scope,
    Timestamp,
};
