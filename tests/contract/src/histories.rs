//! Random histories: the same operations on a store and on the reference model, compared one by one.
//!
//! A history is determined by its seed alone: operations, ids, nonces and clock changes. A failure prints the command
//! that replays it.

mod arguments;
mod operation;
mod rng;
mod run;
mod shrink;
mod state;

pub(crate) use operation::Operation;
pub(crate) use run::{HISTORIES, HistoryPlan, StoreUnderTest};
pub use run::{message_of, run_history};
