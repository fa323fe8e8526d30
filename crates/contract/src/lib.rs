#![doc = include_str!("../README.md")]

mod block_on;
mod cases;
mod clock;
mod factory;
mod fixture;
mod make;
mod suite;

pub use clock::ManualClock;
pub use factory::{Capability, Factory, OpenError};
pub use suite::{Model, Suite};
