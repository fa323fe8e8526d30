//! Random histories: the same operations on a store and on the reference model, compared one by one.
//!
//! A history follows from its seed alone: operations, ids, nonces and the moves of the clock. So a failure names the
//! command that replays it.

mod arguments;
mod kept;
mod operation;
mod rng;
mod run;
mod world;

pub(crate) use operation::Operation;
pub(crate) use run::{HISTORIES, HistoryPlan, StoreUnderTest};
pub use run::{message_of, run_history};
