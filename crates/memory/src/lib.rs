#![doc = include_str!("../README.md")]

mod ports;
mod state;
mod stored_evidence;

pub use state::MemoryStore;
