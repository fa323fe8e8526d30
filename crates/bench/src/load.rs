//! Load over real sockets.

mod asker;
mod closed;
mod latency;
mod measured;
mod open;
mod wire;

pub(crate) use asker::{Answer, Asker, Prepared, Repeated};
pub(crate) use closed::closed;
pub(crate) use measured::{Measured, Target};
pub(crate) use open::{Rate, open};
