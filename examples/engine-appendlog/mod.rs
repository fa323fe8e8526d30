#![doc = include_str!("README.md")]

mod engine;
mod frame;
mod log;

pub use engine::{AppendLog, Snapshot};
