#![doc = include_str!("../README.md")]

#[cfg(feature = "domain")]
mod clock;
mod committed;
mod duration;
#[cfg(feature = "embedded")]
pub mod embedded;
#[cfg(feature = "domain")]
mod entropy;
pub mod evidence;
#[cfg(feature = "domain")]
mod ownership;
mod poll_now;
#[cfg(feature = "sources")]
pub mod sources;
pub mod tier;

#[cfg(feature = "domain")]
pub use clock::{FixedClock, ManualClock, NOW};
pub use committed::{assert_committed, is_update};
pub use duration::parse_duration;
#[cfg(feature = "domain")]
pub use entropy::{CountingEntropy, FixedEntropy};
#[cfg(feature = "domain")]
pub use ownership::{TestBrowser, TestWallet};
pub use poll_now::poll_now;
