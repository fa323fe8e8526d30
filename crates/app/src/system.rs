//! The outside world that the domain asks for: wall clock, monotonic clock, randomness. Nowhere else are they read.

mod clock;
mod descriptors;
mod entropy;

pub(crate) use clock::{Monotonic, SystemClock};
pub(crate) use descriptors::{ConnectionLimits, hard_limit};
pub(crate) use entropy::OsEntropy;
