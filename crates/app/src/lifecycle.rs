//! The life of a server: serving, the work beside it, and an orderly end.

mod background;
mod clock_watch;
mod housekeeping;
mod key_uses;
mod local;
mod run;
mod scrub;
mod shutdown;
mod signing_key_watch;

pub(crate) use housekeeping::JobSettings;
pub(crate) use local::LocalAdmin;
pub(crate) use run::{AdminListeners, block_on, serve};
pub(crate) use shutdown::wait_for_signal;

#[cfg(test)]
#[path = "lifecycle/tests.rs"]
mod tests;
