//! Implementations of the domain's system ports: wall clock, monotonic clock, randomness. No other module reads them.

mod clock;
mod descriptors;
mod entropy;

pub(crate) use clock::{Monotonic, SystemClock};
pub(crate) use descriptors::{ConnectionLimits, hard_limit};
pub(crate) use entropy::OsEntropy;
