#![doc = include_str!("../README.md")]

mod dump;
mod mutate;
mod sealed;
pub mod targets;

pub use dump::repair;
pub use mutate::Mutator;
pub use targets::{FuzzTarget, TARGETS};
