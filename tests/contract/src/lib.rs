#![doc = include_str!("../README.md")]

mod block_on;
mod cases;
mod factory;
mod fault_injection;
mod fixture;
pub mod generate;
mod histories;
mod ledger;
mod paging;
mod state_dump;
mod suite;

pub use block_on::block_on;
pub use factory::{Capability, FactoryError, Model, StoreFactory};
pub use fault_injection::{FaultDuration, FaultKind, FaultyStore, InjectedFault};
pub use histories::{message_of, run_history};
pub use suite::Suite;

/// Iterates over the names of all cases, each of which is the name of a promise.
pub fn case_names() -> impl Iterator<Item = &'static str> {
    cases::all().map(|(_, case)| case.name)
}
