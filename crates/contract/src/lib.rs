#![doc = include_str!("../README.md")]

mod block_on;
mod cases;
mod clock;
mod factory;
mod faulty;
mod fixture;
mod histories;
mod ledger;
pub mod make;
mod paging;
mod seen;
mod suite;

pub use block_on::block_on;
pub use clock::ManualClock;
pub use factory::{Capability, FactoryError, StoreFactory};
pub use faulty::{FaultDuration, FaultKind, FaultyStore, InjectedFault};
pub use histories::{message_of, run_history};
pub use suite::{Model, Suite};

/// The names of all cases, each the name of a promise of the storage ports.
pub fn case_names() -> impl Iterator<Item = &'static str> {
    cases::all().map(|(_, case)| case.name)
}
